#pragma once

#include "gpu/execution/tile.hpp"
#include "gpu/tables/gather_buckets.hpp"
#include "gpu/tables/psh_buckets.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <span>

/// Lefebvre & Hoppe 2006, 'Perfect Spatial Hashing': slot = (h0(k) + offset[h1(k)]) mod slots. The offsets are chosen
/// bucket by bucket, larger buckets first while there is plenty of room, so that no two keys share a slot. In the end,
/// single keys take any remaining slots: a table may be full.
///
/// Here keys are numbers rather than positions in a grid, so h0 and h1 are random hashes rather than remainders that
/// keep neighbours together; there is one offset for every three slots. The paper's sequential CPU steps run in
/// parallel: all buckets of one size search for their offsets at once, each with a tile whose lanes test neighbouring
/// offsets. The tile's lanes claim slots by compare-and-swap, and release them if one is taken. So no slot ever belongs
/// to two keys; and a bucket that misses an offset because of claims that are later released has many others.
namespace slotscape::psh {

inline constexpr std::uint32_t offsets_tried = 1u << 14;  ///< maximum per bucket

/// Whether `mine` is true in any lane of the warp. All lanes must call it. On the host, returns `mine`.
SLOTSCAPE_HOST_DEVICE inline bool any_of_warp(bool mine)
{
#if defined(__CUDA_ARCH__)
  return __any_sync(0xffffffffu, mine) != 0;
#else
  return mine;
#endif
}

/// Finds an offset for one bucket of `size` >= 2 keys, and writes its pairs to their slots. The tiles of a warp step
/// through their offsets together, so tiles may be small if few offsets need to be tried. No two tiles may have the
/// same bucket.
template <PairFormat Format, class Memory>
struct PlaceBucket {
  using Word = typename Format::Word;

  Hashes hashes;
  std::uint32_t const* starts;
  Word const* pairs;
  std::uint32_t const* order;  ///< the buckets of this size
  std::uint32_t size;
  State* state;
  Memory memory;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i, Tile tile) const
  {
    std::uint32_t const bucket = order[i];
    Word const* const mine = pairs + starts[bucket];
    Slot const first = hashes.home(key_of(mine[0]));
    Slot const second = hashes.home(key_of(mine[1]));
    auto const is_free = [&](std::uint32_t offset) {
      bool const first_is_free = is_empty(first, offset);
      bool const second_is_free = is_empty(second, offset);  // both reads are in flight together
      return first_is_free && second_is_free && are_others_free(mine, offset);
    };
    std::uint32_t const slots = static_cast<std::uint32_t>(hashes.slots);
    std::uint32_t const tries = slots < offsets_tried ? slots : offsets_tried;
    std::uint32_t offset = scaled(seeded_hash(hashes.seed, ~bucket), slots);
    bool placed = false;
    for (std::uint32_t tried = 0; tried < tries && any_of_warp(!placed); tried += Tile::size) {
      std::uint32_t free = tile.ballot(!placed && is_free(wrapped(offset + tile.rank())));
      for (; any_of_warp(free != 0); free &= free - 1) {
        std::uint32_t const candidate =
            free == 0 ? 0 : wrapped(offset + static_cast<std::uint32_t>(exec::first_lane(free)));
        if (!claim(tile, mine, candidate, free != 0)) { continue; }
        if (tile.rank() == 0) { memory.metadata[bucket] = BucketNote{candidate, size, 0}.pack(); }
        placed = true;
        free = 0;
      }
      offset = wrapped(offset + Tile::size);
    }
    if (!placed && tile.rank() == 0) { exec::raise(state->failed); }
  }

private:
  SLOTSCAPE_HOST_DEVICE std::uint32_t wrapped(std::uint32_t offset) const
  {
    return offset % static_cast<std::uint32_t>(hashes.slots);
  }
  SLOTSCAPE_HOST_DEVICE Slot slot(Word pair, std::uint32_t offset) const
  {
    return hashes.moved(hashes.home(key_of(pair)), offset);
  }
  SLOTSCAPE_HOST_DEVICE bool is_empty(Slot home, std::uint32_t offset) const
  {
    return memory.load(hashes.moved(home, offset)) == Format::empty_word;
  }
  SLOTSCAPE_HOST_DEVICE bool are_others_free(Word const* mine, std::uint32_t offset) const
  {
    for (std::uint32_t i = 2; i < size; ++i) {
      if (!is_empty(hashes.home(key_of(mine[i])), offset)) { return false; }
    }
    return true;
  }
  /// Each lane claims the slots of some keys. If one slot is taken, all are released.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE bool claim(Tile tile, Word const* mine, std::uint32_t offset, bool wanted) const
  {
    std::uint32_t const first = static_cast<std::uint32_t>(tile.rank());
    std::uint32_t const end = wanted ? size : 0;
    bool taken = false;
    std::uint32_t i = first;
    for (; i < end && !taken; i += Tile::size) {
      taken = memory.compare_exchange(slot(mine[i], offset), Format::empty_word, mine[i]) != Format::empty_word;
    }
    if (tile.ballot(taken) == 0) { return wanted; }
    if (taken) { i -= Tile::size; }
    while (i != first) {
      i -= Tile::size;
      memory.exchange(slot(mine[i], offset), Format::empty_word);
    }
    return false;
  }
};

/// Writes the number of each free slot, and `no_slot` for the others.
template <PairFormat Format>
struct NumberFree {
  typename Format::Word const* words;
  Slot* numbers;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    numbers[i] = words[i] == Format::empty_word ? static_cast<Slot>(i) : no_slot;
  }
};

/// Puts keys that are alone in their buckets into the remaining slots.
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

/// Builds one table after another, reusing its buffers.
template <exec::Executor Exec, PairFormat Format>
class Builder {
  using Memory = typename Exec::template Machine<Format>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit Builder(Exec& exec) : exec_(exec), state_(exec, 1) {}

  /// Writes the pairs to the memory's words, which must all be empty, and a note for each bucket to its metadata, which
  /// must be all 0. Sets the seed of `hashes` to the seed that succeeded.
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
    exec::grow(exec_, order_, hashes.buckets);
    exec::grow(exec_, cursors_, max_size + 1);
    exec::grow(exec_, numbers_, hashes.slots);
    exec::grow(exec_, free_, hashes.slots);
  }

  State state()
  {
    State state{};
    exec_.download(std::span(&state, 1), static_cast<State const*>(state_.data()));
    return state;
  }

  /// Whether the pairs might be placed with this seed.
  bool classify(Hashes const& hashes, Contents<Format> const& pairs)
  {
    exec_.fill(state_.data(), 1, State{});
    buckets_.gather(exec_, pairs, BucketOf{hashes}, hashes.buckets, max_size, &state_.data()->hopeless);
    exec_.template for_each_block<BucketsOfBlock::threads>(BucketsOfBlock::blocks(hashes.buckets),
                                                           ClassifyBuckets<Format>{hashes, of_block(hashes),
                                                                                   buckets_.pairs(), state_.data()});
    return state().hopeless == 0;
  }
  BucketsOfBlock of_block(Hashes const& hashes) const { return {buckets_.starts(), hashes.buckets}; }

  bool place(Hashes const& hashes, Memory const& memory)
  {
    auto const sizes = state().sizes;
    std::array<std::uint32_t, max_size + 1> firsts{};
    std::exclusive_scan(sizes.begin(), sizes.end(), firsts.begin(), 0u);
    exec_.upload(cursors_.data(), std::span<std::uint32_t const>(firsts));
    exec_.template for_each_block<BucketsOfBlock::threads>(BucketsOfBlock::blocks(hashes.buckets),
                                                           ListBuckets{of_block(hashes), cursors_.data(),
                                                                       order_.data()});
    std::uint64_t placed = 0;
    for (std::uint32_t size = max_size; size >= 2; --size) {
      std::uint32_t const count = sizes[max_size - size];
      placed += std::uint64_t{size} * count;
      double const free = 1.0 - static_cast<double>(placed) / static_cast<double>(hashes.slots);
      place_class({hashes, buckets_.starts(), buckets_.pairs(), order_.data() + firsts[max_size - size], size,
                   state_.data(), memory},
                  count, std::pow(free, size));
    }
    exec_.for_each(hashes.slots, NumberFree<Format>{memory.words, numbers_.data()});
    exec_.compact(numbers_.data(), hashes.slots, no_slot, free_.data());
    exec_.for_each(sizes[max_size - 1],
                   PlaceSingle<Format, Memory>{hashes, buckets_.starts(), buckets_.pairs(),
                                               order_.data() + firsts[max_size - 1], free_.data(), memory});
    return state().failed == 0;
  }

  /// Uses small tiles if an offset is likely to be free. Buckets that would not fill a warp with small tiles get a warp
  /// each.
  void place_class(PlaceBucket<Format, Memory> pass, std::uint32_t count, double chance)
  {
    constexpr int few = 8;
    constexpr double high = 0.2;
    std::uint32_t const in_small_tiles = chance >= high ? count - count % (32 / few) : 0;
    exec_.template for_each_tile<few>(in_small_tiles, pass);
    pass.order += in_small_tiles;
    exec_.template for_each_tile<32>(count - in_small_tiles, pass);
  }

  Exec& exec_;
  Buffer<State> state_;
  Buffer<std::uint32_t> order_;    ///< buckets sorted by class
  Buffer<std::uint32_t> cursors_;  ///< positions of the classes in order_
  Buffer<Slot> numbers_;
  Buffer<Slot> free_;
  BucketedPairs<Exec, Format> buckets_;
  SeedSearch seeds_;
};

}  // namespace slotscape::psh
