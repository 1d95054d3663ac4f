#pragma once

#include "app/view3d/orbit_camera.hpp"

namespace slotscape {

inline constexpr float smallest_model_scale = 0.001f;  ///< a house in a survey of its town
inline constexpr float largest_model_scale = 20.0f;
inline constexpr double farthest_model = 2.0;  ///< from the origin on each axis, of the grid's extent

/// A model turned further by `angle` radians about a unit `axis` of the world through its own origin.
spatial::Pose turned(spatial::Pose const& pose, glm::dvec3 const& axis, double angle);
/// Scaled about its own origin, within the limits above.
spatial::Pose scaled(spatial::Pose const& pose, double factor);

/// The unit vector of an axis of the world: 0, 1, 2 for x, y, z.
glm::dvec3 unit(int axis);

/// What a drag of a model does to it. Axes are those of the world: 0, 1, 2 for x, y, z.
enum class DragKind : std::uint8_t {
  move_axis,   ///< along an axis
  turn_axis,   ///< about an axis through the model's origin
  move_plane,  ///< in the plane of the view: what was grabbed stays under the mouse
  turn_ball,   ///< as a glass ball around the model would turn under the mouse
};

/// A drag from its start; pure mathematics.
class PoseDrag {
public:
  /// `grabbed`: the point of the model that the mouse took hold of, for `move_plane`; the model's origin without it.
  PoseDrag(DragKind kind, int axis, OrbitCamera const& camera, spatial::Pose const& pose, Point from,
           std::optional<spatial::Vector> grabbed = std::nullopt);

  /// The pose while the mouse is at `to`. Takes the same camera as at the start.
  spatial::Pose to(Point to) const;
  DragKind kind() const { return kind_; }
  int axis() const { return axis_; }

private:
  double along_axis(Point mouse) const;  ///< how far from the model's origin, in world units
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
