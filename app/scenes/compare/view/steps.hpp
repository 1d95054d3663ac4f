#pragma once

#include "app/gui.hpp"
#include "app/scenes/compare/state.hpp"
#include "app/scenes/slots/slot_map.hpp"

namespace slotscape {

/// Step mode of all tables at once.

/// Over the maps: the operation, and the buttons that go on and back in all of them.
void draw_steps_strip(Look const& look, CompareState& state, Rectangle const& place);

/// Over the map of a table: its present step, and at the end what came of it all.
void draw_table_caption(Look const& look, CompareState const& state, std::size_t table, Rectangle const& place);

/// What is stepped through, and how far each table is, in ImGui's current window.
void compared_steps_panel(Look const& look, CompareState& state);

}  // namespace slotscape
