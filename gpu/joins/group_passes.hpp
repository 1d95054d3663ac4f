#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/execution/block.hpp"
#include "gpu/execution/tile.hpp"
#include "gpu/joins/settings.hpp"
#include "gpu/multivalue/local_groups.hpp"
#include "gpu/tables/linear_probing.hpp"

#include <array>

/// The parallel loops of a group-by.
namespace slotscape::joins::group_passes {

/// A sketch for the number of distinct keys: for each of `registers` parts of the keys, the ranks that occurred, as
/// bits (HyperLogLog, Flajolet et al. 2007).
inline constexpr std::uint32_t registers = 1024;

template <class Key>
struct Sketch {
  static constexpr int threads = 256;
  static constexpr std::uint64_t per_block = 1u << 15;
  struct Shared {
    std::array<std::uint32_t, registers> seen;
  };

  Key const* keys;
  std::uint64_t count;
  std::uint32_t* seen;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t b, Block block, Shared& shared) const
  {
    block.for_each_thread([&](int t) {
      for (std::uint32_t r = t; r < registers; r += Block::size) { shared.seen[r] = 0; }
    });
    std::uint64_t const end = (b + 1) * per_block < count ? (b + 1) * per_block : count;
    block.for_each_thread([&](int t) {
      for (std::uint64_t i = b * per_block + static_cast<std::uint64_t>(t); i < end; i += Block::size) {
        // not the table's hash, so that keys chosen against one do not defeat both
        constexpr auto hash_of = HashRounds<std::uint64_t>::of(HashKind::xxhash);
        std::uint64_t const hash = hash_of(keys[i]);
        auto const r = static_cast<std::uint32_t>(hash >> 54);
        std::uint32_t const rank = 1u << exec::first_lane(static_cast<std::uint32_t>(hash) | 0x80000000u);
        if ((exec::load_relaxed(shared.seen[r]) & rank) == 0) { block.set_bits(shared.seen[r], rank); }
      }
    });
    block.for_each_thread([&](int t) {
      for (std::uint32_t r = t; r < registers; r += Block::size) {
        if (shared.seen[r] != 0) { exec::set_bits(seen[r], shared.seen[r]); }
      }
    });
  }
};

/// Totals of a pass over the rows, besides the table.
struct Totals {
  std::uint64_t keys;  ///< new keys in the table
  std::uint32_t failed;
  std::uint32_t reserved_counts[3];  ///< rows of each key that the table reserves, by key - Format::locked_key
  std::uint64_t reserved_sums[3];
};

/// The groups under construction: the table stores the number of rows of each key as its value, and `sums` has a sum
/// for each slot.
template <class View>
struct GrowingGroups {
  using Format = typename View::Format;
  using Key = typename Format::Key;

  View table;  ///< adds values without a limit
  std::uint64_t* sums;
  Totals* totals;
  std::uint64_t max_keys;  ///< new keys after which the pass ends, because the table gets too full

  /// Returns whether the key is new.
  SLOTSCAPE_HOST_DEVICE bool add(Key key, std::uint32_t rows, std::uint64_t sum) const
  {
    if (Format::is_reserved(key)) {
      add_reserved(static_cast<std::uint32_t>(key - Format::locked_key), rows, sum);
      return false;
    }
    auto const place = LinearProbing::insert(table, key, static_cast<typename Format::Value>(rows));
    if (place.outcome == Outcome::full) {
      exec::raise(totals->failed);
      return false;
    }
    exec::fetch_add(sums[place.slot], sum);
    return place.outcome == Outcome::inserted;
  }
  SLOTSCAPE_HOST_DEVICE void add_reserved(std::uint32_t which, std::uint32_t rows, std::uint64_t sum) const
  {
    exec::fetch_add(totals->reserved_counts[which], rows);
    exec::fetch_add(totals->reserved_sums[which], sum);
  }
};

/// The groups of some rows, in shared memory. Sums are split into halves, which a GPU adds in shared memory without a
/// loop.
template <PairFormat Format, std::uint32_t slots_>
struct LocalSums {
  using Key = typename Format::Key;
  static constexpr int threads = 256;
  static constexpr std::uint32_t slots = slots_;
  static constexpr std::uint32_t all = slots + 3;  ///< reserved keys come last
  static constexpr std::uint32_t step = 1024;      ///< rows, four per thread
  static constexpr std::uint32_t at_most = slots / 8 * 7;
  static_assert(step < at_most);

  /// The block's action after a step.
  enum class Next : std::uint32_t { add_more, write, write_and_stop_combining };

  std::array<Key, slots> keys;
  std::array<std::uint32_t, all> counts;
  std::array<std::uint32_t, all> low;
  std::array<std::uint32_t, all> high;
  std::uint32_t distinct;
  std::uint32_t new_keys;  ///< new keys in the table
  Next next;
  bool stopped;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void clear(Block block)
  {
    block.for_each_thread([&](int t) {
      if (t == 0) { distinct = new_keys = 0; }
      for (std::uint32_t slot = t; slot < all; slot += threads) {
        if (slot < slots) { keys[slot] = Format::empty_key; }
        counts[slot] = low[slot] = high[slot] = 0;
      }
    });
  }

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void add(Block block, Key key, std::uint64_t value)
  {
    std::uint32_t const slot = slot_of(block, key);
    block.add(counts[slot], 1);
    auto const lower = static_cast<std::uint32_t>(value);
    auto upper = static_cast<std::uint32_t>(value >> 32);
    std::uint32_t const old = block.add(low[slot], lower);
    upper += old + lower < lower ? 1 : 0;  // exactly one addition sees each carry: the one that causes it
    if (upper != 0) { block.add(high[slot], upper); }
  }
  SLOTSCAPE_HOST_DEVICE std::uint64_t sum(std::uint32_t slot) const
  {
    return std::uint64_t{high[slot]} << 32 | low[slot];
  }

private:
  /// The key's slot, claimed if necessary. There always is one, since at most `at_most` keys are present before a step.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE std::uint32_t slot_of(Block block, Key key)
  {
    if (Format::is_reserved(key)) { return slots + static_cast<std::uint32_t>(key - Format::locked_key); }
    std::uint64_t const hash = multivalue::KeyHash<Key>::lower(key);
    for (auto slot = static_cast<std::uint32_t>((hash * slots) >> 32);; slot = slot + 1 == slots ? 0 : slot + 1) {
      Key seen = exec::load_relaxed(keys[slot]);
      if (seen == Format::empty_key) {
        seen = exec::compare_exchange(keys[slot], Format::empty_key, key);
        if (seen == Format::empty_key) {
          block.add(distinct, 1);
          return slot;
        }
      }
      if (seen == key) { return slot; }
    }
  }
};

/// Adds rows to groups. A block takes a chunk and first combines its rows in shared memory, so that a key with half of
/// all rows costs the table one addition per chunk. If hardly any two rows share a key, combining does not pay off, and
/// the rest of the chunk goes directly to the table. A chunk has `steps` steps.
template <class View, std::uint32_t local_slots, std::uint64_t steps>
struct AddRows {
  using Format = typename View::Format;
  using Key = typename Format::Key;
  using Shared = LocalSums<Format, local_slots>;
  using Next = typename Shared::Next;
  static constexpr int threads = Shared::threads;
  static constexpr std::uint64_t per_block = steps * Shared::step;

  Key const* keys;
  std::uint64_t const* values;
  std::uint64_t count;
  GrowingGroups<View> groups;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t b, Block block, Shared& shared) const
  {
    std::uint64_t const end = (b + 1) * per_block < count ? (b + 1) * per_block : count;
    std::uint64_t start = b * per_block;
    std::uint64_t first = start;  // first of the rows that are being combined
    bool combines = true;
    block.for_each_thread([&](int t) {
      if (t == 0) { shared.stopped = exec::is_raised(groups.totals->failed); }
    });
    if (shared.stopped) { return; }
    shared.clear(block);
    while (start < end && combines) {
      std::uint64_t const step_end = start + Shared::step < end ? start + Shared::step : end;
      block.for_each_thread([&](int t) {
        for_rows(start, step_end, t, [&](Key key, std::uint64_t value) { shared.add(block, key, value); });
      });
      decide(block, shared, step_end - first, step_end == end);
      start = step_end;
      if (shared.next == Next::add_more) { continue; }
      combines = shared.next != Next::write_and_stop_combining;
      write(block, shared);
      if (publish(block, shared)) { return; }
      shared.clear(block);
      first = start;
    }
    while (start < end) {
      std::uint64_t const step_end = start + Shared::step < end ? start + Shared::step : end;
      block.for_each_thread([&](int t) {
        std::uint32_t mine = 0;
        for_rows(start, step_end, t, [&](Key key, std::uint64_t value) { mine += groups.add(key, 1, value) ? 1 : 0; });
        if (mine != 0) { block.add(shared.new_keys, mine); }
      });
      start = step_end;
      if (publish(block, shared)) { return; }
    }
  }

private:
  /// Calls f(key, value) for the rows of one thread. On a GPU, neighbouring threads read neighbouring rows, and their
  /// loads are in flight together.
  template <class F>
  SLOTSCAPE_HOST_DEVICE void for_rows(std::uint64_t start, std::uint64_t end, int thread, F const& f) const
  {
    constexpr int at_once = Shared::step / threads;
#if defined(__CUDA_ARCH__)
    Key row_keys[at_once];
    std::uint64_t row_values[at_once];
    SLOTSCAPE_UNROLL
    for (int j = 0; j < at_once; ++j) {
      std::uint64_t const i = start + static_cast<std::uint64_t>(thread + j * threads);
      row_keys[j] = i < end ? keys[i] : Key{0};
      row_values[j] = i < end ? values[i] : 0;
    }
    SLOTSCAPE_UNROLL
    for (int j = 0; j < at_once; ++j) {
      if (start + static_cast<std::uint64_t>(thread + j * threads) < end) { f(row_keys[j], row_values[j]); }
    }
#else
    std::uint64_t const first = start + static_cast<std::uint64_t>(thread * at_once);
    for (std::uint64_t i = first; i < first + at_once && i < end; ++i) { f(keys[i], values[i]); }
#endif
  }

  /// A step. `rows`: number of rows combined so far.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE static void decide(Block block, Shared& shared, std::uint64_t rows, bool is_last)
  {
    block.for_each_thread([&](int t) {
      if (t != 0) { return; }
      bool const is_full = shared.distinct + Shared::step > Shared::at_most;
      bool const pays = shared.distinct <= rows / 4 * 3;
      shared.next = !is_full && !is_last ? Next::add_more : pays ? Next::write : Next::write_and_stop_combining;
    });
  }

  /// A step: adds the block's groups to the table.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void write(Block block, Shared& shared) const
  {
    block.for_each_thread([&](int t) {
      std::uint32_t mine = 0;
      if (exec::is_raised(groups.totals->failed)) { return; }  // in a full table, each key takes long
      for (std::uint32_t slot = t; slot < Shared::all; slot += threads) {
        std::uint32_t const rows = shared.counts[slot];
        if (rows == 0) { continue; }
        if (slot >= Shared::slots) {
          groups.add_reserved(slot - Shared::slots, rows, shared.sum(slot));
        } else {
          mine += groups.add(shared.keys[slot], rows, shared.sum(slot)) ? 1 : 0;
        }
      }
      if (mine != 0) { block.add(shared.new_keys, mine); }
    });
  }

  /// A step: publishes the number of new keys. Returns whether the pass must end.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE bool publish(Block block, Shared& shared) const
  {
    block.for_each_thread([&](int t) {
      if (t != 0) { return; }
      std::uint64_t const before = exec::fetch_add(groups.totals->keys, std::uint64_t{shared.new_keys});
      if (before + shared.new_keys > groups.max_keys) { exec::raise(groups.totals->failed); }
      shared.new_keys = 0;
      shared.stopped = exec::is_raised(groups.totals->failed);
    });
    return shared.stopped;
  }
};

/// The number of each slot that holds a key; `no_slot` for the others.
template <PairFormat Format>
struct MarkSlots {
  typename Format::Word const* words;
  Slot* marks;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t slot) const
  {
    marks[slot] = words[slot] == Format::empty_word ? no_slot : static_cast<Slot>(slot);
  }
};

template <PairFormat Format>
struct CopyGroups {
  typename Format::Word const* words;
  std::uint64_t const* sums_by_slot;
  Slot const* slots;
  typename Format::Key* keys;
  std::uint32_t* counts;
  std::uint64_t* sums;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t group) const
  {
    Slot const slot = slots[group];
    auto const word = words[slot];
    keys[group] = key_of(word);
    counts[group] = static_cast<std::uint32_t>(value_of(word));
    sums[group] = sums_by_slot[slot];
  }
};

}  // namespace slotscape::joins::group_passes
