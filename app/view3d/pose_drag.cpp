#include "app/view3d/pose_drag.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace slotscape {
namespace {

constexpr double edge_on = 0.12;        // a ring seen this flat is turned by moving along it
constexpr double far_away = 1e3;        // relative to the grid's extent
constexpr double points_at_eye = 0.05;  // an axis this close to the line of sight cannot be followed

glm::dquat to_quaternion(spatial::Rotation const& rotation)
{
  glm::dmat3 const rows(to_glm(rotation.rows[0]), to_glm(rotation.rows[1]), to_glm(rotation.rows[2]));
  return glm::normalize(glm::quat_cast(glm::transpose(rows)));
}

spatial::Rotation to_rotation(glm::dquat const& quaternion)
{
  glm::dmat3 const rows = glm::transpose(glm::mat3_cast(glm::normalize(quaternion)));
  return {{from_glm(rows[0]), from_glm(rows[1]), from_glm(rows[2])}};
}

/// Two unit vectors that form a right-handed system with `axis`.
std::pair<glm::dvec3, glm::dvec3> plane_of(int axis)
{
  return {unit((axis + 1) % 3), unit((axis + 2) % 3)};
}

}  // namespace

glm::dvec3 unit(int axis)
{
  glm::dvec3 direction(0.0);
  direction[axis] = 1.0;
  return direction;
}

double along_line(OrbitCamera const& camera, glm::dvec3 const& origin, glm::dvec3 const& direction, Point mouse)
{
  // Intersects the line of sight with the plane through the line that faces the eye most.
  glm::dvec3 const sight = to_glm(camera.ray(mouse).direction);
  glm::dvec3 const to_eye = camera.eye() - origin;
  glm::dvec3 const facing = to_eye - glm::dot(to_eye, direction) * direction;
  if (glm::length(facing) < points_at_eye * glm::length(to_eye)) { return 0.0; }
  double const distance = -glm::dot(to_eye, facing) / glm::dot(sight, facing);
  bool const before_horizon = distance > 0.0 && std::isfinite(distance);
  if (!before_horizon) { return std::copysign(far_away * camera.extent(), glm::dot(sight, direction)); }
  return glm::dot(to_eye + distance * sight, direction);
}

spatial::Pose turned(spatial::Pose const& pose, glm::dvec3 const& axis, double angle)
{
  if (angle == 0.0) { return pose; }  // an exact copy: the cells of an unturned model keep their places in its file
  spatial::Pose result = pose;
  result.rotation = to_rotation(glm::angleAxis(angle, axis) * to_quaternion(pose.rotation));
  return result;
}

spatial::Pose scaled(spatial::Pose const& pose, double factor)
{
  spatial::Pose result = pose;
  double const wanted = static_cast<double>(pose.scale) * factor;
  result.scale = std::clamp(static_cast<float>(wanted), smallest_model_scale, largest_model_scale);
  return result;
}

PoseDrag::PoseDrag(DragKind kind, int axis, OrbitCamera const& camera, spatial::Pose const& pose, Point from,
                   std::optional<spatial::Vector> grabbed)
    : kind_(kind),
      axis_(axis),
      camera_(camera),
      pose_(pose),
      from_(from),
      grabbed_(to_glm(grabbed.value_or(pose.translation)))
{
}

spatial::Pose PoseDrag::to(Point to) const
{
  switch (kind_) {
    case DragKind::move_axis: return moved((along_axis(to) - along_axis(from_)) * unit(axis_));
    case DragKind::turn_axis: return turned(pose_, unit(axis_), about_axis(to) - about_axis(from_));
    case DragKind::turn_ball: return turn_ball(to);
    case DragKind::move_plane: break;
  }
  return move_in_plane(to);
}

spatial::Pose PoseDrag::moved(glm::dvec3 const& by) const
{
  double const limit = farthest_model * camera_.extent();
  spatial::Pose result = pose_;
  result.translation = from_glm(glm::clamp(to_glm(pose_.translation) + by, -limit, limit));
  return result;
}

double PoseDrag::along_axis(Point mouse) const
{
  return along_line(camera_, to_glm(pose_.translation), unit(axis_), mouse);
}

double PoseDrag::about_axis(Point mouse) const
{
  glm::dvec3 const center = to_glm(pose_.translation);
  glm::dvec3 const axis = unit(axis_);
  glm::dvec3 const towards_center = glm::normalize(center - camera_.eye());
  if (std::abs(glm::dot(towards_center, axis)) < edge_on) {
    // The ring is a line on the screen: its near side follows the mouse like the surface of a ball.
    glm::dvec3 const along = glm::normalize(glm::cross(axis, -towards_center));
    Point const on_screen{glm::dot(along, camera_.right()), -glm::dot(along, camera_.up())};
    double const half_turn = std::min(camera_.width(), camera_.height()) / 2.0;
    return std::numbers::pi * glm::dot(mouse - from_, on_screen) / half_turn;
  }
  glm::dvec3 const sight = to_glm(camera_.ray(mouse).direction);
  double const distance = glm::dot(center - camera_.eye(), axis) / glm::dot(sight, axis);
  bool const before_horizon = distance > 0.0 && std::isfinite(distance);
  glm::dvec3 const on_plane =
      before_horizon ? camera_.eye() + distance * sight - center : sight - glm::dot(sight, axis) * axis;
  auto const [first, second] = plane_of(axis_);
  return std::atan2(glm::dot(on_plane, second), glm::dot(on_plane, first));
}

spatial::Pose PoseDrag::move_in_plane(Point to) const
{
  double const depth = camera_.depth(from_glm(grabbed_));
  return moved(camera_.at_depth(to, depth) - camera_.at_depth(from_, depth));
}

spatial::Pose PoseDrag::turn_ball(Point to) const
{
  Point const way = to - from_;
  double const pixels = glm::length(way);
  if (pixels < 1e-9) { return pose_; }
  // Turns about the axis in the plane of the view that is perpendicular to the mouse's path.
  glm::dvec3 const axis = (way.x * camera_.up() + way.y * camera_.right()) / pixels;
  double const half_turn = std::min(camera_.width(), camera_.height()) / 2.0;
  return turned(pose_, axis, std::numbers::pi * pixels / half_turn);
}

}  // namespace slotscape
