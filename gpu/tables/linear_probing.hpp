#pragma once

#include "gpu/tables/open_addressing.hpp"
#include "gpu/tables/shift_back.hpp"

namespace slotscape {

/// Linear probing (Farrell 2020, 'A Simple GPU Hash Table'): probes consecutive slots from home on.
struct LinearProbing : OpenAddressing<LinearProbing> {
  static constexpr bool measures_distance = true;
  static constexpr FamilyInfo info{
      .name = "linear_probing",
      .title = "Linear probing",
      .source = "Farrell 2020, A Simple GPU Hash Table",
      .idea = "A key goes to the first free slot from its home on. Runs of occupied slots merge into clusters.",
      .guarantees = guarantees,
      .deletes_two_ways = true,
      .shifts_back = true,
      .wide = true,
      .keys_alone = true,
      .clusters = true,
      .theory = TheoryOf::linear_probing,
      .misses_by = MissesBy::home};

  struct Path {
    Slot slot;
    template <class Layout>
    SLOTSCAPE_HOST_DEVICE void next(Layout const& layout)
    {
      slot = slot == static_cast<Slot>(layout.slots() - 1) ? 0 : slot + 1;
    }
  };
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static Path path(Layout const& layout, Key key)
  {
    return Path{layout.home(key)};
  }
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t measure(Layout const& layout, Slot slot, Key key)
  {
    Slot const home = layout.home(key);
    return slot >= home ? slot - home : static_cast<Slot>(slot + layout.slots() - home);
  }
};

namespace families {
using linear_probing = LinearProbing;
}

}  // namespace slotscape
