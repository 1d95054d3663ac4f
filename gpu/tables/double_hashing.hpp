#pragma once

#include "gpu/tables/open_addressing.hpp"
#include "gpu/tables/path_steps.hpp"

#include <array>
#include <string>
#include <string_view>

namespace slotscape {

struct DoubleHashing;

/// Defined outside the family, because nvcc would otherwise confuse it with the Layout that it extends.
template <PairFormat Format, class Hasher = HasherOf<Format>>
struct DoubleHashingLayout : OpenAddressing<DoubleHashing>::Layout<Format, Hasher> {
  std::uint32_t modulus_below;  ///< number of slots - modulus of the second hash
};

/// Double hashing (Knuth, TAOCP 3, 6.4, Algorithm D): a second hash of the key gives the step length. The step is
/// coprime to the number of slots, which is a power of two or a prime, so the path visits every slot. With the identity
/// hash, homes and steps can be computed by hand (Cormen et al., Introduction to Algorithms, 11.4): for a prime number
/// m of slots, 1 + k mod (m - 1), or m - 2; otherwise 1 + 2 (k div m), modulo m.
struct DoubleHashing : OpenAddressing<DoubleHashing> {
  static constexpr std::uint64_t step_seed = 0x73746570u;
  static constexpr std::array<std::uint32_t, 2> reductions{1, 2};
  static constexpr std::array<std::string_view, 2> reduction_names{"m \u2212 1", "m \u2212 2"};
  static constexpr std::array parameters{Parameter{
      .name = "modulus_below",
      .title = "Second hash modulo",
      .help =
          "Of the identity hash in a prime number m of slots: h2(k) = 1 + k mod (m \u2212 1), or modulo m \u2212 2, as "
          "in the figure of Cormen et al. with 13 slots. It must be slightly less than m.",
      .fallback = 1,
      .choices = reductions,
      .choice_names = reduction_names,
      .is_by_hand = true}};
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
      .parameters = parameters,
      .measure = {"Probe length", "steps from home"},
      .theory = TheoryOf::uniform_probing,
      .steps = {.next_by = NextPlace::further_on, .next = ", as its second hash says"}};

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  using Layout = DoubleHashingLayout<Format, Hasher>;
  template <PairFormat Format, class Hasher = HasherOf<Format>>
  static Layout<Format, Hasher> layout(TableSettings const& settings)
  {
    return {OpenAddressing<DoubleHashing>::layout<Format, Hasher>(settings),
            parameter_of(info, settings, "modulus_below")};
  }

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
    if (by_hand(layout)) { return {layout.home(key), step_by_hand(slots, key, layout.modulus_below)}; }
    Slot const below = scaled(seeded_hash(step_seed, key), slots - 1);  // 0 ... slots - 2
    return {layout.home(key), is_power_of_two(slots) ? below | 1u : below + 1};
  }
  /// Shows how the key gives the step, if that can be computed by hand: "h2 = 1 + 27 mod 16 = 12".
  template <class Layout, class Key>
  static std::string explain_second_hash(Layout const& layout, Key key)
  {
    if (!by_hand(layout)) { return {}; }
    std::uint64_t const slots = layout.slots();
    std::string const k = std::to_string(key);
    std::string const m = std::to_string(slots);
    std::string const formula = is_power_of_two(slots)
                                    ? "(1 + 2 (" + k + " div " + m + ")) mod " + m
                                    : "1 + " + k + " mod " + std::to_string(slots - layout.modulus_below);
    return "h2 = " + formula + " = " + std::to_string(step_by_hand(slots, key, layout.modulus_below));
  }
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static std::uint64_t steps_to(Layout const& layout, Slot slot, Key key)
  {
    Path const start = path(layout, key);
    std::uint64_t const slots = layout.slots();
    std::uint64_t const factor = inverse_of_step(start.step, static_cast<std::uint32_t>(slots)).factor;
    return slots_behind(start.slot, slot, slots) * factor % slots;
  }

private:
  template <class Layout>
  SLOTSCAPE_HOST_DEVICE static bool by_hand(Layout const& layout)
  {
    return layout.hasher.kind() == HashKind::identity;
  }
  SLOTSCAPE_HOST_DEVICE static constexpr bool is_power_of_two(std::uint64_t slots)
  {
    return (slots & (slots - 1)) == 0;
  }
  template <class Key>
  SLOTSCAPE_HOST_DEVICE static constexpr Slot step_by_hand(std::uint64_t slots, Key key, std::uint32_t below)
  {
    return static_cast<Slot>(is_power_of_two(slots) ? (1 + 2 * (key / slots)) & (slots - 1)
                                                    : 1 + key % (slots - below));
  }
};

namespace families {
using double_hashing = DoubleHashing;
}

}  // namespace slotscape
