#pragma once

#include "gpu/engine/partition.hpp"

namespace slotscape {

/// Key ranges of equal size, in ascending order, between two bounds. Keys outside belong to the first or the last
/// range.
template <PairFormat Format>
struct KeyRanges {
  using Key = typename Format::Key;
  static constexpr int fraction_bits = 44;

  Key least;
  Key extent;           ///< distance from the least key to the largest
  int shift;            ///< reduces a distance to 32 bits
  std::uint64_t scale;  ///< ranges per unit of a shifted distance, times 2^fraction_bits
  std::uint32_t segments;

  static KeyRanges of(Key least, Key largest, std::uint32_t segments)
  {
    Key const extent = largest - least;
    int const bits = static_cast<int>(std::bit_width(extent));
    int const shift = bits > 32 ? bits - 32 : 0;
    std::uint64_t const steps = static_cast<std::uint64_t>(extent >> shift) + 1;
    return {least, extent, shift, (std::uint64_t{segments} << fraction_bits) / steps, segments};
  }

  SLOTSCAPE_HOST_DEVICE std::uint32_t segment(Key key) const
  {
    return static_cast<std::uint32_t>(place(key) >> fraction_bits);
  }
  /// The part of its segment in which a key lies, if the segment is divided into 2^bits equal parts.
  SLOTSCAPE_HOST_DEVICE std::uint32_t part(Key key, int bits) const
  {
    return static_cast<std::uint32_t>(place(key) >> (fraction_bits - bits)) & ((1u << bits) - 1);
  }

private:
  SLOTSCAPE_HOST_DEVICE std::uint64_t place(Key key) const
  {
    Key const above = key > least ? key - least : 0;
    return static_cast<std::uint64_t>((above < extent ? above : extent) >> shift) * scale;
  }
};

/// The passes of a sort by segment, besides those of the partition.
namespace sort_segments {

template <class Key>
struct Sample {
  Key const* keys;
  std::uint64_t distance;
  Key* chosen;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { chosen[i] = keys[i * distance]; }
};

struct MeasureSegments {
  std::uint32_t const* starts;
  std::uint32_t const* ends;
  std::uint32_t* sizes;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t segment) const
  {
    sizes[segment] = ends[segment] - starts[segment];
  }
};

/// Sorts the pairs of one segment in shared memory: into bins by the key's next bits, and within a bin by counting the
/// smaller pairs. If some bin has many pairs, a sorting network is used instead.
template <PairFormat Format>
struct SortSegment {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Word = typename Format::Word;
  static constexpr int threads = 512;
  static constexpr int blocks_at_once = 2;
  static constexpr int per_thread = Format::bits == 32 ? 12 : 6;
  static constexpr std::uint32_t most = threads * per_thread;  ///< pairs
  static constexpr int bin_bits = Format::bits == 32 ? 12 : 11;
  static constexpr std::uint32_t bins = 1u << bin_bits;

  struct Shared {
    std::array<Word, most> pairs;
    std::array<std::uint32_t, bins> starts;  ///< start of each bin; before that, its count
    std::array<std::uint32_t, threads> sums;
    std::uint32_t is_crowded;
  };

  KeyRanges<Format> ranges;
  Word const* pairs;
  std::uint32_t const* starts;
  std::uint32_t const* ends;
  std::uint32_t const* places;  ///< start of each segment in the result
  std::uint32_t const* overflowed;
  Key* keys;
  Value* values;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t segment, Block block, Shared& shared) const
  {
    if (*overflowed != 0) { return; }
    std::uint32_t const size = ends[segment] - starts[segment];
    deal(block, shared, pairs + starts[segment], size);
    std::uint32_t const place = places[segment];
    if (shared.is_crowded != 0) {
      sort_all(block, shared, size);
      block.for_each_thread([&](int t) {
        for (std::uint32_t i = t; i < size; i += Block::size) { put(place + i, shared.pairs[i]); }
      });
      return;
    }
    block.for_each_thread([&](int t) {
      for (std::uint32_t i = t; i < size; i += Block::size) {
        Word const pair = shared.pairs[i];
        put(place + rank(shared, pair, size), pair);
      }
    });
  }

private:
  static constexpr std::uint32_t max_in_bin = 128;
  static constexpr int rank_bits = 13;
  static_assert(most <= 1u << rank_bits && bins <= 1u << (32 - rank_bits));

  struct Mine {
    std::array<Word, per_thread> pairs;
    std::array<std::uint32_t, per_thread> ranks;  ///< rank within the bin, packed with the bin
  };

  SLOTSCAPE_HOST_DEVICE static bool is_less(Word one, Word other)
  {
    return key_of(one) != key_of(other) ? key_of(one) < key_of(other) : value_of(one) < value_of(other);
  }
  SLOTSCAPE_HOST_DEVICE void put(std::uint32_t i, Word pair) const
  {
    keys[i] = key_of(pair);
    values[i] = value_of(pair);
  }

  /// Copies the pairs to shared memory, bin by bin.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void deal(Block block, Shared& shared, Word const* from, std::uint32_t size) const
  {
    typename Block::template PerThread<Mine> mine;
    block.for_each_thread([&](int t) {
      if (t == 0) { shared.is_crowded = 0; }
      for (std::uint32_t b = t; b < bins; b += Block::size) { shared.starts[b] = 0; }
      load<Block>(mine[t], from, size, t);
    });
    block.for_each_thread([&](int t) {
      SLOTSCAPE_UNROLL
      for (int j = 0; j < per_thread; ++j) {
        if (static_cast<std::uint32_t>(j * Block::size + t) >= size) { continue; }
        std::uint32_t const bin = ranges.part(key_of(mine[t].pairs[j]), bin_bits);
        mine[t].ranks[j] = bin << rank_bits | block.add(shared.starts[bin], 1);
      }
    });
    start_bins(block, shared);
    block.for_each_thread([&](int t) {
      SLOTSCAPE_UNROLL
      for (int j = 0; j < per_thread; ++j) {
        if (static_cast<std::uint32_t>(j * Block::size + t) >= size) { continue; }
        std::uint32_t const rank = mine[t].ranks[j] & ((1u << rank_bits) - 1);
        shared.pairs[shared.starts[mine[t].ranks[j] >> rank_bits] + rank] = mine[t].pairs[j];
      }
    });
  }
  /// All loads are in flight together.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE static void load(Mine& mine, Word const* from, std::uint32_t size, int t)
  {
    SLOTSCAPE_UNROLL
    for (int j = 0; j < per_thread; ++j) {
      std::uint32_t const i = static_cast<std::uint32_t>(j * Block::size + t);
      if (i < size) { mine.pairs[j] = exec::load_once(from[i]); }
    }
  }
  /// Turns the counts of the bins into their starts. Each thread handles a few neighbouring bins.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE static void start_bins(Block block, Shared& shared)
  {
    constexpr std::uint32_t own = bins / threads;
    block.for_each_thread([&](int t) {
      std::uint32_t sum = 0;
      for (std::uint32_t b = t * own; b < (t + 1) * own; ++b) {
        sum += shared.starts[b];
        if (shared.starts[b] > max_in_bin) { block.write(shared.is_crowded, 1); }
      }
      shared.sums[t] = sum;
    });
    block.exclusive_sums(shared.sums.data(), threads);
    block.for_each_thread([&](int t) {
      std::uint32_t sum = shared.sums[t];
      for (std::uint32_t b = t * own; b < (t + 1) * own; ++b) {
        std::uint32_t const count = shared.starts[b];
        shared.starts[b] = sum;
        sum += count;
      }
    });
  }

  /// The number of smaller pairs in the segment.
  SLOTSCAPE_HOST_DEVICE std::uint32_t rank(Shared const& shared, Word pair, std::uint32_t size) const
  {
    std::uint32_t const bin = ranges.part(key_of(pair), bin_bits);
    std::uint32_t const start = shared.starts[bin];
    std::uint32_t const end = bin + 1 < bins ? shared.starts[bin + 1] : size;
    std::uint32_t smaller = start;
    for (std::uint32_t i = start; i < end; ++i) { smaller += is_less(shared.pairs[i], pair) ? 1 : 0; }
    return smaller;
  }

  /// Batcher's bitonic sort in the form whose comparisons all have the same direction (Knuth 3, 5.3.4, exercise 44):
  /// pairs past the end would stay there, so any number of pairs can be sorted.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE static void sort_all(Block block, Shared& shared, std::uint32_t size)
  {
    for (std::uint32_t half = 1; half < size; half *= 2) {
      block.for_each_thread([&](int t) {
        for (std::uint32_t i = t; i < size; i += Block::size) {
          if ((i & half) == 0) { order(shared, i, i ^ (2 * half - 1), size); }
        }
      });
      for (std::uint32_t distance = half / 2; distance != 0; distance /= 2) {
        block.for_each_thread([&](int t) {
          for (std::uint32_t i = t; i < size; i += Block::size) {
            if ((i & distance) == 0) { order(shared, i, i + distance, size); }
          }
        });
      }
    }
  }
  SLOTSCAPE_HOST_DEVICE static void order(Shared& shared, std::uint32_t i, std::uint32_t j, std::uint32_t size)
  {
    if (j >= size || !is_less(shared.pairs[j], shared.pairs[i])) { return; }
    Word const smaller = shared.pairs[j];
    shared.pairs[j] = shared.pairs[i];
    shared.pairs[i] = smaller;
  }
};

}  // namespace sort_segments

}  // namespace slotscape
