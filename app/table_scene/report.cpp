#include "app/table_scene/report.hpp"

#include "app/base/json.hpp"
#include "app/base/text.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/names.hpp"
#include "app/table_map/known_numbers.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

namespace slotscape {

namespace {

FamilyInfo const& family_of(RunReport const& report)
{
  return family_info(report.table.family);
}

Json parameters_json(RunReport const& report)
{
  FamilyInfo const& family = family_of(report);
  Json json = Json::object();
  for (Parameter const& parameter : family.parameters) {
    json[std::string(parameter.name)] = parameter_of(family, report.table, parameter.name);
  }
  return json;
}

std::optional<double> bytes_per_key(RunReport const& report)
{
  if (report.statistics.live == 0) { return std::nullopt; }
  return static_cast<double>(report.memory_bytes) / static_cast<double>(report.statistics.live);
}

/// The number of new keys that did not fit in the table with its present settings.
std::uint64_t refused_keys(RunReport const& report)
{
  std::uint64_t refused = 0;
  for (auto action = report.operations.rbegin(); action != report.operations.rend(); ++action) {
    if (!(action->settings == report.table)) { break; }
    refused += action->outcomes[Outcome::full];
  }
  return refused;
}

Json state_json(RunReport const& report)
{
  Statistics const& statistics = report.statistics;
  Json json;
  json["family"] = report.table.family;
  json["slots"] = statistics.load_base();
  if (statistics.heads != 0) { json["nodes"] = statistics.slots; }
  json["deletion"] = to_text(report.table.deletion);
  json["hash"] = hash_json(report.table.hash);
  json["key_bits"] = report.table.key_bits;
  json["combine"] = to_text(report.table.combine);
  json["values"] = !report.table.keys_only;
  json["parameters"] = parameters_json(report);
  json["live"] = statistics.live;
  json["tombstones"] = statistics.tombstones;
  json["links"] = statistics.links;
  json["empty"] = statistics.empty();
  json["load_factor"] = statistics.load_factor();
  json["effective_load"] = statistics.effective_load();
  json["bytes"] = report.memory_bytes;
  json["filled_by"] = report.rehashed ? "rehash" : "insertion";
  json["refused"] = refused_keys(report);
  json["rebuilds"] = statistics.rebuilds;
  json["repeatable"] = report.repeatable;
  json["bytes_per_key"] = json_or_null(bytes_per_key(report));
  return json;
}

/// The distribution, with the name and unit of the measure.
Json measure_json(Measure const& measure, Distribution const& distribution)
{
  Json json;
  json["name"] = measure.name;
  json["unit"] = measure.unit;
  json.update(distribution_json(distribution));
  return json;
}

/// Per shard and in total; `bytes` counts transfers between each pair of devices, in both directions.
Json shards_json(ShardReport const& report)
{
  Json json;
  json["keys_imbalance"] = report.imbalance(&ShardWork::live);
  json["operations_imbalance"] = report.imbalance(&ShardWork::operations);
  json["bytes_crossing"] = report.bytes.crossing();
  json["bytes_of_busiest_link"] = report.bytes.busiest();
  json["seconds"] = {{"partition", report.seconds.partition},
                     {"exchange", report.seconds.exchange},
                     {"table", report.seconds.table}};
  json["bytes"] = Json::array();
  for (std::uint32_t from = 0; from < report.bytes.devices; ++from) {
    Json row = Json::array();
    for (std::uint32_t to = 0; to < report.bytes.devices; ++to) { row.push_back(report.bytes.at(from, to)); }
    json["bytes"].push_back(std::move(row));
  }
  json["each"] = Json::array();
  for (ShardWork const& shard : report.shards) {
    json["each"].push_back({{"live", shard.live}, {"operations", shard.operations}, {"latest", shard.latest}});
  }
  return json;
}

std::string shards_csv(ShardReport const& report)
{
  std::string csv = "shard,live,operations,latest,bytes_in\n";
  for (std::uint32_t shard = 0; shard < report.shards.size(); ++shard) {
    ShardWork const& work = report.shards[shard];
    std::uint64_t const from_others = report.bytes.to(shard) - report.bytes.at(shard, shard);
    csv += fmt::format("{},{},{},{},{}\n", shard, work.live, work.operations, work.latest, from_others);
  }
  return csv;
}

/// An object with room for this many fields, because an object that grows copies the names of all its fields.
Json object_of(std::size_t fields)
{
  Json json = Json::object();
  json.get_ref<Json::object_t&>().reserve(fields);
  return json;
}

/// Millions of operations a second; nullopt if the action was not timed, for example because it had no operations.
std::optional<double> known_mops(ActionReport const& action)
{
  return action.seconds > 0.0 ? std::optional(action.mops()) : std::nullopt;
}

Json operation_json(ActionReport const& action)
{
  Json outcomes = object_of(outcome_count);
  for (std::size_t i = 0; i < outcome_count; ++i) {
    outcomes[std::string(outcome_names[i])] = action.outcomes.counts[i];
  }
  Json json = object_of(10);
  json["op"] = action.op;
  json["family"] = action.settings.family;
  json["slots"] = action.settings.slots;
  json["count"] = action.count;
  json["succeeded"] = action.succeeded();
  json["outcomes"] = std::move(outcomes);
  json["seconds"] = action.seconds;
  json["mops"] = json_or_null(known_mops(action));
  json["rebuilds"] = action.rebuilds;
  json["load_factor"] = action.load_factor;
  return json;
}

void check_complete(Statistics const& statistics)
{
  for (Distribution const* const each : {&statistics.probe_length, &statistics.clusters, &statistics.groups,
                                         &statistics.moves, &statistics.hit_accesses, &statistics.miss_accesses}) {
    if (each->beyond != 0) { throw Error("cannot write statistics without complete histograms (Engine::statistics)"); }
  }
}

std::string histogram_csv(Distribution const& distribution, std::string_view header)
{
  std::string csv(header);
  for (std::size_t i = 0; i < distribution.histogram.size(); ++i) {
    fmt::format_to(std::back_inserter(csv), "{},{}\n", i, distribution.histogram[i]);
  }
  return csv;
}

std::string operations_csv(std::vector<ActionReport> const& operations)
{
  std::string csv = "op,family,slots,count,succeeded";
  for (std::string_view const name : outcome_names) { csv += fmt::format(",{}", name); }
  csv += ",seconds,mops,load_factor\n";
  for (ActionReport const& action : operations) {
    auto const end = std::back_inserter(csv);
    fmt::format_to(end, "{},{},{},{},{}", in_csv(action.op), in_csv(action.settings.family), action.settings.slots,
                   action.count, action.succeeded());
    for (std::uint64_t const count : action.outcomes.counts) { fmt::format_to(end, ",{}", count); }
    auto const mops = known_mops(action);
    fmt::format_to(end, ",{},{},{}\n", action.seconds, mops ? fmt::format("{}", *mops) : "", action.load_factor);
  }
  return csv;
}

/// "bucket=8 hashes=3"
std::string parameters_text(RunReport const& report)
{
  std::string text;
  FamilyInfo const& family = family_of(report);
  for (Parameter const& parameter : family.parameters) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", parameter.name,
                        parameter_of(family, report.table, parameter.name));
  }
  return text;
}

/// Mean, 99th percentile and maximum; empty cells if nothing was counted.
std::string summary_csv(Distribution const& distribution)
{
  if (distribution.count == 0) { return ",,,"; }
  auto const p99 = quantile(distribution, 0.99);
  return fmt::format(",{},{},{}", distribution.mean, p99 ? std::to_string(*p99) : "", distribution.max);
}

std::string throughput_csv(ThroughputCurve const& curve)
{
  std::string csv = "op,load_factor,mops,mops_low,mops_high,runs\n";
  for (int kind = 0; kind < run_kind_count; ++kind) {
    for (ThroughputCurve::Point const& point : curve.points(static_cast<RunKind>(kind))) {
      csv += fmt::format("{},{},{},{},{},{}\n", run_kind_names[static_cast<std::size_t>(kind)], point.load_factor,
                         point.mops, point.low, point.high, point.runs);
    }
  }
  return csv;
}

constexpr std::string_view table_columns =
    "backend,device,present,family,slots,deletion,hash,key_bits,combine,parameters,live,tombstones,links,empty,"
    "load_factor,effective_load,bytes,bytes_per_key,measure,unit,probe_length_mean,probe_length_p99,probe_length_max,"
    "hit_accesses_mean,hit_accesses_p99,hit_accesses_max,miss_accesses_mean,miss_accesses_p99,"
    "miss_accesses_max,miss_accesses_note,clusters,cluster_length_mean,cluster_length_max,rebuilds\n";

/// The values for the columns `table_columns`.
std::string table_row(RunReport const& report)
{
  TableSettings const& table = report.table;
  Statistics const& statistics = report.statistics;
  Distribution const& clusters = statistics.clusters;
  auto const bytes = bytes_per_key(report);
  std::string csv =
      fmt::format("{},{},{},{},{},{},{},{},{},{}", report.backend, in_csv(report.device), report.present,
                  in_csv(table.family), statistics.load_base(), to_text(table.deletion), in_csv(to_text(table.hash)),
                  table.key_bits, to_text(table.combine), parameters_text(report));
  csv += fmt::format(",{},{},{},{},{},{}", statistics.live, statistics.tombstones, statistics.links, statistics.empty(),
                     statistics.load_factor(), statistics.effective_load());
  csv += fmt::format(",{},{}", report.memory_bytes, bytes ? fmt::format("{}", *bytes) : "");
  Measure const& measure = family_of(report).measure;
  csv += fmt::format(",{},{}", in_csv(std::string(measure.name)), in_csv(std::string(measure.unit)));
  csv += summary_csv(statistics.probe_length);
  csv += summary_csv(statistics.hit_accesses);
  csv += summary_csv(statistics.miss_accesses);
  csv += fmt::format(",{}", in_csv(remark_on_misses(statistics)));
  if (!family_of(report).clusters) {
    csv += ",,,";
  } else {
    csv += clusters.count == 0 ? std::string(",0,,")
                               : fmt::format(",{},{},{}", clusters.count, clusters.mean, clusters.max);
  }
  return csv + fmt::format(",{}\n", statistics.rebuilds);
}

/// Adds a cell with milliseconds, empty if the frame has no such time.
void add_milliseconds(std::string& csv, std::vector<double> const& seconds, std::size_t frame)
{
  csv += ',';
  if (frame < seconds.size()) { fmt::format_to(std::back_inserter(csv), "{}", 1e3 * seconds[frame]); }
}

std::string frames_csv(FrameTimes const& frames)
{
  std::string csv = "frame,frame_ms,analysis_ms,present_cpu_ms\n";
  std::size_t const count =
      std::max({frames.frame_seconds.size(), frames.analyse_seconds.size(), frames.present_seconds.size()});
  for (std::size_t i = 0; i < count; ++i) {
    fmt::format_to(std::back_inserter(csv), "{}", i);
    for (auto const* const seconds : {&frames.frame_seconds, &frames.analyse_seconds, &frames.present_seconds}) {
      add_milliseconds(csv, *seconds, i);
    }
    csv += '\n';
  }
  return csv;
}

Json report_json(RunReport const& report)
{
  check_complete(report.statistics);
  Statistics const& statistics = report.statistics;
  FamilyInfo const& family = family_of(report);
  Json json;
  json["backend"] = report.backend;
  json["device"] = report.device;
  json["present"] = report.present;
  json["table"] = state_json(report);
  json["probe_length"] = measure_json(family.measure, statistics.probe_length);
  json["accesses"]["hits"] = distribution_json(statistics.hit_accesses);
  json["accesses"]["misses"] = misses_json(statistics);
  if (family.clusters) { json["clusters"] = distribution_json(statistics.clusters); }
  if (statistics.groups.count > 0) { json["groups"] = measure_json(family.groups, statistics.groups); }
  if (statistics.moves.count > 0) { json["moves"] = measure_json(family.moves, statistics.moves); }
  if (report.shards) { json["shards"] = shards_json(*report.shards); }
  Json operations = Json::array();
  operations.get_ref<Json::array_t&>().reserve(report.operations.size());
  for (ActionReport const& action : report.operations) { operations.push_back(operation_json(action)); }
  json["operations"] = std::move(operations);
  json["frames"] = times_json(report.frames.frame_seconds);
  json["analysis"] = times_json(report.frames.analyse_seconds);
  json["present_cpu"] = times_json(report.frames.present_seconds);
  return json;
}

void add_tables(CsvTables& tables, std::filesystem::path const& folder, RunReport const& report)
{
  add_histograms(tables, folder, family_of(report), report.statistics);
  if (report.shards) { tables.emplace_back(folder / "shards.csv", shards_csv(*report.shards)); }
  tables.emplace_back(folder / "operations.csv", operations_csv(report.operations));
  tables.emplace_back(folder / "throughput.csv", throughput_csv(report.throughput));
  tables.emplace_back(folder / "table.csv", std::string(table_columns) + table_row(report));
  tables.emplace_back(folder / "frames.csv", frames_csv(report.frames));
}

}  // namespace

Json distribution_json(Distribution const& distribution)
{
  Json json;
  json["count"] = distribution.count;
  json["mean"] = json_or_null(known_mean(distribution));
  json["p99"] = json_or_null(quantile(distribution, 0.99));
  json["max"] = json_or_null(known_max(distribution));
  json["histogram"] = distribution.histogram;
  return json;
}

Json misses_json(Statistics const& statistics)
{
  MissSample const& sample = statistics.miss_sample;
  Json json = distribution_json(statistics.miss_accesses);
  json["wanted"] = sample.wanted;
  json["exact"] = statistics.misses_are_exact();
  json["stopped_at"] = Json();
  if (sample.stopped_at != 0) { json["stopped_at"] = sample.stopped_at; }
  json["note"] = remark_on_misses(statistics);
  return json;
}

void add_histograms(CsvTables& tables, std::filesystem::path const& folder, FamilyInfo const& family,
                    Statistics const& statistics)
{
  auto const add = [&](char const* file, Distribution const& distribution, std::string_view header) {
    tables.emplace_back(folder / file, histogram_csv(distribution, header));
  };
  add("probe_length.csv", statistics.probe_length, "probe_length,keys\n");
  add("hit_accesses.csv", statistics.hit_accesses, "accesses,keys\n");
  add("miss_accesses.csv", statistics.miss_accesses, "accesses,absent_keys\n");
  if (family.clusters) { add("clusters.csv", statistics.clusters, "cluster_length,clusters\n"); }
  if (statistics.groups.count > 0) { add("groups.csv", statistics.groups, "size,groups\n"); }
  if (statistics.moves.count > 0) { add("moves.csv", statistics.moves, "moves,insertions\n"); }
}

std::string remark_on_misses(Statistics const& statistics)
{
  MissSample const& sample = statistics.miss_sample;
  if (sample.wanted == 0) { return {}; }
  std::uint64_t const counted = statistics.miss_accesses.count;
  if (statistics.misses_are_exact()) {
    // Where homes are buckets, the number of hash values differs from the number of slots.
    return counted == statistics.load_base() ? tr("exact: over all {} home slots", grouped(counted))
                                             : tr("exact: over all {} values of the hash", grouped(counted));
  }
  std::string text = counted == sample.wanted
                         ? tr("sampled: {} absent keys", grouped(counted))
                         : tr("sampled: {} of {} absent keys", grouped(counted), grouped(sample.wanted));
  if (sample.stopped_at == 0) { return text; }
  return tr("{}; too long, stopped at {} accesses", text, grouped(sample.stopped_at));
}

std::string_view mark_of_miss_p99(Statistics const& statistics)
{
  return mark_of_misses(statistics).empty() ? "" : "~";
}

std::string_view mark_of_misses(Statistics const& statistics)
{
  bool const any = statistics.miss_accesses.count != 0 && statistics.miss_sample.wanted != 0;
  if (!any || statistics.misses_are_exact()) { return ""; }
  return statistics.miss_sample.stopped_at != 0 ? "> " : "~";
}

SceneStatistics statistics_of(std::vector<RunReport> const& reports)
{
  SceneStatistics statistics;
  if (reports.size() == 1) {
    statistics.json = report_json(reports.front());
    add_tables(statistics.tables, {}, reports.front());
    return statistics;
  }
  statistics.json["tables"] = Json::array();
  std::string joint = fmt::format("table,{}", table_columns);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    statistics.json["tables"].push_back(report_json(reports[i]));
    add_tables(statistics.tables, fmt::format("table-{}", i + 1), reports[i]);
    joint += fmt::format("{},{}", i + 1, table_row(reports[i]));
  }
  statistics.tables.emplace_back("tables.csv", std::move(joint));
  return statistics;
}

}  // namespace slotscape
