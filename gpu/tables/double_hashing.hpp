#pragma once

#include "gpu/tables/open_addressing.hpp"
#include "gpu/tables/path_steps.hpp"

namespace slotscape {

/// Double hashing (Knuth, TAOCP 3, 6.4, Algorithm D): a second hash of the key gives the length of its steps. The
/// step is coprime to the number of slots, which is a power of two or a prime, so that the path visits every slot.
struct DoubleHashing : OpenAddressing<DoubleHashing> {
  static constexpr FamilyInfo info{
      .name = "double_hashing",
      .title = "Double hashing",
      .source = "Knuth, The Art of Computer Programming 3, 6.4, Algorithm D",
      .idea = "A second hash gives each key its own step, so that keys that collide in one slot diverge again.",
      .guarantees = guarantees,
      .slot_counts = SlotCounts::power_of_two_or_prime,
      .deletes_two_ways = true,
      .wide = true,
      .keys_alone = true,
      .measure = {"Probe length", "steps from home"},
      .theory = TheoryOf::uniform_probing};

  struct Path {
    Slot slot;
    Slot step;
    template <class Layout>
    SLOTSCAPE_HOST_DEVICE void next(Layout const& layout)
    {
      Slot const slots = static_cast<Slot>(layout.slots());
      slot = slot >= slots - step ? slot - (slots - step) : slot + step;
    }
  };
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static Path path(Layout const& layout, Key key)
  {
    std::uint64_t const slots = layout.slots();
    Slot const below = scaled(seeded_hash(0x73746570u, key), slots - 1);  // 0 ... slots - 2
    bool const power_of_two = (slots & (slots - 1)) == 0;
    return {layout.home(key), power_of_two ? below | 1u : below + 1};
  }
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static std::uint64_t steps_to(Layout const& layout, Slot slot, Key key)
  {
    Path const start = path(layout, key);
    std::uint64_t const slots = layout.slots();
    std::uint64_t const factor = inverse_of_step(start.step, static_cast<std::uint32_t>(slots)).factor;
    return slots_behind(start.slot, slot, slots) * factor % slots;
  }
};

namespace families {
using double_hashing = DoubleHashing;
}

}  // namespace slotscape
