#pragma once

#include "app/table_map/palette.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace slotscape {

/// Numbers for a scale from 0 to `end` > 0, including both ends: every integer if there are few, otherwise a few round
/// ones.
std::vector<double> scale_marks(double end, bool log_scale);

/// A number on a scale, at this fraction of its length.
struct ScaleMark {
  double share;
  std::string text;
};

/// The position of a mark and its number, from the start of the scale; without text if it would touch its neighbour.
struct PlacedMark {
  float tick;
  float left;
  std::string text;
};

/// Places marks from the end of the scale backwards. A number that would touch the next one, or the one at the start,
/// is omitted. marks: ascending, the first at the start.
std::vector<PlacedMark> placed_marks(Look const& look, std::span<ScaleMark const> marks, float width);

/// A legend on a slide: colours and their meanings on one line.
class SlideLegend {
public:
  SlideLegend(Look const& look, Drawing& drawing, Rectangle const& place)
      : look_(look),
        drawing_(drawing),
        at_{static_cast<float>(place.x) + look(14.0f),
            static_cast<float>(place.y) + (static_cast<float>(place.height) - look.body) / 2.0f},
        right_(static_cast<float>(place.x + place.width))
  {
  }

  void word(std::string const& text, float gap)
  {
    drawing_.text(at_, look_.body, theme::text_on(look_.background), text);
    at_.x += width_of(text) + look_(gap);
  }
  /// Includes the gap after it.
  float width_of_swatch(std::string const& label) const { return look_(35.0f) + width_of(label); }
  /// hollow: for things drawn faintly.
  void swatch(Color const& color, std::string const& label, bool hollow = false)
  {
    float const side = look_(13.0f);
    float const top = at_.y + (look_.body - side) / 2.0f;
    if (hollow) {
      drawing_.frame({at_.x, top}, {at_.x + side, top + side}, packed(color), look_(2.0f), look_(1.5f));
    } else {
      drawing_.fill({at_.x, top}, {at_.x + side, top + side}, packed(color), look_(2.0f));
    }
    at_.x += side + look_(6.0f);
    word(label, 16.0f);
  }
  /// Draws a scale with numbers below it, each at its position. beside: width to reserve for what follows.
  void scale(Palette palette, std::span<ScaleMark const> marks, float beside = 0.0f)
  {
    constexpr int parts = 64;
    float const room = right_ - at_.x - look_(20.0f) - beside;
    float const part = std::clamp(room / parts, look_(1.0f), look_(3.0f));
    float const width = part * parts;
    float const top = at_.y - look_(5.0f);
    float const bottom = top + look_(9.0f);
    for (int i = 0; i < parts; ++i) {
      float const left = at_.x + part * static_cast<float>(i);
      drawing_.fill({left, top}, {left + part, bottom}, packed(palette_color(palette, (i + 0.5) / parts)));
    }
    ImU32 const color = theme::text_on(look_.background);
    for (PlacedMark const& mark : placed_marks(look_, marks, width)) {
      float const tick = at_.x + mark.tick;
      drawing_.fill({tick - look_(0.5f), bottom}, {tick + look_(0.5f), bottom + look_(3.0f)}, color);
      if (!mark.text.empty()) {
        drawing_.text({at_.x + mark.left, bottom + look_(2.0f)}, look_.small, color, mark.text);
      }
    }
    at_.x += width + look_(20.0f);
  }

private:
  float width_of(std::string const& text) const
  {
    return look_.font->CalcTextSizeA(look_.body, 1e9f, 0.0f, text.c_str()).x;
  }

  Look const& look_;
  Drawing& drawing_;
  ImVec2 at_;
  float right_;
};

}  // namespace slotscape
