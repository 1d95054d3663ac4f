#include "app/tuning/check.hpp"

#include "app/base/text.hpp"
#include "app/bench/table_benches.hpp"
#include "app/keys/key_words.hpp"
#include "app/simulation/names.hpp"
#include "app/tuning/candidates.hpp"
#include "app/tuning/measure.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

namespace slotscape::tuning {
namespace {

using bench::Timed;

OperationResult const* result_of(Measured const& measured, Timed timed)
{
  auto const& result = measured.operations[static_cast<std::size_t>(timed)];
  return result ? &*result : nullptr;
}

/// Whether the bench can also time this operation: operations that change the table need distinct keys.
bool can_be_timed(Timed timed, Workload const& workload, bool repeats)
{
  bool const replaced = workload.replaces_keys() && timed == Timed::insert;
  return !repeats || !(timed == Timed::erase || timed == Timed::mixed || replaced);
}

/// The bench's options for the keys of the workload. They give the number of keys instead of a load factor, which is
/// only approximate: one key too many would change the batches.
std::string keys_options(Workload const& workload, std::uint64_t inserts)
{
  bool const is_zipf = workload.source.distribution == KeyDistribution::zipf;
  std::string options = fmt::format(" --keys {}", in_shell(words_of_keys({workload.source, is_zipf ? inserts : 0})));
  bool const is_file = workload.source.distribution == KeyDistribution::file;
  return options + (is_file ? options_of(notes_of(workload.source).reading) : "") +
         fmt::format(" --inserts {}", inserts);
}

/// The program with its global options, which name the devices.
std::string program_of(Results const& results)
{
  if (results.device_numbers.empty()) { return "slotscape"; }
  return fmt::format("slotscape --device {}", fmt::join(results.device_numbers, ","));
}

std::string shards_options(TableSettings const& table)
{
  if (table.shards == 1) { return ""; }
  std::string options = fmt::format(" --shards {}", table.shards);
  if (table.devices != ShardDevices::one) { options += fmt::format(" --devices {}", to_text(table.devices)); }
  if (table.keys_start != KeysStart::spread) { options += fmt::format(" --keys-start {}", to_text(table.keys_start)); }
  return options;
}

std::string command_of(Results const& results, Measured const& measured, std::uint64_t inserts)
{
  Workload const& workload = results.workload;
  bool const whole = measured.keys == results.different;
  Candidate const candidate =
      whole ? measured.candidate : candidate_of(measured.candidate.table, measured.candidate.load, measured.keys);
  TableSettings const& table = candidate.table;
  std::string command =
      fmt::format("{} bench tables --backend {} --families '{}'{} --slots {} --key-bits {}", program_of(results),
                  to_text(results.backend), words_of_table(Division{}.divided(table, 1)), shards_options(table),
                  table.slots, table.key_bits);
  command += keys_options(workload, inserts);
  command += fmt::format(" --batch {}", measured.batch);
  if (measured.batch != 0 && measured.keys / measured.batch > max_batches) {
    command += fmt::format(" --max-batches {}", max_batches);
  }
  return command;
}

/// The join as a `bench join` command. Only for all rows: the command cannot name a sample of a file's rows.
Check check_of_join(Results const& results, Measured const& measured)
{
  Workload const& workload = results.workload;
  JoinSides const& join = *workload.join;
  Candidate const& candidate = measured.candidate;
  bool const builds_file = workload.source.distribution == KeyDistribution::file;
  OperationResult const* const build = result_of(measured, Timed::build);
  OperationResult const* const probe = result_of(measured, Timed::probe);
  if (build == nullptr || probe == nullptr || (builds_file && measured.keys != results.different)) {
    return {.command = "",
            .rows = {},
            .remark = tr("Only some of the rows were measured, and the bench cannot choose them.")};
  }
  std::string const method = candidate.grouped         ? "--methods hash"
                             : is_by_others(candidate) ? "--methods " + in_shell(candidate.table.family)
                                                       : "--families " + in_shell(words_of_table(candidate.table));
  Check check{
      fmt::format("{} bench join --backend {} {} --load {:.5g} --kinds {} --build {} --probe {} "
                  "--key-bits {} --keys {}",
                  program_of(results), to_text(results.backend), method, candidate.load, to_text(join.kind),
                  build->count, probe->count, workload.key_bits, in_shell(words_of_keys({workload.source, 0})))};
  if (builds_file) { check.command += options_of(notes_of(workload.source).reading); }
  if (!builds_file) { check.command += fmt::format(" --rows-per-key {}", join.rows_per_key); }
  if (join.probes_file()) {
    check.command += fmt::format(" --probe-keys {}", in_shell(words_of_keys({join.probe, 0})));
    std::string const& column = notes_of(join.probe).reading.column;
    if (!column.empty()) { check.command += fmt::format(" --probe-column {}", in_shell(column)); }
  } else {
    check.command += fmt::format(" --hit {:g} --skew {:g}", join.match, join.skew);
  }
  check.rows = {{"build", build->rate(), build->spread}, {"probe", probe->rate(), probe->spread}};
  check.bytes_per_key = measured.bytes_per_key;
  check.tolerance = std::max({check.tolerance, measured.spread, results.unrest});
  return check;
}

}  // namespace

std::optional<std::uint64_t> inserts_of(Results const& results, Measured const& measured)
{
  if (measured.keys == results.available.different) { return results.available.inserts; }
  if (results.inserts == results.different) { return measured.keys; }
  OperationResult const* const insert = result_of(measured, Timed::insert);
  bool const all = insert != nullptr && insert->batches < max_batches;  // otherwise, only the last batches are counted
  return all ? std::optional(insert->count) : std::nullopt;
}

Check check_of(Results const& results, Measured const& measured)
{
  Workload const& workload = results.workload;
  if (workload.join) { return check_of_join(results, measured); }
  std::optional<std::uint64_t> const inserts = inserts_of(results, measured);
  if (!inserts) {
    return {.command = "", .rows = {}, .remark = tr("It is not known how many insertions filled the table.")};
  }
  bool const repeats = *inserts != measured.keys;
  Check check{command_of(results, measured, *inserts)};
  check.bytes_per_key = measured.bytes_per_key;
  std::vector<std::string_view> operations;
  for (auto const& name : enum_names<Timed>()) {
    OperationResult const* const result = result_of(measured, name.value);
    if (result == nullptr) { continue; }
    if (!can_be_timed(name.value, workload, repeats)) {
      check.remark = workload.replaces_keys()
                         ? tr("Some keys of the workload occur twice. Erasures, and insertions in their place, were "
                              "measured with each key once; the bench leaves them out.")
                         : tr("Some keys of the workload occur twice. Erasures were measured with each key once; the "
                              "bench leaves them out.");
      continue;
    }
    bool const at_load = workload.replaces_keys() && (name.value == Timed::insert || name.value == Timed::erase);
    operations.push_back(name.text);
    check.rows.push_back({fmt::format("{}{}", name.text, at_load ? "_at_load" : ""), result->rate(), result->spread});
  }
  if (!operations.empty()) { check.command += fmt::format(" --ops {}", fmt::join(operations, ",")); }
  if (workload.at_once && !repeats) {
    bench::MixShares const mix = workload.shares();
    check.command += fmt::format(" --mix {:g},{:g},{:g},{:g}", mix.insert, mix.hit, mix.miss, mix.erase);
  }
  if (workload.replaces_keys() && !repeats) { check.command += " --at-load"; }
  check.tolerance = std::max({check.tolerance, measured.spread, results.unrest});
  if (std::string const handover = text_of(measured.handover); !handover.empty()) {
    check.remark += fmt::format("{}{} {}", check.remark.empty() ? "" : " ", handover,
                                tr("If the bench reports a very different time, its rates will differ, too."));
  }
  return check;
}

std::string text_of(Check const& check)
{
  std::vector<std::string> parts;
  parts.reserve(check.rows.size());
  for (CheckRow const& row : check.rows) {
    parts.push_back(fmt::format("{} {}/s", row.operation, short_number(row.rate)));
  }
  return tr("{}, at {:.1f} bytes per key", fmt::format("{}", fmt::join(parts, ", ")), check.bytes_per_key);
}

std::string nearness_of(Check const& check)
{
  constexpr double no_bound = 0.5;
  if (check.tolerance > no_bound) {
    return tr("on a quiet machine (here, the rates varied too much between runs to give a bound)");
  }
  return tr("within {:.0f} %", 100.0 * check.tolerance);
}

}  // namespace slotscape::tuning
