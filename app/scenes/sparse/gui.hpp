#pragma once

#include "app/scenes/sparse/state.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"

namespace slotscape {

/// The source of the sites, and the shown slice.
void sites_panel(Look const& look, SparseState& state);
/// The convolution, and the table in which it looks up neighbours.
void convolution_panel(Look const& look, SparseState& state);
void site_table_panel(Look const& look, SparseState& state);

/// Sites, pairs and bytes.
void sparse_numbers_panel(Look const& look, SparseState const& state);
/// The share of outputs that find an input at each offset, as a cube of colours, drawn layer by layer.
void offsets_panel(Look const& look, SparseState& state);
/// How long each stage took.
void sparse_stages_panel(Look const& look, SparseState const& state);
/// The number of sites after each layer, with submanifold and with sparse convolutions.
void growth_panel(Look const& look, SparseState const& state, Charts& charts);

/// "27 lookups, 9 found a site", and why there are fewer lookups than offsets.
std::string text_of_lookups(ChosenOutput const& chosen);
/// The position of the output; with a stride, in the coordinates of the outputs and of the inputs.
std::string text_of_place(SparseState const& state, ChosenOutput const& chosen);
/// The centre of the output's cells in the file's coordinates; empty if there is no file.
std::string text_of_place_in_file(SparseState const& state, ChosenOutput const& chosen);
/// A card with the chosen output and what it reads. Returns false when the user closes it.
bool draw_site_card(Look const& look, SparseState const& state, Rectangle const& canvas, CardPlace& card);

}  // namespace slotscape
