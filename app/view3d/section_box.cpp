#include "app/view3d/section_box.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace slotscape {
namespace {

using spatial::Section;
using spatial::Vector;

constexpr double handle_pixels = 8.0;  // radius of a handle at scale 1
constexpr double reach_of_handle = 12.0;
constexpr double tip_pixels = 26.0;      // distance from the handle to the tips of its arrow
constexpr double thinnest_box = 1e-3;    // relative to the grid's extent
constexpr double farthest_face = 2.0;    // from the origin, relative to the grid's extent
constexpr double room_around = 0.01;     // relative to the longest side
constexpr double shortest_arrow = 0.35;  // relative to the tip's length; a handle seen along its line cannot be dragged

constexpr std::array along_axis{&Vector::x, &Vector::y, &Vector::z};

glm::dvec3 middle_of_box(Section const& section)
{
  return 0.5 * (to_glm(section.low) + to_glm(section.high));
}

Vector corner_of_box(Section const& section, unsigned bits)
{
  return {(bits & 1u) != 0 ? section.high.x : section.low.x, (bits & 2u) != 0 ? section.high.y : section.low.y,
          (bits & 4u) != 0 ? section.high.z : section.low.z};
}

/// The point where the plane cuts an edge of the box.
std::optional<Vector> cut_of_edge(Section const& section, Vector from, Vector to)
{
  float const before = dot(section.normal, from) - section.offset;
  float const after = dot(section.normal, to) - section.offset;
  if ((before < 0.0f) == (after < 0.0f)) { return std::nullopt; }
  return from + before / (before - after) * (to - from);
}

/// The section's plane cuts a face in a line, from one edge to another.
void add_cut_of_face(Section const& section, int axis, bool high, Color const& color, std::vector<HighlightLine>& lines)
{
  unsigned const face = high ? 1u << axis : 0u;
  unsigned const first = 1u << (axis + 1) % 3;
  unsigned const second = 1u << (axis + 2) % 3;
  std::array<unsigned, 5> const around{face, face | first, face | first | second, face | second, face};
  std::vector<Vector> cuts;
  for (std::size_t i = 1; i < around.size(); ++i) {
    auto const cut = cut_of_edge(section, corner_of_box(section, around[i - 1]), corner_of_box(section, around[i]));
    if (cut) { cuts.push_back(*cut); }
  }
  if (cuts.size() == 2) { lines.push_back({cuts[0], cuts[1], color}); }
}

/// The point of the plane closest to the middle of the box.
glm::dvec3 middle_of_plane(Section const& section)
{
  glm::dvec3 const middle = middle_of_box(section);
  glm::dvec3 const normal = to_glm(section.normal);
  return middle + (static_cast<double>(section.offset) - glm::dot(normal, middle)) * normal;
}

int handles_of(Section const& section)
{
  return section.cuts ? SectionHandles::plane + 1 : SectionHandles::plane;
}

ImU32 color_of_handle(int handle, bool lit)
{
  if (lit) { return theme::text; }
  if (handle == SectionHandles::plane) { return packed(theme::selected_voxel); }
  Color const color = theme::axes[static_cast<std::size_t>(handle / 2)];
  return ImGui::ColorConvertFloat4ToU32({color.red, color.green, color.blue, 1.0f});
}

}  // namespace

Section section_around(std::span<Vector const> points)
{
  Section section{.shown = true};
  if (points.empty()) { return section; }
  glm::dvec3 low = to_glm(points.front());
  glm::dvec3 high = low;
  for (Vector const& point : points) {
    low = glm::min(low, to_glm(point));
    high = glm::max(high, to_glm(point));
  }
  glm::dvec3 const sides = high - low;
  double const room = std::max(room_around * std::max({sides.x, sides.y, sides.z}), 1e-6);
  section.low = from_glm(low - room);
  section.high = from_glm(high + room);
  return section;
}

void cut_towards_eye(Section& section, OrbitCamera const& camera)
{
  section.cuts = true;
  section.normal = from_glm(-camera.forward());
  section.offset = static_cast<float>(glm::dot(to_glm(section.normal), middle_of_box(section)));
}

std::vector<HighlightLine> lines_of(Section const& section, Color const& color)
{
  std::vector<HighlightLine> lines;
  for (unsigned from = 0; from < 8; ++from) {
    for (unsigned const axis : {1u, 2u, 4u}) {
      if ((from & axis) != 0) { continue; }
      lines.push_back({corner_of_box(section, from), corner_of_box(section, from | axis), color});
    }
  }
  if (!section.cuts) { return lines; }
  for (int axis = 0; axis < 3; ++axis) {
    for (bool const high : {false, true}) { add_cut_of_face(section, axis, high, theme::selected_voxel, lines); }
  }
  return lines;
}

spatial::Ray SectionHandles::handle(Section const& section, int number)
{
  if (number == plane) { return {from_glm(middle_of_plane(section)), section.normal}; }
  int const axis = number / 2;
  bool const is_low = number % 2 == 0;
  auto const part = along_axis[static_cast<std::size_t>(axis)];
  Vector at = from_glm(middle_of_box(section));
  at.*part = (is_low ? section.low : section.high).*part;
  return {at, from_glm((is_low ? -1.0 : 1.0) * unit(axis))};
}

std::optional<int> SectionHandles::handle_at(OrbitCamera const& camera, Section const& section, Point at, float scale)
{
  std::optional<int> found;
  double nearest = reach_of_handle * static_cast<double>(scale);
  for (int number = 0; number < handles_of(section); ++number) {
    auto const place = camera.to_canvas(handle(section, number).origin);
    double const distance = place ? glm::length(*place - at) : nearest;
    if (distance >= nearest) { continue; }
    nearest = distance;
    found = number;
  }
  return found;
}

Section SectionHandles::moved(Drag const& drag, Point to)
{
  auto const [origin, direction] = handle(drag.from, drag.handle);
  double const by = along_line(drag.camera, to_glm(origin), to_glm(direction), to) - drag.grabbed;
  double const farthest = farthest_face * drag.camera.extent();
  Section section = drag.from;
  if (drag.handle == plane) {
    section.offset = static_cast<float>(std::clamp(static_cast<double>(section.offset) + by, -farthest, farthest));
    return section;
  }
  auto const part = along_axis[static_cast<std::size_t>(drag.handle / 2)];
  double const thinnest = thinnest_box * drag.camera.extent();
  auto const low = static_cast<double>(section.low.*part);
  auto const high = static_cast<double>(section.high.*part);
  if (drag.handle % 2 == 0) {
    section.low.*part = static_cast<float>(std::min(std::max(low - by, -farthest), high - thinnest));
  } else {
    section.high.*part = static_cast<float>(std::max(std::min(high + by, farthest), low + thinnest));
  }
  return section;
}

std::optional<Section> SectionHandles::follow(OrbitCamera const& camera, Section const& section,
                                              CanvasMouse const& mouse, float scale)
{
  if (drag_ && !mouse.down) { drag_.reset(); }
  if (drag_) { return moved(*drag_, mouse.at); }
  hovered_ = mouse.over && section.shown ? handle_at(camera, section, mouse.at, scale) : std::nullopt;
  if (hovered_ && mouse.pressed) {
    auto const [origin, direction] = handle(section, *hovered_);
    drag_ = {*hovered_, camera, section, along_line(camera, to_glm(origin), to_glm(direction), mouse.at)};
  }
  return std::nullopt;
}

void SectionHandles::draw(ImDrawList& list, ImVec2 corner, OrbitCamera const& camera, Section const& section,
                          Look const& look) const
{
  auto const on_screen = [&](Point at) {
    return ImVec2{corner.x + static_cast<float>(at.x), corner.y + static_cast<float>(at.y)};
  };
  float const radius = look(static_cast<float>(handle_pixels));
  for (int number = 0; number < handles_of(section); ++number) {
    auto const [origin, direction] = handle(section, number);
    auto const place = camera.to_canvas(origin);
    if (!place) { continue; }
    bool const lit = drag_ ? drag_->handle == number : hovered_ == number;
    ImU32 const color = color_of_handle(number, lit);
    double const length = tip_pixels * static_cast<double>(look.scale) / camera.pixels_per_unit(camera.depth(origin));
    for (double const side : {-1.0, 1.0}) {
      auto const tip = camera.to_canvas(from_glm(to_glm(origin) + side * length * to_glm(direction)));
      bool const is_seen = tip && glm::length(*tip - *place) > shortest_arrow * tip_pixels;
      if (is_seen) { list.AddLine(on_screen(*place), on_screen(*tip), color, look(lit ? 3.5f : 2.5f)); }
    }
    list.AddCircleFilled(on_screen(*place), radius + look(1.5f), theme::with_alpha(theme::rim, 0.56f));
    list.AddCircleFilled(on_screen(*place), radius, color);
  }
}

}  // namespace slotscape
