#pragma once

#include "app/view3d/gizmo.hpp"
#include "app/view3d/models_view.hpp"

#include <imgui.h>

#include <optional>
#include <span>
#include <vector>

namespace slotscape {

/// A section whose box contains just these points, with a small margin, and without a plane.
spatial::Section section_around(std::span<spatial::Vector const> points);
/// Cuts away everything nearer to the eye than the middle of the box.
void cut_towards_eye(spatial::Section& section, OrbitCamera const& camera);

/// The edges of the box, and the lines where the plane cuts its faces.
std::vector<HighlightLine> lines_of(spatial::Section const& section, Color const& color);

/// Draggable handles in the middle of the plane and of each face of the box.
class SectionHandles {
public:
  /// Handle numbers: the faces, in the order of `spatial::face_step`, then the plane.
  static constexpr int plane = spatial::face_count;

  /// The position of a handle in the world, and the direction in which it can be dragged.
  static spatial::Ray handle(spatial::Section const& section, int number);
  /// The handle under a point of the canvas, with the interface scaled by `scale`.
  static std::optional<int> handle_at(OrbitCamera const& camera, spatial::Section const& section, Point at,
                                      float scale);

  /// Follows the mouse; returns the new section while a handle is dragged.
  std::optional<spatial::Section> follow(OrbitCamera const& camera, spatial::Section const& section,
                                         CanvasMouse const& mouse, float scale);
  bool hovered() const { return hovered_.has_value(); }
  bool dragging() const { return drag_.has_value(); }
  /// Draws over the canvas with its top left corner at `corner` on the screen.
  void draw(ImDrawList& list, ImVec2 corner, OrbitCamera const& camera, spatial::Section const& section,
            Look const& look) const;

private:
  struct Drag {
    int handle;
    OrbitCamera camera;
    spatial::Section from;
    double grabbed;  ///< where the handle was grabbed, on the line along which it can be dragged
  };
  static spatial::Section moved(Drag const& drag, Point to);

  std::optional<int> hovered_;
  std::optional<Drag> drag_;
};

}  // namespace slotscape
