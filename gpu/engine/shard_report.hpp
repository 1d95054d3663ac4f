#pragma once

#include "gpu/engine/device_pairs.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace slotscape {

/// The work of one shard in the batches of a sharded table since the table was cleared.
struct ShardWork {
  std::uint64_t live = 0;        ///< keys in the shard
  std::uint64_t operations = 0;  ///< operations whose keys tables accept
  /// Operations of the latest batch; if it is small, earlier batches also count, with decreasing weight.
  std::uint64_t latest = 0;
};

/// Device seconds of a sharded table's batches, by kind of work.
struct ShardSeconds {
  double partition = 0.0;  ///< counting the shards' shares, dealing keys, and restoring the order of the results
  double exchange = 0.0;   ///< copies to other devices and back; 0 on one device, where nothing is sent
  double table = 0.0;      ///< the shards' own work

  double all() const { return partition + exchange + table; }
  void operator+=(ShardSeconds const& more)
  {
    partition += more.partition;
    exchange += more.exchange;
    table += more.table;
  }
  void operator-=(ShardSeconds const& less)
  {
    partition -= less.partition;
    exchange -= less.exchange;
    table -= less.table;
  }
};

inline ShardSeconds operator*(double factor, ShardSeconds const& seconds)
{
  return {factor * seconds.partition, factor * seconds.exchange, factor * seconds.table};
}

/// `sum_of` is for shards that run one after another, `slowest_of` for shards that run at once.
inline ShardSeconds sum_of(std::vector<ShardSeconds> const& shards)
{
  ShardSeconds sum;
  for (ShardSeconds const& each : shards) { sum += each; }
  return sum;
}
inline ShardSeconds slowest_of(std::vector<ShardSeconds> const& shards)
{
  return *std::ranges::max_element(shards, {}, &ShardSeconds::all);
}

/// A summary of a sharded table's batches since the table was cleared.
struct ShardReport {
  std::vector<ShardWork> shards;
  DevicePairs bytes;  ///< sent between devices in both directions, or needed with one device per shard
  ShardSeconds seconds;

  /// The largest shard's number divided by the mean: 1 if all are equal, 0 if all are zero.
  double imbalance(std::uint64_t ShardWork::*number) const
  {
    std::uint64_t sum = 0;
    std::uint64_t most = 0;
    for (ShardWork const& shard : shards) {
      sum += shard.*number;
      most = std::max(most, shard.*number);
    }
    if (sum == 0) { return 0.0; }
    return static_cast<double>(most) * static_cast<double>(shards.size()) / static_cast<double>(sum);
  }
};

/// What happened between two reports of one table. The keys are those of the later report.
inline ShardReport between(ShardReport const& before, ShardReport after)
{
  for (std::size_t i = 0; i < after.shards.size(); ++i) { after.shards[i].operations -= before.shards[i].operations; }
  for (std::size_t i = 0; i < after.bytes.numbers.size(); ++i) { after.bytes.numbers[i] -= before.bytes.numbers[i]; }
  after.seconds -= before.seconds;
  return after;
}

/// Combines the reports of two spans of one table.
inline ShardReport together(ShardReport const& earlier, ShardReport later)
{
  for (std::size_t i = 0; i < later.shards.size(); ++i) { later.shards[i].operations += earlier.shards[i].operations; }
  for (std::size_t i = 0; i < later.bytes.numbers.size(); ++i) { later.bytes.numbers[i] += earlier.bytes.numbers[i]; }
  later.seconds += earlier.seconds;
  return later;
}

/// Whether other shards wait for this one because its part of the latest batch is more than 1.5 times the mean.
inline bool is_hot(ShardReport const& report, std::size_t shard)
{
  std::uint64_t all = 0;
  for (ShardWork const& each : report.shards) { all += each.latest; }
  return 2 * report.shards[shard].latest * report.shards.size() > 3 * all;
}

}  // namespace slotscape
