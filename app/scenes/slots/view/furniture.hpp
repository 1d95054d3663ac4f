#pragma once

#include "app/gui.hpp"
#include "app/scenes/slots/camera.hpp"
#include "app/scenes/slots/slot_map.hpp"
#include "app/scenes/slots/state.hpp"

namespace slotscape {

/// What stands round the map, each over or beside the canvas at `place` (pixels of the screen).

/// Above the canvas: colour by, layout, mean or maximum, and the field for a key.
void draw_toolbar(Look const& look, SlotsState& state, Rectangle const& place);
float toolbar_height(Look const& look, float width);  ///< two rows where it is narrow

/// Below it: what the colours mean, with numbers; palette and scale.
void draw_legend(Look const& look, SlotsState& state, Camera const& camera, Rectangle const& place);
float legend_height(Look const& look);

/// Where on the whole table the canvas is, and how many slots a pixel stands for. Gives the point of the grid (as
/// shares) that was clicked.
std::optional<Point> draw_minimap(Look const& look, Camera const& camera, Rectangle const& canvas);

/// What is in a slot, line by line, in ImGui's current window.
void slot_facts(Look const& look, SlotsState const& state, SlotDetail const& detail);

/// A small window for the pinned slot and the key that was looked up. Gives false when the user closes it.
bool draw_selection(Look const& look, SlotsState const& state, Rectangle const& canvas);

/// How far a slow action is, with a button to cancel it. Gives true when that is pressed.
bool draw_progress(Look const& look, Progress const& progress, Rectangle const& canvas);

}  // namespace slotscape
