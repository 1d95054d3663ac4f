#pragma once

#include "app/tuning/results.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace slotscape::tuning {

constexpr std::uint64_t max_batches = 2000;  ///< of each kind of operation

/// How thoroughly a candidate is measured.
struct Effort {
  Stage stage = Stage::coarse;
  int repeats = 3;             ///< whose median counts, after one that does not
  std::uint64_t max_keys = 0;  ///< insertions into a smaller table at the same load; 0: as many as the workload has
  friend bool operator==(Effort const&, Effort const&) = default;
};

/// What a sweep asks of a device. Each returns nothing if it was cancelled, and throws Error if a table cannot be made
/// or gives a wrong answer. Tests plant their own.
struct Measures {
  std::function<std::optional<Measured>(Candidate const&, Effort const&, Progress const&)> measure;
  /// Erases and inserts at constant load; `turns` times as many as there are keys, with a look after each turn. Of the
  /// effort only the size counts.
  std::function<std::optional<ChurnResult>(Candidate const&, Effort const&, int turns, Progress const&)> churn;
  /// Fills `builds` tables with keys of other seeds, from number `first` on; of fewer keys if there are many.
  std::function<std::optional<FailureResult>(Candidate const&, int first, int builds, Progress const&)> failures;
};

/// Operations a second of a workload's mix, from those of each kind.
///
/// If the kinds run one after another, a mix of shares s_i takes the sum of s_i / r_i: rates combine harmonically. If
/// they run at once, they share caches, memory and threads, and slow each other down in ways that no rate of a kind
/// alone shows: then a mix of these shares is run and timed as a whole (`bench::Timed::mixed`), and its rate counts.
/// The rate of a join is that of the rows of both sides, over the time of building and probing.
/// Insertions count as they fill the empty table up to its load where nothing is erased; where keys are erased, too,
/// the load stays, and insertions at that load count, each batch after one of erasures.
double mix_rate(Workload const& workload, OperationResults const& operations);

/// Of the lookups of a workload: hits and misses in its shares, all together. Nothing where it has none, or they were
/// not counted.
std::optional<bench::Accesses> accesses_of(Workload const& workload, OperationResults const& operations);

/// Measures on a device, through `bench::TableBench`; from one thread. `keys`: those of the full table.
/// `max_seconds`: that operations of one kind may take in one repeat; 0 for any number. A table that cannot be filled,
/// or whose mix cannot be run, in that time is an Error.
Measures measures_on(Backend backend, Workload const& workload, WorkloadKeys const& keys, std::uint64_t seed,
                     double max_seconds = 0.0);

}  // namespace slotscape::tuning
