#pragma once

#include "app/table_map/palette.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <string>

namespace slotscape {

/// Colours on a slide and what they mean, one after the other on a line.
class SlideLegend {
public:
  SlideLegend(Look const& look, Drawing& drawing, Rectangle const& place)
      : look_(look),
        drawing_(drawing),
        at_{static_cast<float>(place.x) + look(14.0f),
            static_cast<float>(place.y) + (static_cast<float>(place.height) - look.body) / 2.0f}
  {
  }

  void word(std::string const& text, float gap)
  {
    drawing_.text(at_, look_.body, theme::text_on(look_.background), text);
    at_.x += look_.font->CalcTextSizeA(look_.body, 1e9f, 0.0f, text.c_str()).x + look_(gap);
  }
  void swatch(Color const& color, std::string const& label)
  {
    float const side = look_(13.0f);
    float const top = at_.y + (look_.body - side) / 2.0f;
    drawing_.fill({at_.x, top}, {at_.x + side, top + side}, packed(color), look_(2.0f));
    at_.x += side + look_(6.0f);
    word(label, 16.0f);
  }
  void scale(Palette palette, std::string const& end, std::string const& begin = "0")
  {
    constexpr int parts = 64;
    word(begin, 6.0f);
    float const part = look_(3.0f);
    for (int i = 0; i < parts; ++i) {
      float const left = at_.x + part * static_cast<float>(i);
      drawing_.fill({left, at_.y + look_(2.0f)}, {left + part, at_.y + look_.body - look_(2.0f)},
                    packed(palette_color(palette, (i + 0.5) / parts)));
    }
    at_.x += part * parts + look_(6.0f);
    word(end, 16.0f);
  }

private:
  Look const& look_;
  Drawing& drawing_;
  ImVec2 at_;
};

}  // namespace slotscape
