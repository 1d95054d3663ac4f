#pragma once

#include "gpu/bench/table_bench.hpp"
#include "gpu/engine/table.hpp"
#include "gpu/workloads/key_stream.hpp"

#include <algorithm>
#include <cmath>

/// Generation of a bench's batches, and checks of the results.
namespace slotscape::bench {

/// Operations of one kind on keys of a stream.
template <PairFormat Format>
struct DrawOperations {
  KeyStream<Format> stream;
  Shuffle order;         ///< of the key numbers, if shuffled
  std::uint64_t first;   ///< first operation of this batch
  std::uint64_t offset;  ///< where the operations start among the numbers of the stream
  bool shuffles;         ///< else numbers are in order
  bool misses;           ///< uses keys that are never in the stream
  Operation operation;
  Operation* operations;
  typename Format::Key* keys;
  typename Format::Value* values;
  bool renewed = false;  ///< keys get values that differ from the stream's

  SLOTSCAPE_HOST_DEVICE std::uint64_t number(std::uint64_t i) const
  {
    return offset + (shuffles ? order(static_cast<std::uint32_t>(first + i)) : first + i);
  }
  SLOTSCAPE_HOST_DEVICE typename Format::Value value(std::uint64_t i) const
  {
    return static_cast<typename Format::Value>(stream.value(number(i)) ^ (renewed ? 1 : 0));
  }
  SLOTSCAPE_HOST_DEVICE bool is_miss(std::uint64_t) const { return misses; }
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    operations[i] = operation;
    keys[i] = misses ? stream.miss(number(i)) : stream.key(number(i));
    values[i] = operation == Operation::insert ? value(i) : Format::empty_value;
  }
};

/// How many operations of each kind run together.
struct MixCounts {
  std::uint64_t inserts = 0;
  std::uint64_t erases = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t rounds = 0;  ///< repetitions with so many operations each
  std::uint64_t kept = 0;    ///< keys that were not inserted before

  SLOTSCAPE_HOST_DEVICE std::uint64_t count() const { return inserts + erases + hits + misses; }
};

/// The sizes of a table for a mix of operations.
struct MixSizes {
  std::uint64_t slots;
  std::uint64_t keys;
  std::uint64_t others;     ///< further keys of the stream
  std::uint64_t max_timed;  ///< operations
};

/// The operations that run together. Insertions may run before the erasures that make room, so they take at most a
/// quarter of the free slots. A file without further keys reuses those that were erased before.
inline MixCounts mix_counts_of(MixShares const& shares, MixSizes const& table)
{
  double const all = shares.insert + shares.hit + shares.miss + shares.erase;
  auto const keys = static_cast<double>(table.keys);
  auto const free = static_cast<double>(table.slots - std::min(table.slots, table.keys));
  double total = std::min(keys / 2.0, static_cast<double>(table.max_timed));
  double const growth = std::abs(shares.insert - shares.erase) / all;
  if (growth > 0.0) { total = std::min(total, keys / 8.0 / growth); }
  if (shares.insert > 0.0) {
    double const most = std::min(free / 4.0, std::max(keys / 32.0, static_cast<double>(table.others)));
    total = std::min(total, most * all / shares.insert);
  }
  auto const count = [&](double share) {
    return share > 0.0 ? std::max<std::uint64_t>(1, static_cast<std::uint64_t>(total * share / all)) : 0;
  };
  MixCounts counts{count(shares.insert), count(shares.erase), count(shares.hit), count(shares.miss)};
  std::uint64_t const lacking = counts.inserts - std::min(counts.inserts, table.others);
  counts.kept = std::max(counts.inserts - std::min(counts.inserts, counts.erases), lacking);
  bool const again = counts.inserts == counts.erases;
  std::uint64_t const rounds = std::min(table.keys / 2, table.max_timed) / counts.count();
  counts.rounds = again ? std::max<std::uint64_t>(1, rounds) : 1;
  return counts;
}

/// A shuffled mix of operations: inserts the keys that follow the live keys, erases the first live keys, and looks up
/// remaining and absent keys.
template <PairFormat Format>
struct DrawMix {
  KeyStream<Format> stream;
  Shuffle order;
  MixCounts counts;
  std::uint64_t first_live;  ///< number of the first key in the table
  std::uint64_t live;        ///< number of live keys from there on
  std::uint64_t first;       ///< first operation of this batch
  Operation* operations;
  typename Format::Key* keys;
  typename Format::Value* values;

  SLOTSCAPE_HOST_DEVICE std::uint64_t place(std::uint64_t i) const
  {
    return order(static_cast<std::uint32_t>(first + i));
  }
  SLOTSCAPE_HOST_DEVICE bool is_miss(std::uint64_t i) const { return place(i) >= counts.count() - counts.misses; }
  SLOTSCAPE_HOST_DEVICE std::uint64_t number(std::uint64_t i) const
  {
    std::uint64_t const k = place(i);
    if (k < counts.inserts) { return first_live + live + k; }
    std::uint64_t const past_inserts = k - counts.inserts;
    if (past_inserts < counts.erases) { return first_live + past_inserts; }
    return first_live + counts.erases + random_below(stream.seed, k, live - counts.erases);
  }
  SLOTSCAPE_HOST_DEVICE typename Format::Value value(std::uint64_t i) const { return stream.value(number(i)); }
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t const k = place(i);
    bool const inserts = k < counts.inserts;
    operations[i] = inserts                              ? Operation::insert
                    : k < counts.inserts + counts.erases ? Operation::erase
                                                         : Operation::find;
    keys[i] = is_miss(i) ? stream.miss(number(i)) : stream.key(number(i));
    values[i] = inserts ? value(i) : Format::empty_value;
  }
};

/// Counts lookups that returned another value than was inserted.
template <PairFormat Format, class Draw>
struct CountWrongValues {
  Draw draw;
  typename Format::Value const* values;
  Operation const* operations;
  bool may_be_missing;  ///< because some insertions failed

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    if (operations[i] != Operation::find) { return Outcome::found; }
    auto const value = values[i];
    bool const none = value == Format::empty_value;
    bool const right = draw.is_miss(i) ? none : value == draw.value(i) || (none && may_be_missing);
    return right ? Outcome::found : Outcome::missing;
  }
};

}  // namespace slotscape::bench
