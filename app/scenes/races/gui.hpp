#pragma once

#include "app/scenes/races/state.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

namespace slotscape {

/// Which race it is, and what to look at.
void case_panel(Look const& look, RacesState& state);
/// The table, and what is in it before the threads begin.
void shared_table_panel(Look const& look, RacesState& state);
/// What the threads do, and the memory between them.
void threads_panel(Look const& look, RacesState& state);
/// The search through all schedules.
void search_panel(Look const& look, RacesState& state);

/// How high the slots are drawn in this width.
float slots_height(Look const& look, RacesState const& state, float width);
/// Draws the slots, and which of them the threads are about to access.
void draw_slots(Look const& look, Drawing& drawing, Rectangle const& place, RacesState const& state);
/// What the slots' halves and colours mean; only what the table can have.
void draw_slots_legend(Look const& look, Drawing& drawing, ImVec2 at, RacesState const& state);

/// Draws the threads side by side: operations, pseudocode, the turns taken, and what comes next.
void threads_view(Look const& look, Rectangle const& place, RacesState& state);

}  // namespace slotscape
