#pragma once

#include "gpu/engine/dealing.hpp"
#include "gpu/engine/shard_report.hpp"
#include "gpu/execution/at_once.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

/// A batch is dealt to the shards of a table by the segment partition (partition.hpp), with exact counts: an all-to-all
/// must know them before it begins. Each shard runs its share as its own batch, and the results return the way the keys
/// came.
namespace slotscape {

namespace sharding {

/// Gathers the operations and values of dealt keys.
template <PairFormat Format>
struct GatherMixed {
  Batch<Format> batch;
  std::uint32_t const* numbers;
  Operation* operations;
  typename Format::Value* values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    operations[i] = batch.operations[numbers[i]];
    values[i] = batch.values[numbers[i]];
  }
};

}  // namespace sharding

/// Deals batches to shards and keeps statistics. The buffers only grow.
template <exec::Executor Exec, PairFormat Format>
class Sharding {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// Throws Error if the device cannot partition batches of this format.
  Sharding(Exec& exec, std::uint32_t shards, KeysStart start, ShardDevices devices)
      : exec_(&exec),
        start_(devices == ShardDevices::each ? KeysStart::one_device : start),
        devices_(devices),
        dealing_(exec, shards),
        counts_(exec, std::uint64_t{shards} * shards)
  {
    clear();
  }

  ShardReport const& report() const { return report_; }
  void set_report(ShardReport const& report) { report_ = report; }
  void clear()
  {
    report_ = {};
    report_.shards.resize(dealing_.shards());
    report_.bytes.devices = dealing_.shards();
  }

  /// Runs a batch: run(shard, its batch, seconds) runs a shard's share, adds its seconds (ShardSeconds), and returns
  /// its outcomes. Shards on different devices run at once. Adds the seconds of all shards.
  template <class Run>
  Tally run(Batch<Format> const& batch, double& seconds, Run const& run)
  {
    if (batch.count == 0) { return {}; }
    ShardSeconds of_batch;
    exec_->start_timer();
    DevicePairs const items = count_items(batch);
    std::vector<std::uint64_t> const starts = starts_of(items);
    Batch<Format> const dealt = deal(batch, starts);
    of_batch.partition = exec_->stop_timer();

    Bytes const bytes = bytes_of(batch);
    report_.bytes.add(items, bytes.there);
    report_.bytes.add(items.turned_round(), bytes.back);
    Tally tally = run_shares(dealt, starts, of_batch, run);
    tally[Outcome::rejected] += batch.count - dealt.count;

    exec_->start_timer();
    bring_back(batch, dealt);
    of_batch.partition += exec_->stop_timer();
    report_.seconds += of_batch;
    seconds += of_batch.all();
    return tally;
  }

  /// The keys of lookups, by shard, and the original position of each. Reserved keys are left out.
  struct DealtKeys {
    Key const* keys;
    std::uint32_t const* numbers;
    std::vector<std::uint64_t> starts;  ///< start of each shard's share, and the end of the last
  };
  DealtKeys deal_keys(Key const* keys, std::uint64_t count)
  {
    Batch<Format> const batch{.count = count,
                              .operations = nullptr,
                              .keys = keys,
                              .values = nullptr,
                              .outcomes = nullptr,
                              .changes = nullptr,
                              .distinct = false,
                              .kinds = OperationMask::erases};
    std::vector<std::uint64_t> starts = starts_of(count_items(batch));
    deal(batch, starts);
    return {keys_.data(), numbers_.data(), std::move(starts)};
  }

private:
  /// Number of operations that take longer than starting threads.
  static constexpr std::uint64_t worth_threads = 1u << 14;

  /// Bytes of an item on its way to its shard and back.
  struct Bytes {
    std::uint32_t there;
    std::uint32_t back;
  };

  static bool is_pure(Batch<Format> const& batch) { return is_single(batch.kinds); }
  static bool inserts_only(Batch<Format> const& batch) { return batch.kinds == OperationMask::inserts; }
  static bool brings_values(Batch<Format> const& batch)
  {
    return batch.values != nullptr && contains(batch.kinds, Operation::find);
  }
  static bool has_results(Batch<Format> const& batch) { return batch.keeps_outcomes || brings_values(batch); }
  static Bytes bytes_of(Batch<Format> const& batch)
  {
    std::uint32_t const value = Format::has_values ? sizeof(Value) : 0;
    std::uint32_t const there = sizeof(Key) + (is_pure(batch) && !inserts_only(batch) ? 0 : value);
    std::uint32_t const of_find = brings_values(batch) ? sizeof(Value) : 0;
    return {there + (is_pure(batch) ? 0 : 1), of_find + (batch.keeps_outcomes ? 1 : 0)};
  }

  /// Counts the keys on each device that belong to each shard. Waits for the device.
  DevicePairs count_items(Batch<Format> const& batch)
  {
    std::uint32_t const shards = dealing_.shards();
    std::uint32_t const sources = start_ == KeysStart::spread ? shards : 1;
    std::uint64_t const of_each = (batch.count + sources - 1) / sources;
    exec_->fill(counts_.data(), counts_.size(), 0u);
    for (std::uint32_t from = 0; from * of_each < batch.count; ++from) {
      std::uint64_t const first = from * of_each;
      dealing_.count_into(counts_.data() + std::size_t{from} * shards,
                          batch.part(first, std::min(of_each, batch.count - first)));
    }
    std::vector<std::uint32_t> counts(counts_.size());
    exec_->download(std::span(counts), static_cast<std::uint32_t const*>(counts_.data()));
    DevicePairs items{shards};
    std::ranges::copy(counts, items.numbers.begin());
    return items;
  }
  static std::vector<std::uint64_t> starts_of(DevicePairs const& items)
  {
    std::vector<std::uint64_t> starts{0};
    for (std::uint32_t shard = 0; shard < items.devices; ++shard) { starts.push_back(starts.back() + items.to(shard)); }
    return starts;
  }

  /// Returns the operations with keys that tables accept, by shard.
  Batch<Format> deal(Batch<Format> const& batch, std::vector<std::uint64_t> const& starts)
  {
    std::uint64_t const count = starts.back();
    reserve(batch, count);
    std::vector<std::uint32_t> const places(starts.begin(), starts.end());
    if (inserts_only(batch)) {
      if (has_results(batch)) {
        dealing_.template deal_pairs<true>(batch, places, {keys_.data(), values_.data(), numbers_.data()});
      } else {
        dealing_.template deal_pairs<false>(batch, places, {keys_.data(), values_.data(), nullptr});
      }
    } else {
      dealing_.template deal_keys<true>(batch, places, {keys_.data(), numbers_.data()});
    }
    if (!is_pure(batch)) {
      exec_->for_each(count, sharding::GatherMixed<Format>{batch, numbers_.data(), operations_.data(), values_.data()});
    }
    return {.count = count,
            .operations = is_pure(batch) ? nullptr : operations_.data(),
            .keys = keys_.data(),
            .values = values_.data(),
            .outcomes = outcomes_.data(),
            .changes = batch.changes,
            .distinct = batch.distinct,
            .kinds = batch.kinds,
            .keeps_outcomes = batch.keeps_outcomes};
  }

  void reserve(Batch<Format> const& batch, std::uint64_t count)
  {
    exec::grow(*exec_, keys_, count);
    exec::grow(*exec_, values_, count);
    exec::grow(*exec_, outcomes_, count);
    if (!inserts_only(batch) || has_results(batch)) { exec::grow(*exec_, numbers_, count); }
    if (!is_pure(batch)) { exec::grow(*exec_, operations_, count); }
  }

  /// How much earlier operations still count after a batch of the given size: a few operations say nothing about a
  /// shard's share.
  std::uint64_t kept_of(std::uint64_t earlier, std::uint64_t batch) const
  {
    std::uint64_t const enough = std::uint64_t{256} * dealing_.shards();
    return batch >= enough ? 0 : earlier * (enough - batch) / enough;
  }

  template <class Run>
  Tally run_shares(Batch<Format> const& dealt, std::vector<std::uint64_t> const& starts, ShardSeconds& seconds,
                   Run const& run)
  {
    std::uint32_t const shards = dealing_.shards();
    std::vector<Tally> tallies(shards);
    std::vector<ShardSeconds> of_shards(shards);
    bool const at_once = devices_ == ShardDevices::each && dealt.count >= worth_threads;
    exec::run_each(shards, at_once, [&](std::uint32_t shard) {
      std::uint64_t const count = starts[shard + 1] - starts[shard];
      if (count != 0) { tallies[shard] = run(shard, dealt.part(starts[shard], count), of_shards[shard]); }
    });
    seconds += devices_ == ShardDevices::one ? sum_of(of_shards) : slowest_of(of_shards);
    Tally tally;
    for (std::uint32_t shard = 0; shard < shards; ++shard) {
      ShardWork& work = report_.shards[shard];
      std::uint64_t const count = starts[shard + 1] - starts[shard];
      work.operations += count;
      work.latest = kept_of(work.latest, dealt.count) + count;
      work.live += tallies[shard][Outcome::inserted] - tallies[shard][Outcome::erased];
      tally += tallies[shard];
    }
    return tally;
  }

  void bring_back(Batch<Format> const& batch, Batch<Format> const& dealt)
  {
    if (!has_results(batch)) { return; }
    exec_->for_each(dealt.count, sharding::ScatterResults<Format>{dealt, numbers_.data(), batch});
    if (dealt.count != batch.count) { exec_->for_each(batch.count, sharding::RefuseReserved<Format>{batch}); }
  }

  Exec* exec_;
  KeysStart start_;
  ShardDevices devices_;
  ShardReport report_;
  Dealing<Exec, Format> dealing_;
  Buffer<std::uint32_t> counts_;  ///< number of keys from each device to each shard
  Buffer<Key> keys_;
  Buffer<Value> values_;
  Buffer<Outcome> outcomes_;
  Buffer<Operation> operations_;
  Buffer<std::uint32_t> numbers_;  ///< position in the batch of each dealt operation
};

}  // namespace slotscape
