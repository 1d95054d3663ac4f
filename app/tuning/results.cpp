#include "app/tuning/results.hpp"

#include "app/tuning/turns.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape::tuning {
namespace {

constexpr double of_one_run = 0.15;  ///< uncertainty of a single run
constexpr double min_uncertainty_alike = 0.02;

/// Logarithms of the ratios of the lookup rate after a turn to the rate before all turns.
std::vector<double> changes(std::vector<ChurnResult> const& runs, std::size_t turn)
{
  std::vector<double> all;
  for (ChurnResult const& run : runs) {
    if (turn < run.lookups.size()) { all.push_back(std::log(run.lookups[turn] / run.lookups.front())); }
  }
  std::ranges::sort(all);
  return all;
}

/// The report, scaled by a factor.
ShardReport times(double weight, ShardReport report)
{
  auto const weighted = [&](std::uint64_t number) {
    return static_cast<std::uint64_t>(std::llround(weight * static_cast<double>(number)));
  };
  for (ShardWork& shard : report.shards) { shard.operations = weighted(shard.operations); }
  for (std::uint64_t& number : report.bytes.numbers) { number = weighted(number); }
  report.seconds = weight * report.seconds;
  return report;
}

}  // namespace

double share_of(Workload const& workload, bench::Timed timed)
{
  switch (timed) {
    case bench::Timed::insert: return workload.insert;
    case bench::Timed::find_hit: return workload.hit;
    case bench::Timed::find_miss: return workload.miss;
    case bench::Timed::erase: return workload.erase;
    case bench::Timed::mixed:
    case bench::Timed::build:
    case bench::Timed::probe: break;
  }
  return 0.0;
}

bool counts(Workload const& workload, bench::Timed timed)
{
  if (workload.join) { return timed == bench::Timed::build || timed == bench::Timed::probe; }
  return workload.at_once ? timed == bench::Timed::mixed : share_of(workload, timed) > 0.0;
}

std::array<double, bench::timed_count> weights_of(Workload const& workload, OperationResults const& operations)
{
  std::array<double, bench::timed_count> weights{};
  double all = 0.0;
  for (auto const& result : operations) { all += result ? static_cast<double>(result->count) : 0.0; }
  for (auto const& name : enum_names<bench::Timed>()) {
    auto const& result = operations[static_cast<std::size_t>(name.value)];
    if (!result || result->count == 0 || !counts(workload, name.value)) { continue; }
    double const share = workload.at_once ? 1.0 : share_of(workload, name.value) / workload.operations();
    weights[static_cast<std::size_t>(name.value)] =
        workload.join ? 1.0 : share * all / static_cast<double>(result->count);
  }
  return weights;
}

std::optional<ShardReport> shards_of(Workload const& workload, Measured const& measured)
{
  auto const weights = weights_of(workload, measured.operations);
  std::optional<ShardReport> all;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    auto const& result = measured.operations[i];
    if (weights[i] <= 0.0 || !result || !result->shards) { continue; }
    ShardReport const weighted = times(weights[i], *result->shards_in_time());
    all = all ? together(*all, weighted) : weighted;
  }
  return all;
}

double Measured::load() const
{
  return slots == 0 || live == 0 ? candidate.load : static_cast<double>(live) / static_cast<double>(slots);
}

double Results::misses() const
{
  if (workload.join) {
    auto const probes = static_cast<double>(workload.probe_rows());
    return (1.0 - match) * probes / (probes + static_cast<double>(std::max<std::uint64_t>(1, workload.build_rows())));
  }
  double const all = workload.operations();
  return all > 0.0 ? workload.miss / all : 0.0;
}

double uncertainty_of(Measured const& a, Measured const& b)
{
  return joint_uncertainty(a.uncertainty, b.uncertainty);
}

ChurnResult summary_of(std::vector<ChurnResult> const& runs, double unrest)
{
  auto const clogged = std::ranges::count_if(runs, &ChurnResult::clogged);
  bool const max_clogged = 2 * static_cast<std::size_t>(clogged) > runs.size();
  std::vector<ChurnResult> alike;  // runs that ended early have no data for later turns
  std::ranges::copy_if(runs, std::back_inserter(alike),
                       [&](ChurnResult const& run) { return run.clogged == max_clogged; });
  ChurnResult summary = alike[alike.size() / 2];
  summary.runs = static_cast<int>(alike.size());
  summary.uncertainty = alike.size() < 2 ? of_one_run + 2.0 * unrest : min_uncertainty_alike;
  for (std::size_t turn = 1; turn < summary.lookups.size(); ++turn) {
    std::vector<double> const all = changes(alike, turn);
    if (all.empty()) { continue; }
    summary.lookups[turn] = summary.lookups.front() * std::exp(all[all.size() / 2]);
    if (all.size() > 1) { summary.uncertainty = std::max(summary.uncertainty, std::expm1(uncertainty_of_median(all))); }
  }
  return summary;
}

}  // namespace slotscape::tuning
