#pragma once

#include "app/scenes/spatial/settings.hpp"
#include "app/scenes/spatial/state.hpp"
#include "app/view3d/drawing_request.hpp"
#include "app/view3d/gizmo.hpp"
#include "app/view3d/section_box.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <optional>
#include <vector>

namespace slotscape {

/// The canvas of the models in space: its camera, mouse input and picture.
class SpatialCanvas {
public:
  /// Requests from the mouse in one frame.
  struct Wishes {
    bool select = false;  ///< select the voxel under the mouse, or none
    bool focus = false;   ///< fly to the object under the mouse
    bool show_all = false;
  };

  explicit SpatialCanvas(SpatialSetup const& set_up);

  OrbitCamera& camera() { return camera_; }
  OrbitCamera const& camera() const { return camera_; }
  /// Sets the initial place of the camera: where these corners fill the view. Without corners, it is too close to show
  /// the whole grid, because the models are in its middle. A camera that has not moved since follows.
  void open_on(std::vector<spatial::Vector> corners);
  OrbitPlace opening_place() const;
  void place(Rectangle const& canvas, SpatialSceneSettings const& settings, double elapsed_seconds);
  /// The ray under the mouse, if it is over the canvas and not dragging.
  std::optional<spatial::Ray> mouse_ray() const;
  /// The ray under the mouse, regardless of dragging.
  spatial::Ray clicked_ray() const { return camera_.ray(last_); }
  /// Sets what that ray hits.
  void set_hit(std::optional<spatial::Hit> const& hit);
  bool holds_model() const { return gizmo_.dragging(); }
  bool moving() const { return camera_.moving() || gizmo_.dragging() || section_.dragging(); }

  /// A request for drawing by kernels. Their picture keeps the current view.
  spatial::DrawingRequest request_drawing(ModelsPicture const& picture, ModelsViewSettings const& settings,
                                          Backend device);
  void draw_picture(ModelsPicture const& picture, ModelsViewSettings const& settings, int framebuffer_height);
  void draw_labels(Look const& look, Drawing& drawing, SpatialState const& state) const;
  /// Draws the overlays and handles the mouse.
  Wishes draw(Look const& look, SpatialState& state);

private:
  CanvasMouse follow_mouse(SpatialState& state, Wishes& wishes, bool hovered, bool active);
  void drag(SpatialState& state, CanvasMouse const& mouse, Look const& look);
  void drag_section(SpatialState& state, CanvasMouse& mouse, Look const& look);
  void zoom(SpatialState& state, CanvasMouse const& mouse);
  Point mouse() const;
  std::optional<spatial::Vector> hit_point() const;

  OrbitCamera camera_;
  std::vector<spatial::Vector> opened_on_;
  OrbitCamera drawn_camera_;  ///< the camera of the picture that kernels drew
  ModelsView view_;
  Gizmo gizmo_;
  SectionHandles section_;
  Rectangle canvas_;
  std::optional<spatial::Hit> hit_;
  bool hovered_ = false;
  bool dragged_ = false;  ///< the mouse has moved farther than it jitters during a click
  bool orbits_ = false;   ///< the drag turns the view
  Point last_{0.0, 0.0};
};

}  // namespace slotscape
