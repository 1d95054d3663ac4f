#pragma once

#include "gpu/engine/batch.hpp"
#include "gpu/engine/fold_copies.hpp"
#include "gpu/execution/streaming.hpp"

#include <algorithm>
#include <array>
#include <cmath>

/// Sorts the operations of a pure batch by segment, in one or two scattering passes. The place of each segment's items
/// is either known exactly from a counting pass, or estimated: each segment gets somewhat more room than it needs on
/// average (`Rooms`). If a room turns out too small, the pass raises a flag, and the partition is repeated with exact
/// counts. So no buffer overflows, however the keys are distributed.
namespace slotscape::partition {

inline constexpr int threads = 512;
inline constexpr std::uint32_t max_bins = 512;  ///< per pass
inline constexpr std::uint64_t max_segments = std::uint64_t{max_bins} * max_bins;

/// Items and, if they are kept, the numbers of their operations.
template <class Item>
struct Items {
  Item* items;
  std::uint32_t* numbers;

  SLOTSCAPE_HOST_DEVICE void put(std::uint32_t place, Item item) const { items[place] = item; }
};
/// Pairs whose keys and values are written to separate arrays.
template <PairFormat Format>
struct PairsApart {
  typename Format::Key* keys;
  typename Format::Value* values;
  std::uint32_t* numbers;

  SLOTSCAPE_HOST_DEVICE void put(std::uint32_t place, typename Format::Word pair) const
  {
    keys[place] = key_of(pair);
    values[place] = value_of(pair);
  }
};

/// Counts each segment's operations with keys that a table accepts.
template <class Layout, PairFormat Format>
struct Count {
  static constexpr std::uint32_t max_shared = 16384;
  static constexpr int blocks_at_once = 3;
  struct Shared {
    std::array<std::uint32_t, max_shared> counts;
  };

  Layout layout;
  Batch<Format> batch;
  std::uint64_t per_block;  ///< operations
  std::uint32_t* counts;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t b, Block block, Shared& shared) const
  {
    std::uint32_t const segments = layout.segments;
    bool const are_shared = segments <= max_shared;
    std::uint64_t const first = b * per_block;
    std::uint64_t const last = first + per_block;
    std::uint64_t const end = last < batch.count ? last : batch.count;
    block.for_each_thread([&](int t) {
      for (std::uint32_t s = t; are_shared && s < segments; s += Block::size) { shared.counts[s] = 0; }
    });
    block.for_each_thread([&](int t) {
      for (std::uint64_t i = first + t; i < end; i += at_once * Block::size) {
        count_some(block, shared, are_shared, i, end);
      }
    });
    block.for_each_thread([&](int t) {
      for (std::uint32_t s = t; are_shared && s < segments; s += Block::size) {
        if (shared.counts[s] != 0) { exec::fetch_add(counts[s], shared.counts[s]); }
      }
    });
  }

private:
  static constexpr int at_once = 8;

  /// Counts a thread's next operations, with all their loads in flight together.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void count_some(Block block, Shared& shared, bool are_shared, std::uint64_t first,
                                        std::uint64_t end) const
  {
    typename Format::Key keys[at_once];
    SLOTSCAPE_UNROLL
    for (int j = 0; j < at_once; ++j) {
      std::uint64_t const i = first + static_cast<std::uint64_t>(j * Block::size);
      keys[j] = i < end ? exec::load_once(batch.keys[i]) : Format::empty_key;
    }
    SLOTSCAPE_UNROLL
    for (int j = 0; j < at_once; ++j) {
      if (Format::is_reserved(keys[j])) { continue; }
      std::uint32_t const segment = layout.segment(keys[j]);
      if (are_shared) {
        block.add(shared.counts[segment], 1);
      } else {
        exec::fetch_add(counts[segment], 1u);
      }
    }
  }
};

/// How segments are grouped: the first pass splits the items into groups of 2^shift segments, the second splits each
/// group into its segments.
struct Groups {
  std::uint32_t segments;
  int shift;

  static Groups of(std::uint32_t segments)
  {
    int shift = 0;
    if (segments > max_bins) {  // balances the number of bins between the two passes
      while ((std::uint64_t{1} << (2 * shift)) < segments) { ++shift; }
    }
    return {segments, shift};
  }
  SLOTSCAPE_HOST_DEVICE std::uint32_t count() const { return ((segments - 1) >> shift) + 1; }
  SLOTSCAPE_HOST_DEVICE std::uint32_t first_segment(std::uint32_t group) const
  {
    std::uint64_t const first = std::uint64_t{group} << shift;
    return first < segments ? static_cast<std::uint32_t>(first) : segments;
  }
  bool one_pass() const { return shift == 0; }
};

/// Where a pass puts the items of each bin.
struct Bins {
  std::uint32_t* cursors;       ///< where the next item goes; after the pass, one past the last item
  std::uint32_t const* starts;  ///< start of each bin's room, and the end of the last room
  std::uint32_t* overflowed;    ///< raised if a room is too small
};

/// The work of one block in a scattering pass: it ranks its items by bin in shared memory, reserves room once per bin,
/// and writes the items in runs.
template <class Item_, bool numbered>
struct Tile {
  using Item = Item_;
  static constexpr int per_thread = sizeof(Item) > 8 ? 6 : sizeof(Item) == 8 ? 12 : 10;  // as many as fit in registers
  static constexpr std::uint32_t size = threads * per_thread;
  static constexpr int blocks_at_once = numbered || sizeof(Item) > 4 ? 2 : 3;
  static constexpr int rank_bits = 13;
  static constexpr std::uint32_t few_in_tile = 2;  ///< copies among the first items of all threads
  static_assert(size <= 1u << rank_bits);

  struct Shared {
    std::array<Item, size> items;
    std::array<std::uint32_t, numbered ? size : 1> numbers;
    std::array<std::uint16_t, size> bins;
    std::array<std::uint32_t, max_bins> starts;  ///< start of each bin in `items`; before that, its count
    std::array<std::uint32_t, max_bins> room;    ///< start of each bin's run in the result, minus its start in `items`
    std::uint32_t count;
    std::uint32_t copies;  ///< found among the threads' first items
    std::uint32_t group;
    std::uint32_t overflowed;
    std::uint32_t is_overflowing;  ///< whether the first pass has overflowed
    std::uint32_t is_thorough;     ///< search all items for copies
  };
  struct Mine {
    std::array<Item, per_thread> items;
    std::array<std::uint32_t, per_thread> numbers;
    std::array<std::uint32_t, per_thread> ranks;  ///< rank within the bin, packed with the bin
    std::array<bool, per_thread> has;             ///< whether this item exists
    std::uint32_t firsts;                         ///< bit i: item i represents its folded copies, if it has any
  };

  /// load(thread, Mine&) reads a thread's items; bin_of(item) returns the item's bin, less than `count`. Writes nothing
  /// if a room has turned out too small. `thorough` folding searches all items for copies.
  template <class Block, class To, class Fold, class Load, class BinOf>
  SLOTSCAPE_HOST_DEVICE static void scatter(Block block, Shared& shared, std::uint32_t count, Bins const& bins,
                                            To const& to, Fold const& fold, bool thorough, Load const& load,
                                            BinOf const& bin_of)
  {
    typename Block::template PerThread<Mine> threads;
    block.for_each_thread([&](int t) {
      if (t == 0) {
        shared.count = 0;
        shared.copies = 0;
        shared.overflowed = exec::load_relaxed(*bins.overflowed);
      }
      for (std::uint32_t b = t; b < count; b += Block::size) { shared.starts[b] = 0; }
      if constexpr (Fold::folds) { clear_places<Block>(shared, fold, t); }
      load(t, threads[t]);
    });
    if constexpr (Fold::folds) { fold_copies(block, shared, threads, fold, thorough); }
    block.for_each_thread([&](int t) {
      if constexpr (Fold::folds) { join_copies(shared, threads[t], fold); }
      rank(block, shared, threads[t], bin_of);
    });
    block.for_each_thread([&](int t) {
      for (std::uint32_t b = t; b < count; b += Block::size) { shared.room[b] = reserve(shared, bins, b); }
    });
    if (shared.overflowed != 0) { return; }
    block.exclusive_sums(shared.starts.data(), static_cast<int>(count));
    block.for_each_thread([&](int t) {
      stage(shared, threads[t]);
      for (std::uint32_t b = t; b < count; b += Block::size) { shared.room[b] -= shared.starts[b]; }
    });
    block.for_each_thread([&](int t) {
      for (std::uint32_t j = t; j < shared.count; j += Block::size) {
        std::uint32_t const place = shared.room[shared.bins[j]] + j;
        to.put(place, shared.items[j]);
        if constexpr (numbered) { to.numbers[place] = shared.numbers[j]; }
      }
    });
  }

private:
  /// Until the items are staged, their memory is used to find copies.
  template <class Block, class Fold>
  SLOTSCAPE_HOST_DEVICE static void clear_places(Shared& shared, Fold const& fold, int t)
  {
    for (std::uint32_t i = t; i < Fold::template places<size>; i += Block::size) { shared.items[i] = fold.nobody(); }
  }
  /// Searches the threads' first items for copies; the other items only if copies were found, or if `thorough`.
  template <class Block, class Threads, class Fold>
  SLOTSCAPE_HOST_DEVICE static void fold_copies(Block block, Shared& shared, Threads& threads, Fold const& fold,
                                                bool thorough)
  {
    block.for_each_thread([&](int t) {
      threads[t].firsts = 0;
      block.add_of_all(shared.copies, fold_items<0, 1>(block, shared, threads[t], fold));
    });
    // Some threads may increment the counter before others read it. It only grows, so all threads decide alike.
    if (!thorough && exec::load_relaxed(shared.copies) < few_in_tile) { return; }
    block.for_each_thread(
        [&](int t) { block.add_of_all(shared.copies, fold_items<1, per_thread>(block, shared, threads[t], fold)); });
  }
  /// Returns how many items were folded into others.
  template <int first, int end, class Block, class Fold>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t fold_items(Block block, Shared& shared, Mine& mine, Fold const& fold)
  {
    std::uint32_t copies = 0;
    SLOTSCAPE_UNROLL
    for (int j = first; j < end; ++j) {
      if (!mine.has[j]) { continue; }
      bool is_first = false;
      bool const is_copy = fold.is_copy(block, shared.items, mine.items[j], is_first);
      mine.has[j] = !is_copy;
      mine.firsts |= (is_first ? 1u : 0u) << j;
      if (!is_copy) { continue; }
      ++copies;
      if constexpr (numbered) { fold.note_copy(mine.numbers[j]); }
    }
    return copies;
  }
  template <class Fold>
  SLOTSCAPE_HOST_DEVICE static void join_copies(Shared const& shared, Mine& mine, Fold const& fold)
  {
    if (shared.copies == 0 || !fold.combines()) { return; }
    SLOTSCAPE_UNROLL
    for (int j = 0; j < per_thread; ++j) {
      if ((mine.firsts >> j & 1) != 0) { mine.items[j] = fold.with_copies(shared.items, mine.items[j]); }
    }
  }

  /// Reserves room for the block's items of a bin.
  SLOTSCAPE_HOST_DEVICE static std::uint32_t reserve(Shared& shared, Bins const& bins, std::uint32_t bin)
  {
    std::uint32_t const count = shared.starts[bin];
    if (count == 0) { return 0; }
    std::uint32_t const place = exec::fetch_add(bins.cursors[bin], count);
    if (place + count > bins.starts[bin + 1]) {
      exec::raise(*bins.overflowed);
      exec::raise(shared.overflowed);
    }
    return place;
  }
  template <class Block, class BinOf>
  SLOTSCAPE_HOST_DEVICE static void rank(Block block, Shared& shared, Mine& mine, BinOf const& bin_of)
  {
    std::uint32_t count = 0;
    SLOTSCAPE_UNROLL
    for (int j = 0; j < per_thread; ++j) {
      if (!mine.has[j]) { continue; }
      std::uint32_t const bin = bin_of(mine.items[j]);
      mine.ranks[j] = bin << rank_bits | block.add(shared.starts[bin], 1);
      ++count;
    }
    block.add_of_all(shared.count, count);
  }
  SLOTSCAPE_HOST_DEVICE static void stage(Shared& shared, Mine const& mine)
  {
    SLOTSCAPE_UNROLL
    for (int j = 0; j < per_thread; ++j) {
      if (!mine.has[j]) { continue; }
      std::uint32_t const bin = mine.ranks[j] >> rank_bits;
      std::uint32_t const place = shared.starts[bin] + (mine.ranks[j] & ((1u << rank_bits) - 1));
      shared.items[place] = mine.items[j];
      shared.bins[place] = static_cast<std::uint16_t>(bin);
      if constexpr (numbered) { shared.numbers[place] = mine.numbers[j]; }
    }
  }
};

/// The first pass: scatters the batch into groups. If outcomes are kept, it writes one for each operation: `rejected`,
/// or `expected` as a first guess. A pair with a reserved value travels with the others and is skipped at the end,
/// unless copies are folded. To: `Items` or `PairsApart`.
template <class Layout, PairFormat Format, Operation operation, bool numbered, class Fold = NoFolding,
          class To = Items<Item<Format, operation>>>
struct ScatterBatch {
  using OneTile = Tile<Item<Format, operation>, numbered>;
  using Shared = typename OneTile::Shared;
  static constexpr int blocks_at_once = OneTile::blocks_at_once;

  Layout layout;
  Batch<Format> batch;
  Outcome expected;
  Groups groups;
  Bins bins;
  To to;
  std::uint64_t* rejected;
  Fold fold{};

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t b, Block block, Shared& shared) const
  {
    OneTile::scatter(
        block, shared, groups.count(), bins, to, fold, false,
        [&](int t, auto& mine) { load<Block>(b * OneTile::size + static_cast<std::uint64_t>(t), mine); },
        [&](auto item) { return layout.segment(key_in<Format>(item)) >> groups.shift; });
    if constexpr (Fold::folds) {
      block.for_each_thread([&](int t) {
        if (t == 0 && shared.copies != 0) { exec::fetch_add(*fold.seen, shared.copies); }
      });
    }
  }

private:
  /// Loads a thread's items, starting with operation `first`. All loads are in flight together.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void load(std::uint64_t first, typename OneTile::Mine& mine) const
  {
    typename Format::Key keys[OneTile::per_thread];
    typename Format::Value values[OneTile::per_thread];
    SLOTSCAPE_UNROLL
    for (int j = 0; j < OneTile::per_thread; ++j) {
      std::uint64_t const i = first + static_cast<std::uint64_t>(j * Block::size);
      keys[j] = i < batch.count ? exec::load_once(batch.keys[i]) : Format::empty_key;
      values[j] = 0;
      if (operation == Operation::insert && i < batch.count) { values[j] = exec::load_once(batch.values[i]); }
    }
    std::uint32_t refused = 0;
    SLOTSCAPE_UNROLL
    for (int j = 0; j < OneTile::per_thread; ++j) {
      std::uint64_t const i = first + static_cast<std::uint64_t>(j * Block::size);
      mine.has[j] = !Format::is_reserved(keys[j]);
      if constexpr (operation == Operation::insert) {
        mine.items[j] = pack(keys[j], values[j]);
      } else {
        mine.items[j] = keys[j];
      }
      if constexpr (numbered) { mine.numbers[j] = static_cast<std::uint32_t>(i); }
      bool const is_refused = !mine.has[j] || values[j] == Format::empty_value;
      if constexpr (Fold::folds) { mine.has[j] = !is_refused; }
      refused += is_refused && i < batch.count ? 1 : 0;
      if (batch.keeps_outcomes && i < batch.count) { batch.outcomes[i] = is_refused ? Outcome::rejected : expected; }
    }
    if (refused != 0) { exec::fetch_add(*rejected, std::uint64_t{refused}); }
  }
};

/// The second pass: scatters groups into segments. Each block takes a tile of one group.
template <class Layout, PairFormat Format, Operation operation, bool numbered, class Fold = NoFolding>
struct ScatterGroups {
  using OneTile = Tile<Item<Format, operation>, numbered>;
  using Shared = typename OneTile::Shared;
  static constexpr int blocks_at_once = OneTile::blocks_at_once;

  Layout layout;
  Groups groups;
  Bins of_groups;              ///< as the first pass left them
  std::uint32_t const* tiles;  ///< number of tiles before each group, and the total
  Bins of_segments;
  Items<typename OneTile::Item> from;
  Items<typename OneTile::Item> to;
  Fold fold{};

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t b, Block block, Shared& shared) const
  {
    if (b >= tiles[groups.count()]) { return; }
    block.for_each_thread([&](int t) {
      if (t == 0) {
        shared.is_overflowing = exec::load_relaxed(*of_groups.overflowed);
        if constexpr (Fold::folds) {
          shared.is_thorough = exec::load_relaxed(*fold.seen) >= partition::few_copies ? 1 : 0;
        }
      }
      for (std::uint32_t group = t; group < groups.count(); group += Block::size) {
        if (tiles[group] <= b && b < tiles[group + 1]) { shared.group = group; }
      }
    });
    if (shared.is_overflowing != 0) { return; }
    std::uint32_t const group = shared.group;
    std::uint32_t const segment = groups.first_segment(group);
    std::uint32_t const first = of_groups.starts[group] + static_cast<std::uint32_t>(b - tiles[group]) * OneTile::size;
    std::uint32_t const end = of_groups.cursors[group];
    if (first >= end) { return; }
    Bins const bins{of_segments.cursors + segment, of_segments.starts + segment, of_segments.overflowed};
    auto const load = [&](int t, auto& mine) {
      SLOTSCAPE_UNROLL
      for (int j = 0; j < OneTile::per_thread; ++j) {
        std::uint32_t const i = first + static_cast<std::uint32_t>(j * Block::size + t);
        mine.has[j] = i < end;
        if (!mine.has[j]) { continue; }
        mine.items[j] = exec::load_once(from.items[i]);
        if constexpr (numbered) { mine.numbers[j] = exec::load_once(from.numbers[i]); }
      }
    };
    OneTile::scatter(block, shared, groups.first_segment(group + 1) - segment, bins, to, fold,
                     Fold::folds && shared.is_thorough != 0, load,
                     [&](auto item) { return layout.segment(key_in<Format>(item)) - segment; });
  }
};

/// The auxiliary arrays of the passes, all in device memory.
struct Plan {
  Groups groups;
  Bins of_groups;
  Bins of_segments;
  std::uint32_t* group_starts;  ///< cursors and starts of the bins, filled by the planning passes
  std::uint32_t* segment_starts;
  std::uint32_t* tiles;  ///< tiles of the second pass before each group, and their total
};

/// With counted segments: computes where each group begins and how many tiles it fills.
struct PlanGroups {
  Plan plan;
  std::uint32_t tile;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const group = static_cast<std::uint32_t>(i);
    std::uint32_t const start = plan.segment_starts[plan.groups.first_segment(group)];
    plan.group_starts[group] = start;
    if (group == plan.groups.count()) { return; }
    plan.of_groups.cursors[group] = start;
    std::uint32_t const end = plan.segment_starts[plan.groups.first_segment(group + 1)];
    plan.tiles[group] = (end - start + tile - 1) / tile;
  }
};

/// Room for the items of each segment and each group, assuming that keys are distributed as a hash distributes distinct
/// keys: the mean plus six standard deviations. Folding leaves some copies of each hot key in every tile, so batches
/// with copies get a further share of the mean.
struct Rooms {
  std::uint32_t segment;  ///< items
  std::uint32_t group;
  std::uint32_t tiles;  ///< per group
  double max_share;     ///< limit of the total excess room, relative to the items of the batch

  static Rooms of(std::uint64_t count, Groups const& groups, std::uint32_t tile, bool has_copies = false)
  {
    double const spare = has_copies ? spare_for_copies : 0.0;
    double const mean = static_cast<double>(count) / groups.segments;
    std::uint32_t const group = room(mean * static_cast<double>(std::uint64_t{1} << groups.shift), spare);
    return {room(mean, spare), group, (group + tile - 1) / tile, std::max(0.25, spare + 0.1)};
  }
  std::uint64_t items(Groups const& groups) const
  {
    return std::max(std::uint64_t{segment} * groups.segments, std::uint64_t{group} * groups.count());
  }
  /// Whether the rooms take little more memory than the items alone, and cursors that run past an end cannot wrap.
  bool are_worthwhile(std::uint64_t count, Groups const& groups) const
  {
    auto const all = static_cast<double>(items(groups));
    return all <= static_cast<double>(count) * (1.0 + max_share) && all < 0x1p31;
  }

private:
  static constexpr double spare_for_copies = 0.4;

  static std::uint32_t room(double mean, double spare)
  {
    double const wanted = std::min(mean + std::max(6.0 * std::sqrt(mean) + 16.0, spare * mean), 4e9);
    return static_cast<std::uint32_t>(wanted) / 16 * 16 + 16;  // aligned, too
  }
};

/// The plan without counts, with estimated rooms for the groups only.
struct PlanGroupRooms {
  Plan plan;
  Rooms rooms;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const bin = static_cast<std::uint32_t>(i);
    plan.group_starts[bin] = bin * rooms.group;
    plan.of_groups.cursors[bin] = bin * rooms.group;
    plan.tiles[bin] = bin * rooms.tiles;
  }
};
/// The plan without counts, with estimated rooms for groups and segments.
struct PlanRooms {
  Plan plan;
  Rooms rooms;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const bin = static_cast<std::uint32_t>(i);
    plan.segment_starts[bin] = bin * rooms.segment;
    plan.of_segments.cursors[bin] = bin * rooms.segment;
    if (bin <= plan.groups.count()) { PlanGroupRooms{plan, rooms}(i); }
  }
};

}  // namespace slotscape::partition
