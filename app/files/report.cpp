#include "app/files/report.hpp"

#include "app/files/json_file.hpp"
#include "app/files/text_file.hpp"
#include "app/scenario/names.hpp"
#include "gpu/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape {

namespace {

double median(std::vector<double> sorted)
{
  std::size_t const half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

/// The smallest value that `share` of the values do not exceed (nearest rank).
double percentile(std::vector<double> const& sorted, double share)
{
  auto const rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

Json times_json(std::vector<double> seconds)
{
  std::sort(seconds.begin(), seconds.end());
  Json json;
  json["count"] = seconds.size();
  json["median_ms"] = seconds.empty() ? 0.0 : 1e3 * median(seconds);
  json["p99_ms"] = seconds.empty() ? 0.0 : 1e3 * percentile(seconds, 0.99);
  return json;
}

Json table_json(RunReport const& report)
{
  Statistics const& statistics = report.statistics;
  Json json;
  json["family"] = report.table.family;
  json["slots"] = statistics.slots;
  json["deletion"] = to_text(report.table.deletion);
  json["hash"] = to_text(report.table.hash);
  json["live"] = statistics.live;
  json["tombstones"] = statistics.tombstones;
  json["empty"] = statistics.empty();
  json["load_factor"] = statistics.load_factor();
  json["effective_load"] = statistics.effective_load();
  return json;
}

Json operation_json(ActionReport const& action)
{
  Json json;
  json["op"] = action.op;
  json["count"] = action.count;
  for (std::size_t i = 0; i < outcome_count; ++i) {
    json["outcomes"][std::string(outcome_names[i])] = action.outcomes.counts[i];
  }
  json["seconds"] = action.seconds;
  json["mops"] = action.mops();
  json["load_factor"] = action.load_factor;
  return json;
}

void check_complete(Statistics const& statistics)
{
  if (statistics.probe_length.beyond != 0 || statistics.clusters.beyond != 0) {
    throw Error("statistics to be written need their whole histograms (Engine::statistics)");
  }
}

std::string in_csv(std::string const& text)
{
  if (text.find_first_of(",\"\r\n") == std::string::npos) { return text; }
  std::string quoted = "\"";
  for (char const letter : text) { quoted += letter == '"' ? "\"\"" : std::string(1, letter); }
  return quoted + "\"";
}

std::string histogram_csv(Distribution const& distribution, std::string_view header)
{
  std::string csv(header);
  for (std::size_t i = 0; i < distribution.histogram.size(); ++i) {
    csv += fmt::format("{},{}\n", i, distribution.histogram[i]);
  }
  return csv;
}

std::string operations_csv(std::vector<ActionReport> const& operations)
{
  std::string csv = "op,count";
  for (std::string_view const name : outcome_names) { csv += fmt::format(",{}", name); }
  csv += ",seconds,mops,load_factor\n";
  for (ActionReport const& action : operations) {
    csv += fmt::format("{},{}", in_csv(action.op), action.count);
    for (std::uint64_t const count : action.outcomes.counts) { csv += fmt::format(",{}", count); }
    csv += fmt::format(",{},{},{}\n", action.seconds, action.mops(), action.load_factor);
  }
  return csv;
}

std::string table_csv(RunReport const& report)
{
  Statistics const& statistics = report.statistics;
  std::string csv =
      "backend,device,present,family,slots,deletion,hash,live,tombstones,empty,load_factor,"
      "effective_load,probe_length_mean,probe_length_max,clusters,cluster_length_mean,"
      "cluster_length_max\n";
  csv += fmt::format("{},{},{},{},{},", report.backend, in_csv(report.device), report.present,
                     in_csv(report.table.family), statistics.slots);
  csv +=
      fmt::format("{},{},{},{},{},{},{},", to_text(report.table.deletion), to_text(report.table.hash), statistics.live,
                  statistics.tombstones, statistics.empty(), statistics.load_factor(), statistics.effective_load());
  csv += fmt::format("{},{},{},{},{}\n", statistics.probe_length.mean, statistics.probe_length.max,
                     statistics.clusters.count, statistics.clusters.mean, statistics.clusters.max);
  return csv;
}

/// Milliseconds, or an empty cell where that frame has no such time.
std::string milliseconds_at(std::vector<double> const& seconds, std::size_t frame)
{
  return frame < seconds.size() ? fmt::format("{}", 1e3 * seconds[frame]) : "";
}

std::string frames_csv(FrameTimes const& frames)
{
  std::string csv = "frame,frame_ms,analysis_ms,present_cpu_ms\n";
  std::size_t const count =
      std::max({frames.frame_seconds.size(), frames.analyse_seconds.size(), frames.present_seconds.size()});
  for (std::size_t i = 0; i < count; ++i) {
    csv += fmt::format("{},{},{},{}\n", i, milliseconds_at(frames.frame_seconds, i),
                       milliseconds_at(frames.analyse_seconds, i), milliseconds_at(frames.present_seconds, i));
  }
  return csv;
}

Json report_json(RunReport const& report)
{
  check_complete(report.statistics);
  Distribution const& probes = report.statistics.probe_length;
  Distribution const& clusters = report.statistics.clusters;
  Json json;
  json["backend"] = report.backend;
  json["device"] = report.device;
  json["present"] = report.present;
  json["table"] = table_json(report);
  json["probe_length"]["mean"] = probes.mean;
  json["probe_length"]["max"] = probes.max;
  json["probe_length"]["histogram"] = probes.histogram;
  json["clusters"]["count"] = clusters.count;
  json["clusters"]["mean"] = clusters.mean;
  json["clusters"]["max"] = clusters.max;
  json["clusters"]["histogram"] = clusters.histogram;
  json["operations"] = Json::array();
  for (ActionReport const& action : report.operations) { json["operations"].push_back(operation_json(action)); }
  json["frames"] = times_json(report.frames.frame_seconds);
  json["analysis"] = times_json(report.frames.analyse_seconds);
  json["present_cpu"] = times_json(report.frames.present_seconds);
  return json;
}

}  // namespace

void write_stats_json(std::filesystem::path const& file, RunReport const& report)
{
  write_text_file(file, format_json(report_json(report)));
}

void write_stats_json(std::filesystem::path const& file, std::vector<RunReport> const& reports)
{
  if (reports.size() == 1) { return write_stats_json(file, reports.front()); }
  Json json;
  json["tables"] = Json::array();
  for (RunReport const& report : reports) { json["tables"].push_back(report_json(report)); }
  write_text_file(file, format_json(json));
}

void write_stats_csv(std::filesystem::path const& folder, RunReport const& report)
{
  check_complete(report.statistics);
  check_writable_folder(folder);
  write_text_file(folder / "probe_length.csv", histogram_csv(report.statistics.probe_length, "probe_length,keys\n"));
  write_text_file(folder / "clusters.csv", histogram_csv(report.statistics.clusters, "cluster_length,clusters\n"));
  write_text_file(folder / "operations.csv", operations_csv(report.operations));
  write_text_file(folder / "table.csv", table_csv(report));
  write_text_file(folder / "frames.csv", frames_csv(report.frames));
}

void write_stats_csv(std::filesystem::path const& folder, std::vector<RunReport> const& reports)
{
  if (reports.size() == 1) { return write_stats_csv(folder, reports.front()); }
  for (std::size_t i = 0; i < reports.size(); ++i) {
    write_stats_csv(folder / fmt::format("table-{}", i + 1), reports[i]);
  }
}

}  // namespace slotscape
