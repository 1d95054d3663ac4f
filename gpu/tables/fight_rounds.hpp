#pragma once

#include "gpu/base/types.hpp"

#include <cmath>

/// The sub-tables of HashFight: one for each round, each smaller than the one before.
namespace slotscape::hash_fight {

/// A round's sub-table.
struct Round {
  Slot first;  ///< its first slot
  Slot size;

  /// The next one, in a table of so many slots, with `percent` of this one's size, rounded up; of size 0 after the
  /// last.
  SLOTSCAPE_HOST_DEVICE constexpr Round next(Slot slots, std::uint32_t percent) const
  {
    Slot const end = first + size;
    auto const wanted = static_cast<Slot>((std::uint64_t{size} * percent + 99) / 100);
    return {end, wanted < slots - end ? wanted : slots - end};
  }
};

/// A geometric series fills the table: the first sub-table has what the others leave.
SLOTSCAPE_HOST_DEVICE constexpr Round first_round(Slot slots, std::uint32_t percent)
{
  return {0, static_cast<Slot>((std::uint64_t{slots} * (100 - percent) + 99) / 100)};
}

/// How many of n keys win where they meet in a sub-table of `size` slots: those slots that any of them hits.
inline double expected_winners(double keys, double size)
{
  return -size * std::expm1(-keys / size);
}

/// Calls f(round, keys, winners) for each round until hardly a key is expected to be left; returns how many are.
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
