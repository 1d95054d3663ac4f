#pragma once

#include "app/scene/scene.hpp"
#include "app/simulation/simulation.hpp"
#include "gpu/analysis/statistics.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// Everything that `--stats` writes.
struct RunReport {
  std::string backend;
  std::string device;
  std::string present;  ///< interop, staging or host
  TableSettings table;
  Statistics statistics;
  std::vector<ActionReport> operations;
  FrameTimes frames;
};

/// What `--stats` and `--csv` write. For one table: an object; and table.csv, operations.csv, frames.csv and a file for
/// each histogram of its family (probe_length.csv, hit_accesses.csv, miss_accesses.csv, clusters.csv, groups.csv,
/// moves.csv). For several tables: an object with a list `tables` of such objects, and the folders table-1, table-2 and
/// so on.
SceneStatistics statistics_of(std::vector<RunReport> const& reports);

}  // namespace slotscape
