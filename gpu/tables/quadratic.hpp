#pragma once

#include "gpu/tables/open_addressing.hpp"
#include "gpu/tables/path_steps.hpp"
#include "gpu/tables/probe_sequence.hpp"

#include <array>
#include <string>
#include <string_view>

namespace slotscape {

struct Quadratic;

/// Defined outside the family, because nvcc would otherwise confuse it with the Layout that it extends.
template <PairFormat Format, class Hasher = HasherOf<Format>>
struct QuadraticLayout : OpenAddressing<Quadratic>::Layout<Format, Hasher> {
  bool by_squares;
};

/// Quadratic probing by triangular numbers (Knuth, TAOCP 3, 6.4, exercise 20; WarpCore's outer probing): home, +1, +3,
/// +6, +10, ... If the number of slots is a power of two, the path visits every slot.
///
/// Or by squares, as in many textbooks (Weiss, Data Structures and Algorithm Analysis, 5.4): h + i², in any number m of
/// slots. Then a path ends after i = floor(m / 2): (m - i)² = m² - 2 m i + i² = i² modulo m, so the later half of the
/// steps, and with (i + m)² = i² all others, lead to slots that were visited before. If m is an odd prime, the slots up
/// to there are different: i² = j² makes m divide (i - j)(i + j), and 0 < i + j < m. Their number is (m + 1) / 2.
struct Quadratic : OpenAddressing<Quadratic> {
  static constexpr std::array<std::uint32_t, 2> sequences{static_cast<std::uint32_t>(ProbeSequence::triangular),
                                                          static_cast<std::uint32_t>(ProbeSequence::squares)};
  static constexpr std::array<std::string_view, 2> sequence_names{"h + i(i+1)/2", "h + i\u00b2"};
  static constexpr std::array parameters{
      Parameter{.name = "sequence",
                .title = "Probe sequence",
                .help = "h + i(i+1)/2 reaches each of 2^k slots. h + i², as in many textbooks, works with any number m "
                        "of slots, but reaches only some of them: (m+1)/2 if m is a prime. If all of these are taken, "
                        "a key finds no place, even if the table is not full.",
                .fallback = sequences.front(),
                .choices = sequences,
                .choice_names = sequence_names,
                .is_for_textbooks = true}};
  /// By squares, if a path visits n slots, a table always has room for n keys, whatever their homes.
  static Guarantees guarantees(TableSettings const& settings);

  static constexpr FamilyInfo info{
      .name = "quadratic",
      .title = "Quadratic probing",
      .source = "Knuth, The Art of Computer Programming 3, 6.4, exercise 20",
      .idea =
          "Each step is one slot longer than the last, so paths leave crowded regions fast. Keys with the same home "
          "share a path: h + i(i+1)/2, the triangular numbers, which reach all of 2^k slots. With the parameter "
          "‘sequence’, h + i² as in many textbooks: in a prime number of slots, it always finds an empty one up to a "
          "load of one half.",
      .guarantees = guarantees,
      .slot_counts = SlotCounts::power_of_two,
      .deletes_two_ways = true,
      .wide = true,
      .keys_alone = true,
      .parameters = parameters,
      .measure = {"Probe length", "steps from home"},
      .theory = TheoryOf::secondary_clustering,
      .misses_by = MissesBy::home,
      .steps = {.next_by = NextPlace::further_on}};

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  using Layout = QuadraticLayout<Format, Hasher>;
  template <PairFormat Format, class Hasher = HasherOf<Format>>
  static Layout<Format, Hasher> layout(TableSettings const& settings)
  {
    return {OpenAddressing<Quadratic>::layout<Format, Hasher>(settings), probes_by_squares(info, settings)};
  }

  struct Path {
    Slot slot;
    Slot step;
    template <class Layout>
    SLOTSCAPE_HOST_DEVICE void next(Layout const& layout)
    {
      Slot const slots = static_cast<Slot>(layout.slots());
      if (layout.by_squares) {
        // (i + 1)² - i² = 2 i + 1. Neither sum overflows: i < m <= 2^31.
        Slot const further = wrapped(2 * step + 1, slots);
        ++step;
        slot = wrapped(slot + further, slots);
      } else {
        slot = (slot + ++step) & (slots - 1);
      }
    }

  private:
    /// number modulo slots; number must be below 2 slots.
    SLOTSCAPE_HOST_DEVICE static constexpr Slot wrapped(Slot number, Slot slots)
    {
      return number >= slots ? number - slots : number;
    }
  };
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static Path path(Layout const& layout, Key key)
  {
    return {layout.home(key), 0};
  }
  template <class Layout>
  SLOTSCAPE_HOST_DEVICE static Slot path_steps(Layout const& layout)
  {
    Slot const slots = static_cast<Slot>(layout.slots());
    return layout.by_squares ? slots / 2 + 1 : slots;
  }
  /// Shows how the squares give the slots of a key's path: "(5 + i²) mod 11".
  template <class Layout, class Key>
  static std::string explain_second_hash(Layout const& layout, Key key)
  {
    if (!layout.by_squares) { return {}; }
    return "(" + std::to_string(layout.home(key)) + " + i\u00b2) mod " + std::to_string(layout.slots());
  }
  /// By squares, this walks the path, no further than the key's insertion did: square roots modulo a composite number
  /// are slow to compute.
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static std::uint64_t steps_to(Layout const& layout, Slot slot, Key key)
  {
    std::uint64_t const slots = layout.slots();
    if (layout.by_squares) {
      Path at = path(layout, key);
      for (Slot const last = path_steps(layout) - 1; at.slot != slot && at.step != last;) { at.next(layout); }
      return at.step;
    }
    return triangular_root(slots_behind(layout.home(key), slot, slots), slots);
  }
};

inline Guarantees Quadratic::guarantees(TableSettings const& settings)
{
  Guarantees guarantees = OpenAddressing<Quadratic>::guarantees(settings);
  if (probes_by_squares(info, settings)) {
    guarantees.safe_load = static_cast<double>(squares_modulo(settings.slots)) / static_cast<double>(settings.slots);
  }
  return guarantees;
}

namespace families {
using quadratic = Quadratic;
}

}  // namespace slotscape
