#include "app/tuning/report.hpp"

#include "app/bench/table_benches.hpp"
#include "app/bench/table_findings.hpp"
#include "app/bench/table_rows.hpp"
#include "app/keys/key_words.hpp"
#include "app/simulation/hash_choice.hpp"
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

constexpr std::string_view mix = "workload";  ///< replaces the name of an operation in rows of a mix

/// The mix of the workload, to tell rows of other workloads apart.
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

/// A row of a sweep: one operation of a candidate, or the mix.
struct SweepRow : TableRow {
  Measured measured = {};
  std::string mix = {};
  std::string probe_checksum = {};
};

bool has_worst_batch(SweepRow const& row)
{
  return row.result.worst_batch > 0.0;
}

bool has_handover(SweepRow const& row)
{
  return row.measured.handover.most > 0.0;
}

template <class Member>
auto hash_of(Member member)
{
  return ColumnField{[member](auto const& row) { return Json(to_text(member(row))); },
                     [member](Json const& field, auto& row) {
                       try {
                         member(row) = hash_from_text(field_of(field));
                       } catch (Error const&) {
                         return false;
                       }
                       return true;
                     }};
}

/// The columns of `slotscape bench tables` and some more.
RowColumns<SweepRow> const& sweep_columns()
{
  constexpr auto id = ColumnRole::identity;
  constexpr auto figure = ColumnRole::figure;
  constexpr std::size_t first = table_column_count;
  static std::vector<RowColumn<SweepRow>> const more{
      {"mix", first, id, plain_field([](auto& row) -> auto& { return row.mix; })},
      {"hash", first + 1, id, hash_of([](auto& row) -> auto& { return row.identity.table.hash; })},
      {"deletion", first + 2, id, choice_of([](auto& row) -> auto& { return row.identity.table.deletion; })},
      {"combine", first + 3, id, choice_of([](auto& row) -> auto& { return row.identity.table.combine; })},
      {"stage", first + 4, id, choice_of([](auto& row) -> auto& { return row.measured.stage; })},
      {"repeats", first + 5, figure, plain_field([](auto& row) -> auto& { return row.measured.repeats; })},
      {"different_keys", first + 6, figure, plain_field([](auto& row) -> auto& { return row.measured.keys; })},
      {"full_slots", first + 7, id, plain_field([](auto& row) -> auto& { return row.measured.candidate.table.slots; })},
      {"batches", first + 8, figure, plain_field([](auto& row) -> auto& { return row.result.batches; })},
      {"worst_batch_ms", first + 9, figure,
       Scaled{1e3, 5, has_worst_batch}.of([](auto& row) -> auto& { return row.result.worst_batch; })},
      {"timed_batch", first + 10, figure, plain_field([](auto& row) -> auto& { return row.result.batch; })},
      {"memory_bytes", first + 11, figure, plain_field([](auto& row) -> auto& { return row.facts.bytes; })},
      {"clogged_after", first + 12, figure,
       Scaled{1.0, 3}.of([](auto& row) -> auto& { return row.measured.clogged_after; })},
      {"handover_ns", first + 13, figure,
       Scaled{1e9, 3, has_handover}.of([](auto& row) -> auto& { return row.measured.handover.least; })},
      {"most_handover_ns", first + 14, figure,
       Scaled{1e9, 3, has_handover}.of([](auto& row) -> auto& { return row.measured.handover.most; })},
      {"uncertainty", first + 15, figure,
       Scaled{1.0, 3}.of([](auto& row) -> auto& { return row.measured.uncertainty; })},
      {"grouped", first + 16, id, plain_field([](auto& row) -> auto& { return row.measured.candidate.grouped; })},
      {"probe_checksum", first + 17, id, text_if_any([](auto& row) -> auto& { return row.probe_checksum; })},
  };
  static RowColumns<SweepRow> const columns(table_identity_columns(), table_figure_columns(), more);
  return columns;
}

/// The part of a row that concerns the candidate, without an operation.
SweepRow row_of(Results const& results, Measured const& measured)
{
  SweepRow row;
  row.measured = measured;
  row.mix = mix_text(results.workload);
  row.probe_checksum = results.probe_checksum;
  // the slots of the measured table, which may be smaller than that of the workload
  Candidate const& candidate = measured.candidate;
  TableSettings table = candidate.table;
  if (measured.keys != results.different) { table = candidate_of(table, candidate.load, measured.keys).table; }
  if (measured.slots != 0) { table.slots = measured.slots; }
  row.identity = {results.backend, results.device, table, variant_of(table)};
  row.identity.keys = keys_text(results.workload.source);
  row.identity.keys_checksum = results.keys_checksum;
  row.identity.asked_load = candidate.load;
  row.identity.batch = measured.batch;
  row.facts = {measured.live != 0 ? measured.live : measured.keys, table.slots, measured.memory_bytes};
  return row;
}

SweepRow row_of_operation(Results const& results, Measured const& measured, EnumName<bench::Timed> const& name,
                          OperationResult const& result)
{
  SweepRow row = row_of(results, measured);
  row.operation = name.text;
  row.result = result;
  row.findings = findings_of(result, 0.0);
  if (name.value == bench::Timed::mixed) { add_findings(row.findings, findings_of_keys(result, measured.keys)); }
  add_findings(row.findings, findings_of(results.workload));
  return row;
}

SweepRow row_of_mix(Results const& results, Measured const& measured)
{
  SweepRow row = row_of(results, measured);
  row.operation = mix;
  row.rate = measured.throughput;
  OperationResult& whole = row.result;
  double limit_seconds = 0.0;  // in the workload's shares, at the memory limit
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
  whole.batch = measured.timed_batch;
  whole.worst_batch = measured.worst_batch_seconds;
  row.findings = findings_of(results.workload);
  auto const& mixed = measured.operations[static_cast<std::size_t>(bench::Timed::mixed)];
  if (mixed) { add_findings(row.findings, findings_of_keys(*mixed, measured.keys)); }
  return row;
}

/// The operation in a row as a result, including its number of keys.
OperationResult result_in(SweepRow const& row)
{
  OperationResult result = row.result;
  if (row.facts.live_keys != 0) { result.keys = row.facts.live_keys; }
  return result;
}

/// The candidate in the row of a mix; nullopt if the row gives no slots for the workload's table.
std::optional<Measured> measured_of(SweepRow const& row)
{
  Measured measured = row.measured;
  if (measured.candidate.table.slots == 0) { return std::nullopt; }
  TableSettings table = row.identity.table;
  table.slots = measured.candidate.table.slots;
  measured.candidate.table = table;
  measured.candidate.load = row.identity.asked_load.value_or(0.0);
  measured.live = row.facts.live_keys;
  measured.slots = row.identity.table.slots;
  measured.batch = row.identity.batch;
  measured.timed_batch = row.result.batch;
  measured.throughput = row.rate.value_or(0.0);
  measured.spread = row.result.spread;
  measured.memory_bytes = row.facts.bytes;
  measured.bytes_per_key = row.is_filled() ? row.facts.bytes_per_key() : 0.0;
  measured.safe_load = guarantees_of(bench::subject_info(table.family), table).safe_load;
  measured.failed = row.result.failed;
  measured.accesses = row.result.accesses;
  measured.worst_batch_seconds = row.result.worst_batch;
  if (measured.throughput > 0.0) {
    measured.batch_seconds = static_cast<double>(measured.timed_batch) / measured.throughput;
  }
  return measured;
}

/// Reads a row; the bool says whether every field could be read. A missing number of slots becomes 0.
std::pair<SweepRow, bool> read_row(BenchRow const& row)
{
  SweepRow read;
  read.measured.candidate.table.slots = 0;
  bool const is_whole = sweep_columns().read(row, read);
  return {std::move(read), is_whole};
}

/// Whether rows are from this workload, with exactly these keys, on this device.
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
    auto const [read, is_whole] = read_row(row);
    TableSettings const table = is_whole ? read.identity.table : TableSettings{};
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
  return sweep_columns().names();
}

std::vector<std::string> identity()
{
  return sweep_columns().identity();
}

std::vector<BenchRow> rows_of(Results const& results, Measured const& measured)
{
  std::vector<BenchRow> rows;
  bool const could_be_measured = measured.throughput > 0.0 || measured.failed != 0;
  if (!could_be_measured) { return rows; }  // the answer explains why there are no rows
  for (auto const& name : enum_names<bench::Timed>()) {
    auto const& result = measured.operations[static_cast<std::size_t>(name.value)];
    if (result) { rows.push_back(sweep_columns().write(row_of_operation(results, measured, name, *result))); }
  }
  rows.push_back(sweep_columns().write(row_of_mix(results, measured)));  // last: this row completes the candidate
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
    auto const [read, is_whole] = read_row(row);
    if (auto const timed = from_text<bench::Timed>(read.operation)) {
      operations[static_cast<std::size_t>(*timed)] = result_in(read);
      continue;
    }
    OperationResults const before = std::exchange(operations, {});
    if (read.operation != mix || !is_whole || !belongs(row)) { continue; }
    if (auto measured = measured_of(read)) {
      measured->operations = before;
      list.push_back(*std::move(measured));
    }
  }
  return list;
}

}  // namespace slotscape::tuning
