#pragma once

#include "app/table_scene/table_state.hpp"
#include "app/widgets/look.hpp"

namespace slotscape {

/// The panels of the slots scene: each draws one topic into ImGui's current window.
void table_panel(Look const& look, TableState& state);
/// Asks whether to rehash or to make a new table, until the user decides.
void slots_question(Look const& look, TableState& state);

}  // namespace slotscape
