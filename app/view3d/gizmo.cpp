#include "app/view3d/gizmo.hpp"

#include "app/view3d/grid_box.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace slotscape {
namespace {

constexpr double arrow_pixels = 78.0;  // length of an arrow; all lengths are at scale 1
constexpr double arrow_start_pixels = 14.0;
constexpr double ring_pixels = 94.0;
constexpr double reach_pixels = 7.0;
constexpr double shortest_arrow_pixels = 16.0;  // an arrow seen along its axis cannot be dragged
constexpr int ring_points = 72;
constexpr float rim_alpha = 0.56f;

/// The gizmo as projected onto the canvas.
struct Shape {
  OrbitCamera const& camera;
  glm::dvec3 center;
  double unit_length;  ///< world units per pixel at scale 1

  Shape(OrbitCamera const& on, spatial::Pose const& pose, float scale)
      : camera(on),
        center(to_glm(pose.translation)),
        unit_length(static_cast<double>(scale) / on.pixels_per_unit(std::max(on.depth(pose.translation), 1e-9)))
  {
  }

  /// Start and tip of an arrow; empty if it cannot be seen or dragged.
  std::vector<Point> arrow(int axis, float scale) const
  {
    auto const start = place(unit_length * arrow_start_pixels * unit(axis));
    auto const tip = place(unit_length * arrow_pixels * unit(axis));
    if (!start || !tip || glm::length(*tip - *start) < shortest_arrow_pixels * static_cast<double>(scale)) {
      return {};
    }
    return {*start, *tip};
  }

  /// The near or far half of a ring, relative to its centre.
  std::vector<Point> half_ring(int axis, bool near) const
  {
    // Angles start where the ring passes from the far half to the near half.
    glm::dvec3 const to_eye = glm::normalize(camera.eye() - center);
    glm::dvec3 nearest = to_eye - glm::dot(to_eye, unit(axis)) * unit(axis);
    double const length = glm::length(nearest);
    nearest = length > 1e-6 ? nearest / length : unit((axis + 1) % 3);
    glm::dvec3 const across = glm::cross(unit(axis), nearest);
    std::vector<Point> points;
    for (int i = 0; i <= ring_points / 2; ++i) {
      double const angle = std::numbers::pi * (2.0 * i / ring_points - 0.5) + (near ? 0.0 : std::numbers::pi);
      glm::dvec3 const offset = std::cos(angle) * nearest + std::sin(angle) * across;
      if (auto const at = place(unit_length * ring_pixels * offset)) { points.push_back(*at); }
    }
    return points;
  }

private:
  std::optional<Point> place(glm::dvec3 const& offset) const { return camera.to_canvas(from_glm(center + offset)); }
};

double distance_to(std::vector<Point> const& line, Point at)
{
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < line.size(); ++i) {
    Point const along = line[i] - line[i - 1];
    double const square = std::max(glm::dot(along, along), 1e-12);
    double const share = std::clamp(glm::dot(at - line[i - 1], along) / square, 0.0, 1.0);
    nearest = std::min(nearest, glm::length(at - (line[i - 1] + share * along)));
  }
  return nearest;
}

/// The line style of a handle.
class Pen {
public:
  Pen(ImDrawList& list, ImVec2 corner, Look const& look) : list_(list), corner_(corner), look_(look) {}

  void line(std::vector<Point> const& points, ImU32 color, float width) const
  {
    if (points.size() < 2) { return; }
    std::vector<ImVec2> const places = to_screen(points);
    list_.AddPolyline(places.data(), static_cast<int>(places.size()), color, 0, look_(width));
  }
  void arrow_head(std::vector<Point> const& arrow, ImU32 color, float size) const
  {
    Point const along = glm::normalize(arrow[1] - arrow[0]) * static_cast<double>(look_(size));
    Point const across{-along.y * 0.42, along.x * 0.42};
    std::vector<ImVec2> const places =
        to_screen({arrow[1] + along * 0.7, arrow[1] - along * 0.3 + across, arrow[1] - along * 0.3 - across});
    list_.AddTriangleFilled(places[0], places[1], places[2], color);
  }

private:
  std::vector<ImVec2> to_screen(std::vector<Point> const& points) const
  {
    std::vector<ImVec2> places;
    places.reserve(points.size());
    for (Point const& point : points) {
      places.push_back({corner_.x + static_cast<float>(point.x), corner_.y + static_cast<float>(point.y)});
    }
    return places;
  }

  ImDrawList& list_;
  ImVec2 corner_;
  Look const& look_;
};

ImU32 tint_of(int axis, bool lit, float alpha)
{
  Color const color = theme::axes[static_cast<std::size_t>(axis)];
  float const share = lit ? 0.55f : 0.0f;
  float const towards = theme::current() == Background::dark ? 1.0f : 0.0f;
  auto const mixed = [&](float channel) { return channel + share * (towards - channel); };
  return ImGui::ColorConvertFloat4ToU32({mixed(color.red), mixed(color.green), mixed(color.blue), alpha});
}

}  // namespace

std::optional<Gizmo::Handle> Gizmo::handle_at(OrbitCamera const& camera, spatial::Pose const& pose, Point at,
                                              float scale)
{
  if (camera.depth(pose.translation) <= 0.0) { return std::nullopt; }
  Shape const shape(camera, pose, scale);
  std::optional<Handle> found;
  double nearest = reach_pixels * static_cast<double>(scale);
  auto const offer = [&](std::vector<Point> const& line, Handle handle) {
    double const distance = distance_to(line, at);
    if (distance >= nearest) { return; }
    nearest = distance;
    found = handle;
  };
  for (int axis = 0; axis < 3; ++axis) {
    offer(shape.arrow(axis, scale), {DragKind::move_axis, axis});
    offer(shape.half_ring(axis, true), {DragKind::turn_axis, axis});
  }
  return found;
}

std::optional<spatial::Pose> Gizmo::follow(OrbitCamera const& camera, spatial::Pose const& pose,
                                           CanvasMouse const& mouse, float scale)
{
  if (drag_ && !mouse.down) { drag_.reset(); }
  if (drag_) { return drag_->to(mouse.at); }
  hovered_ = mouse.over ? handle_at(camera, pose, mouse.at, scale) : std::nullopt;
  if (hovered_ && mouse.pressed) { drag_.emplace(hovered_->kind, hovered_->axis, camera, pose, mouse.at); }
  return std::nullopt;
}

void Gizmo::grab_model(OrbitCamera const& camera, spatial::Pose const& pose, Point at, spatial::Vector grabbed,
                       bool turn)
{
  drag_.emplace(turn ? DragKind::turn_ball : DragKind::move_plane, 0, camera, pose, at, grabbed);
}

void Gizmo::deselect()
{
  drag_.reset();
  hovered_.reset();
}

void Gizmo::draw(ImDrawList& list, ImVec2 corner, OrbitCamera const& camera, spatial::Pose const& pose,
                 Look const& look) const
{
  if (camera.depth(pose.translation) <= 0.0) { return; }
  Shape const shape(camera, pose, look.scale);
  Pen const pen(list, corner, look);
  auto const is_lit = [&](DragKind kind, int axis) {
    if (drag_) { return drag_->kind() == kind && drag_->axis() == axis; }
    return hovered_ == Handle{kind, axis};
  };
  for (int axis = 0; axis < 3; ++axis) {
    bool const lit = is_lit(DragKind::turn_axis, axis);
    float const faded = drag_ && !lit ? 0.35f : 1.0f;
    pen.line(shape.half_ring(axis, false), tint_of(axis, lit, 0.22f * faded), 1.0f);
    pen.line(shape.half_ring(axis, true), theme::with_alpha(theme::rim, rim_alpha), lit ? 4.5f : 3.5f);
    pen.line(shape.half_ring(axis, true), tint_of(axis, lit, faded), lit ? 3.0f : 1.8f);
  }
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Point> const arrow = shape.arrow(axis, look.scale);
    if (arrow.empty()) { continue; }
    bool const lit = is_lit(DragKind::move_axis, axis);
    ImU32 const tint = tint_of(axis, lit, drag_ && !lit ? 0.35f : 1.0f);
    pen.line(arrow, theme::with_alpha(theme::rim, rim_alpha), lit ? 5.0f : 4.0f);
    pen.line(arrow, tint, lit ? 3.2f : 2.2f);
    pen.arrow_head(arrow, tint, lit ? 14.0f : 12.0f);
  }
}

}  // namespace slotscape
