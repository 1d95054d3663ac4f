#pragma once

#include "gpu/tables/open_addressing.hpp"

namespace slotscape {

/// XOR probing: step i of a key's path is slot home XOR i. In a power of two slots the path visits every one, and it
/// stays near: the first 4 steps share a 32-byte sector of memory, the first 16 a cache line of 128 bytes.
struct XorProbing : OpenAddressing<XorProbing> {
  static constexpr FamilyInfo info{
      .name = "xor_probing",
      .title = "XOR probing",
      .source = "docs/adding-a-table.md",
      .idea = "Step i goes to slot home XOR i: a path first tries all of home's cache line, then the one beside it.",
      .guarantees = guarantees,
      .slot_counts = SlotCounts::power_of_two,
      .deletes_two_ways = true,
      .wide = true,
      .measure = {"Probes", "steps from home"}};

  struct Path {
    Slot slot;
    Slot home;
    Slot step;
    template <class Layout>
    SLOTSCAPE_HOST_DEVICE void next(Layout const&)
    {
      slot = home ^ ++step;
    }
  };
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static Path path(Layout const& layout, Key key)
  {
    Slot const home = layout.home(key);
    return {home, home, 0};
  }
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t measure(Layout const& layout, Slot slot, Key key)
  {
    return slot ^ layout.home(key);
  }
};

namespace families {
using xor_probing = XorProbing;
}

}  // namespace slotscape
