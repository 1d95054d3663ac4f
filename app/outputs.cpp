#include "app/outputs.hpp"

namespace slotscape {

void check_outputs(Options const& options)
{
  if (!options.screenshot.empty()) { check_writable(options.screenshot); }
  if (!options.stats.empty()) { check_writable(options.stats); }
  if (!options.csv.empty()) { check_writable_folder(options.csv); }
}

void write_statistics(Options const& options, std::vector<RunReport> const& reports)
{
  if (!options.stats.empty()) { write_stats_json(options.stats, reports); }
  if (!options.csv.empty()) { write_stats_csv(options.csv, reports); }
}

}  // namespace slotscape
