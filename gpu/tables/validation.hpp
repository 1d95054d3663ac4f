#pragma once

#include "gpu/base/error.hpp"
#include "gpu/tables/family.hpp"
#include "gpu/tables/primes.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace slotscape {

/// The minimum and maximum number of slots of a table. If a table's shards number their slots separately, the limits
/// apply to each shard.
inline constexpr std::uint64_t min_slots = 4;
inline constexpr std::uint64_t max_slots = std::uint64_t{1} << 31;
/// The maximum number of shards of a table.
inline constexpr std::uint32_t max_shards = 16;

/// Whether a family with this rule allows tables of `slots` slots in this many shards, each with at least `min_slots`
/// slots, and at most `most` slots altogether. Shards have equally many slots, so `any` number is rounded up.
inline bool suits(SlotCounts rule, std::uint64_t slots, std::uint32_t shards = 1, std::uint64_t most = max_slots)
{
  std::uint64_t const of_a_shard = (slots + shards - 1) / shards;
  if (slots < min_slots * shards || of_a_shard * shards > most) { return false; }
  if (rule == SlotCounts::any) { return true; }
  if (of_a_shard * shards != slots) { return false; }
  return std::has_single_bit(of_a_shard) || (rule == SlotCounts::power_of_two_or_prime && is_prime(of_a_shard));
}

/// Throws Error if the family does not have the parameter, or does not allow this value.
inline void validate_parameter(FamilyInfo const& family, std::string const& name, std::uint32_t value)
{
  auto const listed = [](auto const& items, auto const& text_of) {
    std::string list;
    for (auto const& item : items) { list.append(list.empty() ? "" : ", ").append(text_of(item)); }
    return list;
  };
  auto const known = std::ranges::find(family.parameters, name, &Parameter::name);
  std::string const title(family.title);
  if (known == family.parameters.end() && family.parameters.empty()) {
    throw Error(title + " has no parameters: remove '" + name + "'.");
  }
  if (known == family.parameters.end()) {
    throw Error(title + " has no parameter '" + name + "'. It has: " +
                listed(family.parameters, [](Parameter const& parameter) { return parameter.name; }) + ".");
  }
  if (std::ranges::find(known->choices, value) == known->choices.end()) {
    throw Error("'" + name + "' of " + title + " cannot be " + std::to_string(value) + ". Choose one of: " +
                listed(known->choices, [](std::uint32_t choice) { return std::to_string(choice); }) + ".");
  }
}
inline void validate_parameters(FamilyInfo const& family, TableSettings const& settings)
{
  for (auto const& [name, value] : settings.parameters) { validate_parameter(family, name, value); }
}

}  // namespace slotscape
