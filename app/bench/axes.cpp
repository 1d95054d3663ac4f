#include "app/bench/axes.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <optional>

namespace slotscape {
namespace {

constexpr float label_width = 46.0f;
constexpr float rows_above = 3.0f;  ///< of text: the title, that of the axis upwards, and half of a tick's
constexpr float room_after_last_tick = 14.0f;
constexpr int ticks = 4;  ///< of an axis; a logarithmic one upwards has one a decade

}  // namespace

Axes::Axes(Look const& look, Drawing& drawing, ImVec2 low, ImVec2 high, Axis const& x, Axis const& y)
    : look_(look),
      drawing_(drawing),
      corner_(low),
      low_(low.x + look(label_width), low.y + look(rows_above * row_height)),
      high_(high.x, high.y - look(2.0f * row_height)),
      x_(x),
      y_(y)
{
}

void Axes::draw(std::string const& title, std::string const& x_title, std::string const& y_title, Text x_text,
                Text y_text)
{
  ImU32 const ink = theme::text_on(look_.background);
  ImU32 const faint = theme::with_alpha(ink, 0.25f);
  drawing_.text(corner_, look_.large, ink, title);
  int const rows = y_.log ? std::max(1, static_cast<int>(std::lround(std::log10(y_.high / y_.low)))) : ticks;
  for (int tick = 0; tick <= rows; ++tick) {
    double const share = static_cast<double>(tick) / rows;
    float const across = std::lerp(high_.y, low_.y, static_cast<float>(share));
    drawing_.line({low_.x, across}, {high_.x, across}, faint, look_(1.0f));
    drawing_.text({corner_.x, across - 0.5f * look_.small}, look_.small, ink, y_text(y_.value(share)));
  }
  auto const width_of = [&](std::string const& text) {
    return look_.font->CalcTextSizeA(look_.small, FLT_MAX, 0.0f, text.c_str()).x;
  };
  float const before_tick = look_(10.0f);  // of its text; the last one ends where the room does, and is never cut
  float const right = high_.x + look_(room_after_last_tick);
  float const last = width_of(x_text(x_.value(1.0)));
  float const shifted = std::max(0.0f, high_.x - before_tick + last - right);
  int columns = ticks;  // fewer where their texts would meet
  float const widest = std::max(last, width_of(x_text(x_.value(0.5)))) + shifted + look_(8.0f);
  while (columns > 1 && (high_.x - low_.x) / static_cast<float>(columns) < widest) { columns /= 2; }
  for (int tick = 0; tick <= columns; ++tick) {
    double const share = static_cast<double>(tick) / columns;
    float const down = std::lerp(low_.x, high_.x, static_cast<float>(share));
    std::string const text = x_text(x_.value(share));
    float const left = std::min(down - before_tick, right - width_of(text));
    drawing_.text({left, high_.y + look_(4.0f)}, look_.small, ink, text);
  }
  drawing_.text({corner_.x, low_.y - look_(1.45f * row_height)}, look_.small, ink, y_title);
  float const width = width_of(x_title);
  bool const fits = width <= high_.x - low_.x;
  drawing_.text({fits ? 0.5f * (low_.x + high_.x - width) : high_.x - width, high_.y + look_(4.0f + row_height)},
                look_.small, ink, x_title);
}

ImVec2 Axes::place(ChartPoint const& point) const
{
  return {std::lerp(low_.x, high_.x, static_cast<float>(x_.share(point.x))),
          std::lerp(high_.y, low_.y, static_cast<float>(y_.share(point.y)))};
}

/// Of all that is there, the areas together.
float LabelPlaces::covered_by(Area const& text) const
{
  float area = 0.0f;
  for (Area const& other : taken_) {
    float const width = std::min(text.high.x, other.high.x) - std::max(text.low.x, other.low.x);
    float const height = std::min(text.high.y, other.high.y) - std::max(text.low.y, other.low.y);
    area += std::max(width, 0.0f) * std::max(height, 0.0f);
  }
  return area;
}

/// Right above it, left above it, right below it and left below it; then one row farther away, and so on.
ImVec2 LabelPlaces::place(ImVec2 mark, float radius, ImVec2 size)
{
  constexpr int rows = 4;
  std::optional<Area> best;
  float least = 0.0f;
  for (int i = 0; i < 4 * rows && (!best || least > 0.0f); ++i) {
    bool const is_right = i % 2 == 0;
    bool const is_above = i % 4 < 2;
    int const row = i / 4;
    float const away = radius + static_cast<float>(row) * size.y;
    ImVec2 const wanted{is_right ? mark.x + radius : mark.x - radius - size.x,
                        is_above ? mark.y - away - size.y : mark.y + away};
    ImVec2 const corner{std::max(std::min(wanted.x, high_.x - size.x), low_.x),
                        std::max(std::min(wanted.y, high_.y - size.y), low_.y)};
    Area const area{corner, {corner.x + size.x, corner.y + size.y}};
    float const covered = covered_by(area);
    if (best && covered >= least) { continue; }
    best = area;
    least = covered;
  }
  taken_.push_back(*best);
  return best->low;
}

ImU32 color_of_line(std::size_t number, Background background)
{
  return theme::lines[number % theme::lines.size()].on(background);
}

void draw_mark(Look const& look, Drawing& drawing, ImVec2 at, std::size_t number, float alpha)
{
  float const r = look(3.0f);
  ImU32 const color = theme::with_alpha(color_of_line(number, look.background), alpha);
  switch (theme::shape_of_line(number)) {
    case 0: return drawing.disc(at, r, color);
    case 1: return drawing.fill({at.x - r, at.y - r}, {at.x + r, at.y + r}, color);
    case 2: return drawing.triangle({at.x - r, at.y + r}, {at.x + r, at.y + r}, {at.x, at.y - r}, color);
    default: return drawing.circle(at, r, color, look(1.2f));
  }
}

}  // namespace slotscape
