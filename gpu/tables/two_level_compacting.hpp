#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/two_level_cuckoo_build.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

/// Two-level cuckoo tables built from keys that occur more than once (Alcantara et al. 2009, 4.2 and 4.3). They are
/// built like tables of distinct pairs, except that a thread manages several items of a bucket, and a key has its place
/// as soon as any of its items has won one.
///
/// Here items do not remember where their keys are. A key is stored if one of its three places holds it; each item
/// checks this between steps, so items with the same key always agree without communicating. While sub-table t is
/// written, a key that is in another sub-table stays there, and a key that is in none is written only to t: it is never
/// stored twice.
namespace slotscape::two_level {

/// A table to be built from keys.
template <PairFormat Format>
struct UniqueTable {
  BucketHash hash;
  std::uint64_t seed;
  std::uint64_t keys;            ///< the number of keys
  typename Format::Word* words;  ///< 576 per bucket
  std::uint64_t* metadata;       ///< one per bucket
  std::uint32_t* failed;         ///< set if keys of a bucket find no slots

  SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return std::uint64_t{hash.buckets} * bucket_slots; }
};

/// Tables that are built together. Their keys, buckets and slots are numbered consecutively across tables.
template <PairFormat Format, std::size_t Count>
struct UniqueTables {
  std::array<UniqueTable<Format>, Count> of;

  /// A key or bucket, by its table and its number in that table.
  struct Member {
    std::size_t table;
    std::uint64_t number;
  };
  SLOTSCAPE_HOST_DEVICE Member key(std::uint64_t i) const
  {
    return member(i, [](auto const& table) { return table.keys; });
  }
  SLOTSCAPE_HOST_DEVICE Member bucket(std::uint64_t i) const
  {
    return member(i, [](auto const& table) { return std::uint64_t{table.hash.buckets}; });
  }
  SLOTSCAPE_HOST_DEVICE std::uint64_t keys() const
  {
    return first(Count, [](auto const& t) { return t.keys; });
  }
  SLOTSCAPE_HOST_DEVICE std::uint64_t buckets() const { return first_bucket(Count); }
  SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return buckets() * bucket_slots; }
  SLOTSCAPE_HOST_DEVICE std::uint64_t first_bucket(std::size_t table) const
  {
    return first(table, [](auto const& t) { return std::uint64_t{t.hash.buckets}; });
  }

private:
  template <class Size>
  SLOTSCAPE_HOST_DEVICE Member member(std::uint64_t i, Size const& size) const
  {
    std::size_t table = 0;
    for (; table + 1 < Count && i >= size(of[table]); ++table) { i -= size(of[table]); }
    return {table, i};
  }
  template <class Size>
  SLOTSCAPE_HOST_DEVICE std::uint64_t first(std::size_t table, Size const& size) const
  {
    std::uint64_t before = 0;
    for (std::size_t t = 0; t < table; ++t) { before += size(of[t]); }
    return before;
  }
};

/// Counters are this many numbers apart, in separate memory sectors: additions to one sector wait for each other, and a
/// small table has few counters. The numbers between them stay 0, so that prefix sums are not disturbed.
inline constexpr std::uint64_t counter_stride = 8;

/// Phase 2 for one bucket, in one block.
template <PairFormat Format, std::size_t Count>
struct BuildUniqueBucket {
  using Key = typename Format::Key;
  static constexpr int blocks_at_once = 3;
  struct Shared {
    std::array<Key, bucket_slots> held;     ///< the key in each slot, of T1, T2 and T3
    std::array<std::uint32_t, 2> homeless;  ///< items whose key has no slot, after even and odd steps
    std::uint32_t stored;                   ///< distinct keys in the bucket
  };

  Key const* items;
  std::uint32_t* places;        ///< scratch, one per item
  std::uint32_t const* starts;  ///< starts of the buckets, `counter_stride` apart
  UniqueTables<Format, Count> tables;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t bucket, Block block, Shared& shared) const
  {
    auto const [of, number] = tables.bucket(bucket);
    UniqueTable<Format> const& table = tables.of[of];
    std::uint32_t const first = starts[bucket * counter_stride];
    std::uint32_t const end = starts[(bucket + 1) * counter_stride];
    std::uint64_t const source = Seed::source(table.seed, table.hash.restart);
    for (std::uint32_t tries = 0; tries < max_tries; ++tries) {
      Seed const tried = Seed::of(source, number, 2 * tries + 1);  // always the large prime: keys are not random
      if (place_all(tried, first, end, block, shared)) {
        return write(table, static_cast<std::uint32_t>(number), tried, tries, block, shared);
      }
    }
    block.for_each_thread([&](int t) {
      if (t == 0) { exec::raise(*table.failed); }
    });
  }

private:
  /// The number of distinct keys in a bucket is unknown until they have found their places. Only trying shows whether
  /// there are too many or the seed was unlucky, so there are few tries.
  static constexpr std::uint32_t max_tries = 4;

  /// A flag next to an item's places: its key had no slot at the end of the last step. Items test the flag rather than
  /// the slots while slots are written: otherwise an item could see its key evicted and put it back at once.
  static constexpr std::uint32_t is_homeless = 1u << 31;

  /// The slots of a key in T1, T2 and T3, 10 bits each: computed once for all steps.
  SLOTSCAPE_HOST_DEVICE static std::uint32_t places_of(Seed const& seed, Key key)
  {
    std::uint32_t places = 0;
    for (std::uint32_t t = 0; t < sub_tables; ++t) { places |= (t * sub_table_slots + seed.place(t, key)) << (10 * t); }
    return places;
  }
  SLOTSCAPE_HOST_DEVICE static std::uint32_t place(std::uint32_t places, std::uint32_t t)
  {
    return (places >> (10 * t)) & 0x3ffu;
  }
  SLOTSCAPE_HOST_DEVICE bool is_stored(std::uint32_t i, Shared const& shared) const
  {
    std::uint32_t const at = places[i];
    auto const holds = [&](std::uint32_t t) { return shared.held[place(at, t)] == items[i]; };
    return holds(0) || holds(1) || holds(2);
  }

  /// Places the keys of items [first, end); returns whether all find a slot within `max_rounds`.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE bool place_all(Seed seed, std::uint32_t first, std::uint32_t end, Block block,
                                       Shared& shared) const
  {
    block.for_each_thread([&](int t) {
      if (t == 0) { shared.stored = 0; }
      for (std::uint32_t s = t; s < bucket_slots; s += Block::size) { shared.held[s] = Format::empty_key; }
      for (std::uint32_t i = first + t; i < end; i += Block::size) {
        places[i] = places_of(seed, items[i]) | is_homeless;
      }
    });
    for (std::uint32_t step = 0; step < max_rounds * sub_tables; ++step) {
      std::uint32_t const table = step % sub_tables;
      std::uint32_t& homeless = shared.homeless[step % 2];
      block.for_each_thread([&](int t) {
        if (t == 0) { homeless = 0; }  // all threads read it in the step before last
        for (std::uint32_t i = first + t; i < end; i += Block::size) {
          if ((places[i] & is_homeless) != 0) { block.write(shared.held[place(places[i], table)], items[i]); }
        }
      });
      block.for_each_thread([&](int t) {
        std::uint32_t lost = 0;
        for (std::uint32_t i = first + t; i < end; i += Block::size) {
          bool const stored = is_stored(i, shared);
          places[i] = stored ? places[i] & ~is_homeless : places[i] | is_homeless;
          lost += !stored;
        }
        if (lost != 0) { block.add(homeless, lost); }
      });
      if (homeless == 0) { return true; }
    }
    return false;
  }

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void write(UniqueTable<Format> const& table, std::uint32_t bucket, Seed const& seed,
                                   std::uint32_t reseeds, Block block, Shared& shared) const
  {
    block.for_each_thread([&](int t) {
      std::uint32_t stored = 0;
      for (std::uint32_t s = t; s < bucket_slots; s += Block::size) {
        Key const key = shared.held[s];
        Slot const slot = first_slot(table.hash.buckets, bucket, s / sub_table_slots) + s % sub_table_slots;
        table.words[slot] = key == Format::empty_key ? Format::empty_word : pack(key, typename Format::Value{0});
        stored += key != Format::empty_key;
      }
      if (stored != 0) { block.add(shared.stored, stored); }
    });
    block.for_each_thread([&](int t) {
      if (t == 0) { table.metadata[bucket] = BucketNote{seed, shared.stored, reseeds}.pack(); }
    });
  }
};

/// Inserts every key of a list into a table once, with the value 0, however often it occurs in the list; builds `Count`
/// tables at once. Reuses its buffers, and never waits for the device.
template <exec::Executor Exec, PairFormat Format, std::size_t Count = 1>
class UniqueBuilder {
  using Key = typename Format::Key;
  using Word = typename Format::Word;
  using Tables = UniqueTables<Format, Count>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit UniqueBuilder(Exec&) {}

  /// `keys`: those of the first table, then those of the next. Items equal to `Format::empty_key` are skipped. Writes
  /// all of `words` and `metadata`. If a table has failed, try another restart (`BucketHash::of`).
  void build(Exec& exec, Tables const& tables, Key const* keys)
  {
    std::uint64_t const count = tables.keys();
    std::uint64_t const counters = tables.buckets() * counter_stride + 1;
    exec::grow(exec, starts_, counters);
    exec::grow(exec, ranks_, count);
    exec::grow(exec, items_, count);
    exec.for_each(std::max(counters, tables.slots()), Clear{tables, counters, starts_.data()});
    exec.for_each(count, CountKeys{keys, tables, starts_.data(), ranks_.data()});
    exec.prefix_sums(starts_.data(), counters);
    exec.for_each(count, Scatter{keys, tables, starts_.data(), ranks_.data(), items_.data()});
    exec.template for_each_block<bucket_limit>(tables.buckets(),
                                               BuildUniqueBucket<Format, Count>{items_.data(), ranks_.data(),
                                                                                starts_.data(), tables});
  }

  static constexpr std::uint32_t left_out = 0xffffffffu;  ///< marks skipped items instead of a rank

  struct Clear {
    Tables tables;
    std::uint64_t counters;
    std::uint32_t* counts;
    SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
    {
      if (i < counters) { counts[i] = 0; }
      for (UniqueTable<Format> const& table : tables.of) {
        if (i < table.slots()) { table.words[i] = Format::empty_word; }
        i -= table.slots();  // wraps far beyond all slots if i was a slot of this table
      }
    }
  };

  /// Counts each bucket's items; the count before an item is added is its rank in the bucket. Most repeated keys are
  /// skipped: those that follow the same key, and further ones, because the table's words temporarily store the keys of
  /// counted items, each at a position given by the key, until another key overwrites it. If several items arrive at
  /// once, those that find their key there have been counted by the item that put it there.
  struct CountKeys {
    Key const* keys;
    Tables tables;
    std::uint32_t* counts;
    std::uint32_t* ranks;
    SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
    {
      Key const key = keys[i];
      auto const [of, number] = tables.key(i);
      UniqueTable<Format> const& table = tables.of[of];
      bool const follows_itself = number != 0 && keys[i - 1] == key;
      bool const skipped = key == Format::empty_key || follows_itself || is_repeated(key, table);
      ranks[i] =
          skipped ? left_out : exec::fetch_add(counts[(tables.first_bucket(of) + table.hash(key)) * counter_stride], 1);
    }

  private:
    SLOTSCAPE_HOST_DEVICE static bool is_repeated(Key key, UniqueTable<Format> const& table)
    {
      auto& last = reinterpret_cast<std::uint32_t&>(table.words[scaled(random64(0, key), table.slots())]);
      std::uint32_t const seen = exec::load_relaxed(last);
      return seen == key || exec::compare_exchange(last, seen, key) == key;
    }
  };
  struct Scatter {
    Key const* keys;
    Tables tables;
    std::uint32_t const* starts;
    std::uint32_t const* ranks;
    Key* out;
    SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
    {
      if (ranks[i] == left_out) { return; }
      Key const key = keys[i];
      std::size_t const of = tables.key(i).table;
      std::uint64_t const bucket = tables.first_bucket(of) + tables.of[of].hash(key);
      out[starts[bucket * counter_stride] + ranks[i]] = key;
    }
  };

private:
  Buffer<std::uint32_t> starts_;
  Buffer<std::uint32_t> ranks_;
  Buffer<Key> items_;
};

}  // namespace slotscape::two_level
