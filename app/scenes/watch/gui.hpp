#pragma once

#include "app/scenes/watch/state.hpp"
#include "app/widgets/chart.hpp"
#include "app/widgets/look.hpp"

#include <vector>

namespace slotscape {

/// The panels of the scene: each draws one topic into ImGui's current window.
void watched_panel(Look const& look, WatchState& state);
void description_panel(Look const& look, WatchState& state);
void advice_panel(Look const& look, WatchState& state);
void running_panel(Look const& look, WatchState& state);

/// Drawn over an empty canvas: why there is no table, and what to do.
void draw_nothing_to_see(Look const& look, WatchState& state, Rectangle const& canvas);

/// Load, tombstones and the longest probe length over time, with the program's marks.
std::vector<Chart> history_charts(WatchState const& state);

}  // namespace slotscape
