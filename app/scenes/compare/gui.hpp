#pragma once

#include "app/scenes/compare/state.hpp"
#include "app/table_map/slot_map.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

namespace slotscape {

/// The panels of the compare scene. Each draws one topic into ImGui's current window.
void compared_tables_panel(Look const& look, CompareState& state);
void compared_numbers_panel(Look const& look, CompareState& state);
/// The distributions of all tables, overlaid, as shares: for some tables all misses are counted, for others only a
/// sample.
std::vector<Chart> compared_distributions(CompareState const& state);
void compared_plots_panel(Look const& look, CompareState& state, Charts& charts);

/// Controls for the settings of a table's family; returns whether anything changed.
bool edit_table(Look const& look, TableState& shared, TableSettings& table);

/// A number with about three digits: "1.50", "15.2", "152", "15.2 k".
std::string brief(double number);

/// The swatch of a table with its number, at ImGui's cursor.
void table_swatch(Look const& look, std::size_t table);

/// Requests these tables, with the keys of the current ones.
void ask_for_tables(CompareState& state, std::vector<TableSettings> tables);

/// The header above a table's map: its number, what distinguishes it and, except in step mode, buttons to change and to
/// remove it.
void draw_header(Look const& look, CompareState& state, std::size_t table, Rectangle const& place);

/// The header on a slide, without buttons; `with_means`: includes the mean accesses of lookups.
void draw_slide_header(Look const& look, Drawing& drawing, CompareState const& state, std::size_t table,
                       Rectangle const& place, bool with_means);

/// Step mode of all tables at once.

/// A strip above the maps, with the operation and the buttons that step all tables forward and back.
void draw_steps_strip(Look const& look, CompareState& state, Rectangle const& place);

/// A caption above a table's map, with its current step and, at the end, the outcome.
void draw_table_caption(Look const& look, CompareState const& state, std::size_t table, Rectangle const& place);

/// Draws the operation and the progress of each table, in ImGui's current window.
void compared_steps_panel(Look const& look, CompareState& state);

}  // namespace slotscape
