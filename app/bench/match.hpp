#pragma once

#include "app/bench/measurement.hpp"
#include "gpu/matching/settings.hpp"

#include <array>
#include <string_view>

namespace slotscape {

/// A drawn map, and the same map turned and scaled.
struct MatchCase {
  matching::MatchSettings settings;
  bool follows = false;  ///< only the query changes, as when it is turned by hand: the table is reused
};

/// The parts of its rows: the stages, and the wall-clock time from pictures in host memory to the match.
inline constexpr std::array<std::string_view, matching::match_stage_count + 1> match_parts{"edges", "features",
                                                                                           "bases", "table",
                                                                                           "votes", "candidates",
                                                                                           "check", "all"};

/// A match of the size of that in Alcantara et al. 2009, section 6: 3 million items in the table.
matching::MatchSettings large_match(matching::Method method, std::uint32_t query_bases);

/// A match that is found must be correct to within 1 degree, 2 % of scale and 2 pixels. Its facts are `items` in the
/// table, `votes`, and `found`: the share of repeats with a match.
std::unique_ptr<CaseBench> make_match_bench(Backend backend, MatchCase const& subject);

}  // namespace slotscape
