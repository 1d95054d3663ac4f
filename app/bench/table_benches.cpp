#include "app/bench/table_benches.hpp"

#include "app/base/text.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "app/table_scene/setup.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/bench/rivals.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/engine/parts.hpp"
#include "gpu/tables/probe_sequence.hpp"
#include "gpu/tables/shards.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace slotscape {

namespace {

/// The table settings that can be given as words.
constexpr std::array<std::string_view, 7> named_settings{"hash",       "deletion", "combine", "shards",
                                                         "keys_start", "devices",  "memory"};

bool matters(std::string_view setting, FamilyInfo const& family, TableSettings const& table)
{
  if (setting == "hash") { return family.uses_hash; }
  return setting != "deletion" || !ways_to_erase(family, table).empty();
}

/// Applies a word such as "shards=4" to a table: a parameter of the family, "values=none" for a set, or a setting.
void set_word(TableSettings& table, FamilyInfo const& family, std::string const& words, std::string const& word)
{
  std::size_t const equals = std::min(word.find('='), word.size());
  std::string const name = word.substr(0, equals);
  std::string const value = word.substr(std::min(equals + 1, word.size()));
  auto const parameter = std::ranges::find(family.parameters, name, &Parameter::name);
  if (parameter != family.parameters.end()) {
    auto const number = parse_number<std::uint32_t>(value);
    if (!number || std::ranges::find(parameter->choices, *number) == parameter->choices.end()) {
      throw Error(fmt::format("{}: '{}' is invalid; choose {} from {}", words, value, name,
                              fmt::join(parameter->choices, ", ")));
    }
    return set_parameter(table, *parameter, *number);
  }
  if (name == "values") {
    if (value != "none") { throw Error(fmt::format("{}: '{}' is invalid; values can be none", words, value)); }
    table.keys_only = true;
    table.deletion = Deletion::tombstone_reuse;
    return;
  }
  if (std::ranges::find(named_settings, name) == named_settings.end()) {
    std::vector<std::string_view> names(named_settings.begin(), named_settings.end());
    names.push_back("values");
    for (Parameter const& other : family.parameters) { names.push_back(other.name); }
    throw Error(fmt::format("{}: '{}' is no setting of this table; {}", words, name, suggest(name, names)));
  }
  if (value.empty()) { throw Error(fmt::format("{}: give '{}' a value, after '='", words, name)); }
  setting_named<TableSettings>(name).type(name, value, table);
}

/// The words after the family that `table_of_words` reads.
std::string setting_words(TableSettings const& table)
{
  std::vector<std::string> words;
  if (table.keys_only) { words.emplace_back("values=none"); }
  for (auto const& [name, value] : table.parameters) { words.push_back(fmt::format("{}={}", name, value)); }
  FamilyInfo const& family = bench::subject_info(table.family);
  for (std::string_view const name : named_settings) {
    TableSettings usual;
    if (name != "shards") { usual.shards = table.shards; }
    Field<TableSettings> const& field = setting_named<TableSettings>(name).field;
    Json const value = field.write(table, {});
    if (!matters(name, family, table) || value.is_null() || value == field.write(usual, {})) { continue; }
    words.push_back(fmt::format("{}={}", name, value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

constexpr std::string_view one_thread = "1 thread";

}  // namespace

std::string variant_of(TableSettings const& table)
{
  std::string words = setting_words(table);
  bench::Rival const* const rival = bench::rival_of(table.family);
  if (rival == nullptr || !rival->one_thread) { return words; }
  return words.empty() ? std::string(one_thread) : fmt::format("{} {}", one_thread, words);
}

TableSettings table_of_words(std::string const& words)
{
  std::istringstream text(words);
  TableSettings table;
  text >> table.family;
  FamilyInfo const& family = bench::subject_info(table.family);
  for (std::string word; text >> word;) { set_word(table, family, words, word); }
  if (table.keys_only && family.keys_alone) { validate_set(family, table); }  // `obstacle` reports other families
  return table;
}

namespace {

std::string typed_table_among(std::vector<std::string_view> const& names, std::string const& words)
{
  std::string family;
  read_name("--families", words.substr(0, words.find(' ')), names, family);
  table_of_words(words);
  return words;
}

}  // namespace

std::string typed_table(std::string const& words)
{
  std::vector<std::string> const families = family_names();
  return typed_table_among({families.begin(), families.end()}, words);
}

std::string typed_table_or_rival(std::string const& words)
{
  std::vector<std::string> const families = family_names();
  std::vector<std::string_view> names(families.begin(), families.end());
  for (bench::Rival const& rival : bench::rivals()) { names.push_back(rival.name); }
  return typed_table_among(names, words);
}

std::string words_of_table(TableSettings const& table)
{
  std::string const variant = setting_words(table);
  return variant.empty() ? table.family : fmt::format("{} {}", table.family, variant);
}

namespace {

/// The table and, if `all`, the table with each other choice of each parameter.
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

}  // namespace

double work_of(bench::TableCase const& subject)
{
  if (subject.inserts != 0) { return static_cast<double>(subject.inserts); }
  return static_cast<double>(subject.table.slots) * subject.load_factor;
}

std::string obstacle(Backend backend, bench::TableCase const& subject)
{
  FamilyInfo const& family = bench::subject_info(subject.table.family);
  bench::Rival const* const rival = bench::rival_of(subject.table.family);
  if (rival != nullptr && !rival->built_in) {
    return tr("this program was built without {}, which provides it", rival->package);
  }
  if (subject.table.keys_only && !family.keys_alone) { return tr("it cannot store keys without values"); }
  HashChoice const& hash = subject.table.hash;
  bool const spreads =
      (hash == HashKind::murmur3 || hash == HashKind::xxhash) && subject.keys.distribution != KeyDistribution::one_home;
  if (rival != nullptr && !hash.is_compiled_in()) { return tr("it takes no formulas; choose a named hash"); }
  if (rival != nullptr && rival->needs_spread_keys && !spreads) {
    return tr("it crashes when many keys have the same hash; choose murmur3 or xxhash, and keys other than one_home");
  }
  if (subject.table.key_bits == 64 && !family.wide) { return tr("it stores 32-bit keys only"); }
  if (rival != nullptr && subject.table.shards != 1) { return tr("it has no shards"); }
  double const safe = guarantees_of(family, subject.table).safe_load;
  if (subject.load_factor > safe) { return tr("random keys are guaranteed a slot only up to α {:.2f}", safe); }
  if ((rival != nullptr || family.is_host_container) && backend != Backend::cpu) {
    return tr("it runs on the CPU only");
  }
  return "";
}

double work_of(Backend backend, TableBenchSettings const& settings)
{
  double work = 0.0;
  for (bench::TableCase const& subject : table_cases(backend, settings)) { work += work_of(subject); }
  return work;
}

std::string too_large(Backend backend, bench::TableCase const& subject)
{
  constexpr double bytes_of_an_operation = 26.0;  // bytes that one operation takes in a batch
  TableSettings const& table = subject.table;
  double const keys = work_of(subject);
  bool const is_told = subject.batch != 0 && !subject.filled_at_once;
  double const batch = static_cast<double>(is_told ? subject.batch : bench::default_batch);
  double const of_batch = std::min(batch, keys) * bytes_of_an_operation;
  double const of_pairs =
      static_cast<double>(bytes_of_pairs(table, places_of(bench::subject_info(table.family), table)));
  double const needed = 1.1 * of_pairs * share_of_first_device(table, device_count(backend)) + of_batch;
  auto const free = static_cast<double>(free_memory(backend));
  if (needed <= free) { return ""; }
  return fmt::format("it takes about {} to measure, and {} is free; choose fewer slots",
                     bytes_text(static_cast<std::uint64_t>(needed)), bytes_text(static_cast<std::uint64_t>(free)));
}

namespace {

/// With `--inserts`, the load factor follows from the number of insertions.
bench::TableCase case_of(TableBenchSettings const& settings, TableSettings const& table, double load)
{
  if (settings.inserts != 0) {
    double const most = bench::subject_info(table.family).guarantees(table).max_load;
    load = std::min(most, static_cast<double>(settings.inserts) / static_cast<double>(table.slots));
  }
  bench::TableCase subject{table, load, settings.keys};
  subject.batch = settings.batch;
  subject.inserts = settings.inserts;
  subject.filled_at_once = bench::subject_info(table.family).guarantees(table).is_static;
  subject.max_batches = settings.max_batches;
  subject.mix = settings.mix;
  subject.zipf_keys = settings.zipf_keys;
  subject.max_seconds = settings.max_seconds;
  return subject;
}

/// The table with each number of shards in the settings, unless the table specifies its own.
std::vector<TableSettings> in_shards(TableSettings const& table, TableBenchSettings const& settings)
{
  if (table.shards != 1) { return {table}; }
  std::vector<TableSettings> tables;
  for (std::uint32_t const count : settings.shards) {
    tables.push_back(table);
    tables.back().shards = count;
    tables.back().keys_start = settings.keys_start;
    tables.back().devices = settings.devices;
  }
  return tables;
}

/// Adds a case for each key width, size and load factor.
void add_cases(std::vector<bench::TableCase>& cases, TableBenchSettings const& settings, TableSettings table,
               std::vector<std::uint64_t> const& sizes)
{
  FamilyInfo const& family = bench::subject_info(table.family);
  for (int const bits : settings.key_bits) {
    table.key_bits = bits;
    for (std::uint64_t const slots : sizes) {
      table.slots = suitable_slots(slot_counts_of(family, table), slots, table.shards);
      if (settings.inserts != 0) {
        cases.push_back(case_of(settings, table, 0.0));
        continue;
      }
      for (double const load : settings.loads) { cases.push_back(case_of(settings, table, load)); }
    }
  }
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
      for (TableSettings const& sharded : in_shards(table, settings)) { add_cases(cases, settings, sharded, sizes); }
    }
  }
  return cases;
}

}  // namespace slotscape
