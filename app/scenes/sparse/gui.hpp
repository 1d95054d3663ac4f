#pragma once

#include "app/scenes/sparse/state.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"

namespace slotscape {

/// Where the sites come from, and the slice of them that is shown.
void sites_panel(Look const& look, SparseState& state);
/// The convolution, and the table that it looks neighbours up in.
void convolution_panel(Look const& look, SparseState& state);
void site_table_panel(Look const& look, SparseState& state);

/// Sites, pairs and bytes.
void sparse_numbers_panel(Look const& look, SparseState const& state);
/// The share of outputs that find an input at each offset, as a cube of colours, cut into layers.
void offsets_panel(Look const& look, SparseState& state);
/// How long each stage took.
void sparse_stages_panel(Look const& look, SparseState const& state);
/// Sites after each layer, submanifold and not.
void growth_panel(Look const& look, SparseState const& state, Charts& charts);

/// "27 lookups, 9 found a site", and why there are fewer lookups than offsets.
std::string text_of_lookups(ChosenOutput const& chosen);
/// Where the output is: with a stride, in the coordinates of the outputs and in those of the inputs.
std::string text_of_place(SparseState const& state, ChosenOutput const& chosen);
/// Where its cells have their middle in the coordinates of the file; empty if it has none.
std::string text_of_place_in_file(SparseState const& state, ChosenOutput const& chosen);
/// The output that is chosen, and what it reads. Returns false when the user closes it.
bool draw_site_card(Look const& look, SparseState const& state, Rectangle const& canvas, CardPlace& card);

}  // namespace slotscape
