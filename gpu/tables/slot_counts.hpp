#pragma once

#include "gpu/base/error.hpp"
#include "gpu/tables/validation.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace slotscape {

/// The last allowed number up to `wanted` and the first from there on, the nearer one first; only one where there is no
/// other, or `wanted` is allowed itself.
inline std::vector<std::uint64_t> nearest_slots(SlotCounts rule, std::uint64_t wanted)
{
  std::uint64_t const within = std::clamp(wanted, min_slots, max_slots);
  std::uint64_t below = within;
  std::uint64_t above = within;
  if (rule == SlotCounts::power_of_two) {
    below = std::bit_floor(within);
    above = std::bit_ceil(within);
  }
  while (!suits(rule, below)) { --below; }  // the limits are powers of two
  while (!suits(rule, above)) { ++above; }
  if (below == above) { return {below}; }
  if (above - within <= within - below) { return {above, below}; }
  return {below, above};
}

/// "1024 or 512", in the order of `nearest_slots`.
inline std::string nearest_slots_text(SlotCounts rule, std::uint64_t wanted)
{
  std::string text;
  for (std::uint64_t const slots : nearest_slots(rule, wanted)) {
    text += (text.empty() ? "" : " or ") + std::to_string(slots);
  }
  return text;
}

/// Throws Error, with numbers to choose from, if the family has no tables of `slots` slots.
inline void validate_slots(FamilyInfo const& family, std::uint64_t slots)
{
  std::string const near = nearest_slots_text(family.slot_counts, slots);
  if (slots < min_slots || slots > max_slots) {
    throw Error("A table cannot have " + std::to_string(slots) + " slots: choose from " + std::to_string(min_slots) +
                " to " + std::to_string(max_slots) + ", for example " + near + ".");
  }
  if (suits(family.slot_counts, slots)) { return; }
  bool const takes_primes = family.slot_counts == SlotCounts::power_of_two_or_prime;
  throw Error(std::string(family.title) + " cannot have " + std::to_string(slots) + " slots: choose a power of two" +
              (takes_primes ? " or a prime number, " : ", ") + "for example " + near + ".");
}

}  // namespace slotscape
