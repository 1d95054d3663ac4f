#pragma once

#include "gpu/tables/family.hpp"

namespace slotscape {

/// The paths of `quadratic`, as its parameter `sequence` names them.
enum class ProbeSequence : std::uint32_t {
  triangular = 1,  ///< h + i (i + 1) / 2
  squares = 2      ///< h + i²
};

/// Whether the table's paths are h + i², which leads to a part of the slots only, but in any number of them.
inline bool probes_by_squares(FamilyInfo const& family, TableSettings const& table)
{
  constexpr auto squares = static_cast<std::uint32_t>(ProbeSequence::squares);
  return family.name == "quadratic" && parameter_of(family, table, "sequence") == squares;
}

/// Which numbers of slots tables with these parameters take.
inline SlotCounts slot_counts_of(FamilyInfo const& family, TableSettings const& table)
{
  return probes_by_squares(family, table) ? SlotCounts::any : family.slot_counts;
}

}  // namespace slotscape
