#pragma once

#include "gpu/base/error.hpp"
#include "gpu/engine/batch.hpp"
#include "gpu/engine/partition_passes.hpp"
#include "gpu/tables/shards.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotscape {

namespace sharding {

/// Returns results to the positions of their operations in the batch.
template <PairFormat Format>
struct ScatterResults {
  Batch<Format> dealt;
  std::uint32_t const* numbers;
  Batch<Format> batch;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint32_t const number = numbers[i];
    if (batch.keeps_outcomes) { batch.outcomes[number] = dealt.outcomes[i]; }
    if (batch.values != nullptr && dealt.operation(i) == Operation::find) { batch.values[number] = dealt.values[i]; }
  }
};

/// Sets the results of operations with reserved keys, which are not sent to any shard.
template <PairFormat Format>
struct RefuseReserved {
  Batch<Format> batch;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (!Format::is_reserved(batch.keys[i])) { return; }
    if (batch.keeps_outcomes) { batch.outcomes[i] = Outcome::rejected; }
    if (batch.values != nullptr && batch.operation(i) == Operation::find) { batch.values[i] = Format::empty_value; }
  }
};

}  // namespace sharding

/// Distributes the operations of a batch to shards in one pass of the partition (partition.hpp), with exact counts:
/// there are far fewer shards than bins. Items go to the caller's memory.
template <exec::Executor Exec, PairFormat Format>
class Dealing {
public:
  /// Throws Error if the device cannot partition batches of this format.
  Dealing(Exec& exec, std::uint32_t shards) : shard_of_{shards}, passes_(exec)
  {
    constexpr std::size_t bytes = partition::bytes_to_deal<ShardOf, Format>();
    if (bytes > exec.block_memory()) {
      throw Error("Sharded tables of " + std::to_string(Format::bits) + "-bit keys need " +
                  std::to_string(bytes >> 10) + " KiB of shared memory for each block, and this GPU has " +
                  std::to_string(exec.block_memory() >> 10) + " KiB: choose one shard.");
    }
  }

  std::uint32_t shards() const { return shard_of_.segments; }
  std::uint32_t shard_of(typename Format::Key key) const { return shard_of_.segment(key); }

  /// Adds to `counts`, one entry per shard, the number of keys that belong to it. Reserved keys are left out.
  void count_into(std::uint32_t* counts, Batch<Format> const& batch) { passes_.count_into(counts, shard_of_, batch); }
  /// Writes the items, and the numbers of their operations if `numbered`, to the shares of the shards. starts: where
  /// each share begins, and the end of the last. Waits for earlier work.
  template <bool numbered>
  void deal_pairs(Batch<Format> const& batch, std::span<std::uint32_t const> starts,
                  partition::PairsApart<Format> const& pairs)
  {
    passes_.template deal<Operation::insert, numbered>(shard_of_, batch, starts, pairs);
  }
  template <bool numbered>
  void deal_keys(Batch<Format> const& batch, std::span<std::uint32_t const> starts,
                 partition::Items<typename Format::Key> const& keys)
  {
    passes_.template deal<Operation::find, numbered>(shard_of_, batch, starts, keys);
  }

private:
  ShardOf shard_of_;
  partition::Passes<Exec> passes_;
};

}  // namespace slotscape
