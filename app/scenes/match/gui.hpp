#pragma once

#include "app/scenes/match/state.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/look.hpp"

namespace slotscape {

/// The choice of pictures, and the frames of a video.
void pictures_panel(Look const& look, MatchState& state);
/// The rotation, scale, shift and disturbance of the query.
void query_panel(Look const& look, MatchState& state);
/// The settings of the matching.
void matching_panel(Look const& look, MatchState& state);
/// The choice of what to draw.
void shown_panel(Look const& look, MatchState& state);

/// The candidates with their scores.
void candidates_panel(Look const& look, MatchState& state);
/// The chosen cell of the table, and the bases stored in it.
void cell_panel(Look const& look, MatchState& state);
/// Marks the position of a cell's run of values in the array of all values, on a bar.
void draw_run(Look const& look, ShownCell const& cell, std::uint64_t items);
/// Features, bases, items, keys and bytes.
void match_numbers_panel(Look const& look, MatchState const& state);
/// The distribution of the number of values per key.
void multiplicity_panel(Look const& look, MatchState const& state, Charts& charts);
/// The time that each stage took, in the latest match and over several matches.
void match_stages_panel(Look const& look, MatchState const& state, Charts& charts);
/// The results for the frames of a video.
void video_panel(Look const& look, MatchState const& state, Charts& charts);

/// "3 17 17 40 …": as many bases as fit into `max_characters`.
std::string listed_bases(std::vector<std::uint32_t> const& bases, std::size_t max_characters);

}  // namespace slotscape
