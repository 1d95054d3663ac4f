#include "app/bench/measure.hpp"

#include "app/bench/report.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

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
      {Timed::build, "build", "Build"},
      {Timed::probe, "probe", "Probe"},
  }};
  return names;
}

double OperationResult::rate() const
{
  return static_cast<double>(count) / std::max(seconds, 1e-12);
}

std::optional<ShardReport> OperationResult::shards_in_time() const
{
  std::optional<ShardReport> report = shards;
  if (report && report->seconds.all() > 0.0) { report->seconds = seconds / report->seconds.all() * report->seconds; }
  return report;
}

void add_round(OperationResults& results, bench::Round const& round)
{
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!round[i]) { continue; }
    if (!results[i]) { results[i].emplace(); }
    bench::TimedRun const& run = *round[i];
    OperationResult& result = *results[i];
    if (result.samples.empty()) { result.count = run.count; }
    if (run.left_out != 0) {
      auto const done = static_cast<double>(std::max<std::uint64_t>(run.count, 1));
      result.left_out = run.left_out;
      result.whole_seconds =
          run.count == 0 ? run.clock_seconds : run.clock_seconds * (done + static_cast<double>(run.left_out)) / done;
    }
    if (run.count == 0) { continue; }
    result.batches = run.batches;
    result.batch = run.batch;
    result.keys = run.most_keys;
    result.failed += run.failed;
    result.worst_batch = std::max(result.worst_batch, run.worst_batch);
    if (run.shards) { result.reports.push_back(*run.shards); }
    // with other keys, reaching the same load may take more insertions
    result.samples.push_back(run.seconds * static_cast<double>(result.count) / static_cast<double>(run.count));
  }
}

void finish(OperationResults& results)
{
  for (auto& result : results) {
    if (!result) { continue; }
    MedianOf const times = median_of(result->samples);
    result->seconds = times.median;
    result->spread = times.spread;
    if (result->reports.empty()) { continue; }
    auto const nearest =
        std::ranges::min_element(result->samples, {}, [&](double seconds) { return std::abs(seconds - times.median); });
    result->shards = result->reports[static_cast<std::size_t>(nearest - result->samples.begin())];
  }
}

std::optional<OperationResults> measure_table(bench::TableBench& table, bench::TimedMask wanted, int repeats,
                                              std::uint64_t seed, Progress const& progress)
{
  OperationResults results;
  for (int repeat = 0; repeat <= repeats; ++repeat) {
    if (!progress.report(repeat / (repeats + 1.0))) { return std::nullopt; }
    auto const round = table.run(seed + static_cast<std::uint64_t>(repeat), wanted, progress);
    if (!round) { return std::nullopt; }
    if (repeat != 0) { add_round(results, *round); }  // the first repeat only warms up
  }
  finish(results);
  for (auto const& name : enum_names<Timed>()) {
    auto& result = results[static_cast<std::size_t>(name.value)];
    if (result) { result->accesses = table.accesses(name.value); }
  }
  return results;
}

std::optional<Replacement> measure_replacement(bench::TableBench& table, int repeats, std::uint64_t seed,
                                               Progress const& progress)
{
  Replacement replacement;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    auto const churned = table.churn(seed + static_cast<std::uint64_t>(repeat), 1, progress);
    if (!churned) { return std::nullopt; }
    if (churned->turns.size() < 2) { return Replacement{}; }
    if (churned->clogged) { replacement.clogged_after = churned->replaced; }
    bench::Round changes;
    for (Timed const timed : {Timed::insert, Timed::erase}) {
      auto const i = static_cast<std::size_t>(timed);
      changes[i] = churned->turns[1][i];
    }
    add_round(replacement.operations, changes);
  }
  finish(replacement.operations);
  return replacement;
}

namespace {

std::uint64_t size_of_limits(std::uint64_t table_bytes)
{
  constexpr std::uint64_t smallest = std::uint64_t{1} << 16;
  return std::bit_ceil(std::max(table_bytes, smallest));
}

}  // namespace

std::optional<bench::MemoryRates> MemoryLimits::at(std::uint64_t table_bytes, Progress const& progress)
{
  auto const known = known_.find(size_of_limits(table_bytes));
  return known != known_.end() ? known->second : again(table_bytes, progress);
}

std::optional<bench::MemoryRates> MemoryLimits::again(std::uint64_t table_bytes, Progress const& progress)
{
  constexpr int repeats = 5;
  std::uint64_t const bytes = size_of_limits(table_bytes);
  auto const rates = bench::measure_memory(backend_, {bytes, repeats, bench::accesses_of_limits}, progress);
  if (!rates) { return std::nullopt; }
  bench::MemoryRates& best = known_[bytes];
  std::ranges::transform(best, *rates, best.begin(), [](double one, double other) { return std::max(one, other); });
  return best;
}

}  // namespace slotscape
