#pragma once

#include "app/view3d/orbit_camera.hpp"

namespace slotscape {

inline constexpr float smallest_model_scale = 0.001f;  ///< for example, a house in a survey of its town
inline constexpr float largest_model_scale = 20.0f;
inline constexpr double farthest_model = 2.0;  ///< from the origin on each axis, relative to the grid's extent

/// The model's pose turned by `angle` radians about a unit `axis` of the world through the model's origin.
spatial::Pose turned(spatial::Pose const& pose, glm::dvec3 const& axis, double angle);
/// The pose scaled about the model's origin, within the limits above.
spatial::Pose scaled(spatial::Pose const& pose, double factor);

/// The unit vector of an axis of the world: 0, 1, 2 for x, y, z.
glm::dvec3 unit(int axis);

/// The position of the mouse along a line of the world, from `origin` in a unit `direction`.
double along_line(OrbitCamera const& camera, glm::dvec3 const& origin, glm::dvec3 const& direction, Point mouse);

/// The effect of dragging a model. Axes are those of the world: 0, 1, 2 for x, y, z.
enum class DragKind : std::uint8_t {
  move_axis,   ///< along an axis
  turn_axis,   ///< about an axis through the model's origin
  move_plane,  ///< in the plane of the view: the grabbed point stays under the mouse
  turn_ball,   ///< like a glass ball around the model under the mouse
};

/// A drag and its starting state; pure mathematics.
class PoseDrag {
public:
  /// `grabbed`: the point of the model under the mouse, for `move_plane`; default: the model's origin.
  PoseDrag(DragKind kind, int axis, OrbitCamera const& camera, spatial::Pose const& pose, Point from,
           std::optional<spatial::Vector> grabbed = std::nullopt);

  /// The pose when the mouse is at `to`. Uses the camera from the start of the drag.
  spatial::Pose to(Point to) const;
  DragKind kind() const { return kind_; }
  int axis() const { return axis_; }

private:
  double along_axis(Point mouse) const;
  double about_axis(Point mouse) const;  ///< angle in the plane of the ring, in radians
  spatial::Pose moved(glm::dvec3 const& by) const;
  spatial::Pose move_in_plane(Point to) const;
  spatial::Pose turn_ball(Point to) const;

  DragKind kind_;
  int axis_;
  OrbitCamera camera_;
  spatial::Pose pose_;
  Point from_;
  glm::dvec3 grabbed_;
};

}  // namespace slotscape
