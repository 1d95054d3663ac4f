#pragma once

#include "gpu/tables/ordered_probing.hpp"
#include "gpu/tables/shift_back.hpp"

namespace slotscape {

/// Robin Hood hashing (Celis 1986): linear probing in which, of two keys that compete for a slot, the one farther from
/// its home gets it and the other moves on. Displacements stay nearly equal, and a lookup ends as soon as it meets a
/// key that is nearer to its home than the sought key would be in that slot. That is the order of `OrderedProbing`.
///
/// Erased keys keep their slots until the slots are needed, or the keys after them shift back (`Deletion::shift`,
/// backward shift deletion): one thread per cluster, so the longest clusters take longest.
struct RobinHood : OrderedProbing<RobinHood> {
  static constexpr Guarantees guarantees(TableSettings const& settings)
  {
    bool const shifts = settings.deletion == Deletion::shift;
    return {.concurrency = shifts ? Concurrency::erases_alone : Concurrency::phased, .erase_frees_slot = shifts};
  }

  static constexpr bool measures_distance = true;
  static constexpr FamilyInfo info{
      .name = "robin_hood",
      .title = "Robin Hood hashing",
      .source = "Celis 1986, Robin Hood Hashing; in parallel after Shun & Blelloch 2014",
      .idea =
          "Linear probing that takes from the rich: a key farther from its home takes the slot, and the key that was "
          "there moves on; of two equally far keys, the smaller gets the slot. When no slot is free, the table is "
          "purged of erased keys.",
      .guarantees = guarantees,
      .shifts_back = true,
      .wide = true,
      .moves = {"Keys displaced", "keys that an insertion displaced",
                "Of equally far keys, the smaller one gets the slot, so that parallel insertions always give the same "
                "table. Textbooks let the occupant stay, which displaces about a third fewer keys."},
      .clusters = true,
      .theory = TheoryOf::robin_hood,
      .misses_by = MissesBy::home_and_key};
};

namespace families {
using robin_hood = RobinHood;
}

}  // namespace slotscape
