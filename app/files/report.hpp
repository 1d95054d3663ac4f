#pragma once

#include "app/simulation/simulation.hpp"
#include "gpu/analysis/statistics.hpp"
#include "gpu/interop/presenter.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace slotscape {

struct FrameTimes {
  std::vector<double> frame_seconds;    ///< whole frames, wall clock
  std::vector<double> analyse_seconds;  ///< device time from table to finished picture and statistics
  std::vector<double> present_seconds;  ///< CPU time of bringing the picture to OpenGL
};

/// All that `--stats` writes.
struct RunReport {
  std::string backend;
  std::string device;
  std::string present;  ///< interop, staging or host
  TableSettings table;
  Statistics statistics;
  std::vector<ActionReport> operations;
  FrameTimes frames;
};

/// Throws Error where the file or folder cannot be written.
void write_stats_json(std::filesystem::path const& file, RunReport const& report);
/// Of several tables: an object whose `tables` is a list of what the above writes of each. Of one, as above.
void write_stats_json(std::filesystem::path const& file, std::vector<RunReport> const& reports);
/// Writes table.csv, operations.csv, frames.csv, and a file for each histogram that the table's family has
/// (probe_length.csv, hit_accesses.csv, miss_accesses.csv, clusters.csv, groups.csv, moves.csv) into `folder`, which it
/// makes.
void write_stats_csv(std::filesystem::path const& folder, RunReport const& report);
/// Of several tables: the same into the folders table-1, table-2 and so on in `folder`.
void write_stats_csv(std::filesystem::path const& folder, std::vector<RunReport> const& reports);
/// Throws Error now rather than at the end of a long run.
void check_writable(std::filesystem::path const& file);
/// The same for a folder of outputs, which it makes.
void check_writable_folder(std::filesystem::path const& folder);

}  // namespace slotscape
