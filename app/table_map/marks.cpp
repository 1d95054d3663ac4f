#include "app/table_map/marks.hpp"

#include "app/table_map/annotations.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <utility>

namespace slotscape {
namespace {

constexpr float line_width = 3.5f;
constexpr float rim_width = 2.0f;
constexpr float eraser_radius = 12.0f;
constexpr float shortest_part = 2.0f;  ///< minimum length of a line's part, in pixels

ImU32 shade_of(MarkColor color)
{
  switch (color) {
    case MarkColor::red: return theme::error;
    case MarkColor::blue: return theme::accent;
    case MarkColor::yellow: break;
  }
  return theme::warning;
}

Point corner_of(MarkCanvas const& canvas, std::optional<Slot> slot)
{
  if (!slot || canvas.camera == nullptr) { return {0.0, 0.0}; }
  Position const at = canvas.camera->plane().position(*slot);
  return {static_cast<double>(at.x), static_cast<double>(at.y)};
}

/// Converts pixels to the units of marks on the whole canvas.
Point unit_of(MarkCanvas const& canvas, ImVec2 at)
{
  double const x = static_cast<double>(at.x) - canvas.place.x;
  double const y = static_cast<double>(at.y) - canvas.place.y;
  if (canvas.camera != nullptr) { return canvas.camera->to_grid({x, y}); }
  return {x / std::max(canvas.place.width, 1), y / std::max(canvas.place.height, 1)};
}

ImVec2 pixel_of(MarkCanvas const& canvas, Mark const& mark, Point const& point)
{
  Point const corner = corner_of(canvas, mark.slot);
  Point const whole{corner.x + point.x, corner.y + point.y};
  Point const at = canvas.camera != nullptr ? canvas.camera->to_screen(whole)
                                            : Point{whole.x * canvas.place.width, whole.y * canvas.place.height};
  return {static_cast<float>(canvas.place.x + at.x), static_cast<float>(canvas.place.y + at.y)};
}

std::vector<ImVec2> pixels_of(MarkCanvas const& canvas, Mark const& mark)
{
  std::vector<ImVec2> pixels;
  pixels.reserve(mark.points.size());
  for (Point const& point : mark.points) { pixels.push_back(pixel_of(canvas, mark, point)); }
  return pixels;
}

/// Attaches the mark to the slot below its middle.
void stay_with_slot(MarkCanvas const& canvas, Mark& mark)
{
  if (canvas.camera == nullptr) { return; }
  Point middle{0.0, 0.0};
  for (Point const& point : mark.points) {
    middle.x += point.x / static_cast<double>(mark.points.size());
    middle.y += point.y / static_cast<double>(mark.points.size());
  }
  mark.slot = canvas.camera->slot_at(canvas.camera->to_screen(middle));
  Point const corner = corner_of(canvas, mark.slot);
  for (Point& point : mark.points) { point = {point.x - corner.x, point.y - corner.y}; }
}

/// Whether the mark's slot exists, and the picture is of the same kind as when the mark was made.
bool is_there(MarkCanvas const& canvas, Mark const& mark)
{
  return !mark.slot || (canvas.camera != nullptr && *mark.slot < canvas.camera->slots());
}

float pixels_between(ImVec2 a, ImVec2 b)
{
  return std::hypot(a.x - b.x, a.y - b.y);
}

/// The distance to a segment of a line.
float pixels_between(ImVec2 at, ImVec2 from, ImVec2 to)
{
  float const length = pixels_between(from, to);
  if (length == 0.0f) { return pixels_between(at, from); }
  float const along = ((at.x - from.x) * (to.x - from.x) + (at.y - from.y) * (to.y - from.y)) / (length * length);
  float const share = std::clamp(along, 0.0f, 1.0f);
  return pixels_between(at, {from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
}

bool lies_at(Look const& look, MarkCanvas const& canvas, Mark const& mark, ImVec2 at)
{
  std::vector<ImVec2> const pixels = pixels_of(canvas, mark);
  if (!mark.text.empty()) {
    ImVec2 const size = look.font->CalcTextSizeA(look.large, FLT_MAX, 0.0f, mark.text.c_str());
    bool const beside = at.x >= pixels[0].x && at.x <= pixels[0].x + size.x;
    return beside && at.y >= pixels[0].y && at.y <= pixels[0].y + size.y;
  }
  float nearest = pixels_between(at, pixels.front());
  for (std::size_t i = 1; i < pixels.size(); ++i) {
    nearest = std::min(nearest, pixels_between(at, pixels[i - 1], pixels[i]));
  }
  return nearest <= look(eraser_radius);
}

void draw_line(Look const& look, Drawing& drawing, std::vector<ImVec2> const& pixels, ImU32 color)
{
  if (pixels.size() == 1) {
    drawing.disc(pixels.front(), look(line_width) + look(rim_width) / 2.0f, rim_of(color));
    return drawing.disc(pixels.front(), look(line_width), color);
  }
  drawing.polyline(pixels, rim_of(color), look(line_width + rim_width));
  drawing.polyline(pixels, color, look(line_width));
}

/// Draws text with a rim, so that it is legible over any cell.
void draw_words(Look const& look, Drawing& drawing, ImVec2 at, std::string const& text, ImU32 color)
{
  float const off = std::max(1.0f, std::round(look(1.0f)));
  for (ImVec2 const shift : std::array<ImVec2, 4>{{{-off, -off}, {off, -off}, {-off, off}, {off, off}}}) {
    drawing.text({at.x + shift.x, at.y + shift.y}, look.large, rim_of(color), text);
  }
  drawing.text(at, look.large, color, text);
}

}  // namespace

void Marks::begin_line(MarkCanvas const& canvas, ImVec2 at, MarkColor color)
{
  remember();
  marks_.push_back({.color = color, .points = {unit_of(canvas, at)}});
  drawing_ = true;
}

void Marks::continue_line(MarkCanvas const& canvas, ImVec2 at)
{
  if (!drawing_) { return; }
  Mark& mark = marks_.back();
  if (pixels_between(pixel_of(canvas, mark, mark.points.back()), at) >= shortest_part) {
    mark.points.push_back(unit_of(canvas, at));
  }
}

void Marks::end_line(MarkCanvas const& canvas)
{
  if (std::exchange(drawing_, false)) { stay_with_slot(canvas, marks_.back()); }
}

void Marks::write(MarkCanvas const& canvas, ImVec2 at, std::string text, MarkColor color)
{
  if (text.empty()) { return; }
  remember();
  Mark& mark = marks_.emplace_back(Mark{.color = color, .points = {unit_of(canvas, at)}, .text = std::move(text)});
  stay_with_slot(canvas, mark);
}

bool Marks::erase(Look const& look, MarkCanvas const& canvas, ImVec2 at)
{
  for (std::size_t i = marks_.size(); i > 0; --i) {
    if (!is_there(canvas, marks_[i - 1]) || !lies_at(look, canvas, marks_[i - 1], at)) { continue; }
    remember();
    marks_.erase(marks_.begin() + static_cast<std::ptrdiff_t>(i - 1));
    return true;
  }
  return false;
}

void Marks::clear()
{
  if (marks_.empty()) { return; }
  remember();
  marks_.clear();
}

void Marks::undo()
{
  if (before_.empty()) { return; }
  marks_ = std::move(before_.back());
  before_.pop_back();
  drawing_ = false;
}

void Marks::forget()
{
  *this = {};
}

void Marks::draw(Look const& look, Drawing& drawing, MarkCanvas const& canvas) const
{
  if (marks_.empty()) { return; }
  Rectangle const& place = canvas.place;
  ImVec2 const corner{static_cast<float>(place.x), static_cast<float>(place.y)};
  drawing.clip(corner, {corner.x + static_cast<float>(place.width), corner.y + static_cast<float>(place.height)});
  for (Mark const& mark : marks_) {
    if (!is_there(canvas, mark)) { continue; }
    std::vector<ImVec2> const pixels = pixels_of(canvas, mark);
    if (mark.text.empty()) {
      draw_line(look, drawing, pixels, shade_of(mark.color));
    } else {
      draw_words(look, drawing, pixels.front(), mark.text, shade_of(mark.color));
    }
  }
  drawing.unclip();
}

}  // namespace slotscape
