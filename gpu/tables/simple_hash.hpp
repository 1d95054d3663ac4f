#pragma once

#include "gpu/tables/open_addressing.hpp"

namespace slotscape {

/// Shortt's Simple Hash (Shortt 2020, 'Dynamic Hopscotch on the GPU', 4.2): takes the nearest free slot, alternating
/// between the two sides of home.
struct SimpleHash : OpenAddressing<SimpleHash> {
  static constexpr FamilyInfo info{
      .name = "simple_hash",
      .title = "Simple Hash",
      .source = "Shortt 2020, Dynamic Hopscotch on the GPU, section 4.2",
      .idea = "A key goes to the free slot nearest to its home, on either side: home, +1, -1, +2, -2, ...",
      .guarantees = guarantees,
      .deletes_two_ways = true,
      .wide = true,
      .keys_alone = true,
      .measure = {"Probe length", "slots tried before"},
      .clusters = true,
      .misses_by = MissesBy::home,
      .probes = "h, h + 1, h \u2212 1, h + 2, h \u2212 2 \u2026",
      .steps = {.next_by = NextPlace::around_home}};

  struct Path {
    Slot slot;
    Slot distance;  ///< distance to the next slot
    template <class Layout>
    SLOTSCAPE_HOST_DEVICE void next(Layout const& layout)
    {
      Slot const slots = static_cast<Slot>(layout.slots());
      bool const forward = (++distance & 1u) != 0;  // +1, then -2, then +3: alternates between the sides of home
      Slot const step = distance;
      if (forward) {
        slot = slot >= slots - step ? slot - (slots - step) : slot + step;
      } else {
        slot = slot >= step ? slot - step : slot + (slots - step);
      }
    }
  };
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static Path path(Layout const& layout, Key key)
  {
    return {layout.home(key), 0};
  }
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t measure(Layout const& layout, Slot slot, Key key)
  {
    Slot const slots = static_cast<Slot>(layout.slots());
    Slot const home = layout.home(key);
    Slot const after = slot >= home ? slot - home : slot + (slots - home);
    Slot const before = after == 0 ? 0 : slots - after;
    return after <= before ? (after == 0 ? 0 : 2 * after - 1) : 2 * before;
  }
};

namespace families {
using simple_hash = SimpleHash;
}

}  // namespace slotscape
