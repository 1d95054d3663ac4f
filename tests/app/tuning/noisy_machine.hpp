#pragma once

#include "app/bench/report.hpp"
#include "app/tuning/measure.hpp"
#include "app/tuning/search.hpp"
#include "gpu/engine/engine.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace slotscape::tuning {

/// How a made-up machine disturbs what is measured on it.
struct Disturbance {
  double noise = 0.02;      ///< of each measurement: the deviation of its logarithm
  double busy = 1.0;        ///< speed while something else runs, as a share
  double busy_share = 0.0;  ///< of the time
  double stretch = 4.0;     ///< seconds that the machine stays busy, or quiet, on average
  double mishaps = 0.0;     ///< share of measurements that something interrupts
};

/// The speed of a table on the quiet machine: what it reads, by the formulas for random homes.
inline double true_rate(Candidate const& candidate)
{
  double const load = std::min(candidate.load, 0.995);
  double const free = 1.0 - load;
  FamilyInfo const& family = family_info(candidate.table.family);
  auto const names = family_names();
  auto const number = std::ranges::find(names, candidate.table.family) - names.begin();
  double hit = candidate.table.family == "cuckoo" ? 2.2 : 2.6 + 0.3 * static_cast<double>(number % 5);
  double const crowd = std::max(0.0, load - 0.7);
  hit += 12.0 * crowd * crowd;
  double miss = hit + 0.4;
  switch (family.theory) {
    case TheoryOf::linear_probing:
      hit = 0.5 * (1.0 + 1.0 / free);
      miss = 0.5 * (1.0 + 1.0 / (free * free));
      break;
    case TheoryOf::robin_hood: hit = miss = 0.6 + 0.5 * (1.0 + 1.0 / free); break;
    case TheoryOf::uniform_probing:
      hit = -std::log(free) / load;
      miss = 1.0 / free;
      break;
    case TheoryOf::secondary_clustering:
      hit = 1.0 - std::log(free) - 0.5 * load;
      miss = 1.0 / free - load - std::log(free);
      break;
    case TheoryOf::hopscotch: hit = miss = 1.4 + load; break;
    default: break;
  }
  double const by_hash = candidate.table.hash == HashKind::murmur3 ? 1.0 : 1.005;
  return by_hash * 100e6 / (0.3 + 0.6 * hit + 0.4 * miss);
}

/// What takes the most throughput a byte.
inline double true_score(Candidate const& candidate)
{
  return true_rate(candidate) * candidate.load;
}

/// A device and a clock that stand only in this program: the same seed gives the same measurements.
class NoisyMachine {
public:
  NoisyMachine(Disturbance const& disturbance, std::uint64_t keys, std::uint64_t seed)
      : disturbance_(disturbance), keys_(keys), random_(seed)
  {
    change();
  }

  double seconds() const { return now_; }
  double quiet_share() const { return quiet_seconds_ / now_; }
  Measures measures()
  {
    return {[this](Candidate const& candidate, Effort const& effort, Progress const&) {
              return std::optional(measure(candidate, effort));
            },
            [this](Candidate const& candidate, Effort const&, int, Progress const&) {
              return std::optional(churn(candidate));
            },
            [](Candidate const& candidate, int, int builds, Progress const&) {
              return std::optional(FailureResult{candidate.table, candidate.load, 1u << 18, builds, 0});
            }};
  }

  double lookups_after_first_turn = 0.5;  ///< of a churned table, as a share of those before
  double lookups_after_second_turn = 0.49;

private:
  Measured measure(Candidate const& candidate, Effort const& effort)
  {
    Measured measured;
    measured.candidate = candidate;
    measured.stage = effort.stage;
    measured.repeats = effort.repeats;
    measured.keys = measured.batch = keys_;
    measured.throughput = median_rate(true_rate(candidate), effort.repeats);
    measured.spread = disturbance_.noise;
    measured.memory_bytes = 8 * candidate.table.slots;
    measured.bytes_per_key = 8.0 / candidate.load;
    measured.batch_seconds = static_cast<double>(keys_) / measured.throughput;
    OperationResult& find = measured.operations[static_cast<std::size_t>(bench::Timed::find_hit)].emplace();
    find.count = keys_;
    find.seconds = measured.batch_seconds;
    find.samples.assign(static_cast<std::size_t>(effort.repeats), find.seconds);
    return measured;
  }

  ChurnResult churn(Candidate const& candidate)
  {
    double const rate = true_rate(candidate);
    ChurnResult result{candidate, 2.0};
    for (double const share : {1.0, lookups_after_first_turn, lookups_after_second_turn}) {
      result.lookups.push_back(median_rate(share * rate, 1));
    }
    return result;
  }

  double median_rate(double rate, int repeats)
  {
    std::vector<double> rates;
    rates.reserve(static_cast<std::size_t>(repeats));
    for (int i = 0; i < repeats; ++i) { rates.push_back(rate * speed_for(0.06)); }
    return median_of(rates).median;
  }

  /// The machine's speed while something takes so many seconds on the quiet machine, warming up included.
  double speed_for(double quiet_seconds)
  {
    while (now_ >= until_) { change(); }
    double speed = is_busy_ ? disturbance_.busy : 1.0;
    speed *= std::exp(disturbance_.noise * std::normal_distribution<>()(random_));
    if (std::bernoulli_distribution(disturbance_.mishaps)(random_)) { speed *= 0.6; }
    now_ += quiet_seconds / speed;
    if (!is_busy_) { quiet_seconds_ += quiet_seconds / speed; }
    return speed;
  }

  void change()
  {
    is_busy_ = std::bernoulli_distribution(disturbance_.busy_share)(random_);
    until_ += std::exponential_distribution<>(1.0 / disturbance_.stretch)(random_);
  }

  Disturbance disturbance_;
  std::uint64_t keys_;
  std::mt19937_64 random_;
  double now_ = 0.0;
  double until_ = 0.0;
  double quiet_seconds_ = 0.0;
  bool is_busy_ = false;
};

}  // namespace slotscape::tuning
