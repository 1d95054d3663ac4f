#pragma once

#include "app/rectangle.hpp"
#include "app/scenes/facts.hpp"
#include "app/scenes/slots/step/step_state.hpp"

namespace slotscape {

struct Look;

/// What is beside the canvas.
struct SideLayout {
  Rectangle left;     ///< width 0: hidden
  Rectangle right;    ///< width 0: hidden, or in tabs on the left where the window is narrow
  bool tabs = false;  ///< the left panel has controls and numbers in tabs
};
/// What stays of the window for the canvas is between the two. In tabs where that would be narrower than `least_canvas`
/// (at scale 1).
SideLayout lay_out_sides(Look const& look, Rectangle const& window, bool controls, bool measures, float least_canvas);

/// How the window is divided in scenes of tables.
struct SlotsLayout {
  SideLayout sides;
  Rectangle toolbar;
  Rectangle caption;  ///< height 0 where there is no step mode
  Rectangle canvas;
  Rectangle legend;
};
SlotsLayout lay_out(Look const& look, Rectangle const& window, Panels const& panels, StepState const& steps);

}  // namespace slotscape
