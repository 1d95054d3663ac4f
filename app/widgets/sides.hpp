#pragma once

#include "app/widgets/look.hpp"

#include <functional>

namespace slotscape {

/// What is beside the canvas.
struct SideLayout {
  Rectangle left;     ///< width 0: hidden
  Rectangle right;    ///< width 0: hidden, or in tabs on the left where the window is narrow
  bool tabs = false;  ///< the left panel has controls and numbers in tabs
};
/// What stays of the window for the canvas is between the two. In tabs where that would be narrower than `least_canvas`
/// (at scale 1).
SideLayout lay_out_sides(Look const& look, Rectangle const& window, bool controls, bool measures, float least_canvas);

/// The panels beside the canvas: `controls` on the left and `measures` on the right, or in tabs on the left.
void draw_sides(Look const& look, SideLayout const& sides, std::function<void()> const& controls,
                std::function<void()> const& measures);

}  // namespace slotscape
