#pragma once

#include "app/simulation/theory_fit.hpp"

#include <string>

namespace slotscape {

/// Adds theory for a family that needs more than the load factor.
using AddTheory = void (*)(TheoryFit&, FamilyInfo const&, TableSettings const&, Statistics const&);

/// The function for a family whose theory also covers tables with tombstones; null if there is none.
AddTheory of_any_state(TheoryOf theory);
/// The function for a family whose theory excludes erasures and needs at least one key; null if there is none.
AddTheory of_untouched(TheoryOf theory);

/// Why theory predicts misses, but not the measure of live keys.
std::string why_only_misses(FamilyInfo const& family);
std::string why_not_shards();

inline double to_accesses(FamilyInfo const& family, double measure)
{
  return family.first_access + measure * family.accesses_per_measure;
}

}  // namespace slotscape
