#include "app/bench/table_benches.hpp"

#include "app/base/text.hpp"
#include "app/bench/handover.hpp"
#include "app/bench/key_words.hpp"
#include "app/bench/progress.hpp"
#include "app/scene/option_text.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "app/table_scene/key_settings.hpp"
#include "gpu/base/error.hpp"
#include "gpu/bench/rivals.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

namespace slotscape {

using bench::Timed;

std::string variant_of(TableSettings const& table)
{
  std::vector<std::string> words;
  bench::Rival const* const rival = bench::rival_of(table.family);
  if (rival != nullptr && rival->one_thread) { words.emplace_back("1 thread"); }
  if (table.keys_only) { words.emplace_back("values=none"); }
  for (auto const& [name, value] : table.parameters) { words.push_back(fmt::format("{}={}", name, value)); }
  return fmt::format("{}", fmt::join(words, " "));
}

TableSettings table_of_words(std::string const& words)
{
  std::istringstream text(words);
  TableSettings table;
  text >> table.family;
  FamilyInfo const& family = bench::subject_info(table.family);
  std::vector<std::string_view> names{"hash", "deletion", "combine", "values"};
  for (Parameter const& parameter : family.parameters) { names.push_back(parameter.name); }
  for (std::string word; text >> word;) {
    std::size_t const equals = std::min(word.find('='), word.size());
    std::string const name = word.substr(0, equals);
    std::string const value = word.substr(std::min(equals + 1, word.size()));
    auto const parameter = std::ranges::find(family.parameters, name, &Parameter::name);
    if (name == "hash") {
      read_choice("hash", value, table.hash);
    } else if (name == "deletion") {
      read_choice("deletion", value, table.deletion);
    } else if (name == "combine") {
      read_choice("combine", value, table.combine);
    } else if (name == "values") {
      if (value != "none") { throw Error(fmt::format("{}: '{}' is invalid; values can be none", words, value)); }
      table.keys_only = true;
      table.deletion = Deletion::tombstone_reuse;
    } else if (parameter == family.parameters.end()) {
      throw Error(fmt::format("{}: '{}' is no setting of this table; {}", words, name, suggest(name, names)));
    } else {
      auto const number = parse_number<std::uint32_t>(value);
      if (!number || std::ranges::find(parameter->choices, *number) == parameter->choices.end()) {
        throw Error(fmt::format("{}: '{}' is invalid; choose {} from {}", words, value, name,
                                fmt::join(parameter->choices, ", ")));
      }
      set_parameter(table, *parameter, *number);
    }
  }
  if (table.keys_only) { validate_set(family, table); }
  return table;
}

std::string words_of_table(TableSettings const& table)
{
  TableSettings const usual;
  std::string words = table.family;
  std::string const variant = variant_of(table);
  if (!variant.empty()) { words += fmt::format(" {}", variant); }
  if (table.hash != usual.hash) { words += fmt::format(" hash={}", to_text(table.hash)); }
  if (table.deletion != usual.deletion && !table.keys_only) {
    words += fmt::format(" deletion={}", to_text(table.deletion));
  }
  if (table.combine != usual.combine) { words += fmt::format(" combine={}", to_text(table.combine)); }
  return words;
}

namespace {

constexpr bench::TimedMask usual_operations = bench::mask_of(Timed::insert) | bench::mask_of(Timed::find_hit) |
                                              bench::mask_of(Timed::find_miss) | bench::mask_of(Timed::erase);

std::string name_of(TableSettings const& table)
{
  std::string const variant = variant_of(table);
  return variant.empty() ? table.family : fmt::format("{} ({})", table.family, variant);
}

/// A table and, if wanted, it with each other choice of each parameter.
std::vector<TableSettings> variants_of(FamilyInfo const& family, TableSettings const& table, bool all)
{
  std::vector<TableSettings> variants{table};
  if (!all) { return variants; }
  for (Parameter const& parameter : family.parameters) {
    for (std::uint32_t const choice : parameter.choices) {
      if (choice == parameter_of(family, table, parameter.name)) { continue; }
      variants.push_back(variants.front());
      set_parameter(variants.back(), parameter, choice);
    }
  }
  return variants;
}

std::vector<std::string> subjects_of(TableBenchSettings const& settings)
{
  std::vector<std::string> names = settings.families.empty() ? family_names() : settings.families;
  for (bench::Rival const& rival : bench::rivals()) {
    bool const listed = std::ranges::find(names, rival.name) != names.end();
    if (settings.rivals && !listed) { names.emplace_back(rival.name); }
  }
  return names;
}

double work_of(bench::TableCase const& subject)
{
  return static_cast<double>(subject.table.slots) * subject.load_factor;
}

}  // namespace

std::string obstacle(Backend backend, bench::TableCase const& subject)
{
  FamilyInfo const& family = bench::subject_info(subject.table.family);
  bench::Rival const* const rival = bench::rival_of(subject.table.family);
  if (rival != nullptr && !rival->built_in) {
    return fmt::format("this program was built without {}, which has it", rival->package);
  }
  if (subject.table.key_bits == 64 && !family.wide) { return "it stores 32-bit keys only"; }
  double const safe = family.guarantees(subject.table).safe_load;
  if (subject.load_factor > safe) { return fmt::format("random keys surely find a place only up to α {:.2f}", safe); }
  if ((rival != nullptr || family.name == "cpu_unordered_map") && backend != Backend::cpu) {
    return "it runs on the CPU only";
  }
  return "";
}

namespace {

/// Measures cases, and knows the limits of the memory that they have been measured in.
class CaseRunner {
public:
  CaseRunner(Backend backend, TableBenchSettings const& settings, BenchReport& report, BenchProgress& progress)
      : backend_(backend),
        settings_(settings),
        wanted_(settings.operations == 0 ? usual_operations : settings.operations),
        report_(report),
        progress_(progress),
        limits_(backend)
  {
  }

  /// Returns false if Ctrl-C ended it.
  bool run(bench::TableCase const& subject)
  {
    std::string const what = fmt::format("{}, {}, α {:.2f}, {}-bit", name_of(subject.table),
                                         slots_text(subject.table.slots), subject.load_factor, subject.table.key_bits);
    if (std::string const why = obstacle(backend_, subject); !why.empty()) {
      progress_.say(fmt::format("skipped {}: {}", what, why));
      progress_.skip(work_of(subject));
      return true;
    }
    auto const go_on = [this] { return progress_.go_on(); };
    auto const limits = limits_.at(bytes_of_pairs(subject.table, subject.table.slots), go_on);
    if (!limits) { return false; }
    std::unique_ptr<bench::TableBench> const table = bench::make_table_bench(backend_, subject);
    bench::TimedMask const missing = missing_rows(subject, *table);
    if (missing == 0) {
      progress_.skip(work_of(subject));
      return true;
    }
    progress_.begin(what, work_of(subject));
    auto results = measure_table(*table, missing, settings_.repeats, settings_.seed, go_on);
    if (!results || (settings_.at_load && !replace_keys(*table, *results, go_on))) { return false; }
    add_rows(subject, *table, *results, *limits, missing);
    return true;
  }

private:
  /// Insertions and erasures at constant load, in place of those of the empty and the full table.
  bool replace_keys(bench::TableBench& table, OperationResults& results, bench::GoOn const& go_on) const
  {
    auto const replacement = measure_replacement(table, settings_.repeats, settings_.seed, go_on);
    if (!replacement) { return false; }
    for (Timed const timed : {Timed::insert, Timed::erase}) {
      auto const i = static_cast<std::size_t>(timed);
      results[i] = replacement->operations[i];
    }
    return true;
  }

  std::string name_of_operation(Timed timed) const
  {
    bool const replaces = settings_.at_load && (timed == Timed::insert || timed == Timed::erase);
    return fmt::format("{}{}", to_text(timed), replaces ? "_at_load" : "");
  }

  BenchRow identity(bench::TableCase const& subject, bench::TableBench const& table, Timed timed) const
  {
    TableSettings settings = subject.table;
    settings.slots = table.table().slots;
    return identity_row({backend_, table.device_name(), settings, variant_of(settings),
                         keys_text(subject.keys, subject.zipf_keys), subject.load_factor, table.batch()},
                        name_of_operation(timed));
  }

  bench::TimedMask missing_rows(bench::TableCase const& subject, bench::TableBench const& table) const
  {
    bench::TimedMask missing = 0;
    for (auto const& name : enum_names<Timed>()) {
      bool const wanted = (wanted_ & bench::mask_of(name.value)) != 0;
      if (wanted && !report_.has(identity(subject, table, name.value))) { missing |= bench::mask_of(name.value); }
    }
    return missing;
  }

  void add_rows(bench::TableCase const& subject, bench::TableBench const& table, OperationResults& results,
                bench::MemoryRates const& limits, bench::TimedMask wanted)
  {
    int const swapped_bits = subject.table.keys_only ? 32 : subject.table.key_bits;  // 4 bytes take as long as 8
    double const bytes_per_key = static_cast<double>(table.memory_bytes()) / static_cast<double>(table.keys());
    for (auto const& name : enum_names<Timed>()) {
      auto& result = results[static_cast<std::size_t>(name.value)];
      if (!result || (wanted & bench::mask_of(name.value)) == 0) { continue; }
      result->limit = bench::limit_of(name.value, swapped_bits, limits, subject.mix);
      BenchRow row = identity(subject, table, name.value);
      add_figures(row, *result, bytes_per_key);
      report_.add(std::move(row));
    }
  }

  Backend backend_;
  TableBenchSettings const& settings_;
  bench::TimedMask wanted_;
  BenchReport& report_;
  BenchProgress& progress_;
  MemoryLimits limits_;
};

}  // namespace

double work_of(Backend backend, TableBenchSettings const& settings)
{
  double work = 0.0;
  for (bench::TableCase const& subject : table_cases(backend, settings)) { work += work_of(subject); }
  return work;
}

namespace {

bench::TableCase case_of(TableBenchSettings const& settings, TableSettings const& table, double load)
{
  bench::TableCase subject{table, load, settings.keys};
  subject.batch = settings.batch;
  subject.inserts = settings.inserts;
  subject.filled_at_once = bench::subject_info(table.family).guarantees(table).is_static;
  subject.most_batches = settings.most_batches;
  subject.mix = settings.mix;
  subject.zipf_keys = settings.zipf_keys;
  return subject;
}

}  // namespace

std::vector<bench::TableCase> table_cases(Backend backend, TableBenchSettings const& settings)
{
  std::vector<std::uint64_t> sizes = settings.slots;
  if (sizes.empty()) { sizes.push_back(std::uint64_t{1} << (backend == Backend::cuda ? 24 : 20)); }
  std::vector<bench::TableCase> cases;
  for (std::string const& name : subjects_of(settings)) {
    TableSettings const plain = table_of_words(name);
    FamilyInfo const& family = bench::subject_info(plain.family);
    for (TableSettings table : variants_of(family, plain, settings.variants)) {
      if (settings.hash != HashKind::murmur3) { table.hash = settings.hash; }
      for (int const bits : settings.key_bits) {
        table.key_bits = bits;
        for (std::uint64_t const slots : sizes) {
          table.slots = suitable_slots(family.slot_counts, slots);
          for (double const load : settings.loads) { cases.push_back(case_of(settings, table, load)); }
        }
      }
    }
  }
  return cases;
}

bool run_table_benches(Backend backend, TableBenchSettings const& settings, BenchReport& report,
                       BenchProgress& progress)
{
  for (int const bits : settings.key_bits) { check_keys_fit(settings.keys, bits); }
  CaseRunner runner(backend, settings, report, progress);
  Handover handover;
  for (bench::TableCase const& subject : table_cases(backend, settings)) {
    if (backend == Backend::cpu) { handover.measure(); }
    if (!runner.run(subject)) { return false; }
  }
  if (backend == Backend::cpu) { handover.measure(); }
  if (std::string const text = text_of(handover); !text.empty()) { progress.say(text); }
  return true;
}

}  // namespace slotscape
