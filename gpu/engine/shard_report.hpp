#pragma once

#include "gpu/engine/device_pairs.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace slotscape {

/// What the batches of a sharded table have brought one of its shards since the table was cleared.
struct ShardWork {
  std::uint64_t live = 0;        ///< keys that it holds
  std::uint64_t operations = 0;  ///< with keys that tables accept
  /// Those of the latest batch; where it is small, those before it count, too, the less the older they are.
  std::uint64_t latest = 0;
};

/// Device seconds of a sharded table's batches, part by part.
struct ShardSeconds {
  double partition = 0.0;  ///< counting the shards' shares, dealing keys, and bringing results back in order
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

/// Of shards that run one after another, and of those that run at once.
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

/// What became of the batches of a sharded table since it was cleared.
struct ShardReport {
  std::vector<ShardWork> shards;
  DevicePairs bytes;  ///< that are sent between one device a shard, or would be, there and back
  ShardSeconds seconds;

  /// The largest number of a shard, by the mean: 1 where all have as many; 0 where none has any.
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

/// What happened between two reports of one table. The keys are those in the end.
inline ShardReport between(ShardReport const& before, ShardReport after)
{
  for (std::size_t i = 0; i < after.shards.size(); ++i) { after.shards[i].operations -= before.shards[i].operations; }
  for (std::size_t i = 0; i < after.bytes.numbers.size(); ++i) { after.bytes.numbers[i] -= before.bytes.numbers[i]; }
  after.seconds -= before.seconds;
  return after;
}

/// What happened in two spans of one table, of which `later` is the later one.
inline ShardReport together(ShardReport const& earlier, ShardReport later)
{
  for (std::size_t i = 0; i < later.shards.size(); ++i) { later.shards[i].operations += earlier.shards[i].operations; }
  for (std::size_t i = 0; i < later.bytes.numbers.size(); ++i) { later.bytes.numbers[i] += earlier.bytes.numbers[i]; }
  later.seconds += earlier.seconds;
  return later;
}

/// Whether a shard got so much more of the latest batch than the mean that others wait for it: half as much again.
inline bool is_hot(ShardReport const& report, std::size_t shard)
{
  std::uint64_t all = 0;
  for (ShardWork const& each : report.shards) { all += each.latest; }
  return 2 * report.shards[shard].latest * report.shards.size() > 3 * all;
}

}  // namespace slotscape
