#pragma once

#include "app/widgets/look.hpp"
#include "app/widgets/side_widths.hpp"

#include <functional>

namespace slotscape {

inline constexpr float min_canvas_width = 560.0f;  ///< at scale 1, of most scenes

/// Whether the window is as one of a telephone held upright: what is beside the scene elsewhere is below it there.
bool is_upright(Look const& look, Rectangle const& window);

/// What is beside the canvas.
struct SideLayout {
  Rectangle left;      ///< width 0: hidden
  Rectangle right;     ///< width 0: hidden, or in tabs on the left where the window is narrow
  Rectangle below;     ///< of the canvas, instead of the right one; height 0: nothing
  Rectangle middle;    ///< what stays of the window for the canvas
  bool tabs = false;   ///< the left panel has controls and numbers in tabs
  bool sheet = false;  ///< the panel that is shown lies below the canvas
};
/// Where what stays for the canvas would be narrower than `min_canvas` (at scale 1), panels that were widened give way,
/// and if that is not enough, they share the left side in tabs. In an upright window, they are a sheet below the
/// canvas.
SideLayout lay_out_sides(Look const& look, SideWidths const& widths, Rectangle const& window, bool controls,
                         bool measures, float min_canvas);

/// The panels beside the canvas: `controls` on the left and `measures` on the right, or in tabs on the left. Their
/// inner edges can be dragged, which changes `widths`; a double click restores their first width.
void draw_sides(Look const& look, SideWidths& widths, SideLayout const& sides, std::function<void()> const& controls,
                std::function<void()> const& measures);

/// Both panels from their beginning, as where what they show has become another.
void scroll_sides_to_top();

}  // namespace slotscape
