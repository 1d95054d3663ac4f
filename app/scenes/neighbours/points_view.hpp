#pragma once

#include "app/scenes/neighbours/state.hpp"
#include "app/view3d/orbit_view.hpp"
#include "app/widgets/drawing.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// Points in space. Candidates and neighbours of one point are coloured, and the cells that its search reads are drawn
/// as cages.
class PointsView {
public:
  PointsView();

  /// Updates the picture.
  void show(NeighbourState const& state);
  /// Draws with OpenGL.
  void draw_picture(NeighbourState const& state, Color const& background, int framebuffer_height);
  void draw_labels(Look const& look, Drawing& drawing) const;
  /// Draws labels, and handles the mouse.
  void draw(Look const& look);

  /// Of the points close to the mouse, the one nearest to the eye; nothing if no point is close or the mouse drags.
  std::optional<std::uint32_t> pointed() const;
  /// Returns whether there was a click anywhere since the last call.
  bool take_click() { return view_.mouse().take_click().has_value(); }
  /// Flies to where a few radii around the point fill the canvas.
  void fly_to(std::uint32_t point, double radius);
  OrbitView& view() { return view_; }
  OrbitView const& view() const { return view_; }

private:
  /// What the picture currently shows.
  struct Shown {
    std::vector<neighbours::Point> const* points;
    std::uint32_t point;
    double radius;
    std::uint32_t k;
    int divisor;
    Color color;  ///< in the current theme
    friend bool operator==(Shown const&, Shown const&) = default;
  };

  void place_grid(NeighbourState const& state);
  void upload(NeighbourState const& state);
  spatial::Vector to_world(neighbours::Point at) const;
  void mark_cells(NeighbourState const& state, std::vector<HighlightLine>& lines) const;

  std::optional<Shown> shown_;
  std::shared_ptr<std::vector<neighbours::Point> const> points_;  ///< shown points
  neighbours::Bounds bounds_;                                     ///< around the points before they moved
  double scale_ = 1.0;                                            ///< factor from the points' units to the world's
  spatial::VoxelGrid grid_;
  OrbitView view_;
};

}  // namespace slotscape
