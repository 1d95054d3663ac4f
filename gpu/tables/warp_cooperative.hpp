#pragma once

#include "gpu/tables/open_addressing.hpp"
#include "gpu/tables/path_steps.hpp"
#include "gpu/tables/window_probing.hpp"

#include <array>

namespace slotscape {

/// Open addressing by tiles of lanes (WarpCore, Jünger et al. 2020): a tile reads a window of as many neighbouring
/// slots as it has lanes, in one access, and double hashing leads from window to window. On a key's path, there is
/// never an empty slot before the key's own.
///
/// Any number of windows works, even one that has a factor in common with a key's step: the path then closes into a
/// ring before it has visited every window, and continues one window after the start of that ring. There are gcd(step,
/// windows) such rings, each one residue class, and together they visit every window once. The lanes need neither a
/// division nor a greatest common divisor, only one comparison per step.
struct WarpCooperative : WindowProbing<WarpCooperative> {
  static constexpr std::uint64_t step_seed = 0x77617270u;
  static constexpr std::array<std::uint32_t, 6> lane_choices{1, 2, 4, 8, 16, 32};
  static constexpr std::array parameters{
      Parameter{.name = "tile",
                .title = "Tile lanes",
                .help = "Threads that serve an operation together, and slots that they read at once. Wide tiles need "
                        "fewer accesses in a full table; narrow ones leave more threads for other operations.",
                .fallback = 8,
                .choices = lane_choices}};
  static constexpr Guarantees guarantees(TableSettings const& settings)
  {
    return OpenAddressing<WarpCooperative>::guarantees(settings);
  }
  static constexpr FamilyInfo info{
      .name = "warp_cooperative",
      .title = "Warp-cooperative",
      .source = "Jünger et al. 2020, WarpCore; Ashkiani et al. 2018, SlabHash",
      .idea =
          "Neighbouring threads search a window of slots together, in one access; a second hash leads from window to "
          "window.",
      .guarantees = guarantees,
      .deletes_two_ways = true,
      .wide = true,
      .parameters = parameters,
      .measure = {"Windows", "windows before the key's"},
      .steps = {.next = ", its next window"}};

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  struct Layout {
    Hasher hasher;
    Deletion deletion;
    Slot lanes;
    Slot windows;

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return hasher.slots(); }
    /// The first slot of the key's first window.
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const { return hasher.home(key) & ~(lanes - 1); }
  };

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  static Layout<Format, Hasher> layout(TableSettings const& settings)
  {
    std::uint32_t const tile = parameter_of(info, settings, "tile");
    std::uint64_t const windows = (settings.slots + tile - 1) / tile;
    return {{settings.hash, windows * tile}, settings.deletion, tile, static_cast<Slot>(windows)};
  }
  template <class Layout>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t lanes(Layout const& layout)
  {
    return layout.lanes;
  }

  struct Path {
    Slot first;  ///< the window's first slot
    Slot ring;   ///< start of the current ring
    Slot left;   ///< windows not yet visited
    Slot step;   ///< in slots; 0 until needed

    template <class Layout, class Key>
    SLOTSCAPE_HOST_DEVICE bool next(Layout const& layout, Key key)
    {
      if (left == 0) { return false; }
      --left;
      if (step == 0) { step = step_of(layout, key) * layout.lanes; }
      first = wrapped(layout, first + step);
      if (first == ring) { first = ring = wrapped(layout, ring + layout.lanes); }
      return true;
    }

  private:
    /// Requires slot < 2 * slots <= 2^32.
    template <class Layout>
    SLOTSCAPE_HOST_DEVICE static Slot wrapped(Layout const& layout, Slot slot)
    {
      Slot const slots = static_cast<Slot>(layout.slots());
      return slot >= slots ? slot - slots : slot;
    }
  };
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static Path path(Layout const& layout, Key key)
  {
    Slot const home = layout.home(key);
    return {home, home, layout.windows - 1, 0};
  }

  template <class Table, class Tile, class Window>
  SLOTSCAPE_HOST_DEVICE static bool next(Table const& table, Tile, Path& path, Window const&, typename Table::Key key)
  {
    return path.next(table.layout, key);
  }
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static bool extend(Table const&, Tile, Path&)
  {
    return false;
  }
  SLOTSCAPE_HOST_DEVICE static constexpr std::uint32_t pair_lanes() { return 0xffffffffu; }
  SLOTSCAPE_HOST_DEVICE static constexpr bool ends(std::uint32_t empty) { return empty != 0; }
  template <class Layout>
  SLOTSCAPE_HOST_DEVICE static bool keeps_keys(Layout const& layout)
  {
    return layout.deletion == Deletion::empty_value;
  }
  template <PairFormat Format>
  SLOTSCAPE_HOST_DEVICE static constexpr typename Format::Word erased_word()
  {
    return Format::tombstone_word;
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    return OpenAddressing<WarpCooperative>::describe(table, slot, word);
  }
  /// The number of windows on the key's path before that of `slot`. A few are counted; in a table full of tombstones,
  /// there are too many to count.
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t measure(Layout const& layout, Slot slot, Key key)
  {
    Slot const window = slot & ~(layout.lanes - 1);
    auto at = path(layout, key);
    for (std::uint32_t windows = 0; windows < 16; ++windows) {
      if (at.first == window || !at.next(layout, key)) { return windows; }
    }
    return static_cast<std::uint32_t>(windows_to(layout, window, key));
  }

private:
  /// The length of the key's steps, in windows. The table must have at least two windows.
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static Slot step_of(Layout const& layout, Key key)
  {
    return scaled(seeded_hash(step_seed, key), layout.windows - 1) + 1;
  }

  /// The number of windows in closed form: the rings before that of the window, plus the steps along its own ring.
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static std::uint64_t windows_to(Layout const& layout, Slot window, Key key)
  {
    auto const step = inverse_of_step(step_of(layout, key), layout.windows);
    std::uint64_t const behind = slots_behind(layout.home(key), window, layout.slots()) / layout.lanes;
    std::uint64_t const ring = behind % step.divisor;
    std::uint64_t const ring_length = layout.windows / step.divisor;
    return ring * ring_length + behind / step.divisor * step.factor % ring_length;
  }
};

namespace families {
using warp_cooperative = WarpCooperative;
}

}  // namespace slotscape
