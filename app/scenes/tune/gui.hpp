#pragma once

#include "app/scenes/tune/state.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"

namespace slotscape {

/// What the table is wanted for: presets, keys, operations.
void workload_panel(Look const& look, TuneState& state);
void keys_of_workload_panel(Look const& look, TuneState& state);
void operations_panel(Look const& look, TuneState& state);
/// The memory budget, the time of a sweep, and a table that is in use already.
void limits_panel(Look const& look, TuneState& state);
/// Into how many shards tables may be divided, and where these are.
void shards_panel(Look const& look, TuneState& state);
void present_panel(Look const& look, TuneState& state);

/// The answer in sentences, and what to do with it.
void answer_panel(Look const& look, TuneState& state);
/// What was not measured, and why.
void skipped_panel(Look const& look, TuneState const& state);
/// How evenly each hash spreads the keys.
void hashes_panel(Look const& look, TuneState const& state, Charts& charts);

/// Over the plots: what the sweep is doing, with buttons; and below it what is shown.
void draw_sweep_bar(Look const& look, TuneState& state, Rectangle const& place);
void draw_view_bar(Look const& look, TuneState& state, Rectangle const& place);
/// The code of the selected table.
void draw_code(Look const& look, TuneState& state, Rectangle const& place);
/// What the scene is for, while there is nothing to show.
void draw_welcome(Look const& look, TuneState& state, Rectangle const& place);

/// What is known of a mark, in a tooltip.
void draw_mark_tooltip(Look const& look, TuneState const& state, std::size_t measured);
/// The selected mark, in a card over the plots. False when the user closes it.
bool draw_mark_card(Look const& look, TuneState& state, Rectangle const& canvas, CardPlace& card);

}  // namespace slotscape
