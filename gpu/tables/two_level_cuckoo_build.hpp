#pragma once

#include "gpu/base/random.hpp"
#include "gpu/tables/gather_buckets.hpp"

#include <array>
#include <span>

/// Builds two-level cuckoo tables (Alcantara et al. 2009, 4.1 and Algorithm 1).
///
/// Phase 1 distributes the pairs over buckets by the hash h. If a bucket gets more than 512 pairs, it starts over with
/// another h.
///
/// Phase 2 hashes each bucket separately, in one block of 512 threads with one pair each. All threads write to T1 at
/// once, and one wins each slot; the losers write to T2, then T3, then T1 again, where they evict the residents, and so
/// on, for at most 25 rounds through the three sub-tables (5.5 on average, for the paper's 409 pairs). If that fails,
/// it starts over with another seed. The finished bucket is copied out one sub-table after another.
///
/// The paper's hashes distinguish keys only modulo the prime 1900813, so more than three keys with the same residue in
/// one bucket cannot all be stored, whatever the seed. Here, every other h and every other seed therefore uses the
/// prime 2^32 - 5, modulo which at most two 32-bit keys are equal. A bucket for which every seed fails also restarts
/// phase 1.
namespace slotscape::two_level {

inline constexpr std::uint32_t sub_tables = 3;
inline constexpr std::uint32_t sub_table_slots = 192;
inline constexpr std::uint32_t bucket_slots = sub_tables * sub_table_slots;
inline constexpr std::uint32_t bucket_limit = 512;  ///< pairs: one thread per pair
inline constexpr std::uint32_t max_rounds = 25;     ///< through T1, T2 and T3, per seed
inline constexpr std::uint32_t max_seeds = 25;      ///< tried per bucket
inline constexpr std::uint32_t max_restarts = 25;   ///< of phase 1

/// The first slot of sub-table t of a bucket, in a table with that many buckets: all T1 come first, then all T2, then
/// all T3.
SLOTSCAPE_HOST_DEVICE constexpr Slot first_slot(std::uint32_t buckets, std::uint32_t bucket, std::uint32_t t)
{
  return (t * buckets + bucket) * sub_table_slots;
}

inline constexpr std::uint32_t papers_prime = 1900813;
inline constexpr std::uint32_t large_prime = 4294967291;

/// (c0 + c1 k) mod prime. No product overflows.
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t linear(std::uint32_t c0, std::uint32_t c1, bool large, std::uint32_t key)
{
  std::uint64_t const sum = c0 + std::uint64_t{c1} * key;
  return static_cast<std::uint32_t>(large ? sum % large_prime : sum % papers_prime);
}

/// h, the hash that distributes keys over buckets: k mod buckets at the first attempt, which keeps reads of
/// neighbouring keys together, and [(c0 + c1 k) mod prime] mod buckets after each restart.
struct BucketHash {
  std::uint32_t buckets = 1;
  std::uint32_t restart = 0;
  std::uint32_t c0 = 0;
  std::uint32_t c1 = 0;

  static BucketHash of(std::uint32_t buckets, std::uint64_t seed, std::uint32_t restart)
  {
    std::uint64_t const random = random64(seed, restart);
    return {buckets, restart, static_cast<std::uint32_t>(random), static_cast<std::uint32_t>(random >> 32)};
  }
  SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t operator()(std::uint32_t key) const
  {
    return (restart == 0 ? key : linear(c0, c1, restart % 2 == 0, key)) % buckets;
  }
};

/// Defines g1, g2 and g3 of one bucket: gi(k) = [(ci0 + ci1 k) mod prime] mod 192. The constants are the seed XORed
/// with fixed numbers (as in the paper; these are digits of pi).
struct Seed {
  std::uint32_t random = 0;
  bool large = false;

  /// The source of all buckets' seeds, in a build with this seed after `restart` restarts.
  static constexpr std::uint64_t source(std::uint64_t seed, std::uint32_t restart)
  {
    return random64(seed, max_restarts + 1 + restart);
  }
  /// The number-th seed that a bucket tries.
  SLOTSCAPE_HOST_DEVICE static constexpr Seed of(std::uint64_t source, std::uint64_t bucket, std::uint32_t number)
  {
    return {static_cast<std::uint32_t>(random64(source, bucket * max_seeds + number)), number % 2 == 1};
  }
  /// The key's position among the 192 slots of sub-table t.
  SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t place(std::uint32_t t, std::uint32_t key) const
  {
    std::uint32_t const fixed0 = t == 0 ? 0x243f6a88u : t == 1 ? 0x13198a2eu : 0xa4093822u;
    std::uint32_t const fixed1 = t == 0 ? 0x85a308d3u : t == 1 ? 0x03707344u : 0x299f31d0u;
    return linear(random ^ fixed0, random ^ fixed1, large, key) % sub_table_slots;
  }
};

/// A bucket's metadata, in 64 bits.
struct BucketNote {
  Seed seed;
  std::uint32_t size;     ///< number of pairs that it was built from
  std::uint32_t reseeds;  ///< number of seeds that failed

  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t pack() const
  {
    return seed.random | (std::uint64_t{size} << 32) | (std::uint64_t{reseeds} << 48) |
           (std::uint64_t{seed.large} << 63);
  }
  SLOTSCAPE_HOST_DEVICE static constexpr BucketNote unpack(std::uint64_t note)
  {
    return {{static_cast<std::uint32_t>(note), note >> 63 != 0},
            static_cast<std::uint32_t>(note >> 32) & 0xffffu,
            static_cast<std::uint32_t>(note >> 48) & 0x7fffu};
  }
};

/// A report of a build, for display and tests. The counts of phase 2 belong to the last attempt.
struct Report {
  std::uint32_t restarts = 0;  ///< of phase 1
  std::uint32_t overfull = 0;  ///< restarts because a bucket had more than 512 pairs
  std::uint64_t reseeds = 0;   ///< of buckets
  std::uint64_t steps = 0;     ///< over all buckets; each step writes to one sub-table
};

/// Data that the kernels of one attempt report to each other and to the host.
struct State {
  std::uint32_t overfull;
  std::uint32_t failed;
  std::uint64_t reseeds;
  std::uint64_t steps;
};

/// Phase 2: builds one bucket in one block.
template <PairFormat Format>
struct BuildBucket {
  using Word = typename Format::Word;
  struct Shared {
    std::array<std::uint32_t, bucket_slots> holder;  ///< the thread whose pair is in each slot, of T1, T2 and T3
    std::array<std::uint32_t, 2> homeless;           ///< pairs without a slot, after even and odd steps
  };
  static constexpr std::uint32_t no_holder = 0xffffffffu;

  Word const* pairs;
  std::uint32_t const* starts;
  std::uint32_t buckets;
  std::uint64_t source;  ///< of seeds
  State* state;
  Word* words;
  std::uint64_t* metadata;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t bucket, Block block, Shared& shared) const
  {
    static_assert(Block::size == bucket_limit);
    if (exec::is_raised(state->overfull)) { return; }
    std::uint32_t const size = starts[bucket + 1] - starts[bucket];
    typename Block::template PerThread<Thread> threads;
    block.for_each_thread([&](int t) {
      if (t < static_cast<int>(size)) { threads[t].word = pairs[starts[bucket] + t]; }
    });
    std::uint32_t steps = 0;
    for (std::uint32_t number = 0; number < max_seeds; ++number) {
      Seed const tried = Seed::of(source, bucket, number);
      bool const placed = place_all(tried, size, block, threads, shared, steps);
      if (placed) { return write(bucket, {tried, size, number}, steps, block, shared); }
    }
    block.for_each_thread([&](int t) {
      if (t == 0) { exec::raise(state->failed); }
    });
  }

private:
  struct Thread {
    Word word = Format::empty_word;
    std::uint32_t slot = no_holder;  ///< the pair's slot: an index into `holder`
  };

  /// Places all pairs; returns whether they find slots within `max_rounds`. Adds the steps taken.
  template <class Block, class Threads>
  SLOTSCAPE_HOST_DEVICE bool place_all(Seed tried, std::uint32_t size, Block block, Threads& threads, Shared& shared,
                                       std::uint32_t& steps) const
  {
    block.for_each_thread([&](int t) {
      threads[t].slot = no_holder;
      for (std::uint32_t s = t; s < bucket_slots; s += Block::size) { shared.holder[s] = no_holder; }
    });
    for (std::uint32_t step = 0; step < max_rounds * sub_tables; ++step) {
      std::uint32_t const table = step % sub_tables;
      std::uint32_t& homeless = shared.homeless[step % 2];
      block.for_each_thread([&](int t) {
        if (t == 0) { homeless = 0; }  // all threads read it in the step before last
        Thread& mine = threads[t];
        if (t >= static_cast<int>(size) || mine.slot != no_holder) { return; }
        mine.slot = table * sub_table_slots + tried.place(table, key_of(mine.word));
        block.write(shared.holder[mine.slot], static_cast<std::uint32_t>(t));
      });
      block.for_each_thread([&](int t) {
        Thread& mine = threads[t];
        if (t >= static_cast<int>(size) || shared.holder[mine.slot] == static_cast<std::uint32_t>(t)) { return; }
        mine.slot = no_holder;  // the pair lost the slot, or was evicted from it
        block.add(homeless, 1);
      });
      ++steps;
      if (homeless == 0) { return true; }
    }
    return false;
  }

  /// Neighbouring threads write neighbouring slots.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void write(std::uint64_t bucket, BucketNote const& note, std::uint32_t steps, Block block,
                                   Shared& shared) const
  {
    Word const* const mine = pairs + starts[bucket];
    block.for_each_thread([&](int t) {
      for (std::uint32_t s = t; s < bucket_slots; s += Block::size) {
        Slot const first = first_slot(buckets, static_cast<std::uint32_t>(bucket), s / sub_table_slots);
        std::uint32_t const holder = shared.holder[s];
        words[first + s % sub_table_slots] = holder == no_holder ? Format::empty_word : mine[holder];
      }
      if (t != 0) { return; }
      metadata[bucket] = note.pack();
      exec::fetch_add(state->steps, std::uint64_t{steps});
      if (note.reseeds != 0) { exec::fetch_add(state->reseeds, std::uint64_t{note.reseeds}); }
    });
  }
};

/// Builds one table after another, reusing its buffers, for tables that are rebuilt every frame. A build takes a
/// handful of launches and, if no bucket overflows, waits for the device once.
template <exec::Executor Exec, PairFormat Format>
class Builder {
public:
  explicit Builder(Exec& exec) : exec_(exec), state_(exec, 1) {}

  /// Writes the pairs to `words` (576 per bucket) and `metadata` (one per bucket), overwriting both completely. Stores
  /// the successful h in `hash`, without changing its number of buckets.
  Built build(BucketHash& hash, std::uint64_t seed, Contents<Format> const& pairs, typename Format::Word* words,
              std::uint64_t* metadata)
  {
    report_ = {};
    if (pairs.count > std::uint64_t{hash.buckets} * bucket_limit) { return Built::too_full; }
    for (std::uint32_t restart = 0; restart <= max_restarts; ++restart) {
      report_.restarts = restart;
      hash = BucketHash::of(hash.buckets, seed, restart);
      exec_.fill(state_.data(), 1, State{});
      buckets_.gather(exec_, pairs, hash, hash.buckets, bucket_limit, &state_.data()->overfull);
      exec_.template for_each_block<bucket_limit>(hash.buckets,
                                                  BuildBucket<Format>{buckets_.pairs(), buckets_.starts(), hash.buckets,
                                                                      Seed::source(seed, restart), state_.data(), words,
                                                                      metadata});
      State state{};
      exec_.download(std::span(&state, 1), static_cast<State const*>(state_.data()));
      report_.overfull += state.overfull;
      report_.reseeds = state.reseeds;
      report_.steps = state.steps;
      if (state.overfull == 0 && state.failed == 0) { return Built::done; }
    }
    return Built::too_full;
  }

  Report const& report() const { return report_; }

private:
  Exec& exec_;
  typename Exec::template Buffer<State> state_;
  BucketedPairs<Exec, Format> buckets_;
  Report report_;
};

}  // namespace slotscape::two_level
