#pragma once

#include "app/gui.hpp"
#include "app/scenes/slots/state.hpp"

namespace slotscape {

/// The panels: each draws one topic into ImGui's current window.
void table_panel(Look const& look, SlotsState& state);
void keys_panel(Look const& look, SlotsState& state);
void drive_panel(Look const& look, SlotsState& state);
void maintenance_panel(Look const& look, SlotsState& state);
void numbers_panel(Look const& look, SlotsState& state);
void plots_panel(Look const& look, SlotsState& state);

/// The seed, with buttons for the next and the one before.
void seed_row(Look const& look, SlotsState& state);

/// Asks whether to rehash or to start anew, while that is in question.
void slots_question(Look const& look, SlotsState& state);

}  // namespace slotscape
