#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/two_level_cuckoo_build.hpp"

/// Two-level cuckoo tables built from keys that occur more than once (Alcantara et al. 2009, 4.2 and 4.3). They are
/// built like tables of distinct pairs, except that a thread manages several items of a bucket, and a key has its place
/// as soon as any of its items has won one.
///
/// Here no item remembers where its key is. A key is stored if one of its three places holds it, which each item looks
/// up between steps, so that items with the same key always agree without communicating. While sub-table t is written,
/// a key that is in another one stays there, and a key that is in none is written only to t: it is never stored twice.
namespace slotscape::two_level {

/// Phase 2 of one bucket, in one block.
template <PairFormat Format>
struct BuildUniqueBucket {
  using Key = typename Format::Key;
  struct Shared {
    std::array<Key, bucket_slots> held;     ///< the key in each slot, of T1, T2 and T3
    std::array<std::uint32_t, 2> homeless;  ///< items whose key has no slot, after even and odd steps
    std::uint32_t stored;                   ///< distinct keys in the bucket
  };

  Key const* items;
  std::uint32_t* places;  ///< scratch, one per item
  std::uint32_t const* starts;
  std::uint32_t buckets;
  std::uint64_t source;  ///< of seeds
  std::uint32_t* failed;
  typename Format::Word* words;
  std::uint64_t* metadata;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t bucket, Block block, Shared& shared) const
  {
    for (std::uint32_t number = 0; number < max_tries; ++number) {
      Seed const tried = Seed::of(source, bucket, 2 * number + 1);  // always the large prime: keys are not random
      if (place_all(tried, starts[bucket], starts[bucket + 1], block, shared)) {
        return write(static_cast<std::uint32_t>(bucket), tried, number, block, shared);
      }
    }
    block.for_each_thread([&](int t) {
      if (t == 0) { exec::raise(*failed); }
    });
  }

private:
  /// The number of distinct keys in a bucket is known only once they have found their places. Only trying shows whether
  /// there are too many or the seed was unlucky, so there are few tries.
  static constexpr std::uint32_t max_tries = 4;

  /// A flag next to an item's places: its key had no slot at the end of the last step. Items test the flag rather
  /// than the slots while these are written: an item could see its key evicted and put it back at once.
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
        if (t == 0) { homeless = 0; }  // everyone read it in the step before last
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
  SLOTSCAPE_HOST_DEVICE void write(std::uint32_t bucket, Seed const& seed, std::uint32_t reseeds, Block block,
                                   Shared& shared) const
  {
    block.for_each_thread([&](int t) {
      std::uint32_t stored = 0;
      for (std::uint32_t s = t; s < bucket_slots; s += Block::size) {
        Key const key = shared.held[s];
        Slot const slot = first_slot(buckets, bucket, s / sub_table_slots) + s % sub_table_slots;
        words[slot] = key == Format::empty_key ? Format::empty_word : pack(key, typename Format::Value{0});
        stored += key != Format::empty_key;
      }
      if (stored != 0) { block.add(shared.stored, stored); }
    });
    block.for_each_thread([&](int t) {
      if (t == 0) { metadata[bucket] = BucketNote{seed, shared.stored, reseeds}.pack(); }
    });
  }
};

/// Puts every key of a list into a table once, with the value 0, however often it occurs in the list. Reuses its
/// buffers, and never waits for the device.
template <exec::Executor Exec, PairFormat Format>
class UniqueBuilder {
  using Key = typename Format::Key;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit UniqueBuilder(Exec&) {}

  /// Skips items that are `Format::empty_key`. Writes all of `words` (576 for each bucket) and `metadata` (one for
  /// each). If keys of a bucket find no slots, raises *failed: try another restart (`BucketHash::of`).
  void build(Exec& exec, BucketHash const& hash, std::uint64_t seed, Key const* keys, std::uint64_t count,
             typename Format::Word* words, std::uint64_t* metadata, std::uint32_t* failed)
  {
    std::uint64_t const slots = std::uint64_t{hash.buckets} * bucket_slots;
    exec::grow(exec, starts_, std::uint64_t{hash.buckets} + 1);
    exec::grow(exec, ranks_, count);
    exec::grow(exec, items_, count);
    exec.fill(starts_.data(), std::uint64_t{hash.buckets} + 1, std::uint32_t{0});
    exec.fill(words, slots, Format::empty_word);
    exec.for_each(count, Count{keys, hash, words, slots, starts_.data(), ranks_.data()});
    exec.prefix_sums(starts_.data(), std::uint64_t{hash.buckets} + 1);
    exec.for_each(count, Scatter{keys, hash, starts_.data(), ranks_.data(), items_.data()});
    exec.template for_each_block<bucket_limit>(hash.buckets,
                                               BuildUniqueBucket<Format>{items_.data(), ranks_.data(), starts_.data(),
                                                                         hash.buckets, Seed::source(seed, hash.restart),
                                                                         failed, words, metadata});
  }

  static constexpr std::uint32_t left_out = 0xffffffffu;  ///< in place of a rank

  /// Counts each bucket's items; the count before an item is added is its rank among them. Most repeated keys are
  /// skipped: `last_seen`, whose memory becomes the table's slots, remembers the keys of counted items, each at a place
  /// given by the key, until another key overwrites it.
  struct Count {
    Key const* keys;
    BucketHash hash;
    typename Format::Word* last_seen;
    std::uint64_t slots;
    std::uint32_t* counts;
    std::uint32_t* ranks;
    SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
    {
      Key const key = keys[i];
      auto& seen = reinterpret_cast<std::uint32_t&>(last_seen[scaled(random64(0, key), slots)]);
      bool const counts_not = key == Format::empty_key || exec::load_relaxed(seen) == key;
      ranks[i] = left_out;
      if (counts_not) { return; }
      exec::store_relaxed(seen, key);
      ranks[i] = exec::fetch_add(counts[hash(key)], 1);
    }
  };
  struct Scatter {
    Key const* keys;
    BucketHash hash;
    std::uint32_t const* starts;
    std::uint32_t const* ranks;
    Key* out;
    SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
    {
      if (ranks[i] != left_out) { out[starts[hash(keys[i])] + ranks[i]] = keys[i]; }
    }
  };

private:
  Buffer<std::uint32_t> starts_;
  Buffer<std::uint32_t> ranks_;
  Buffer<Key> items_;
};

}  // namespace slotscape::two_level
