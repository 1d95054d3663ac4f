#pragma once

#include "gpu/execution/tile.hpp"
#include "gpu/tables/gather_buckets.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/perfect_hash_build.hpp"

#include <array>
#include <span>

/// Lefebvre & Hoppe 2006, 'Perfect Spatial Hashing': slot = (h0(k) + offset[h1(k)]) mod slots. The offsets are chosen
/// bucket by bucket, larger buckets first while there is plenty of room, so that no two keys share a slot. In the end,
/// single keys take whatever slots are left: a table may be full.
///
/// Here keys are numbers rather than positions in a grid, so h0 and h1 are random hashes rather than remainders that
/// keep neighbours together; there is one offset for every three slots. What the paper does sequentially on the CPU
/// runs in parallel: all buckets of one size search for their offsets at once, each with a tile whose lanes test
/// neighbouring offsets. The tile claims slots one after another by compare-and-swap, and releases them if one is
/// taken. So no slot ever belongs to two keys; and a bucket that misses an offset because of claims that are later
/// released has many others.
namespace slotscape::psh {

inline constexpr std::uint32_t max_size = 63;             ///< keys in a bucket
inline constexpr std::uint32_t offsets_tried = 1u << 14;  ///< at most, per bucket

/// Keys with the same home and the same bucket collide whatever the offset. They are rare: x is the key, scrambled by a
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

/// What the kernels of one attempt report to each other and to the host.
struct State {
  std::uint32_t hopeless;                         ///< a bucket is too large, or two of its keys have the same home
  std::uint32_t failed;                           ///< a bucket found no offset
  std::array<std::uint32_t, max_size + 2> first;  ///< where each class of buckets begins, in order of size
};

/// Looks for keys that would always collide, and prepares the sorting of buckets by descending size.
template <PairFormat Format>
struct ClassifyBuckets {
  Hashes hashes;
  std::uint32_t const* starts;
  typename Format::Word const* pairs;
  std::uint32_t* classes;
  std::uint32_t* order;
  State* state;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t bucket) const
  {
    if (exec::is_raised(state->hopeless)) { return; }
    std::uint32_t const end = starts[bucket + 1];
    for (std::uint32_t i = starts[bucket]; i < end; ++i) {
      for (std::uint32_t j = i + 1; j < end; ++j) {
        if (hashes.home(key_of(pairs[i])) == hashes.home(key_of(pairs[j]))) { exec::raise(state->hopeless); }
      }
    }
    classes[bucket] = max_size - (end - starts[bucket]);
    order[bucket] = static_cast<std::uint32_t>(bucket);
  }
};

/// Finds where class c begins among the sorted classes.
struct FindClass {
  std::uint32_t const* classes;
  std::uint32_t buckets;
  State* state;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t c) const
  {
    std::uint32_t first = 0;
    for (std::uint32_t left = buckets; left != 0;) {
      std::uint32_t const half = left / 2;
      bool const before = classes[first + half] < c;
      first = before ? first + half + 1 : first;
      left = before ? left - half - 1 : half;
    }
    state->first[c] = first;
  }
};

/// Finds an offset for one bucket of `size` keys, and puts its pairs where it sends them.
template <PairFormat Format, class Memory>
struct PlaceBucket {
  Hashes hashes;
  std::uint32_t const* starts;
  typename Format::Word const* pairs;
  std::uint32_t const* order;  ///< the buckets of this size
  std::uint32_t size;
  State* state;
  Memory memory;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i, Tile tile) const
  {
    std::uint32_t const bucket = order[i];
    typename Format::Word const* const mine = pairs + starts[bucket];
    Slot const first_home = hashes.home(key_of(mine[0]));
    std::uint32_t const slots = static_cast<std::uint32_t>(hashes.slots);
    std::uint32_t const tries = slots < offsets_tried ? slots : offsets_tried;
    std::uint32_t offset = scaled(seeded_hash(hashes.seed, ~bucket), slots);
    for (std::uint32_t tried = 0; tried < tries; tried += Tile::size) {
      std::uint32_t const own = wrapped(offset + tile.rank());
      for (std::uint32_t free = tile.ballot(is_free(mine, first_home, own)); free != 0; free &= free - 1) {
        std::uint32_t const candidate = wrapped(offset + static_cast<std::uint32_t>(exec::first_lane(free)));
        if (tile.ballot(tile.rank() == 0 && claim(mine, candidate)) != 0) {
          if (tile.rank() == 0) { memory.metadata[bucket] = BucketNote{candidate, size, 0}.pack(); }
          return;
        }
      }
      offset = wrapped(offset + Tile::size);
    }
    if (tile.rank() == 0) { exec::raise(state->failed); }
  }

private:
  SLOTSCAPE_HOST_DEVICE std::uint32_t wrapped(std::uint32_t offset) const
  {
    return offset % static_cast<std::uint32_t>(hashes.slots);
  }
  SLOTSCAPE_HOST_DEVICE bool is_free(typename Format::Word const* mine, Slot first_home, std::uint32_t offset) const
  {
    if (memory.load(hashes.moved(first_home, offset)) != Format::empty_word) { return false; }
    for (std::uint32_t i = 1; i < size; ++i) {
      if (memory.load(hashes.moved(hashes.home(key_of(mine[i])), offset)) != Format::empty_word) { return false; }
    }
    return true;
  }
  SLOTSCAPE_HOST_DEVICE bool claim(typename Format::Word const* mine, std::uint32_t offset) const
  {
    for (std::uint32_t i = 0; i < size; ++i) {
      Slot const slot = hashes.moved(hashes.home(key_of(mine[i])), offset);
      if (memory.compare_exchange(slot, Format::empty_word, mine[i]) == Format::empty_word) { continue; }
      for (; i-- != 0;) { memory.exchange(hashes.moved(hashes.home(key_of(mine[i])), offset), Format::empty_word); }
      return false;
    }
    return true;
  }
};

/// Flags free slots: the prefix sums of the flags number them.
template <PairFormat Format>
struct FlagFree {
  typename Format::Word const* words;
  std::uint32_t* ranks;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { ranks[i] = words[i] == Format::empty_word ? 1 : 0; }
};
template <PairFormat Format>
struct ListFree {
  typename Format::Word const* words;
  std::uint32_t const* ranks;
  Slot* free;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (words[i] == Format::empty_word) { free[ranks[i]] = static_cast<Slot>(i); }
  }
};

/// Puts keys that are alone in their buckets into the slots that are left.
template <PairFormat Format, class Memory>
struct PlaceSingle {
  Hashes hashes;
  std::uint32_t const* starts;
  typename Format::Word const* pairs;
  std::uint32_t const* order;
  Slot const* free;
  Memory memory;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const pair = pairs[starts[order[i]]];
    Slot const home = hashes.home(key_of(pair));
    std::uint32_t const offset = free[i] >= home ? free[i] - home : static_cast<Slot>(free[i] + hashes.slots - home);
    memory.words[free[i]] = pair;
    memory.metadata[order[i]] = BucketNote{offset, 1, 0}.pack();
  }
};

/// Builds one table after another, and reuses its buffers.
template <exec::Executor Exec, PairFormat Format>
class Builder {
  using Memory = typename Exec::template Machine<Format>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit Builder(Exec& exec) : exec_(exec), state_(exec, 1) {}

  /// Puts the pairs into the memory's words, which must all be empty, and a note for each bucket into its metadata,
  /// which must be all 0. Sets the seed of `hashes` to the one that succeeded.
  Built build(Hashes& hashes, std::uint64_t seed, Contents<Format> const& pairs, Memory const& memory)
  {
    if (pairs.count > hashes.slots) { return Built::too_full; }
    grow(hashes);
    return seeds_.run(hashes, seed, [&] {
      if (!classify(hashes, pairs)) { return false; }
      if (place(hashes, memory)) { return true; }
      exec_.fill(memory.words, hashes.slots, Format::empty_word);
      exec_.fill(memory.metadata, hashes.buckets, std::uint64_t{0});
      return false;
    });
  }

  std::uint32_t seeds_tried() const { return seeds_.tried(); }

private:
  void grow(Hashes const& hashes)
  {
    exec::grow(exec_, classes_, hashes.buckets);
    exec::grow(exec_, order_, hashes.buckets);
    exec::grow(exec_, ranks_, hashes.slots);
    exec::grow(exec_, free_, hashes.slots);
  }

  State state()
  {
    State state{};
    exec_.download(std::span(&state, 1), static_cast<State const*>(state_.data()));
    return state;
  }

  /// Whether the pairs can possibly be placed with this seed.
  bool classify(Hashes const& hashes, Contents<Format> const& pairs)
  {
    exec_.fill(state_.data(), 1, State{});
    buckets_.gather(exec_, pairs, BucketOf{hashes}, hashes.buckets, max_size, &state_.data()->hopeless);
    exec_.for_each(hashes.buckets, ClassifyBuckets<Format>{hashes, buckets_.starts(), buckets_.pairs(), classes_.data(),
                                                           order_.data(), state_.data()});
    return state().hopeless == 0;
  }

  bool place(Hashes const& hashes, Memory const& memory)
  {
    exec_.sort_pairs(classes_.data(), order_.data(), hashes.buckets);
    exec_.for_each(max_size + 2, FindClass{classes_.data(), hashes.buckets, state_.data()});
    auto const first = state().first;
    auto const of_size = [&](std::uint32_t size) { return order_.data() + first[max_size - size]; };
    auto const count = [&](std::uint32_t size) { return first[max_size - size + 1] - first[max_size - size]; };
    for (std::uint32_t size = max_size; size >= 2; --size) {
      exec_.template for_each_tile<32>(count(size),
                                       PlaceBucket<Format, Memory>{hashes, buckets_.starts(), buckets_.pairs(),
                                                                   of_size(size), size, state_.data(), memory});
    }
    exec_.for_each(hashes.slots, FlagFree<Format>{memory.words, ranks_.data()});
    exec_.prefix_sums(ranks_.data(), hashes.slots);
    exec_.for_each(hashes.slots, ListFree<Format>{memory.words, ranks_.data(), free_.data()});
    exec_.for_each(count(1), PlaceSingle<Format, Memory>{hashes, buckets_.starts(), buckets_.pairs(), of_size(1),
                                                         free_.data(), memory});
    return state().failed == 0;
  }

  Exec& exec_;
  Buffer<State> state_;
  Buffer<std::uint32_t> classes_;
  Buffer<std::uint32_t> order_;
  Buffer<std::uint32_t> ranks_;
  Buffer<Slot> free_;
  BucketedPairs<Exec, Format> buckets_;
  SeedSearch seeds_;
};

}  // namespace slotscape::psh
