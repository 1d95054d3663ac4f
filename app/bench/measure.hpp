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

/// One kind of operation of a table, over several repeats.
struct OperationResult {
  std::uint64_t count = 0;    ///< operations of one repeat; 0 if it was given up
  double seconds = 0.0;       ///< of so many: the median
  double spread = 0.0;        ///< between the quartiles, as a share of the median
  std::uint64_t batch = 0;    ///< operations of each but the last ones, as in `bench::TimedRun`
  double worst_batch = 0.0;   ///< seconds of the slowest such batch of all repeats
  std::uint64_t batches = 0;  ///< of one repeat
  std::uint64_t failed = 0;   ///< different keys without a place, in all repeats
  double limit = 0.0;         ///< operations a second that the memory of the device allows
  std::optional<bench::Accesses> accesses = {};
  std::vector<double> samples = {};        ///< seconds of `count` operations in each repeat
  std::uint64_t left_out = 0;              ///< operations of one repeat, since all would take too long
  double whole_seconds = 0.0;              ///< that all would take by the clock, if some were left out
  std::vector<ShardReport> reports = {};   ///< of a sharded table in each repeat
  std::optional<ShardReport> shards = {};  ///< of a sharded table, in the repeat that took closest to the median
  std::optional<std::uint64_t> keys =
      {};  ///< of the table, if other than those of the filled one: `most_keys` of a mix

  double rate() const;  ///< operations a second
  /// `shards`, with times that add up to `seconds`, as those of one repeat may not.
  std::optional<ShardReport> shards_in_time() const;
};
/// Indexed by `bench::Timed`.
using OperationResults = std::array<std::optional<OperationResult>, bench::timed_count>;

/// Adds one repeat; `finish` then sums up.
void add_round(OperationResults& results, bench::Round const& round);
void finish(OperationResults& results);

/// Runs a table so many times, after one time that does not count, each with the keys of another seed. Nothing if
/// it was cancelled. Throws Error at a wrong answer, and GivenUp if it takes too long to fill the table.
std::optional<OperationResults> measure_table(bench::TableBench& table, bench::TimedMask wanted, int repeats,
                                              std::uint64_t seed, Progress const& progress);

/// Insertions and erasures at constant load: all keys of the filled table are replaced by others, in each repeat.
/// They are missing from `operations` where keys come twice, or do not all find a place.
struct Replacement {
  OperationResults operations;
  std::optional<double> clogged_after = {};  ///< as in `bench::Churned::replaced`, where erased keys clogged the table
};
/// As `measure_table`.
std::optional<Replacement> measure_replacement(bench::TableBench& table, int repeats, std::uint64_t seed,
                                               Progress const& progress);

/// What the memory of a device allows, measured for each size when it is first asked for.
class MemoryLimits {
public:
  explicit MemoryLimits(Backend backend) : backend_(backend) {}
  /// For a table of so many bytes. Nothing if it was cancelled.
  std::optional<bench::MemoryRates> at(std::uint64_t table_bytes, Progress const& progress);
  /// Measures once more, and knows the faster ones: other programs may have taken the memory before.
  std::optional<bench::MemoryRates> again(std::uint64_t table_bytes, Progress const& progress);

private:
  Backend backend_;
  std::map<std::uint64_t, bench::MemoryRates> known_;  ///< by bytes
};

/// The names of what is timed, as on the command line.
template <>
std::span<EnumName<bench::Timed> const> enum_names();

}  // namespace slotscape
