#include "app/tuning/report.hpp"

#include "app/bench/table_benches.hpp"
#include "app/bench/table_findings.hpp"
#include "app/keys/key_words.hpp"
#include "app/simulation/names.hpp"
#include "app/tuning/candidates.hpp"
#include "gpu/base/error.hpp"
#include "gpu/bench/rivals.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/tables/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace slotscape {

template <>
std::span<EnumName<tuning::Stage> const> enum_names()
{
  using tuning::Stage;
  static constexpr std::array<EnumName<Stage>, 3> names{{
      {Stage::coarse, "coarse", "Coarse"},
      {Stage::refined, "refined", "Refined"},
      {Stage::checked, "checked", "Checked"},
  }};
  return names;
}

}  // namespace slotscape

namespace slotscape::tuning {
namespace {

constexpr std::string_view mix = "workload";  ///< as an operation

/// What rows have besides those of `slotscape bench tables`.
std::vector<std::string> more_columns()
{
  return {"mix",         "hash",           "deletion",      "combine",     "stage",
          "repeats",     "different_keys", "full_slots",    "batches",     "worst_batch_ms",
          "timed_batch", "memory_bytes",   "clogged_after", "handover_ns", "most_handover_ns",
          "uncertainty", "grouped",        "probe_checksum"};
}

BenchRow identity_of(Results const& results, Measured const& measured, std::string_view operation)
{
  // the slots of the table that was measured, which may be smaller than that of the workload
  Candidate const& candidate = measured.candidate;
  TableSettings table = candidate.table;
  if (measured.keys != results.different) { table = candidate_of(table, candidate.load, measured.keys).table; }
  if (measured.slots != 0) { table.slots = measured.slots; }
  return identity_row({results.backend, results.device, table, variant_of(table), keys_text(results.workload.source),
                       results.keys_checksum, candidate.load, std::nullopt, measured.batch},
                      operation);
}

/// Of the table that was measured, in its row.
TableFacts facts_of(Measured const& measured, BenchRow const& row)
{
  return {measured.live != 0 ? measured.live : measured.keys, row.at("slots").get<std::uint64_t>(),
          measured.memory_bytes};
}

/// Null where not all operations ran in batches of the size that is timed.
Json milliseconds_or_null(double seconds)
{
  return seconds > 0.0 ? Json(rounded(1e3 * seconds)) : Json();
}

/// What the workload does, so that rows of another one are told apart.
std::string mix_text(Workload const& workload)
{
  if (workload.join) {
    JoinSides const& join = *workload.join;
    std::string const side = join.probes_file() ? fmt::format(" of {}", keys_text(join.probe))
                                                : fmt::format(" match {:g} skew {:g}", join.match, join.skew);
    return fmt::format("{} join rows_per_key {} probe_rows {}{}", to_text(join.kind), join.rows_per_key,
                       workload.probe_rows(), side);
  }
  std::string text = words_of_mix(workload.shares());
  if (workload.batch != 0) { text += fmt::format(" in batches of {}", workload.batch); }
  if (workload.at_once) { text += " at once"; }
  if (!workload.values) { text += ", no values"; }
  if (workload.combine != Combine::replace) { text += fmt::format(", combine {}", to_text(workload.combine)); }
  return text;
}

void add_more(BenchRow& row, Results const& results, Measured const& measured)
{
  TableSettings const& table = measured.candidate.table;
  row["mix"] = mix_text(results.workload);
  row["hash"] = to_text(table.hash);
  row["deletion"] = to_text(table.deletion);
  row["combine"] = to_text(table.combine);
  row["stage"] = to_text(measured.stage);
  row["repeats"] = measured.repeats;
  row["different_keys"] = measured.keys;
  row["full_slots"] = table.slots;
  row["memory_bytes"] = measured.memory_bytes;
  row["grouped"] = measured.candidate.grouped;
  row["probe_checksum"] = text_or_null(results.probe_checksum);
  row["clogged_after"] = measured.clogged_after ? Json(rounded(*measured.clogged_after, 3)) : Json();
  bool const known = measured.handover.most > 0.0;
  row["handover_ns"] = known ? Json(rounded(1e9 * measured.handover.least, 3)) : Json();
  row["uncertainty"] = rounded(measured.uncertainty, 3);
  row["most_handover_ns"] = known ? Json(rounded(1e9 * measured.handover.most, 3)) : Json();
}

BenchRow row_of_mix(Results const& results, Measured const& measured)
{
  OperationResult whole;
  double limit_seconds = 0.0;  // in the workload's shares, at the limit of the memory
  auto const weights = weights_of(results.workload, measured.operations);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    auto const& result = measured.operations[i];
    if (!result) { continue; }
    whole.count += result->count;
    whole.batches += result->batches;
    if (result->limit > 0.0) { limit_seconds += weights[i] * static_cast<double>(result->count) / result->limit; }
  }
  whole.failed = measured.failed;
  whole.shards = shards_of(results.workload, measured);
  whole.accesses = measured.accesses;
  whole.seconds = measured.throughput > 0.0 ? static_cast<double>(whole.count) / measured.throughput : 0.0;
  whole.spread = measured.spread;
  whole.limit = limit_seconds > 0.0 ? static_cast<double>(whole.count) / limit_seconds : 0.0;
  BenchRow row = identity_of(results, measured, mix);
  Findings findings = findings_of(results.workload);
  auto const& mixed = measured.operations[static_cast<std::size_t>(bench::Timed::mixed)];
  if (mixed) { add_findings(findings, findings_of_keys(*mixed, measured.keys)); }
  add_figures(row, whole, facts_of(measured, row), findings);
  row["mops"] = rounded(1e-6 * measured.throughput);
  add_more(row, results, measured);
  row["batches"] = whole.batches;
  row["timed_batch"] = measured.timed_batch;
  row["worst_batch_ms"] = milliseconds_or_null(measured.worst_batch_seconds);
  return row;
}

double number_in(BenchRow const& row, char const* column)
{
  Json const& value = row.at(column);
  return value.is_number() ? value.get<double>() : 0.0;
}

std::uint64_t count_in(BenchRow const& row, char const* column)
{
  Json const& value = row.at(column);
  return value.is_number_unsigned() || value.is_number_integer() ? value.get<std::uint64_t>() : 0;
}

template <class Enum>
std::optional<Enum> choice_in(BenchRow const& row, char const* column)
{
  Json const& value = row.at(column);
  return value.is_string() ? from_text<Enum>(value.get<std::string>()) : std::nullopt;
}

std::optional<bench::Accesses> accesses_in(BenchRow const& row)
{
  if (!row.at("accesses_mean").is_number()) { return std::nullopt; }
  return bench::Accesses{number_in(row, "accesses_mean"), static_cast<std::uint32_t>(count_in(row, "accesses_p99")),
                         static_cast<std::uint32_t>(count_in(row, "accesses_max"))};
}

OperationResult result_in(BenchRow const& row)
{
  OperationResult result;
  result.count = count_in(row, "count");
  result.seconds = 1e-3 * number_in(row, "median_ms");
  result.spread = number_in(row, "spread");
  result.worst_batch = 1e-3 * number_in(row, "worst_batch_ms");
  result.batches = count_in(row, "batches");
  result.batch = count_in(row, "timed_batch");
  if (std::uint64_t const keys = count_in(row, "live_keys"); keys != 0) { result.keys = keys; }
  result.failed = count_in(row, "failed");
  result.limit = 1e6 * number_in(row, "limit_mops");
  result.accesses = accesses_in(row);
  return result;
}

/// The table of a row, with the slots of the workload's keys; nothing if the row is damaged.
std::optional<TableSettings> table_in(BenchRow const& row)
{
  auto const hash = choice_in<HashKind>(row, "hash");
  auto const deletion = choice_in<Deletion>(row, "deletion");
  auto const combine = choice_in<Combine>(row, "combine");
  if (!hash || !deletion || !combine || !row.at("family").is_string()) { return std::nullopt; }
  std::string words = row.at("family").get<std::string>();
  bool const is_own = bench::rival_of(words) == nullptr;  // others have no settings
  if (is_own && row.at("variant").is_string()) { words += " " + row.at("variant").get<std::string>(); }
  try {
    TableSettings table = table_of_words(words);
    table.hash = *hash;
    table.deletion = *deletion;
    table.combine = *combine;
    table.slots = count_in(row, "full_slots");
    table.key_bits = static_cast<int>(count_in(row, "key_bits"));
    return table.slots == 0 ? std::nullopt : std::optional(table);
  } catch (Error const&) {
    return std::nullopt;
  }
}

std::optional<Measured> measured_in(BenchRow const& row)
{
  auto const table = table_in(row);
  auto const stage = choice_in<Stage>(row, "stage");
  if (!table || !stage) { return std::nullopt; }
  Measured measured;
  Json const& grouped = row.at("grouped");
  measured.candidate = {*table, number_in(row, "asked_load"), grouped.is_boolean() && grouped.get<bool>()};
  measured.stage = *stage;
  measured.repeats = static_cast<int>(count_in(row, "repeats"));
  measured.keys = count_in(row, "different_keys");
  measured.live = count_in(row, "live_keys");
  measured.slots = count_in(row, "slots");
  measured.batch = count_in(row, "batch");
  measured.timed_batch = count_in(row, "timed_batch");
  measured.throughput = 1e6 * number_in(row, "mops");
  measured.spread = number_in(row, "spread");
  measured.uncertainty = number_in(row, "uncertainty");
  measured.memory_bytes = count_in(row, "memory_bytes");
  measured.bytes_per_key = number_in(row, "bytes_per_key");
  measured.safe_load = guarantees_of(bench::subject_info(table->family), *table).safe_load;
  measured.failed = count_in(row, "failed");
  if (row.at("clogged_after").is_number()) { measured.clogged_after = number_in(row, "clogged_after"); }
  measured.handover = {1e-9 * number_in(row, "handover_ns"), 1e-9 * number_in(row, "most_handover_ns")};
  measured.accesses = accesses_in(row);
  measured.worst_batch_seconds = 1e-3 * number_in(row, "worst_batch_ms");
  if (measured.throughput > 0.0) {
    measured.batch_seconds = static_cast<double>(measured.timed_batch) / measured.throughput;
  }
  return measured;
}

/// Whether rows are of this workload, with these very keys, on this device.
class Belonging {
public:
  explicit Belonging(Results const& results)
      : results_(results),
        wanted_{{"backend", to_text(results.backend)},
                {"keys", keys_text(results.workload.source)},
                {"keys_checksum", text_or_null(results.keys_checksum)},
                {"probe_checksum", text_or_null(results.probe_checksum)},
                {"mix", mix_text(results.workload)},
                {"key_bits", results.workload.key_bits}}
  {
  }
  bool operator()(BenchRow const& row) const
  {
    TableSettings const table = table_in(row).value_or(TableSettings{});
    bool const there = field_of(row.at("device")) == devices_of_table(results_.backend, results_.device, table);
    return there && std::ranges::all_of(wanted_.items(), [&](auto const& field) {
             return field_of(row.at(field.key())) ==
                    field_of(field.value());  // in a CSV file, a name may look like a number
           });
  }

private:
  Results const& results_;
  Json wanted_;
};

}  // namespace

void note_checksums(Results& results)
{
  Workload const& workload = results.workload;
  results.keys_checksum = keys_checksum(workload.source);
  results.probe_checksum = workload.join ? keys_checksum(workload.join->probe) : "";
}

std::vector<std::string> columns()
{
  std::vector<std::string> all = table_bench_columns();
  std::vector<std::string> const more = more_columns();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<std::string> identity()
{
  std::vector<std::string> all = table_bench_identity();
  all.insert(all.end(), {"mix", "hash", "deletion", "combine", "stage", "full_slots", "grouped", "probe_checksum"});
  return all;
}

std::vector<BenchRow> rows_of(Results const& results, Measured const& measured)
{
  std::vector<BenchRow> rows;
  bool const could_be_measured = measured.throughput > 0.0 || measured.failed != 0;
  if (!could_be_measured) { return rows; }  // why, the answer says
  for (auto const& name : enum_names<bench::Timed>()) {
    auto const& result = measured.operations[static_cast<std::size_t>(name.value)];
    if (!result) { continue; }
    BenchRow row = identity_of(results, measured, name.text);
    Findings findings = findings_of(*result, 0.0);
    if (name.value == bench::Timed::mixed) { add_findings(findings, findings_of_keys(*result, measured.keys)); }
    add_findings(findings, findings_of(results.workload));
    add_figures(row, *result, facts_of(measured, row), findings);
    add_more(row, results, measured);
    row["batches"] = result->batches;
    row["timed_batch"] = result->batch;
    row["worst_batch_ms"] = milliseconds_or_null(result->worst_batch);
    rows.push_back(std::move(row));
  }
  rows.push_back(row_of_mix(results, measured));  // last: with it, the candidate is whole
  return rows;
}

std::size_t tables_of_others(std::vector<BenchRow> const& rows, Results const& results)
{
  Belonging const belongs(results);
  return static_cast<std::size_t>(
      std::ranges::count_if(rows, [&](BenchRow const& row) { return row.at("operation") == mix && !belongs(row); }));
}

std::vector<Measured> measured_in(std::vector<BenchRow> const& rows, Results const& results)
{
  std::vector<Measured> list;
  OperationResults operations;
  Belonging const belongs(results);
  for (BenchRow const& row : rows) {
    std::string const operation = row.at("operation").is_string() ? row.at("operation").get<std::string>() : "";
    if (auto const timed = from_text<bench::Timed>(operation)) {
      operations[static_cast<std::size_t>(*timed)] = result_in(row);
      continue;
    }
    OperationResults const before = std::exchange(operations, {});
    if (operation != mix || !belongs(row)) { continue; }
    if (auto measured = measured_in(row)) {
      measured->operations = before;
      list.push_back(*std::move(measured));
    }
  }
  return list;
}

}  // namespace slotscape::tuning
