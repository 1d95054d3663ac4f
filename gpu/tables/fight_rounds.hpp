#pragma once

#include "gpu/base/types.hpp"

#include <cmath>

/// The sub-tables of HashFight: one per round, each smaller than the one before.
namespace slotscape::hash_fight {

/// A round's sub-table.
struct Round {
  Slot first;  ///< the first slot of the sub-table
  Slot size;

  /// The next sub-table in a table of `slots` slots: `percent` of this one's size, rounded up. Its size is 0 after the
  /// last.
  SLOTSCAPE_HOST_DEVICE constexpr Round next(Slot slots, std::uint32_t percent) const
  {
    Slot const end = first + size;
    auto const wanted = static_cast<Slot>((std::uint64_t{size} * percent + 99) / 100);
    return {end, wanted < slots - end ? wanted : slots - end};
  }
};

/// The sizes are a geometric series that fills the table: the first sub-table gets the slots that the others leave.
SLOTSCAPE_HOST_DEVICE constexpr Round first_round(Slot slots, std::uint32_t percent)
{
  return {0, static_cast<Slot>((std::uint64_t{slots} * (100 - percent) + 99) / 100)};
}

/// The expected number of winners among n keys in a sub-table of `size` slots: the number of slots hit by any key.
inline double expected_winners(double keys, double size)
{
  return -size * std::expm1(-keys / size);
}

/// Calls f(round, keys, winners) for each round until almost no key is expected to be left; returns how many are.
template <class F>
double expect(Slot slots, std::uint32_t percent, double keys, F const& f)
{
  for (Round round = first_round(slots, percent); round.size != 0 && keys > 1e-9; round = round.next(slots, percent)) {
    double const winners = expected_winners(keys, round.size);
    f(round, keys, winners);
    keys -= winners;
  }
  return keys;
}

}  // namespace slotscape::hash_fight
