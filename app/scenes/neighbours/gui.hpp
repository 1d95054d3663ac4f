#pragma once

#include "app/scenes/neighbours/state.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"

#include <string>

namespace slotscape {

/// Where the points come from, how neighbours are searched for, and the table of cells.
void points_panel(Look const& look, NeighbourState& state);
void search_panel(Look const& look, NeighbourState& state);
void cell_table_panel(Look const& look, NeighbourState& state);

/// What the search has read and found for all points, and for the one that is shown.
void neighbours_panel(Look const& look, NeighbourState const& state);
void visit_panel(Look const& look, NeighbourState const& state);
/// How long each stage took.
void neighbour_stages_panel(Look const& look, NeighbourState const& state);

/// "Point 17: 27 cells read, 9 with points; 204 candidates; 31 neighbours", over the points.
std::string text_of_visit(NeighbourState const& state);
void draw_visit_line(Look const& look, NeighbourState const& state, Rectangle const& canvas);

}  // namespace slotscape
