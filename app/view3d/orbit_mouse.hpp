#pragma once

#include "app/view3d/orbit_camera.hpp"
#include "app/widgets/look.hpp"

#include <optional>
#include <utility>

namespace slotscape {

/// Mouse control of a 3D picture: dragging turns the view, dragging with the right or middle button moves it, the wheel
/// zooms, and a double click shows everything.
class OrbitMouse {
public:
  /// Call this after the ImGui item that covers the picture at `canvas`.
  void follow(OrbitCamera& camera, Rectangle const& canvas);
  /// The last click on the picture since the last call, in pixels from its top left corner.
  std::optional<Point> take_click() { return std::exchange(click_, std::nullopt); }
  /// The position of the mouse if it is over the picture and not dragging.
  std::optional<Point> pointed() const { return pointed_; }

private:
  Point last_{0.0, 0.0};
  bool dragged_ = false;
  std::optional<Point> click_;
  std::optional<Point> pointed_;
};

}  // namespace slotscape
