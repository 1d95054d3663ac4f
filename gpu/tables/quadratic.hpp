#pragma once

#include "gpu/tables/open_addressing.hpp"
#include "gpu/tables/path_steps.hpp"

namespace slotscape {

/// Quadratic probing by triangular numbers (Knuth, TAOCP 3, 6.4, exercise 20; WarpCore's outer probing): home, +1, +3,
/// +6, +10, ... If the number of slots is a power of two, the path visits every slot.
struct Quadratic : OpenAddressing<Quadratic> {
  static constexpr FamilyInfo info{
      .name = "quadratic",
      .title = "Quadratic probing",
      .source = "Knuth, The Art of Computer Programming 3, 6.4, exercise 20",
      .idea =
          "Each step is a slot longer than the last, so that paths leave crowded places "
          "fast. Keys of one home share a path: h + i(i+1)/2, the triangular numbers, which "
          "reach all of 2^k slots. (The h + i^2 of many textbooks needs a prime number of "
          "slots, and is sure to find an empty one only up to a load of one half.)",
      .guarantees = guarantees,
      .slot_counts = SlotCounts::power_of_two,
      .deletes_two_ways = true,
      .wide = true,
      .keys_alone = true,
      .measure = {"Probe length", "steps from home"},
      .theory = TheoryOf::secondary_clustering,
      .misses_by = MissesBy::home};

  struct Path {
    Slot slot;
    Slot step;
    template <class Layout>
    SLOTSCAPE_HOST_DEVICE void next(Layout const& layout)
    {
      slot = (slot + ++step) & static_cast<Slot>(layout.slots() - 1);
    }
  };
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static Path path(Layout const& layout, Key key)
  {
    return {layout.home(key), 0};
  }
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static std::uint64_t steps_to(Layout const& layout, Slot slot, Key key)
  {
    std::uint64_t const slots = layout.slots();
    return triangular_root(slots_behind(layout.home(key), slot, slots), slots);
  }
};

namespace families {
using quadratic = Quadratic;
}

}  // namespace slotscape
