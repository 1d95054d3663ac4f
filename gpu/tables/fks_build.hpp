#pragma once

#include "gpu/tables/gather_buckets.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/perfect_hash_build.hpp"

#include <algorithm>
#include <cmath>
#include <span>

/// Fredman, Komlos & Szemeredi 1984, 'Storing a Sparse Table with O(1) Worst Case Access Time'. A bucket of k keys has
/// k^2 slots of its own, so a random hash sends its keys to different slots with probability above 1/2, and a few tries
/// find such a hash. As there are at least as many buckets as keys, the expected total of these slots is less than
/// twice the number of keys, and a few tries find a first-level hash with which they fit.
///
/// Here all steps run in parallel: counts, prefix sums and a scatter fill the buckets, prefix sums place their areas,
/// and one thread per bucket tries hashes. There are half as many buckets as slots, which is more than the number of
/// keys at any load that fits.
namespace slotscape::fks {

inline constexpr std::uint32_t max_hashes = 256;  ///< tried per bucket, on the second level

struct Hashes {
  std::uint64_t slots;
  std::uint32_t buckets;
  std::uint64_t seed;

  static Hashes of(std::uint64_t slots)
  {
    return {slots, static_cast<std::uint32_t>(std::max<std::uint64_t>(slots / 2, 1)), 0};
  }
  SLOTSCAPE_HOST_DEVICE std::uint32_t bucket(std::uint32_t key) const
  {
    return scaled(seeded_hash(seed, key), buckets);
  }
  /// Where the key's bucket would begin if all areas had the same size.
  SLOTSCAPE_HOST_DEVICE Slot home(std::uint32_t key) const { return static_cast<Slot>(bucket(key) * slots / buckets); }
  SLOTSCAPE_HOST_DEVICE Slot slot(std::uint32_t key, BucketNote const& note) const
  {
    if (note.size == 1) { return note.offset; }
    return note.offset + scaled(seeded_hash(seed + 1 + note.hash, key), std::uint64_t{note.size} * note.size);
  }
};

struct BucketOf {
  Hashes hashes;
  SLOTSCAPE_HOST_DEVICE std::uint32_t operator()(std::uint32_t key) const { return hashes.bucket(key); }
};

/// Data that the kernels of one attempt report to each other and to the host.
struct State {
  std::uint32_t overfull;  ///< a bucket has too many keys
  std::uint32_t failed;    ///< a bucket found no hash
  std::uint64_t area;      ///< total number of slots of all buckets
};

/// Computes how many slots each bucket needs, and their total.
struct MeasureAreas {
  static constexpr std::uint32_t per_item = 256;

  std::uint32_t const* starts;
  std::uint32_t buckets;
  std::uint32_t* areas;
  State* state;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    std::uint64_t sum = 0;
    for (std::uint32_t k = tile.rank(); k < per_item; k += Tile::size) {
      std::uint64_t const bucket = item * per_item + k;
      if (bucket >= buckets) { break; }
      std::uint64_t const size = starts[bucket + 1] - starts[bucket];
      areas[bucket] = static_cast<std::uint32_t>(size * size);  // unused if this overflows: the sum is too large
      sum += size * size;
    }
    sum = tile.sum(sum);
    if (tile.rank() == 0) { exec::fetch_add(state->area, sum); }
  }
};

/// Finds a collision-free hash for one bucket, and writes its pairs to their slots.
template <PairFormat Format, class Memory>
struct FillArea {
  Hashes hashes;
  std::uint32_t const* starts;
  std::uint32_t const* areas;
  typename Format::Word const* pairs;
  State* state;
  Memory memory;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t bucket) const
  {
    if (exec::is_raised(state->overfull) || state->area > hashes.slots) { return; }
    std::uint32_t const start = starts[bucket];
    BucketNote note{areas[bucket], starts[bucket + 1] - start, 0};
    while (!fill(start, note)) {
      if (++note.hash == max_hashes) { return exec::raise(state->failed); }
    }
    memory.metadata[bucket] = note.pack();
  }

private:
  /// Whether the pairs fit without collisions. If not, leaves the area empty.
  SLOTSCAPE_HOST_DEVICE bool fill(std::uint32_t start, BucketNote const& note) const
  {
    for (std::uint32_t i = 0; i < note.size; ++i) {
      auto& word = memory.words[hashes.slot(key_of(pairs[start + i]), note)];
      if (word != Format::empty_word) {
        for (; i-- != 0;) { memory.words[hashes.slot(key_of(pairs[start + i]), note)] = Format::empty_word; }
        return false;
      }
      word = pairs[start + i];
    }
    return true;
  }
};

/// Builds one table after another, reusing its buffers. Each attempt waits for the device once.
template <exec::Executor Exec, PairFormat Format>
class Builder {
  using Memory = typename Exec::template Machine<Format>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit Builder(Exec& exec) : exec_(exec), state_(exec, 1) {}

  /// Writes the pairs to the memory's words, which must all be empty, and a note for each bucket to its metadata. Sets
  /// the seed of `hashes` to the seed that succeeded.
  Built build(Hashes& hashes, std::uint64_t seed, Contents<Format> const& pairs, Memory const& memory)
  {
    if (!may_fit(hashes, pairs.count)) { return Built::too_full; }
    exec::grow(exec_, areas_, hashes.buckets);
    return seeds_.run(hashes, seed, [&] {
      State const state = attempt(hashes, pairs, memory);
      if (state.failed != 0) { exec_.fill(memory.words, hashes.slots, Format::empty_word); }
      return state.overfull == 0 && state.failed == 0 && state.area <= hashes.slots;
    });
  }

  std::uint32_t seeds_tried() const { return seeds_.tried(); }

private:
  /// The sum of k^2 over buckets is n + n(n - 1) / buckets on average, with standard deviation n sqrt(2 / buckets).
  static bool may_fit(Hashes const& hashes, std::uint64_t count)
  {
    double const n = static_cast<double>(count);
    double const buckets = hashes.buckets;
    double const mean = n + n * (n - 1) / buckets;
    return count <= hashes.slots && mean - 3 * n * std::sqrt(2 / buckets) <= static_cast<double>(hashes.slots);
  }

  State attempt(Hashes const& hashes, Contents<Format> const& pairs, Memory const& memory)
  {
    std::uint32_t const items = (hashes.buckets + MeasureAreas::per_item - 1) / MeasureAreas::per_item;
    exec_.fill(state_.data(), 1, State{});
    buckets_.gather(exec_, pairs, BucketOf{hashes}, hashes.buckets, BucketNote::max_size, &state_.data()->overfull);
    exec_.template for_each_tile<32>(items,
                                     MeasureAreas{buckets_.starts(), hashes.buckets, areas_.data(), state_.data()});
    exec_.prefix_sums(areas_.data(), hashes.buckets);
    exec_.for_each(hashes.buckets, FillArea<Format, Memory>{hashes, buckets_.starts(), areas_.data(), buckets_.pairs(),
                                                            state_.data(), memory});
    State state{};
    exec_.download(std::span(&state, 1), static_cast<State const*>(state_.data()));
    return state;
  }

  Exec& exec_;
  Buffer<State> state_;
  Buffer<std::uint32_t> areas_;
  BucketedPairs<Exec, Format> buckets_;
  SeedSearch seeds_;
};

}  // namespace slotscape::fks
