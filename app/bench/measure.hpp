#pragma once

#include "app/base/enum_names.hpp"
#include "gpu/bench/memory_bench.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// One kind of table operation, measured over several repeats.
struct OperationResult {
  std::uint64_t count = 0;    ///< operations of one repeat; 0 if they were abandoned
  double seconds = 0.0;       ///< median time of `count` operations
  double spread = 0.0;        ///< interquartile range as a share of the median
  std::uint64_t batch = 0;    ///< batch size, except for the last batches, as in `bench::TimedRun`
  double worst_batch = 0.0;   ///< seconds of the slowest full batch in all repeats
  std::uint64_t batches = 0;  ///< batches in one repeat
  std::uint64_t failed = 0;   ///< different keys that found no slot, in all repeats
  double limit = 0.0;         ///< operations per second that the device's memory allows
  std::optional<bench::Accesses> accesses = {};
  std::vector<double> samples = {};        ///< seconds of `count` operations in each repeat
  std::uint64_t left_out = 0;              ///< operations left out of one repeat, as all would take too long
  double whole_seconds = 0.0;              ///< estimated wall-clock time of all operations, if some were left out
  std::vector<ShardReport> reports = {};   ///< of a sharded table, one per repeat
  std::optional<ShardReport> shards = {};  ///< of a sharded table, from the repeat closest to the median
  std::optional<std::uint64_t> keys =
      {};  ///< number of keys in the table, if a mix runs on fewer than fill it (`most_keys`)

  double rate() const;  ///< operations per second
  /// `shards` with times scaled to add up to `seconds`, as those of a single repeat may not.
  std::optional<ShardReport> shards_in_time() const;
};
/// Indexed by `bench::Timed`.
using OperationResults = std::array<std::optional<OperationResult>, bench::timed_count>;

/// Adds one repeat; `finish` computes the summary.
void add_round(OperationResults& results, bench::Round const& round);
void finish(OperationResults& results);

/// Runs a table `repeats` times after one warm-up, each time with keys from another seed. Nothing if it was cancelled.
/// Throws Error if an answer is wrong, and GivenUp if filling the table takes too long.
std::optional<OperationResults> measure_table(bench::TableBench& table, bench::TimedMask wanted, int repeats,
                                              std::uint64_t seed, Progress const& progress);

/// Insertions and erasures at a constant load: each repeat replaces all keys of the filled table. They are missing from
/// `operations` if keys repeat or do not all fit.
struct Replacement {
  OperationResults operations;
  std::optional<double> clogged_after = {};  ///< as in `bench::Churned::replaced`, if tombstones clogged the table
};
/// Throws Error and GivenUp like `measure_table`.
std::optional<Replacement> measure_replacement(bench::TableBench& table, int repeats, std::uint64_t seed,
                                               Progress const& progress);

/// The access rates that a device's memory allows, measured for each size on first use.
class MemoryLimits {
public:
  explicit MemoryLimits(Backend backend) : backend_(backend) {}
  /// The rates for a table of this size. Nothing if it was cancelled.
  std::optional<bench::MemoryRates> at(std::uint64_t table_bytes, Progress const& progress);
  /// Measures again and keeps the faster rates: other programs may have used the memory before.
  std::optional<bench::MemoryRates> again(std::uint64_t table_bytes, Progress const& progress);

private:
  Backend backend_;
  std::map<std::uint64_t, bench::MemoryRates> known_;  ///< measured rates by the table's size in bytes
};

/// The names of the timed operations, as on the command line.
template <>
std::span<EnumName<bench::Timed> const> enum_names();

}  // namespace slotscape
