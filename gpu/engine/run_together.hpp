#pragma once

#include "gpu/engine/run_operations.hpp"
#include "gpu/execution/block.hpp"
#include "gpu/tables/window_probing.hpp"

#include <algorithm>
#include <concepts>
#include <type_traits>

namespace slotscape {

template <class Family>
concept ProbesWindows = Family::probes_windows;

/// A lane that continues alone, with the tile's findings about its window. It reads further words of the window itself.
template <class Machine>
struct LoneLane {
  Machine const& machine;

  template <class F>
  SLOTSCAPE_HOST_DEVICE auto once(F const& f) const
  {
    return f();
  }
  /// window: its first slot.
  SLOTSCAPE_HOST_DEVICE typename Machine::Word word(Slot window, int lane) const
  {
    return machine.load(window + static_cast<Slot>(lane));
  }
};

/// Runs the operations of a pure batch on a family that probes windows of `window_slots`. Each lane of a tile has its
/// own operation. Groups of lanes take turns to read the windows of the tile's operations, several at once; then each
/// lane takes its next step alone, so that all compare-and-swaps of a tile are in flight together. On the host, one
/// thread plays a tile. `Run_` provides the operations and takes their results, as `RunOperations` does.
template <TableFamily Family, class View, OperationMask kinds, int window_slots,
          class Run_ = RunOperations<Family, View, kinds>>
struct RunTogether {
  using Run = Run_;
  using Format = typename View::Format;
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Word = typename Format::Word;
  using Seen = SeenWindow<Format>;
  static constexpr int items_per_thread = Run::items_per_thread;

  Run run;

  /// Runs operation i; does nothing past the end.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i, Tile tile) const
  {
    bool const exists = i < run.batch.count;
    auto const item = exists ? run.item(i) : Run::no_item();
    auto now = Family::insertion(run.table, item.key);
    auto served = begun(item);
    bool open = item.runs;
    Seen seen = look<false>(tile, now.path.first, item.key, open);
    while (true) {
      if (open) { open = !step(now, seen, item.key, served); }
      if (tile.ballot(open) == 0) { break; }
      seen = look<true>(tile, now.path.first, item.key, open);
    }
    return exists ? run.finish(i, item, served) : not_run;
  }

private:
  /// How a tile reads windows: each group of lanes reads one window at a time, and serves its lanes one after the
  /// other.
  template <class Tile>
  struct Groups {
    static constexpr int lanes = std::min(Tile::size, window_slots / 2);
    static constexpr int count = Tile::size / lanes;
    static constexpr int words = window_slots / lanes;  ///< words that a lane reads, `lanes` apart
    static constexpr int max_in_flight = 128 / (words * static_cast<int>(sizeof(Word)));
    static constexpr int in_flight = Tile::size == 1 ? 1 : std::min(lanes, max_in_flight);
  };

  /// The result of an operation that finds neither its key nor room.
  SLOTSCAPE_HOST_DEVICE static Result<Format> begun(typename Run::Item const& item)
  {
    if (!item.runs) { return Run::nothing(); }
    if (kinds == OperationMask::inserts) { return {Outcome::full, no_slot, item.value}; }
    return {Outcome::missing, no_slot, Format::empty_value};
  }

  /// Returns whether the operation is done; `served` is then its result.
  template <class Insertion>
  SLOTSCAPE_HOST_DEVICE bool step(Insertion& now, Seen const& seen, Key key, Result<Format>& served) const
  {
    LoneLane<std::remove_cvref_t<decltype(run.table.machine)>> const alone{run.table.machine};
    Slot const window = now.path.first;
    if constexpr (kinds == OperationMask::inserts) {
      return Family::insert_step(run.table, alone, now, window, seen, key, served);
    } else {
      bool const done = Family::find_step(run.table, alone, now.path, window, seen, key, served);
      if constexpr (kinds == OperationMask::erases) {
        if (done) { served = Family::erase_found(run.table, alone, served, key); }
      }
      return done;
    }
  }

  /// Reads the window of each lane whose operation is still open, and returns what the lane needs to know.
  /// few_are_open: skipping rounds without open operations pays off.
  template <bool few_are_open, class Tile>
  SLOTSCAPE_HOST_DEVICE Seen look(Tile tile, Slot first, Key key, bool is_open) const
  {
    using Of = Groups<Tile>;
    std::uint32_t const open = tile.ballot(is_open);
    Seen mine{};
    SLOTSCAPE_UNROLL
    for (int begin = 0; begin < Of::lanes; begin += Of::in_flight) {
      Word words[Of::in_flight][Of::words]{};
      SLOTSCAPE_UNROLL
      for (int r = 0; r < Of::in_flight; ++r) {
        int const owner = owner_in<Tile>(begin + r, tile);
        Slot const slot = tile.from(first, owner) + static_cast<Slot>(tile.rank() % Of::lanes);
        if ((open >> owner & 1) == 0) { continue; }
        SLOTSCAPE_UNROLL
        for (int w = 0; w < Of::words; ++w) { words[r][w] = run.table.machine.load(slot + w * Of::lanes); }
      }
      SLOTSCAPE_UNROLL
      for (int r = 0; r < Of::in_flight; ++r) {
        auto const owners =
            static_cast<std::uint32_t>(((std::uint64_t{1} << Of::count) - 1) << ((begin + r) * Of::count));
        if (few_are_open && (open & owners) == 0) { continue; }
        Seen const seen = tell(tile, words[r], tile.from(key, owner_in<Tile>(begin + r, tile)));
        if (tile.rank() / Of::count == begin + r) { mine = seen; }
      }
    }
    return mine;
  }
  /// The lane whose window this lane's group reads in round r.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE static int owner_in(int r, Tile tile)
  {
    return r * Groups<Tile>::count + tile.rank() / Groups<Tile>::lanes;
  }

  /// Whether a slot of a window holds pairs. Other slots, such as links, may hold any word.
  SLOTSCAPE_HOST_DEVICE static bool holds_pair(int slot)
  {
    constexpr std::uint32_t all = static_cast<std::uint32_t>((std::uint64_t{1} << window_slots) - 1);
    if constexpr ((Family::pair_lanes() & all) == all) { return true; }
    return (Family::pair_lanes() >> slot & 1) != 0;
  }

  /// Passes what the groups have read to the owners of the windows: group g serves the g-th lane of every `count`.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE static Seen tell(Tile tile, Word const (&words)[Groups<Tile>::words], Key key)
  {
    using Of = Groups<Tile>;
    int const group = tile.rank() % Of::count;
    Seen seen{};
    Word met = Format::empty_word;
    SLOTSCAPE_UNROLL
    for (int w = 0; w < Of::words; ++w) {
      Word const word = words[w];
      auto const bits = [&](bool is_set) {
        return (tile.ballot(is_set) >> (group * Of::lanes) & ((1u << Of::lanes) - 1)) << (w * Of::lanes);
      };
      bool const has_key = holds_pair(w * Of::lanes + tile.rank() % Of::lanes) && key_of(word) == key;
      if (has_key) { met = word; }
      seen.own |= bits(has_key);
      seen.empty |= bits(word == Format::empty_word);
      if constexpr (kinds == OperationMask::inserts) { seen.free |= bits(Family::template is_free<Format>(word)); }
    }
    seen.free &= Family::pair_lanes();
    int const lane = seen.own != 0 ? exec::first_lane(seen.own) % Of::lanes : 0;
    Value const value = tile.from(value_of(met), group * Of::lanes + lane);
    return {seen.own, seen.free, seen.empty, pack(tile.from(key_of(met), group * Of::lanes + lane), value)};
  }
};

}  // namespace slotscape
