#include "app/tuning/report.hpp"

#include "app/base/text.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/names.hpp"
#include "app/table_scene/setup.hpp"
#include "app/tuning/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace slotscape::tuning {
namespace {

constexpr ImVec2 picture_size{880.0f, 460.0f};

constexpr std::array<std::string_view, 9> topics{"choice",  "comparison", "alternative", "division", "risk",
                                                 "latency", "churn",      "certainty",   "keys"};

std::string_view name_of(Topic topic)
{
  return topics[static_cast<std::size_t>(topic)];
}

/// The number; null if it is not above 0, because it was not measured.
Json above_zero(double number)
{
  return number > 0.0 ? Json(rounded(number)) : Json();
}

Json json_of(OperationResult const& result)
{
  Json json{{"count", result.count},
            {"median_ms", rounded(1e3 * result.seconds)},
            {"spread", rounded(result.spread, 3)},
            {"mops", rounded(1e-6 * result.rate())},
            {"worst_batch_ms", above_zero(1e3 * result.worst_batch)},
            {"batches", result.batches},
            {"timed_batch", result.batch},
            {"failed", result.failed},
            {"limit_mops", above_zero(1e-6 * result.limit)}};
  if (auto const report = result.shards_in_time()) {
    ShardReport const& shards = *report;
    json["shards"] = {{"imbalance", rounded(shards.imbalance(&ShardWork::operations))},
                      {"exchange_mb", rounded(1e-6 * static_cast<double>(shards.bytes.crossing()))},
                      {"link_mb", rounded(1e-6 * static_cast<double>(shards.bytes.busiest()))},
                      {"partition_ms", rounded(1e3 * shards.seconds.partition)},
                      {"exchange_ms", rounded(1e3 * shards.seconds.exchange)},
                      {"table_ms", rounded(1e3 * shards.seconds.table)}};
  }
  if (result.accesses) {
    json["accesses"] = {{"mean", rounded(result.accesses->mean)},
                        {"p99", result.accesses->p99},
                        {"max", result.accesses->max}};
  }
  return json;
}

Json json_of(Measured const& measured)
{
  bool const by_others = is_by_others(measured.candidate);
  Json operations = Json::object();
  for (auto const& name : enum_names<bench::Timed>()) {
    auto const& result = measured.operations[static_cast<std::size_t>(name.value)];
    if (result) { operations[std::string(name.text)] = json_of(*result); }
  }
  return {{"title", title_of(measured)},
          {"table",
           by_others ? Json{{"family", measured.candidate.table.family}} : table_json(measured.candidate.table)},
          {"by_others", by_others},
          {"load", by_others ? Json() : Json(rounded(measured.load()))},
          {"grouped", measured.candidate.grouped},
          {"stage", to_text(measured.stage)},
          {"repeats", measured.repeats},
          {"keys", measured.keys},
          {"measured_slots", measured.slots},
          {"batch", measured.batch},
          {"mops", above_zero(1e-6 * measured.throughput)},
          {"spread", rounded(measured.spread, 3)},
          {"uncertainty", rounded(measured.uncertainty, 3)},
          {"bytes_per_key", rounded(measured.bytes_per_key)},
          {"memory_bytes", measured.memory_bytes},
          {"safe_load", by_others ? Json() : Json(rounded(measured.safe_load))},
          {"failed", measured.failed},
          {"clogged_after", measured.clogged_after ? Json(rounded(*measured.clogged_after)) : Json()},
          {"timed_batch", measured.timed_batch},
          {"batch_ms", above_zero(1e3 * measured.batch_seconds)},
          {"worst_batch_ms", above_zero(1e3 * measured.worst_batch_seconds)},
          {"operations", operations}};
}

Json json_of(ChurnResult const& churn)
{
  auto const mops = [](std::vector<double> const& rates) {
    Json list = Json::array();
    for (double const rate : rates) { list.push_back(rounded(1e-6 * rate)); }
    return list;
  };
  return {{"title", title_of(churn.candidate)},
          {"replaced", rounded(churn.replaced)},
          {"lookup_mops", mops(churn.lookups)},
          {"replacement_mops", mops(churn.replacements)},
          {"failed", churn.failed},
          {"clogged", churn.clogged},
          {"runs", churn.runs},
          {"uncertainty", rounded(churn.uncertainty, 3)}};
}

Json json_of(Skipped const& skipped)
{
  return {{"title", title_of(skipped.candidate)}, {"why", skipped.why.text()}};
}

Json json_of(HashUniformity const& hash)
{
  return {{"hash", to_text(hash.hash)},
          {"slots", hash.slots},
          {"keys", hash.keys},
          {"homes", hash.homes},
          {"chi_square", rounded(hash.chi_square)},
          {"groups", hash.groups},
          {"z", rounded(hash.z)},
          {"p_value", rounded(hash.p_value)},
          {"fullest_home", hash.fullest},
          {"longest_run", hash.longest_run},
          {"expected_longest_run", rounded(hash.expected_longest_run)},
          {"shared", rounded(hash.shared)},
          {"expected_shared", rounded(hash.expected_shared)},
          {"hit_slots", rounded(hash.probing.hit)},
          {"random_hit_slots", rounded(hash.random_probing.hit)},
          {"miss_slots", rounded(hash.probing.miss)},
          {"random_miss_slots", rounded(hash.random_probing.miss)},
          {"evenness", to_text(hash.evenness())},
          {"bad", hash.bad()},
          {"verdict", verdict_of(hash)}};
}

template <class List>
Json list_of(List const& list)
{
  Json all = Json::array();
  for (auto const& item : list) { all.push_back(json_of(item)); }
  return all;
}

/// The workload with the present table as measured. Omits settings that a key file decides: how many rows match and
/// share a key.
Json workload_json(Results const& results)
{
  Workload workload = results.workload;
  if (results.present) { workload.present->table = results.measured[*results.present].candidate.table; }
  Json json = object_of_fields({}, workload);
  if (!workload.join) { return json; }
  bool const builds_file = workload.source.distribution == KeyDistribution::file;
  if (builds_file) { json["join"].erase("rows_per_key"); }
  if (workload.join->probes_file()) {
    for (char const* const drawn : {"match", "skew"}) { json["join"].erase(drawn); }
  }
  return json;
}

/// The measured properties of the rows of both sides.
Json join_json(Results const& results)
{
  auto const keys = static_cast<double>(std::max<std::uint64_t>(results.different, 1));
  return {{"build_rows", results.workload.build_rows()},
          {"probe_rows", results.workload.probe_rows()},
          {"different_build_keys", results.different},
          {"rows_per_key", rounded(static_cast<double>(results.inserts) / keys)},
          {"match", rounded(results.match)}};
}

Json index_or_null(std::optional<std::size_t> index)
{
  return index ? Json(*index) : Json();
}

}  // namespace

Json to_json(Results const& results)
{
  Choice const choice = choose(results);
  Json answer = Json::array();
  for (Sentence const& sentence : answer_of(results, choice)) {
    answer.push_back({{"topic", name_of(sentence.topic)}, {"text", sentence.text}, {"warns", sentence.warns}});
  }
  Json const skipped = list_of(results.skipped);
  Json const set_aside = list_of(results.set_aside);
  Json failures = Json::array();
  for (FailureResult const& each : results.failures) {
    failures.push_back({{"title", title_of(each.table)},
                        {"load", rounded(each.load)},
                        {"keys", each.keys},
                        {"builds", each.builds},
                        {"failed", each.failed}});
  }
  return {{"backend", to_text(results.backend)},
          {"device", results.device},
          {"devices", results.devices},
          {"workload", workload_json(results)},
          {"inserts", results.inserts},
          {"live_keys", results.different},
          {"remark", results.remark.text()},
          {"findings", findings_of(results.workload)},
          {"join", results.workload.join ? join_json(results) : Json()},
          {"answer", answer},
          {"winner", index_or_null(choice.winner)},
          {"knee", index_or_null(choice.knee)},
          {"fastest", index_or_null(choice.fastest)},
          {"passed_over", index_or_null(choice.passed_over)},
          {"equals", choice.equals},
          {"present", index_or_null(results.present)},
          {"frontier", choice.frontier},
          {"candidates", list_of(results.measured)},
          {"skipped", skipped},
          {"set_aside", set_aside},
          {"churn", list_of(results.churn)},
          {"failures", failures},
          {"hashes", list_of(results.hashes)},
          {"homes_of_choice", results.homes_of_choice ? json_of(*results.homes_of_choice) : Json()},
          {"unrest", rounded(results.unrest, 3)},
          {"unchecked", results.unchecked},
          {"unmeasured", results.unmeasured},
          {"unmeasured_shards", results.unmeasured_shards}};
}

std::vector<Picture> pictures_of(Look const& look, Results const& results)
{
  Choice const choice = choose(results);
  std::vector<Picture> pictures;
  for (int i = 0; i < plot_count; ++i) {
    auto const plot = static_cast<Plot>(i);
    SvgDrawing drawing(picture_size.x, picture_size.y, IM_COL32_WHITE, look.font);
    PlotOptions options;
    options.size = picture_size;
    draw_plot(look, drawing, plot, results, choice, options);
    pictures.push_back({std::string(title_of(plot)), drawing.finished()});
  }
  return pictures;
}

}  // namespace slotscape::tuning
