#pragma once

#include "gpu/base/error.hpp"
#include "gpu/tables/probe_sequence.hpp"
#include "gpu/tables/validation.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace slotscape {

/// The largest allowed number <= `wanted` and the smallest >= `wanted`, the nearer one first; only one number if there
/// is no other, or if `wanted` itself is allowed. Numbers are totals over all shards, of at most `most` slots.
inline std::vector<std::uint64_t> nearest_slots(SlotCounts rule, std::uint64_t wanted, std::uint32_t shards = 1,
                                                std::uint64_t most = max_slots)
{
  std::uint64_t const of_a_shard = most / shards;
  std::uint64_t const largest = (rule == SlotCounts::any ? of_a_shard : std::bit_floor(of_a_shard)) * shards;
  std::uint64_t const within = std::clamp(wanted, min_slots * shards, largest);
  std::uint64_t below = within;
  std::uint64_t above = within;
  if (rule != SlotCounts::any) {
    below = within / shards * shards;
    above = (within + shards - 1) / shards * shards;
  }
  if (rule == SlotCounts::power_of_two) {
    below = std::bit_floor(below / shards) * shards;
    above = std::bit_ceil(above / shards) * shards;
  }
  while (!suits(rule, below, shards, most)) { below -= shards; }  // ends, since the limits are allowed
  while (!suits(rule, above, shards, most)) { above += shards; }
  if (below == above) { return {below}; }
  if (above - within <= within - below) { return {above, below}; }
  return {below, above};
}

/// Text such as "1024 or 512", in the order of `nearest_slots`.
inline std::string nearest_slots_text(SlotCounts rule, std::uint64_t wanted, std::uint32_t shards = 1,
                                      std::uint64_t most = max_slots)
{
  std::string text;
  for (std::uint64_t const slots : nearest_slots(rule, wanted, shards, most)) {
    text += (text.empty() ? "" : " or ") + std::to_string(slots);
  }
  return text;
}

/// Throws Error if no table may have this many shards.
inline void validate_shards(std::uint32_t shards)
{
  if (shards >= 1 && shards <= max_shards) { return; }
  throw Error("A table cannot have " + std::to_string(shards) + " shards: choose from 1 to " +
              std::to_string(max_shards) + ".");
}

/// Throws Error, with numbers to choose from, if the family has no tables with this number of slots in this many
/// shards.
inline void validate_slots(FamilyInfo const& family, std::uint64_t slots, std::uint32_t shards = 1,
                           std::uint64_t most = max_slots)
{
  validate_shards(shards);
  if (suits(family.slot_counts, slots, shards, most)) { return; }
  std::string const near = nearest_slots_text(family.slot_counts, slots, shards, most);
  std::string const in_shards = shards == 1 ? "" : " in " + std::to_string(shards) + " shards";
  std::uint64_t const fewest = min_slots * shards;
  most = most / shards * shards;
  if (slots < fewest || slots > most) {
    throw Error("A table cannot have " + std::to_string(slots) + " slots" + in_shards + ": choose from " +
                std::to_string(fewest) + " to " + std::to_string(most) + ", for example " + near + ".");
  }
  bool const takes_primes = family.slot_counts == SlotCounts::power_of_two_or_prime;
  std::string const times = shards == 1 ? "" : std::to_string(shards) + " times ";
  throw Error(std::string(family.title) + " cannot have " + std::to_string(slots) + " slots" + in_shards + ": choose " +
              times + "a power of two" + (takes_primes ? " or a prime number, " : ", ") + "for example " + near + ".");
}

/// Likewise, for a table with these settings and its shards.
inline void validate_slots(FamilyInfo family, TableSettings const& table, std::uint64_t most = max_slots)
{
  family.slot_counts = slot_counts_of(family, table);
  validate_slots(family, table.slots, table.shards, most / places_per_slot(family, table));
}

/// The number of slots of a table after growing: at least twice as many. For probing by squares, it is a prime, since
/// paths then reach the most slots.
inline std::uint64_t doubled_slots(FamilyInfo const& family, TableSettings const& table)
{
  std::uint64_t slots = 2 * table.slots;
  if (!probes_by_squares(family, table)) {
    return family.slot_counts == SlotCounts::any ? slots : std::bit_ceil(slots);
  }
  return std::min(next_prime(slots), max_slots);
}

}  // namespace slotscape
