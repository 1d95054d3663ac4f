#include "app/base/text.hpp"
#include "app/bench/handover.hpp"
#include "app/bench/progress.hpp"
#include "app/bench/table_benches.hpp"
#include "app/bench/table_findings.hpp"
#include "app/bench/table_rows.hpp"
#include "app/keys/file_keys.hpp"
#include "app/keys/key_words.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "gpu/bench/pacing.hpp"
#include "gpu/bench/rivals.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/engine/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace slotscape {
namespace {

using bench::Timed;

constexpr bench::TimedMask usual_operations = bench::mask_of(Timed::insert) | bench::mask_of(Timed::find_hit) |
                                              bench::mask_of(Timed::find_miss) | bench::mask_of(Timed::erase);

std::string name_of(TableSettings const& table)
{
  std::string const variant = variant_of(table);
  return variant.empty() ? table.family : fmt::format("{} ({})", table.family, variant);
}

/// A row of `slotscape bench tables`, with the values that all its rows share.
struct BenchTableRow : TableRow {
  std::string mix = {};  ///< the shares that `mixed` mixes
  std::optional<std::uint64_t> max_batches = {};
  std::uint64_t seed = 1;
  int repeats = 0;
};

RowColumns<BenchTableRow> const& columns_of_benches()
{
  constexpr auto id = ColumnRole::identity;
  static std::vector<RowColumn<BenchTableRow>> const more{
      {"mix", table_column_count, id, text_if_any([](auto& row) -> auto& { return row.mix; })},
      {"max_batches", table_column_count + 1, id, plain_field([](auto& row) -> auto& { return row.max_batches; })},
      {"seed", table_column_count + 2, id, plain_field([](auto& row) -> auto& { return row.seed; })},
      {"repeats", table_column_count + 3, ColumnRole::figure,
       plain_field([](auto& row) -> auto& { return row.repeats; })},
  };
  static RowColumns<BenchTableRow> const columns(table_identity_columns(), more, table_figure_columns());
  return columns;
}

/// Measures cases, and keeps the measured limits of the memory that they use.
class CaseRunner {
public:
  CaseRunner(Backend backend, TableBenchSettings const& settings, BenchReport& report, BenchProgress& progress)
      : backend_(backend),
        settings_(settings),
        wanted_(settings.operations == 0 ? usual_operations : settings.operations),
        report_(report),
        progress_(progress),
        limits_(backend),
        keys_checksum_(keys_checksum(settings.keys))
  {
  }

  /// Returns false if Ctrl-C ended it.
  bool run(bench::TableCase const& subject)
  {
    what_ = text_of(subject);
    std::unique_ptr<bench::TableBench> const table = make(subject);
    if (!table) {
      progress_.skip(work_of(subject));
      return true;
    }
    bench::TimedMask const missing = missing_rows(subject, *table);
    if (missing == 0) {
      progress_.skip(work_of(subject));
      return true;
    }
    progress_.begin(what_, work_of(subject));
    Progress const progress([this](Progress const& now) {
      progress_.reach(now.share());
      return progress_.go_on();
    });
    auto const of_pairs = static_cast<double>(
        bytes_of_pairs(subject.table, places_of(bench::subject_info(subject.table.family), subject.table)));
    double const of_one_device = of_pairs * share_of_first_device(subject.table, device_count(backend_));
    auto const bytes = static_cast<std::uint64_t>(of_one_device);
    auto limits = limits_.at(bytes, progress);
    if (!limits) { return false; }
    Findings findings = shortage_of(subject, *table);
    for (std::string const& finding : findings) { tell(finding); }
    add_findings(findings, key_findings(subject.keys));
    try {
      auto results = measure_table(*table, missing, settings_.repeats, settings_.seed, progress);
      if (!results || (settings_.at_load && !replace_keys(*table, *results, progress))) { return false; }
      if (exceeds(subject, *results, *limits)) { limits = limits_.again(bytes, progress); }
      if (!limits) { return false; }
      add_rows(subject, *table, *results, *limits, missing, findings);
    } catch (bench::GivenUp const& given_up) {
      add_given_up(subject, *table, *limits, missing, given_up.what());
    }
    return true;
  }

private:
  std::string text_of(bench::TableCase const& subject) const
  {
    std::string const fullness = subject.inserts != 0 ? fmt::format("{} insertions", grouped(subject.inserts))
                                                      : fmt::format("α {:.2f}", subject.load_factor);
    return fmt::format("{}, {}, {}, {}-bit", name_of(subject.table), slots_text(subject.table.slots), fullness,
                       subject.table.key_bits);
  }

  void tell(std::string const& finding) { progress_.note(fmt::format("{}: {}", what_, finding)); }

  /// Reports a reason that applies to many tables only once.
  void tell_once(std::string const& operation, std::string const& why)
  {
    bool const is_new = left_out_.insert(fmt::format("{}: {}", operation, why)).second;
    if (is_new) { tell(fmt::format("{} is left out, here and wherever the same holds: {}", operation, why)); }
  }

  /// Null, after a message, if the case cannot be measured or has already been measured.
  std::unique_ptr<bench::TableBench> make(bench::TableCase const& subject)
  {
    bool const may_fall_short = subject.inserts != 0 || subject.keys.distribution == KeyDistribution::file ||
                                subject.keys.distribution == KeyDistribution::zipf;
    bench::TableCase with_any_load = subject;
    if (may_fall_short) { with_any_load.load_factor = 0.0; }  // keys may repeat or be too few to reach it
    std::string why = obstacle(backend_, with_any_load);
    if (why.empty()) { why = too_large(backend_, subject); }
    if (!why.empty()) { return skip(why); }
    std::unique_ptr<bench::TableBench> table;
    try {
      table = bench::make_table_bench(backend_, subject);
    } catch (Error const& error) {  // such as too little memory; the other cases may have enough
      return skip(error.what());
    }
    if (may_fall_short) {
      double const reached =
          static_cast<double>(table->keys()) / static_cast<double>(std::max<std::uint64_t>(1, table->table().slots));
      with_any_load.load_factor = subject.inserts != 0 ? reached : std::min(reached, subject.load_factor);
      why = obstacle(backend_, with_any_load);
      if (!why.empty()) { return skip(why); }
    }
    std::string const contents = fmt::format("{} {} {} {} {}", words_of_table(subject.table), table->table().slots,
                                             subject.table.key_bits, table->inserts(), table->keys());
    if (!filled_.insert(contents).second) { return skip("the same keys fill the same table as before"); }
    return table;
  }

  std::unique_ptr<bench::TableBench> skip(std::string const& why)
  {
    progress_.say(fmt::format("skipped {}: {}", what_, why));
    return nullptr;
  }

  /// Measures insertions and erasures at a constant load, instead of filling and emptying the table.
  bool replace_keys(bench::TableBench& table, OperationResults& results, Progress const& progress)
  {
    std::optional<Replacement> replacement;
    given_up_ = "";
    try {
      replacement = measure_replacement(table, settings_.repeats, settings_.seed, progress);
    } catch (bench::GivenUp const& given_up) {
      given_up_ = given_up.what();
      replacement.emplace();
      for (Timed const timed : {Timed::insert, Timed::erase}) {
        replacement->operations[static_cast<std::size_t>(timed)].emplace();
      }
    }
    if (!replacement) { return false; }
    for (Timed const timed : {Timed::insert, Timed::erase}) {
      auto const i = static_cast<std::size_t>(timed);
      results[i] = replacement->operations[i];
    }
    return true;
  }

  bool replaces(Timed timed) const { return settings_.at_load && (timed == Timed::insert || timed == Timed::erase); }

  std::string name_of_operation(Timed timed) const
  {
    return fmt::format("{}{}", to_text(timed), replaces(timed) ? "_at_load" : "");
  }

  /// A row without figures.
  BenchTableRow row_of(bench::TableCase const& subject, bench::TableBench const& table, Timed timed) const
  {
    BenchTableRow row;
    row.identity = {backend_, table.device_name(), subject.table, variant_of(subject.table)};
    row.identity.table.slots = table.table().slots;
    row.identity.keys = keys_text(subject.keys, subject.zipf_keys);
    row.identity.keys_checksum = keys_checksum_;
    if (subject.inserts != 0) {
      row.identity.asked_inserts = subject.inserts;
    } else {
      row.identity.asked_load = subject.load_factor;
    }
    row.identity.batch = table.batch();
    row.operation = name_of_operation(timed);
    if (timed == Timed::mixed) { row.mix = words_of_mix(settings_.mix); }
    if (settings_.max_batches != 0) { row.max_batches = settings_.max_batches; }
    row.seed = settings_.seed;
    row.repeats = settings_.repeats;
    return row;
  }

  bench::TimedMask missing_rows(bench::TableCase const& subject, bench::TableBench const& table) const
  {
    bench::TimedMask missing = 0;
    for (auto const& name : enum_names<Timed>()) {
      bool const wanted = (wanted_ & bench::mask_of(name.value)) != 0;
      if (!wanted) { continue; }
      bool const is_there = report_.has(columns_of_benches().write(row_of(subject, table, name.value)));
      if (!is_there) { missing |= bench::mask_of(name.value); }
    }
    return missing;
  }

  double limit_of(bench::TableCase const& subject, bench::MemoryRates const& limits, Timed timed) const
  {
    int const swapped_bits = subject.table.keys_only ? 32 : subject.table.key_bits;  // 8 bytes take no longer
    return bench::limit_of(timed, swapped_bits, limits, subject.mix);
  }

  /// Whether a rate exceeds the limit, whose measurement other programs may have disturbed.
  bool exceeds(bench::TableCase const& subject, OperationResults const& results, bench::MemoryRates const& limits) const
  {
    return std::ranges::any_of(enum_names<Timed>(), [&](auto const& name) {
      auto const& result = results[static_cast<std::size_t>(name.value)];
      return result && result->rate() > limit_of(subject, limits, name.value);
    });
  }

  void add_rows(bench::TableCase const& subject, bench::TableBench const& table, OperationResults& results,
                bench::MemoryRates const& limits, bench::TimedMask wanted, Findings const& of_table)
  {
    for (auto const& name : enum_names<Timed>()) {
      auto& result = results[static_cast<std::size_t>(name.value)];
      if ((wanted & bench::mask_of(name.value)) == 0) { continue; }
      if (!result) {
        tell_once(name_of_operation(name.value), why_left_out(name.value, subject, table));
        continue;
      }
      result->limit = limit_of(subject, limits, name.value);
      Findings findings = of_table;
      Findings of_row = findings_of(*result, subject.max_seconds);
      add_findings(of_row, findings_of_keys(*result, table.live()));
      if (replaces(name.value) && !given_up_.empty()) { of_row = {given_up_}; }
      for (std::string const& finding : of_row) { tell(fmt::format("{}: {}", name_of_operation(name.value), finding)); }
      add_findings(findings, of_row);
      BenchTableRow row = row_of(subject, table, name.value);
      row.result = *result;
      row.facts = facts_of(table);
      row.findings = findings;
      report_.add(columns_of_benches().write(row));
    }
  }

  /// Adds rows for a table that could not be filled in time.
  void add_given_up(bench::TableCase const& subject, bench::TableBench const& table, bench::MemoryRates const& limits,
                    bench::TimedMask wanted, std::string const& why)
  {
    tell(fmt::format("{} {}", why, how_to_allow_more()));
    for (auto const& name : enum_names<Timed>()) {
      if ((wanted & bench::mask_of(name.value)) == 0) { continue; }
      BenchTableRow row = row_of(subject, table, name.value);
      row.result.limit = limit_of(subject, limits, name.value);
      row.findings = {why};
      report_.add(columns_of_benches().write(row));
    }
  }

  Backend backend_;
  TableBenchSettings const& settings_;
  bench::TimedMask wanted_;
  BenchReport& report_;
  BenchProgress& progress_;
  MemoryLimits limits_;
  std::string keys_checksum_;
  std::string what_;                ///< description of the current case, for progress messages
  std::string given_up_;            ///< why the keys were not replaced
  std::set<std::string> filled_;    ///< contents of the tables filled so far
  std::set<std::string> left_out_;  ///< operations with reasons that have been reported
};

}  // namespace

std::vector<std::string> bench_tables_columns()
{
  return columns_of_benches().names();
}

std::vector<std::string> bench_tables_identity()
{
  return columns_of_benches().identity();
}

bool run_table_benches(Backend backend, TableBenchSettings const& settings, BenchReport& report,
                       BenchProgress& progress)
{
  for (int const bits : settings.key_bits) { check_keys_fit(settings.keys, bits); }
  CaseRunner runner(backend, settings, report, progress);
  Handover handover;
  for (bench::TableCase const& subject : table_cases(backend, settings)) {
    if (progress.interrupted()) { return false; }
    if (backend == Backend::cpu) { handover.measure(); }
    if (!runner.run(subject)) { return false; }
  }
  if (backend == Backend::cpu) { handover.measure(); }
  if (std::string const text = text_of(handover); !text.empty()) { progress.say(text); }
  return true;
}

}  // namespace slotscape
