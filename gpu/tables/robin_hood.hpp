#pragma once

#include "gpu/tables/ordered_probing.hpp"

namespace slotscape {

/// Robin Hood hashing (Celis 1986): linear probing in which, of two keys that compete for a slot, the one farther from
/// its home gets it and the other moves on. Displacements stay nearly equal, and a lookup ends as soon as it meets a
/// key that is nearer to its home than the sought key would be in that slot. That is the order of `OrderedProbing`.
///
/// Backward-shift deletion would leave no dead keys, but it moves every key from there to the end of the run by one
/// slot. Two erases in one run would have to wait for each other, and the longest runs, where parallelism matters most,
/// would be shifted by one thread after another.
struct RobinHood : OrderedProbing<RobinHood> {
  static constexpr Guarantees guarantees(TableSettings const&)
  {
    return {.concurrency = Concurrency::phased, .erase_frees_slot = false};
  }

  static constexpr bool measures_distance = true;
  static constexpr FamilyInfo info{
      .name = "robin_hood",
      .title = "Robin Hood hashing",
      .source = "Celis 1986, Robin Hood Hashing; in parallel after Shun & Blelloch 2014",
      .idea =
          "Linear probing that takes from the rich: a key farther from its home takes the slot, and the one that was "
          "there moves on; of two equally far ones, the smaller has the slot. When no slot is free, the table is "
          "purged "
          "of erased keys.",
      .guarantees = guarantees,
      .wide = true,
      .moves = {"Keys displaced", "keys that an insertion displaced",
                "Of equally far keys the smaller one gets the slot, so that parallel insertions end alike. Textbooks "
                "let the occupant stay, and displace about a third fewer."},
      .clusters = true,
      .theory = TheoryOf::robin_hood,
      .misses_by = MissesBy::home_and_key};
};

namespace families {
using robin_hood = RobinHood;
}

}  // namespace slotscape
