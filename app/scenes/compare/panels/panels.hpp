#pragma once

#include "app/gui.hpp"
#include "app/scenes/compare/state.hpp"

namespace slotscape {

/// The panels of the compare scene: each draws one topic into ImGui's current window.
void compared_tables_panel(Look const& look, CompareState& state);
void compared_numbers_panel(Look const& look, CompareState& state);
void compared_plots_panel(Look const& look, CompareState& state);

/// Controls for what the family of a table can be set to; whether something was changed.
bool edit_table(Look const& look, TableSettings& table);

/// The swatch of a table with its number, at ImGui's cursor.
void table_swatch(Look const& look, std::size_t table);

/// Asks for these tables, filled to the load that the present ones have or are to hold.
void ask_for_tables(CompareState& state, std::vector<TableSettings> tables);

}  // namespace slotscape
