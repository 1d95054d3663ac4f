#pragma once

#include "app/tuning/results.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace slotscape::tuning {

constexpr std::uint64_t max_batches = 2000;  ///< limit on the batches of each kind of operation

/// How thoroughly a candidate is measured.
struct Effort {
  Stage stage = Stage::coarse;
  int repeats = 3;             ///< the median counts; a warm-up precedes them
  std::uint64_t max_keys = 0;  ///< insertions into a smaller table at the same load; 0: as many as the workload has
  friend bool operator==(Effort const&, Effort const&) = default;
};

/// The measurements that a sweep runs on a device. Each returns nullopt if cancelled, and throws Error if a table
/// cannot be made or gives a wrong answer. Tests supply their own.
struct Measures {
  std::function<std::optional<Measured>(Candidate const&, Effort const&, Progress const&)> measure;
  /// Erases and inserts at constant load. Each of the `turns` replaces as many keys as the table holds, followed by
  /// lookups. Only the size of the effort matters.
  std::function<std::optional<ChurnResult>(Candidate const&, Effort const&, int turns, Progress const&)> churn;
  /// Fills `builds` tables with keys of other seeds, starting at number `first`; with fewer keys if there are many.
  std::function<std::optional<FailureResult>(Candidate const&, int first, int builds, Progress const&)> failures;
};

/// Operations a second of a workload's mix, from those of each kind.
///
/// If the kinds run one after another, a mix of shares s_i takes the sum of s_i / r_i: rates combine harmonically. If
/// they run at once, they share caches, memory and threads, and slow each other down in ways that no rate of a single
/// kind shows: then a mix of these shares is run and timed as a whole (`bench::Timed::mixed`), and its rate counts. The
/// rate of a join is the rows of both sides over the time of building and probing. Without erasures, insertions count
/// as they fill the empty table up to its load; with erasures, the load stays constant, and insertions at that load
/// count, each batch after a batch of erasures.
double mix_rate(Workload const& workload, OperationResults const& operations);

/// The accesses of a workload's lookups: hits and misses together, in its shares. nullopt if it has no lookups or they
/// were not counted.
std::optional<bench::Accesses> accesses_of(Workload const& workload, OperationResults const& operations);

/// Measurements on a device, through `bench::TableBench`; call from one thread. `keys`: those of the full table.
/// `max_seconds`: time limit for the operations of one kind in one repeat; 0 for no limit. A table that cannot be
/// filled, or whose mix cannot be run, within the limit is an Error.
Measures measures_on(Backend backend, Workload const& workload, WorkloadKeys const& keys, std::uint64_t seed,
                     double max_seconds = 0.0);

}  // namespace slotscape::tuning
