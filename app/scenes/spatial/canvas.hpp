#pragma once

#include "app/rectangle.hpp"
#include "app/scenes/spatial/state.hpp"
#include "app/scenes/spatial/view3d/gizmo.hpp"
#include "app/scenes/spatial/view3d/models_view.hpp"

#include <optional>

namespace slotscape {

/// The canvas of the models in space: its camera, what the mouse does on it, and the picture.
class SpatialCanvas {
public:
  /// What the mouse has asked for in a frame.
  struct Wishes {
    bool select = false;  ///< the voxel under the mouse, or none
    bool focus = false;   ///< on what is under the mouse
    bool show_all = false;
  };

  explicit SpatialCanvas(SpatialSceneSettings const& settings);

  OrbitCamera& camera() { return camera_; }
  OrbitCamera const& camera() const { return camera_; }
  void place(Rectangle const& canvas, SpatialSceneSettings const& settings, double elapsed_seconds);
  /// The ray under the mouse, where that is over the canvas and drags nothing.
  std::optional<spatial::Ray> mouse_ray() const;
  /// What that ray meets; until it is set anew.
  void set_hit(std::optional<spatial::Hit> const& hit);
  bool holds_model() const { return gizmo_.dragging(); }
  bool moving() const { return camera_.moving() || gizmo_.dragging(); }

  void draw_picture(ModelsPicture const& picture, ModelsViewSettings const& settings, int framebuffer_height);
  /// What stands over the picture, and what the mouse does.
  Wishes draw(Look const& look, SpatialState& state);

private:
  CanvasMouse follow_mouse(SpatialState& state, Wishes& wishes, bool hovered, bool active);
  void drag(SpatialState& state, CanvasMouse const& mouse, Look const& look);
  void zoom(SpatialState& state, CanvasMouse const& mouse);
  Point mouse() const;
  std::optional<spatial::Vector> hit_point() const;

  OrbitCamera camera_;
  ModelsView view_;
  Gizmo gizmo_;
  Rectangle canvas_;
  std::optional<spatial::Hit> hit_;
  bool hovered_ = false;
  bool dragged_ = false;  ///< since the button went down, further than a click's tremor
  bool orbits_ = false;   ///< the drag began on nothing
  Point last_{0.0, 0.0};
};

}  // namespace slotscape
