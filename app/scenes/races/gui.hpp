#pragma once

#include "app/scenes/races/state.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

namespace slotscape {

/// The choice of a race, with notes on what to look at.
void case_panel(Look const& look, RacesState& state);
/// The table, and its contents before the threads begin.
void shared_table_panel(Look const& look, RacesState& state);
/// The threads' operations, and the memory model.
void threads_panel(Look const& look, RacesState& state);
/// The search through all schedules.
void search_panel(Look const& look, RacesState& state);

/// The height of the slots when drawn at this width.
float slots_height(Look const& look, RacesState const& state, float width);
/// Draws the slots, and marks those that the threads are about to access.
void draw_slots(Look const& look, Drawing& drawing, Rectangle const& place, RacesState const& state);
/// A legend of the slots' halves and colours, limited to what occurs in the table.
void draw_slots_legend(Look const& look, Drawing& drawing, ImVec2 at, RacesState const& state);

/// Draws the threads side by side: operations, pseudocode, the turns taken, and the next access.
void threads_view(Look const& look, Rectangle const& place, RacesState& state);

}  // namespace slotscape
