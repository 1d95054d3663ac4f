#pragma once

#include "app/scene/subject.hpp"
#include "app/simulation/simulation.hpp"
#include "app/simulation/throughput.hpp"
#include "gpu/analysis/statistics.hpp"
#include "gpu/tables/family.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {

/// Everything that `--stats` writes.
struct RunReport {
  std::string backend;
  std::string device;
  std::string present;  ///< interop, staging or host
  TableSettings table;
  std::uint64_t memory_bytes = 0;  ///< memory of the table
  bool rehashed = false;           ///< whether a rehash has placed most of the keys
  bool repeatable = true;          ///< whether the same operations lead to the same slots (`Simulation::raced`)
  Statistics statistics;
  std::optional<ShardReport> shards = {};  ///< report on the shards; nullopt: not sharded
  std::vector<ActionReport> operations;
  ThroughputCurve throughput;
  FrameTimes frames;
};

/// How completely the accesses of misses were counted, in words: "sampled", or how many of the sample, and where
/// lookups were given up. Empty without a sample.
std::string remark_on_misses(Statistics const& statistics);
/// The mark before the mean accesses of misses: "~" if they are sampled, "> " if some lookups were given up, else
/// empty.
std::string_view mark_of_misses(Statistics const& statistics);
/// The mark before the p99 of the accesses of misses: "~" if they are sampled.
std::string_view mark_of_miss_p99(Statistics const& statistics);

/// `count`, `mean`, `p99`, `max` and `histogram`; for misses, also how completely they were counted.
Json distribution_json(Distribution const& distribution);
Json misses_json(Statistics const& statistics);

using CsvTables = std::vector<std::pair<std::filesystem::path, std::string>>;
/// Adds a file for each histogram that a table of the family has.
void add_histograms(CsvTables& tables, std::filesystem::path const& folder, FamilyInfo const& family,
                    Statistics const& statistics);

/// The output of `--stats` and `--csv`. For one table: an object; and table.csv, operations.csv, throughput.csv,
/// frames.csv and a file for each histogram of its family (probe_length.csv, hit_accesses.csv, miss_accesses.csv,
/// clusters.csv, groups.csv, moves.csv). For several tables: an object with a list `tables` of such objects; the
/// folders table-1, table-2 and so on; and tables.csv, which has the row of each table.csv.
SceneStatistics statistics_of(std::vector<RunReport> const& reports);

}  // namespace slotscape
