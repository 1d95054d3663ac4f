#pragma once

#include "app/scenes/match/state.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/look.hpp"

namespace slotscape {

/// Which pictures are matched, and the frames of a video.
void pictures_panel(Look const& look, MatchState& state);
/// How the query is turned, scaled, moved and disturbed.
void query_panel(Look const& look, MatchState& state);
/// How they are matched.
void matching_panel(Look const& look, MatchState& state);
/// What is drawn.
void shown_panel(Look const& look, MatchState& state);

/// The candidates with their scores.
void candidates_panel(Look const& look, MatchState& state);
/// The chosen cell of the table, and the bases that are listed there.
void cell_panel(Look const& look, MatchState& state);
/// Where a cell's run of values lies in the array of all of them, as a mark on a bar.
void draw_run(Look const& look, ShownCell const& cell, std::uint64_t items);
/// Features, bases, items, keys and bytes.
void match_numbers_panel(Look const& look, MatchState const& state);
/// How many keys have how many values.
void multiplicity_panel(Look const& look, MatchState const& state, Charts& charts);
/// How long each stage took, and takes from match to match.
void match_stages_panel(Look const& look, MatchState const& state, Charts& charts);
/// What the frames of a video came to.
void video_panel(Look const& look, MatchState const& state, Charts& charts);

/// "3 17 17 40 …": as many as fit in so many characters.
std::string listed_bases(std::vector<std::uint32_t> const& bases, std::size_t max_characters);

}  // namespace slotscape
