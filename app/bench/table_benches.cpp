#include "app/bench/table_benches.hpp"

#include "app/base/text.hpp"
#include "app/bench/progress.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "gpu/bench/memory_bench.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <bit>
#include <filesystem>
#include <map>

namespace slotscape {

using bench::Timed;

template <>
std::span<EnumName<Timed> const> enum_names()
{
  static constexpr std::array<EnumName<Timed>, bench::timed_count> names{{
      {Timed::insert, "insert", "Insert"},
      {Timed::find_hit, "find_hit", "Find, present"},
      {Timed::find_miss, "find_miss", "Find, absent"},
      {Timed::mixed, "mixed", "Mixed"},
      {Timed::erase, "erase", "Erase"},
  }};
  return names;
}

namespace {

constexpr bench::TimedMask usual_operations = bench::mask_of(Timed::insert) | bench::mask_of(Timed::find_hit) |
                                              bench::mask_of(Timed::find_miss) | bench::mask_of(Timed::erase);
constexpr std::uint64_t smallest_limit = std::uint64_t{1} << 16;  ///< bytes

std::string variant_of(TableSettings const& table)
{
  std::vector<std::string> words;
  for (auto const& [name, value] : table.parameters) { words.push_back(fmt::format("{}={}", name, value)); }
  return fmt::format("{}", fmt::join(words, " "));
}

std::string name_of(TableSettings const& table)
{
  std::string const variant = variant_of(table);
  return variant.empty() ? table.family : fmt::format("{} ({})", table.family, variant);
}

std::string keys_text(KeySettings const& keys)
{
  std::string const name(to_text(keys.distribution));
  return keys.distribution == KeyDistribution::file ? std::filesystem::path(keys.file_name).filename().string() : name;
}

/// A family with its usual parameters and, if wanted, with each other choice of each parameter.
std::vector<TableSettings> variants_of(FamilyInfo const& family, bool all)
{
  std::vector<TableSettings> variants{{.family = std::string(family.name)}};
  if (!all) { return variants; }
  for (Parameter const& parameter : family.parameters) {
    for (std::uint32_t const choice : parameter.choices) {
      if (choice == parameter.fallback) { continue; }
      variants.push_back(variants.front());
      set_parameter(variants.back(), parameter, choice);
    }
  }
  return variants;
}

/// All cases of the settings, in the order in which they run.
std::vector<bench::TableCase> cases_of(Backend backend, TableBenchSettings const& settings)
{
  std::vector<std::uint64_t> sizes = settings.slots;
  if (sizes.empty()) { sizes.push_back(std::uint64_t{1} << (backend == Backend::cuda ? 24 : 20)); }
  std::vector<bench::TableCase> cases;
  for (std::string const& name : settings.families.empty() ? family_names() : settings.families) {
    FamilyInfo const& family = family_info(name);
    for (TableSettings table : variants_of(family, settings.variants)) {
      table.hash = settings.hash;
      for (int const bits : settings.key_bits) {
        table.key_bits = bits;
        for (std::uint64_t const slots : sizes) {
          table.slots = suitable_slots(family.slot_counts, slots);
          for (double const load : settings.loads) { cases.push_back({table, load, settings.keys, settings.batch}); }
        }
      }
    }
  }
  return cases;
}

double work_of(bench::TableCase const& subject)
{
  return static_cast<double>(subject.table.slots) * subject.load_factor;
}

/// Why a case cannot be measured; empty if it can.
std::string obstacle(Backend backend, bench::TableCase const& subject)
{
  FamilyInfo const& family = family_info(subject.table.family);
  if (subject.table.key_bits == 64 && !family.wide) { return "it stores 32-bit keys only"; }
  double const safe = family.guarantees(subject.table).safe_load;
  if (subject.load_factor > safe) { return fmt::format("random keys surely find a place only up to α {:.2f}", safe); }
  if (family.name == "cpu_unordered_map" && backend != Backend::cpu) { return "it runs on the CPU only"; }
  return "";
}

/// Measures cases, and knows the limits of the memory that they have been measured in.
class CaseRunner {
public:
  CaseRunner(Backend backend, TableBenchSettings const& settings, BenchReport& report, BenchProgress& progress)
      : backend_(backend),
        settings_(settings),
        wanted_(settings.operations == 0 ? usual_operations : settings.operations),
        report_(report),
        progress_(progress)
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
    auto const limits = limits_of(bytes_of_pairs(subject.table, subject.table.slots), go_on);
    if (!limits) { return false; }
    std::unique_ptr<bench::TableBench> const table = bench::make_table_bench(backend_, subject);
    bench::TimedMask const missing = missing_rows(subject, *table);
    if (missing == 0) {
      progress_.skip(work_of(subject));
      return true;
    }
    progress_.begin(what, work_of(subject));
    std::array<Samples, bench::timed_count> samples;
    for (int repeat = 0; repeat <= settings_.repeats; ++repeat) {
      std::uint64_t const seed = settings_.seed + static_cast<std::uint64_t>(repeat);
      auto const round = table->run(seed, missing, go_on);
      if (!round) { return false; }
      if (repeat != 0) { add(*round, samples); }  // the first one only warms up
    }
    add_rows(subject, *table, samples, *limits, missing);
    return true;
  }

private:
  struct Samples {
    std::uint64_t count = 0;
    std::uint64_t failed = 0;  ///< of all repeats
    std::vector<double> seconds;
  };

  static void add(bench::Round const& round, std::array<Samples, bench::timed_count>& samples)
  {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (!round[i]) { continue; }
      samples[i].count = round[i]->count;
      samples[i].failed += round[i]->failed;
      samples[i].seconds.push_back(round[i]->seconds);
    }
  }

  BenchRow identity(bench::TableCase const& subject, bench::TableBench const& table, Timed timed) const
  {
    return {{"backend", to_text(backend_)},       {"device", table.device_name()},
            {"family", subject.table.family},     {"variant", variant_of(subject.table)},
            {"operation", to_text(timed)},        {"keys", keys_text(subject.keys)},
            {"slots", table.table().slots},       {"load_factor", rounded(subject.load_factor)},
            {"key_bits", subject.table.key_bits}, {"batch", table.batch()}};
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

  std::optional<bench::MemoryRates> limits_of(std::uint64_t table_bytes, bench::GoOn const& go_on)
  {
    std::uint64_t const bytes = std::bit_ceil(std::max(table_bytes, smallest_limit));
    if (auto const known = limits_.find(bytes); known != limits_.end()) { return known->second; }
    auto const rates = bench::measure_memory(backend_, {bytes, 5, bench::accesses_of_limits}, go_on);
    if (rates) { limits_[bytes] = *rates; }
    return rates;
  }

  void add_rows(bench::TableCase const& subject, bench::TableBench const& table,
                std::array<Samples, bench::timed_count> const& samples, bench::MemoryRates const& limits,
                bench::TimedMask wanted)
  {
    for (auto const& name : enum_names<Timed>()) {
      Samples const& seen = samples[static_cast<std::size_t>(name.value)];
      if (seen.seconds.empty() || (wanted & bench::mask_of(name.value)) == 0) { continue; }
      MedianOf const times = median_of(seen.seconds);
      double const rate = static_cast<double>(seen.count) / std::max(times.median, 1e-12);
      double const limit = bench::limit_of(name.value, subject.table.key_bits, limits);
      auto const accesses = table.accesses(name.value);
      auto const if_counted = [&](auto const& value) { return accesses ? Json(value(*accesses)) : Json(nullptr); };
      BenchRow row = identity(subject, table, name.value);
      row["count"] = seen.count;
      row["median_ms"] = rounded(1e3 * times.median);
      row["spread"] = rounded(times.spread, 3);
      row["mops"] = rounded(1e-6 * rate);
      row["bytes_per_key"] = rounded(static_cast<double>(table.memory_bytes()) / static_cast<double>(table.keys()));
      row["accesses_mean"] = if_counted([](auto const& counts) { return rounded(counts.mean); });
      row["accesses_p99"] = if_counted([](auto const& counts) { return counts.p99; });
      row["accesses_max"] = if_counted([](auto const& counts) { return counts.max; });
      row["failed"] = seen.failed;
      row["limit_mops"] = rounded(1e-6 * limit);
      row["percent_of_limit"] = rounded(100.0 * rate / limit, 4);
      report_.add(std::move(row));
    }
  }

  Backend backend_;
  TableBenchSettings const& settings_;
  bench::TimedMask wanted_;
  BenchReport& report_;
  BenchProgress& progress_;
  std::map<std::uint64_t, bench::MemoryRates> limits_;  ///< by bytes
};

}  // namespace

std::vector<std::string> table_bench_columns()
{
  return {"backend", "device",      "family",          "variant",       "operation",    "keys",
          "slots",   "load_factor", "key_bits",        "batch",         "count",        "median_ms",
          "spread",  "mops",        "bytes_per_key",   "accesses_mean", "accesses_p99", "accesses_max",
          "failed",  "limit_mops",  "percent_of_limit"};
}

std::vector<std::string> table_bench_identity()
{
  std::vector<std::string> columns = table_bench_columns();
  columns.resize(10);
  return columns;
}

double work_of(Backend backend, TableBenchSettings const& settings)
{
  double work = 0.0;
  for (bench::TableCase const& subject : cases_of(backend, settings)) { work += work_of(subject); }
  return work;
}

bool run_table_benches(Backend backend, TableBenchSettings const& settings, BenchReport& report,
                       BenchProgress& progress)
{
  CaseRunner runner(backend, settings, report, progress);
  for (bench::TableCase const& subject : cases_of(backend, settings)) {
    if (!runner.run(subject)) { return false; }
  }
  return true;
}

}  // namespace slotscape
