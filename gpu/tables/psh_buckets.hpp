#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/execution/block.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/perfect_hash_build.hpp"

#include <array>

/// The hashes of a perfect hash table after Lefebvre & Hoppe 2006 (psh_build.hpp), and the passes that sort its buckets
/// into the order in which they are placed.
namespace slotscape::psh {

inline constexpr std::uint32_t max_size = 63;  ///< maximum number of keys in a bucket

/// Keys with the same home and the same bucket collide at every offset. They are rare: x is the key, scrambled by a
/// bijection, and home = x mod slots and x / slots determine it. So as long as x / slots is below the number of
/// buckets, keys with the same home are in different buckets. In smaller tables, another seed is tried.
struct Hashes {
  std::uint64_t slots;
  std::uint32_t buckets;
  std::uint64_t seed;

  static Hashes of(std::uint64_t slots) { return {slots, static_cast<std::uint32_t>(slots / 3 + 16), 0}; }

  SLOTSCAPE_HOST_DEVICE Slot home(std::uint32_t key) const
  {
    return scrambled(key) % static_cast<std::uint32_t>(slots);
  }
  SLOTSCAPE_HOST_DEVICE std::uint32_t bucket(std::uint32_t key) const
  {
    std::uint32_t const x = scrambled(key);
    std::uint32_t const rest = x / static_cast<std::uint32_t>(slots);
    std::uint32_t const home = x % static_cast<std::uint32_t>(slots);
    return (rest % buckets + scaled(seeded_hash(seed, home), buckets)) % buckets;
  }
  SLOTSCAPE_HOST_DEVICE Slot moved(Slot home, std::uint32_t offset) const
  {
    std::uint32_t const slot = home + offset;  // both below 2^31
    return slot < slots ? slot : slot - static_cast<std::uint32_t>(slots);
  }
  SLOTSCAPE_HOST_DEVICE Slot slot(std::uint32_t key, BucketNote const& note) const
  {
    return moved(home(key), note.offset);
  }

private:
  /// A bijection of 32-bit numbers.
  SLOTSCAPE_HOST_DEVICE std::uint32_t scrambled(std::uint32_t key) const
  {
    constexpr HashRounds<std::uint32_t> rounds = HashRounds<std::uint32_t>::of(HashKind::murmur3);
    return rounds(rounds(key ^ static_cast<std::uint32_t>(seed)) + static_cast<std::uint32_t>(seed >> 32));
  }
};

struct BucketOf {
  Hashes hashes;
  SLOTSCAPE_HOST_DEVICE std::uint32_t operator()(std::uint32_t key) const { return hashes.bucket(key); }
};

/// Data that the kernels of one attempt report to each other and to the host. Class c has the buckets of max_size - c
/// keys, so classes are in the order in which they are placed.
struct State {
  std::uint32_t hopeless;                         ///< a bucket is too large, or two of its keys have the same home
  std::uint32_t failed;                           ///< a bucket found no offset
  std::array<std::uint32_t, max_size + 1> sizes;  ///< number of buckets in each class
};

/// The buckets of a block, in a pass over all buckets. `for_each` calls f(number among the thread's buckets, bucket,
/// class).
struct BucketsOfBlock {
  static constexpr int per_thread = 16;
  static constexpr int threads = 256;
  static constexpr std::uint64_t most = std::uint64_t{per_thread} * threads;  ///< buckets

  std::uint32_t const* starts;
  std::uint32_t buckets;

  static std::uint64_t blocks(std::uint32_t buckets) { return (buckets + most - 1) / most; }
  template <class F>
  SLOTSCAPE_HOST_DEVICE void for_each(std::uint64_t block, int thread, F const& f) const
  {
    SLOTSCAPE_UNROLL
    for (int j = 0; j < per_thread; ++j) {
      std::uint64_t const bucket = block * most + static_cast<std::uint64_t>(j * threads + thread);
      if (bucket >= buckets) { continue; }
      f(j, static_cast<std::uint32_t>(bucket), max_size - (starts[bucket + 1] - starts[bucket]));
    }
  }
};

/// Checks for keys that always collide, and counts the buckets of each class.
template <PairFormat Format>
struct ClassifyBuckets {
  struct Shared {
    std::array<std::uint32_t, max_size + 1> sizes;
  };

  Hashes hashes;
  BucketsOfBlock of_block;
  typename Format::Word const* pairs;
  State* state;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t b, Block block, Shared& shared) const
  {
    block.for_each_thread([&](int t) {
      if (t <= static_cast<int>(max_size)) { shared.sizes[t] = 0; }
    });
    block.for_each_thread([&](int t) {
      if (exec::is_raised(state->hopeless)) { return; }  // buckets may be too large for any class
      of_block.for_each(b, t, [&](int, std::uint32_t bucket, std::uint32_t c) {
        if (has_one_home_twice(bucket)) { exec::raise(state->hopeless); }
        block.add(shared.sizes[c], 1);
      });
    });
    block.for_each_thread([&](int t) {
      if (t > static_cast<int>(max_size) || shared.sizes[t] == 0) { return; }
      exec::fetch_add(state->sizes[t], shared.sizes[t]);
    });
  }

private:
  SLOTSCAPE_HOST_DEVICE bool has_one_home_twice(std::uint32_t bucket) const
  {
    std::uint32_t const end = of_block.starts[bucket + 1];
    for (std::uint32_t i = of_block.starts[bucket]; i + 1 < end; ++i) {
      for (std::uint32_t j = i + 1; j < end; ++j) {
        if (hashes.home(key_of(pairs[i])) == hashes.home(key_of(pairs[j]))) { return true; }
      }
    }
    return false;
  }
};

/// Lists the buckets class by class, roughly in order within a class.
struct ListBuckets {
  struct Shared {
    std::array<std::uint32_t, max_size + 1> sizes;
    std::array<std::uint32_t, max_size + 1> places;
  };
  struct Mine {
    std::array<std::uint32_t, BucketsOfBlock::per_thread> ranks;  ///< rank in the class, among the block's buckets
  };

  BucketsOfBlock of_block;
  std::uint32_t* cursors;  ///< position of the next bucket of each class
  std::uint32_t* order;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t b, Block block, Shared& shared) const
  {
    typename Block::template PerThread<Mine> mine;
    block.for_each_thread([&](int t) {
      if (t <= static_cast<int>(max_size)) { shared.sizes[t] = 0; }
    });
    block.for_each_thread([&](int t) {
      of_block.for_each(b, t, [&](int j, std::uint32_t, std::uint32_t c) {
        mine[t].ranks[j] = block.add(shared.sizes[c], 1);
      });
    });
    block.for_each_thread([&](int t) {
      if (t > static_cast<int>(max_size) || shared.sizes[t] == 0) { return; }
      shared.places[t] = exec::fetch_add(cursors[t], shared.sizes[t]);
    });
    block.for_each_thread([&](int t) {
      of_block.for_each(b, t, [&](int j, std::uint32_t bucket, std::uint32_t c) {
        order[shared.places[c] + mine[t].ranks[j]] = bucket;
      });
    });
  }
};

}  // namespace slotscape::psh
