#pragma once

#include "app/view3d/orbit_camera.hpp"
#include "app/widgets/look.hpp"

#include <optional>
#include <utility>

namespace slotscape {

/// The mouse over a picture in space: dragging turns the view, with the right or the middle button it moves it, the
/// wheel zooms, and a double click shows all.
class OrbitMouse {
public:
  /// Call this after the ImGui item that lies over the picture, which is at `canvas`.
  void follow(OrbitCamera& camera, Rectangle const& canvas);
  /// Where the picture was clicked since the last call, in pixels from its top left corner.
  std::optional<Point> take_click() { return std::exchange(click_, std::nullopt); }
  /// Where the mouse is, if it is over the picture and drags nothing.
  std::optional<Point> pointed() const { return pointed_; }

private:
  Point last_{0.0, 0.0};
  bool dragged_ = false;
  std::optional<Point> click_;
  std::optional<Point> pointed_;
};

}  // namespace slotscape
