#pragma once

#include "app/view3d/pose_drag.hpp"
#include "app/widgets/look.hpp"

#include <imgui.h>

namespace slotscape {

/// The mouse on the canvas in one frame.
struct CanvasMouse {
  Point at{0.0, 0.0};    ///< in pixels of the canvas
  bool over = false;     ///< over the canvas, with nothing else on top
  bool pressed = false;  ///< the left button was pressed over the canvas in this frame
  bool down = false;     ///< the left button is held down
};

/// Arrows to move a model along the axes of the world, and rings to turn it about them, of constant size on the screen.
class Gizmo {
public:
  struct Handle {
    DragKind kind;  ///< move_axis or turn_axis
    int axis;
    friend bool operator==(Handle const&, Handle const&) = default;
  };

  /// The handle under a point of the canvas, with the gizmo at `pose` and the interface scaled by `scale`.
  static std::optional<Handle> handle_at(OrbitCamera const& camera, spatial::Pose const& pose, Point at, float scale);

  /// Follows the mouse; returns the model's new pose while a handle is dragged.
  std::optional<spatial::Pose> follow(OrbitCamera const& camera, spatial::Pose const& pose, CanvasMouse const& mouse,
                                      float scale);
  /// Starts to drag the model itself at its point `grabbed`: to move the model in the plane of the view, or to turn it.
  void grab_model(OrbitCamera const& camera, spatial::Pose const& pose, Point at, spatial::Vector grabbed, bool turn);
  void deselect();

  bool hovered() const { return hovered_.has_value(); }  ///< over a handle: a click belongs to the gizmo
  bool dragging() const { return drag_.has_value(); }    ///< dragging a handle or the model itself
  /// Draws over the canvas with its top left corner at `corner` on the screen.
  void draw(ImDrawList& list, ImVec2 corner, OrbitCamera const& camera, spatial::Pose const& pose,
            Look const& look) const;

private:
  std::optional<Handle> hovered_;
  std::optional<PoseDrag> drag_;
};

}  // namespace slotscape
