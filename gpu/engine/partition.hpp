#pragma once

#include "gpu/engine/table.hpp"
#include "gpu/execution/atomics.hpp"
#include "gpu/execution/block.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

/// Sorts the operations of a pure batch by segment, with one counting pass and one or two passes that scatter. The
/// counts are exact, so no buffer overflows, however the keys are spread.
namespace slotscape::partition {

inline constexpr int threads = 512;
inline constexpr std::uint32_t most_bins = 512;  ///< of one pass
inline constexpr std::uint64_t most_segments = std::uint64_t{most_bins} * most_bins;

/// What is partitioned: pairs to insert, or keys to erase.
template <PairFormat Format, Operation operation>
using Item = std::conditional_t<operation == Operation::insert, typename Format::Word, typename Format::Key>;
template <PairFormat Format>
SLOTSCAPE_HOST_DEVICE typename Format::Key key_in(typename Format::Word pair)
{
  return key_of(pair);
}
template <PairFormat Format>
SLOTSCAPE_HOST_DEVICE typename Format::Key key_in(typename Format::Key key)
{
  return key;
}

/// Items, and the numbers of their operations if these are kept.
template <class Item>
struct Items {
  Item* items;
  std::uint32_t* numbers;
};

/// Counts each segment's operations with keys that a table accepts. Where outcomes are kept, it writes that of each:
/// `rejected`, or `expected` as a first guess. It need not read the values: a pair with a reserved one travels with the
/// others, and is passed over in the end.
template <class Layout, PairFormat Format, Operation operation>
struct Count {
  static constexpr std::uint32_t most_shared = 16384;
  static constexpr int blocks_at_once = 3;
  struct Shared {
    std::array<std::uint32_t, most_shared> counts;
    std::uint32_t rejected;
  };

  Layout layout;
  Batch<Format> batch;
  Outcome expected;
  std::uint64_t per_block;  ///< operations
  std::uint32_t* counts;
  std::uint64_t* rejected;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t b, Block block, Shared& shared) const
  {
    std::uint32_t const segments = layout.segments;
    bool const are_shared = segments <= most_shared;
    std::uint64_t const first = b * per_block;
    std::uint64_t const last = first + per_block;
    std::uint64_t const end = last < batch.count ? last : batch.count;
    block.for_each_thread([&](int t) {
      if (t == 0) { shared.rejected = 0; }
      for (std::uint32_t s = t; are_shared && s < segments; s += Block::size) { shared.counts[s] = 0; }
    });
    block.for_each_thread([&](int t) {
      std::uint32_t refused = 0;
      for (std::uint64_t i = first + t; i < end; i += at_once * Block::size) {
        refused += count_some(block, shared, are_shared, i, end);
      }
      block.add_of_all(shared.rejected, refused);
    });
    block.for_each_thread([&](int t) {
      if (t == 0 && shared.rejected != 0) { exec::fetch_add(*rejected, std::uint64_t{shared.rejected}); }
      for (std::uint32_t s = t; are_shared && s < segments; s += Block::size) {
        if (shared.counts[s] != 0) { exec::fetch_add(counts[s], shared.counts[s]); }
      }
    });
  }

private:
  static constexpr int at_once = 8;

  /// Counts a thread's next operations, whose loads are in flight together; returns how many are refused.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE std::uint32_t count_some(Block block, Shared& shared, bool are_shared, std::uint64_t first,
                                                 std::uint64_t end) const
  {
    bool accepted[at_once];
    typename Format::Key keys[at_once];
    SLOTSCAPE_UNROLL
    for (int j = 0; j < at_once; ++j) {
      std::uint64_t const i = first + static_cast<std::uint64_t>(j * Block::size);
      keys[j] = i < end ? batch.keys[i] : Format::empty_key;
      accepted[j] = !Format::is_reserved(keys[j]);
    }
    std::uint32_t refused = 0;
    SLOTSCAPE_UNROLL
    for (int j = 0; j < at_once; ++j) {
      std::uint64_t const i = first + static_cast<std::uint64_t>(j * Block::size);
      if (i < end && batch.keeps_outcomes) { batch.outcomes[i] = accepted[j] ? expected : Outcome::rejected; }
      refused += i < end && !accepted[j] ? 1 : 0;
      if (!accepted[j]) { continue; }
      std::uint32_t const segment = layout.segment(keys[j]);
      if (are_shared) {
        block.add(shared.counts[segment], 1);
      } else {
        exec::fetch_add(counts[segment], 1u);
      }
    }
    return refused;
  }
};

/// How segments are grouped: the first pass parts groups of 2^shift segments, the second the segments of each.
struct Groups {
  std::uint32_t segments;
  int shift;

  static Groups of(std::uint32_t segments)
  {
    int shift = 0;
    if (segments > most_bins) {  // both passes get about as many bins
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

/// What one block of a scattering pass does: it ranks its items by bin in shared memory, reserves room for each bin's
/// once, and writes them in runs.
template <class Item_, bool numbered>
struct Tile {
  using Item = Item_;
  static constexpr int per_thread = sizeof(Item) > 8 ? 6 : 10;  // more would not stay in registers
  static constexpr std::uint32_t size = threads * per_thread;
  static constexpr int blocks_at_once = numbered || sizeof(Item) > 8 ? 2 : 3;
  static constexpr std::uint32_t no_bin = 0xffffffffu;
  static constexpr int rank_bits = 13;
  static_assert(size <= 1u << rank_bits);

  struct Shared {
    std::array<Item, size> items;
    std::array<std::uint32_t, numbered ? size : 1> numbers;
    std::array<std::uint16_t, size> bins;
    std::array<std::uint32_t, most_bins> starts;  ///< of the bins, in `items`; first their counts
    std::array<std::uint32_t, most_bins> room;    ///< where each bin's run begins in the result, less its start
    std::uint32_t count;
    std::uint32_t group;
  };
  struct Mine {
    std::array<Item, per_thread> items;
    std::array<std::uint32_t, per_thread> numbers;
    std::array<std::uint32_t, per_thread> ranks;  ///< within the bin, and the bin
  };

  /// load(thread, j, Mine&) reads a thread's j-th item and returns whether there is one; bin_of(item) is its bin.
  template <class Block, class Load, class BinOf>
  SLOTSCAPE_HOST_DEVICE static void scatter(Block block, Shared& shared, std::uint32_t bins, std::uint32_t* cursors,
                                            Items<Item> const& to, Load const& load, BinOf const& bin_of)
  {
    typename Block::template PerThread<Mine> threads;
    block.for_each_thread([&](int t) {
      if (t == 0) { shared.count = 0; }
      for (std::uint32_t b = t; b < bins; b += Block::size) { shared.starts[b] = 0; }
      read(threads[t], t, load);
    });
    block.for_each_thread([&](int t) { rank(block, shared, threads[t], bin_of); });
    block.for_each_thread([&](int t) {
      for (std::uint32_t b = t; b < bins; b += Block::size) {
        std::uint32_t const count = shared.starts[b];
        shared.room[b] = count == 0 ? 0 : exec::fetch_add(cursors[b], count);
      }
    });
    block.exclusive_sums(shared.starts.data(), static_cast<int>(bins));
    block.for_each_thread([&](int t) {
      stage(shared, threads[t]);
      for (std::uint32_t b = t; b < bins; b += Block::size) { shared.room[b] -= shared.starts[b]; }
    });
    block.for_each_thread([&](int t) {
      for (std::uint32_t j = t; j < shared.count; j += Block::size) {
        std::uint32_t const place = shared.room[shared.bins[j]] + j;
        to.items[place] = shared.items[j];
        if constexpr (numbered) { to.numbers[place] = shared.numbers[j]; }
      }
    });
  }

private:
  /// All loads of a thread are in flight together.
  template <class Load>
  SLOTSCAPE_HOST_DEVICE static void read(Mine& mine, int t, Load const& load)
  {
    SLOTSCAPE_UNROLL
    for (int j = 0; j < per_thread; ++j) { mine.ranks[j] = load(t, j, mine) ? 0 : no_bin; }
  }
  template <class Block, class BinOf>
  SLOTSCAPE_HOST_DEVICE static void rank(Block block, Shared& shared, Mine& mine, BinOf const& bin_of)
  {
    std::uint32_t count = 0;
    SLOTSCAPE_UNROLL
    for (int j = 0; j < per_thread; ++j) {
      if (mine.ranks[j] == no_bin) { continue; }
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
      if (mine.ranks[j] == no_bin) { continue; }
      std::uint32_t const bin = mine.ranks[j] >> rank_bits;
      std::uint32_t const place = shared.starts[bin] + (mine.ranks[j] & ((1u << rank_bits) - 1));
      shared.items[place] = mine.items[j];
      shared.bins[place] = static_cast<std::uint16_t>(bin);
      if constexpr (numbered) { shared.numbers[place] = mine.numbers[j]; }
    }
  }
};

/// The first pass: from the batch into groups.
template <class Layout, PairFormat Format, Operation operation, bool numbered>
struct ScatterBatch {
  using OneTile = Tile<Item<Format, operation>, numbered>;
  using Shared = typename OneTile::Shared;
  static constexpr int blocks_at_once = OneTile::blocks_at_once;

  Layout layout;
  Batch<Format> batch;
  Groups groups;
  std::uint32_t* cursors;  ///< of the groups: where the next of their items goes
  Items<typename OneTile::Item> to;
  std::uint64_t* rejected;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t b, Block block, Shared& shared) const
  {
    std::uint64_t const first = b * OneTile::size;
    auto const load = [&](int t, int j, auto& mine) {
      std::uint64_t const i = first + static_cast<std::uint64_t>(j) * Block::size + static_cast<std::uint64_t>(t);
      if (i >= batch.count || Format::is_reserved(batch.keys[i])) { return false; }
      if constexpr (operation == Operation::insert) {
        mine.items[j] = pack(batch.keys[i], batch.values[i]);
        if (batch.values[i] == Format::empty_value) { reject(i); }
      } else {
        mine.items[j] = batch.keys[i];
      }
      if constexpr (numbered) { mine.numbers[j] = static_cast<std::uint32_t>(i); }
      return true;
    };
    OneTile::scatter(block, shared, groups.count(), cursors, to, load,
                     [&](auto item) { return layout.segment(key_in<Format>(item)) >> groups.shift; });
  }

private:
  SLOTSCAPE_HOST_DEVICE void reject(std::uint64_t i) const
  {
    if (batch.keeps_outcomes) { batch.outcomes[i] = Outcome::rejected; }
    exec::fetch_add(*rejected, std::uint64_t{1});
  }
};

/// How many tiles each group fills; one number more.
struct CountTiles {
  Groups groups;
  std::uint32_t const* starts;  ///< of the segments
  std::uint32_t tile;
  std::uint32_t* tiles;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const group = static_cast<std::uint32_t>(i);
    bool const is_group = group < groups.count();
    std::uint32_t const items =
        is_group ? starts[groups.first_segment(group + 1)] - starts[groups.first_segment(group)] : 0;
    tiles[i] = (items + tile - 1) / tile;
  }
};

/// The second pass: from groups into segments. A block takes a tile of one group.
template <class Layout, PairFormat Format, Operation operation, bool numbered>
struct ScatterGroups {
  using OneTile = Tile<Item<Format, operation>, numbered>;
  using Shared = typename OneTile::Shared;
  static constexpr int blocks_at_once = OneTile::blocks_at_once;

  Layout layout;
  Groups groups;
  std::uint32_t const* starts;  ///< of the segments
  std::uint32_t const* tiles;   ///< before each group's
  std::uint32_t* cursors;       ///< of the segments
  Items<typename OneTile::Item> from;
  Items<typename OneTile::Item> to;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t b, Block block, Shared& shared) const
  {
    if (b >= tiles[groups.count()]) { return; }
    block.for_each_thread([&](int t) {
      for (std::uint32_t group = t; group < groups.count(); group += Block::size) {
        if (tiles[group] <= b && b < tiles[group + 1]) { shared.group = group; }
      }
    });
    std::uint32_t const group = shared.group;
    std::uint32_t const segment = groups.first_segment(group);
    std::uint32_t const end_segment = groups.first_segment(group + 1);
    std::uint32_t const first = starts[segment] + static_cast<std::uint32_t>(b - tiles[group]) * OneTile::size;
    std::uint32_t const end = starts[end_segment];
    auto const load = [&](int t, int j, auto& mine) {
      std::uint32_t const i = first + static_cast<std::uint32_t>(j * Block::size + t);
      if (i >= end) { return false; }
      mine.items[j] = from.items[i];
      if constexpr (numbered) { mine.numbers[j] = from.numbers[i]; }
      return true;
    };
    OneTile::scatter(block, shared, end_segment - segment, cursors + segment, to, load,
                     [&](auto item) { return layout.segment(key_in<Format>(item)) - segment; });
  }
};

/// Where the first segment of each group begins.
struct FirstOfGroups {
  Groups groups;
  std::uint32_t const* starts;
  std::uint32_t* cursors;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t group) const
  {
    cursors[group] = starts[groups.first_segment(static_cast<std::uint32_t>(group))];
  }
};

}  // namespace slotscape::partition
