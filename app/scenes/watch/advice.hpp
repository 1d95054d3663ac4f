#pragma once

#include "app/simulation/theory_fit.hpp"
#include "gpu/watch/watched_table.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// What is known of a watched table.
struct WatchedFacts {
  watch::Description const& description;  ///< as it is shown: without homes, if they turned out to be wrong
  watch::Check const& check;
  Statistics const& statistics;
  TheoryFit const& theory;
  watch::WatchedTable::KeyFacts const& keys;
};

/// What is wrong with a table, in sentences, the most important one first; what cannot be said, and why, last. All
/// numbers are counted, or follow from formulas of gpu/analysis/theory.
std::vector<std::string> advice_on(WatchedFacts const& facts);

/// How the table stands, in a sentence: "α 0.83, 2.1 accesses a hit, 4.1 a miss".
std::string summary_of(Statistics const& statistics);

}  // namespace slotscape
