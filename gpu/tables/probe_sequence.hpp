#pragma once

#include "gpu/tables/family.hpp"

namespace slotscape {

/// The choices of the parameter `sequence`.
enum class ProbeSequence : std::uint32_t {
  triangular = 1,  ///< h + i (i + 1) / 2
  squares = 2      ///< h + i²
};

/// Whether the table's paths are h + i². These reach only some of the slots, but work for any number of slots.
inline bool probes_by_squares(FamilyInfo const& family, TableSettings const& table)
{
  constexpr auto squares = static_cast<std::uint32_t>(ProbeSequence::squares);
  return find_parameter(family, "sequence") != nullptr && parameter_of(family, table, "sequence") == squares;
}

/// The choices of the parameter `hashing`.
enum class BucketHashing : std::uint32_t {
  by_seed = 1,   ///< pseudo-random functions to buckets of the whole table
  by_digits = 2  ///< as in textbooks: each function is a digit of the key, and has its own table
};

/// Whether the table's functions can be computed by hand: digits of the key.
inline bool hashes_by_digits(FamilyInfo const& family, TableSettings const& table)
{
  constexpr auto digits = static_cast<std::uint32_t>(BucketHashing::by_digits);
  return find_parameter(family, "hashing") != nullptr && parameter_of(family, table, "hashing") == digits;
}

/// The numbers of slots that tables with these parameters accept.
inline SlotCounts slot_counts_of(FamilyInfo const& family, TableSettings const& table)
{
  return probes_by_squares(family, table) ? SlotCounts::any : family.slot_counts;
}

}  // namespace slotscape
