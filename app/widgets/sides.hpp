#pragma once

#include "app/widgets/look.hpp"
#include "app/widgets/side_widths.hpp"

#include <functional>

namespace slotscape {

inline constexpr float min_canvas_width = 560.0f;  ///< at scale 1, for most scenes

/// Whether the window has the shape of an upright phone: the panels are then below the scene instead of beside it.
bool is_upright(Look const& look, Rectangle const& window);

/// The layout of the panels around the canvas.
struct SideLayout {
  Rectangle left;      ///< width 0: hidden
  Rectangle right;     ///< width 0: hidden, or in tabs on the left if the window is narrow
  Rectangle below;     ///< below the canvas, instead of the right panel; height 0: nothing
  Rectangle middle;    ///< the rest of the window, for the canvas
  bool tabs = false;   ///< the left panel has controls and numbers in tabs
  bool sheet = false;  ///< the visible panel is below the canvas
};
/// If the canvas would be narrower than `min_canvas` (at scale 1), widened panels shrink; if that is not enough, they
/// share the left side in tabs. In an upright window, they form a sheet below the canvas.
SideLayout lay_out_sides(Look const& look, SideWidths const& widths, Rectangle const& window, bool controls,
                         bool measures, float min_canvas);

/// Draws the panels beside the canvas: `controls` on the left and `measures` on the right, or both in tabs on the left.
/// Dragging their inner edges changes `widths`; a double click restores the first width.
void draw_sides(Look const& look, SideWidths& widths, SideLayout const& sides, std::function<void()> const& controls,
                std::function<void()> const& measures);

/// Scrolls both panels to the top, for use when their content is replaced.
void scroll_sides_to_top();

}  // namespace slotscape
