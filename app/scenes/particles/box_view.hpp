#pragma once

#include "app/scenes/particles/state.hpp"
#include "app/table_map/palette.hpp"
#include "app/view3d/orbit_view.hpp"
#include "app/widgets/look.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace slotscape {

/// Maps a quantity's values to colours.
struct ColorScale {
  Palette palette;
  double low;   ///< value at the lower end
  double high;  ///< value at the upper end
  bool is_logarithmic = false;

  Color color_of(float number) const;
};
/// `largest`: the maximum over all particles. Nothing for cell and slot numbers, whose colours only tell them apart.
std::optional<ColorScale> color_scale_of(particles::Quantity quantity, float largest);

/// The box with its particles, and the ball that stirs them while the right mouse button is held.
class BoxView {
public:
  BoxView();

  /// Updates the picture.
  void show(ParticleState const& state);
  /// Draws with OpenGL.
  void draw_picture(ParticleState const& state, Color const& background, int framebuffer_height);
  /// Handles the mouse. Returns the ball; radius 0 if there is no ball.
  particles::Stirrer follow_mouse();

  OrbitView& view() { return view_; }
  OrbitView const& view() const { return view_; }

private:
  particles::Stirrer stirrer_under_mouse() const;

  std::shared_ptr<std::vector<particles::Body> const> shown_;
  spatial::VoxelGrid grid_;
  OrbitView view_;
  std::vector<spatial::Instance> instances_;
};

}  // namespace slotscape
