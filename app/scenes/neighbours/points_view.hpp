#pragma once

#include "app/scenes/neighbours/state.hpp"
#include "app/view3d/host_drawing.hpp"
#include "app/view3d/orbit_mouse.hpp"
#include "app/widgets/drawing.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// Points in space: those near one of them in the colours of candidates and neighbours, and the cells that its search
/// reads as cages.
class PointsView {
public:
  PointsView();

  /// Brings the picture up to date.
  void show(NeighbourState const& state);
  void place(Rectangle const& canvas, double elapsed_seconds);
  /// Draws with OpenGL.
  void draw_picture(NeighbourState const& state, Color const& background, int framebuffer_height);
  void draw_labels(Look const& look, Drawing& drawing) const;
  /// Draws labels, and handles the mouse.
  void draw(Look const& look);

  /// The point nearest to the eye of those close to the mouse; nothing if there is none, or the mouse drags.
  std::optional<std::uint32_t> pointed() const;
  /// A click since the last call, wherever it was.
  bool take_click() { return mouse_.take_click().has_value(); }
  void show_all() { camera_.reset(); }
  /// To where a few radii around a point fill the canvas.
  void fly_to(std::uint32_t point, double radius);
  bool moving() const { return camera_.moving(); }
  OrbitCamera& camera() { return camera_; }

private:
  /// What the picture was made of.
  struct Shown {
    std::vector<neighbours::Point> const* points;
    std::uint32_t point;
    double radius;
    std::uint32_t k;
    int divisor;
    ImU32 color;  ///< in the present theme
    friend bool operator==(Shown const&, Shown const&) = default;
  };

  void place_grid(NeighbourState const& state);
  void upload(NeighbourState const& state);
  spatial::Vector to_world(neighbours::Point at) const;
  void mark_cells(NeighbourState const& state, std::vector<HighlightLine>& lines) const;

  std::optional<Shown> shown_;
  std::shared_ptr<std::vector<neighbours::Point> const> points_;  ///< that are shown
  neighbours::Bounds bounds_;                                     ///< around the points before they moved
  double scale_ = 1.0;                                            ///< to the world
  spatial::VoxelGrid grid_;
  OrbitCamera camera_;
  OrbitPlace opened_;  ///< where the camera was put at first
  OrbitMouse mouse_;
  ModelsView view_;
  std::optional<HostDrawing> host_drawing_;  ///< where OpenGL runs on the CPU
  SharedBuffer buffer_;                      ///< of the instances, elsewhere
  std::uint64_t instances_ = 0;
  Rectangle canvas_;
};

}  // namespace slotscape
