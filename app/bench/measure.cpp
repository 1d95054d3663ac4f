#include "app/bench/measure.hpp"

#include "app/simulation/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    // another stream of keys may take more insertions to the same load
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
    if (repeat != 0) { add_round(results, *round); }  // the first one only warms up
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

std::vector<std::string> table_bench_columns()
{
  return {"backend",       "device",      "family",           "variant",       "operation",    "keys",
          "slots",         "load_factor", "key_bits",         "batch",         "count",        "median_ms",
          "spread",        "mops",        "bytes_per_key",    "accesses_mean", "accesses_p99", "accesses_max",
          "failed",        "limit_mops",  "percent_of_limit", "live_keys",     "asked_load",   "asked_inserts",
          "keys_checksum", "imbalance",   "exchange_mb",      "link_mb",       "partition_ms", "exchange_ms",
          "table_ms",      "findings"};
}

std::vector<std::string> table_bench_identity()
{
  return {"backend", "device",     "family",        "variant",  "operation", "keys",
          "slots",   "asked_load", "asked_inserts", "key_bits", "batch",     "keys_checksum"};
}

std::string devices_of_table(Backend backend, std::string const& device, TableSettings const& table)
{
  std::uint32_t const devices = std::min(device_count(backend), table.shards);
  bool const several = table.devices == ShardDevices::each && devices > 1;
  return several ? fmt::format("{} × {}", devices, device) : device;
}

BenchRow identity_row(RowIdentity const& identity, std::string_view operation)
{
  TableSettings const& table = identity.table;
  return {{"backend", to_text(identity.backend)},
          {"device", devices_of_table(identity.backend, identity.device, table)},
          {"family", table.family},
          {"variant", identity.variant},
          {"operation", operation},
          {"keys", identity.keys},
          {"keys_checksum", text_or_null(identity.keys_checksum)},
          {"slots", table.slots},
          {"asked_load", identity.asked_load ? Json(rounded(*identity.asked_load)) : Json()},
          {"asked_inserts", identity.asked_inserts ? Json(*identity.asked_inserts) : Json()},
          {"key_bits", table.key_bits},
          {"batch", identity.batch}};
}

std::string words_of_mix(bench::MixShares const& shares)
{
  return fmt::format("insert {:g} hit {:g} miss {:g} erase {:g}", shares.insert, shares.hit, shares.miss, shares.erase);
}

TableFacts facts_of(bench::TableBench const& table)
{
  return {table.live(), table.table().slots, table.memory_bytes()};
}

namespace {

/// Of a table that is not sharded, there are none.
void add_shards(BenchRow& row, std::optional<ShardReport> const& shards)
{
  auto const if_sharded = [&](auto const& value) { return shards ? Json(rounded(value(*shards))) : Json(); };
  using Report = ShardReport const&;
  row["imbalance"] = if_sharded([](Report report) { return report.imbalance(&ShardWork::operations); });
  row["exchange_mb"] = if_sharded([](Report report) { return 1e-6 * static_cast<double>(report.bytes.crossing()); });
  row["link_mb"] = if_sharded([](Report report) { return 1e-6 * static_cast<double>(report.bytes.busiest()); });
  row["partition_ms"] = if_sharded([](Report report) { return 1e3 * report.seconds.partition; });
  row["exchange_ms"] = if_sharded([](Report report) { return 1e3 * report.seconds.exchange; });
  row["table_ms"] = if_sharded([](Report report) { return 1e3 * report.seconds.table; });
}

}  // namespace

void add_figures(BenchRow& row, OperationResult const& result, TableFacts const& filled_table, Findings const& findings)
{
  TableFacts facts = filled_table;
  if (result.keys && facts.live_keys != 0) { facts.live_keys = *result.keys; }
  auto const if_counted = [&](auto const& value) { return result.accesses ? Json(value(*result.accesses)) : Json(); };
  bool const ran = result.count != 0;
  bool const filled = facts.live_keys != 0;
  row["load_factor"] = filled ? Json(rounded(facts.load_factor())) : Json();
  row["live_keys"] = filled ? Json(facts.live_keys) : Json();
  row["count"] = result.count;
  row["median_ms"] = ran ? Json(rounded(1e3 * result.seconds)) : Json();
  row["spread"] = ran ? Json(rounded(result.spread, 3)) : Json();
  row["mops"] = ran ? Json(rounded(1e-6 * result.rate())) : Json();
  row["bytes_per_key"] = filled ? Json(rounded(facts.bytes_per_key())) : Json();
  row["accesses_mean"] = if_counted([](auto const& counts) { return rounded(counts.mean); });
  row["accesses_p99"] = if_counted([](auto const& counts) { return counts.p99; });
  row["accesses_max"] = if_counted([](auto const& counts) { return counts.max; });
  row["failed"] = result.failed;
  bool const exchanges = result.shards && result.shards->seconds.exchange > 0.0;  // the limit is that of one device
  bool const has_limit = result.limit > 0.0 && !exchanges;
  row["limit_mops"] = has_limit ? Json(rounded(1e-6 * result.limit)) : Json();
  row["percent_of_limit"] = ran && has_limit ? Json(rounded(100.0 * result.rate() / result.limit, 4)) : Json();
  add_shards(row, result.shards_in_time());
  row["findings"] = fmt::format("{}", fmt::join(findings, " "));
}

}  // namespace slotscape
