#pragma once

#include "app/scenes/tune/state.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"

namespace slotscape {

/// The intended use of the table: presets, keys, operations.
void workload_panel(Look const& look, TuneState& state);
void keys_of_workload_panel(Look const& look, TuneState& state);
void operations_panel(Look const& look, TuneState& state);
/// The memory budget, the duration of a sweep, and a table already in use.
void limits_panel(Look const& look, TuneState& state);
/// The numbers of shards to try, and their devices.
void shards_panel(Look const& look, TuneState& state);
void present_panel(Look const& look, TuneState& state);

/// The answer in sentences, with buttons to act on it.
void answer_panel(Look const& look, TuneState& state);
/// The tables that were not measured, and why.
void skipped_panel(Look const& look, TuneState const& state);
/// How evenly each hash spreads the keys.
void hashes_panel(Look const& look, TuneState const& state, Charts& charts);

/// Bars above the plots: the sweep's progress with buttons, and below it the choice of a view.
void draw_sweep_bar(Look const& look, TuneState& state, Rectangle const& place);
void draw_view_bar(Look const& look, TuneState& state, Rectangle const& place);
/// The code for the selected table.
void draw_code(Look const& look, TuneState& state, Rectangle const& place);
/// Introduces the scene while there are no results.
void draw_welcome(Look const& look, TuneState& state, Rectangle const& place);

/// A tooltip with the facts about a mark.
void draw_mark_tooltip(Look const& look, TuneState const& state, std::size_t measured);
/// A card over the plots with the selected mark. Returns false when the user closes it.
bool draw_mark_card(Look const& look, TuneState& state, Rectangle const& canvas, CardPlace& card);

}  // namespace slotscape
