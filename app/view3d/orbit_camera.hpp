#pragma once

#include "app/table_map/camera.hpp"
#include "gpu/spatial/engine.hpp"

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include <optional>
#include <span>

namespace slotscape {

inline glm::dvec3 to_glm(spatial::Vector v)
{
  return {v.x, v.y, v.z};
}
inline spatial::Vector from_glm(glm::dvec3 const& v)
{
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

/// The place of an orbiting eye: `distance` from `target`, in the direction of `yaw` (about the z axis, from x towards
/// y) and `pitch` (above the horizon). Radians and world units.
struct OrbitPlace {
  glm::dvec3 target{0.0};
  double yaw = 0.0;
  double pitch = 0.0;
  double distance = 1.0;
  friend bool operator==(OrbitPlace const&, OrbitPlace const&) = default;
};

/// A camera that looks at a cube around the origin, the grid; z is up. Pure mathematics: positions on the canvas are in
/// pixels from its top left corner, y downwards.
class OrbitCamera {
public:
  static constexpr double field_of_view = 0.62;  ///< radians, along the canvas's shorter side
  static constexpr double flight_seconds = 0.6;
  static constexpr double min_distance = 0.002;  ///< of the eye from its target, relative to the extent
  static constexpr double max_distance = 8.0;

  /// `extent`: side of the cube. The eye starts at home, where the canvas shows the whole cube.
  explicit OrbitCamera(double extent, double width = 1.0, double height = 1.0);

  void set_canvas(double width, double height);
  void set_extent(double extent);      ///< keeps the view
  void look(OrbitPlace const& place);  ///< jumps there, ending any flight; clamped to the limits
  OrbitPlace const& place() const { return place_; }
  /// The end of the flight or, without one, the present place.
  OrbitPlace const& destination() const { return flight_ ? flight_->to : place_; }
  OrbitPlace home() const;

  void orbit(double dx, double dy);  ///< for a drag by this many pixels
  /// Moves the eye in its plane so that the point under `from`, at the distance of `grabbed` (default: the target),
  /// moves to `to`.
  void pan(Point from, Point to, std::optional<spatial::Vector> grabbed = std::nullopt);
  /// factor above 1: nearer. The point under `at`, at the distance of `towards` (default: the target), stays there.
  void zoom_at(Point at, double factor, std::optional<spatial::Vector> towards = std::nullopt);
  /// Flies to a place from which a ball around `point` fills much of the canvas.
  void focus(spatial::Vector point, double radius);
  /// Flies to a place from which all of these points (at least one) just fit into the canvas.
  void frame(std::span<spatial::Vector const> points);
  /// Like `frame`, but from another side if the points span clearly more pixels from there: long shapes then lie across
  /// the canvas.
  void frame_from_best_side(std::span<spatial::Vector const> points);
  void reset();                                   ///< flies home
  void set_turntable(double radians_per_second);  ///< 0: off
  void advance(double elapsed_seconds);           ///< advances flights and the turntable
  bool moving() const { return flight_.has_value() || turning_ != 0.0; }

  double width() const { return width_; }
  double height() const { return height_; }
  double extent() const { return extent_; }
  glm::dvec3 eye() const;
  glm::dvec3 forward() const;  ///< unit vectors
  glm::dvec3 right() const;
  glm::dvec3 up() const;
  glm::dmat4 view() const;
  double near() const;  ///< depth of the near plane
  /// Reversed depth: 1 at the near plane, which is in front of the cube or close to the eye, falling to 0 at infinity.
  /// Everything in front of the eye is visible, and floating-point depth is as precise far away as it is nearby.
  glm::dmat4 projection() const;
  /// The ray through a point of the canvas; its direction has length 1.
  spatial::Ray ray(Point on_canvas) const;
  /// The position of a point on the canvas; nullopt if it is behind the eye.
  std::optional<Point> to_canvas(spatial::Vector point) const;
  /// The point at this depth under a point of the canvas.
  glm::dvec3 at_depth(Point on_canvas, double depth) const { return eye() + depth * direction(on_canvas); }
  double depth(spatial::Vector point) const;  ///< along `forward`; negative behind the eye
  double pixels_per_unit(double depth) const;

private:
  struct OrbitFlight {
    OrbitPlace from;
    OrbitPlace to;
    double time = 0.0;
  };

  void fly_to(OrbitPlace const& place);
  OrbitPlace framing(std::span<spatial::Vector const> points) const;
  /// The number of pixels that these points span from the place where they just fit.
  double length_when_framed(std::span<spatial::Vector const> points) const;
  void keep_in_limits();
  double tan_half_height() const;  ///< half the field of view, from the middle of the canvas to its upper edge
  glm::dvec3 direction(Point on_canvas) const;  ///< its depth is one unit

  double extent_;
  double width_;
  double height_;
  OrbitPlace place_;
  std::optional<OrbitFlight> flight_;
  double turning_ = 0.0;
};

}  // namespace slotscape
