#pragma once

#include "gpu/tables/family.hpp"

namespace slotscape {

/// The paths that a parameter `sequence` chooses from.
enum class ProbeSequence : std::uint32_t {
  triangular = 1,  ///< h + i (i + 1) / 2
  squares = 2      ///< h + i²
};

/// Whether the table's paths are h + i², which leads to a part of the slots only, but in any number of them.
inline bool probes_by_squares(FamilyInfo const& family, TableSettings const& table)
{
  constexpr auto squares = static_cast<std::uint32_t>(ProbeSequence::squares);
  return find_parameter(family, "sequence") != nullptr && parameter_of(family, table, "sequence") == squares;
}

/// The functions that a parameter `hashing` chooses from.
enum class BucketHashing : std::uint32_t {
  by_seed = 1,   ///< pseudo-random ones, to buckets of the whole table
  by_digits = 2  ///< those of textbooks: each gives a digit of the key, in a table of its own
};

/// Whether the table's functions are sums done by hand: digits of the key.
inline bool hashes_by_digits(FamilyInfo const& family, TableSettings const& table)
{
  constexpr auto digits = static_cast<std::uint32_t>(BucketHashing::by_digits);
  return find_parameter(family, "hashing") != nullptr && parameter_of(family, table, "hashing") == digits;
}

/// Which numbers of slots tables with these parameters take.
inline SlotCounts slot_counts_of(FamilyInfo const& family, TableSettings const& table)
{
  return probes_by_squares(family, table) ? SlotCounts::any : family.slot_counts;
}

}  // namespace slotscape
