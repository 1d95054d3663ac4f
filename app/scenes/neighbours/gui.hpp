#pragma once

#include "app/scenes/neighbours/state.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"

#include <string>

namespace slotscape {

/// The source of the points, the search settings, and the table of cells.
void points_panel(Look const& look, NeighbourState& state);
void search_panel(Look const& look, NeighbourState& state);
void cell_table_panel(Look const& look, NeighbourState& state);

/// Counts of what the search read and found: for all points, and for the selected one.
void neighbours_panel(Look const& look, NeighbourState const& state);
void visit_panel(Look const& look, NeighbourState const& state);
/// How long each stage took.
void neighbour_stages_panel(Look const& look, NeighbourState const& state);

/// Draws a line over the points: "Point 17: 27 cells read, 9 with points; 204 candidates; 31 neighbours".
std::string text_of_visit(NeighbourState const& state);
void draw_visit_line(Look const& look, NeighbourState const& state, Rectangle const& canvas);

}  // namespace slotscape
