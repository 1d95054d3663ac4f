#include "app/tuning/measure.hpp"

#include "app/bench/report.hpp"
#include "app/tuning/candidates.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/bench/join_bench.hpp"
#include "gpu/bench/pacing.hpp"
#include "gpu/bench/rivals.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/engine/parts.hpp"
#include "gpu/tables/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <utility>

namespace slotscape::tuning {
namespace {

using bench::Timed;

/// Keeps batches short, so that a sweep can be ended quickly.
std::uint64_t longest_batch(Backend backend)
{
  return std::uint64_t{1} << (backend == Backend::cuda ? 26 : 19);
}

std::size_t index(Timed timed)
{
  return static_cast<std::size_t>(timed);
}

/// The rate of a mix in repeat `i`, from the seconds of each kind; all repeats have the same number of operations.
double mix_rate_of_repeat(Workload const& workload, OperationResults results, std::size_t i)
{
  for (auto& result : results) {
    if (result && i < result->samples.size()) { result->seconds = result->samples[i]; }
  }
  return mix_rate(workload, results);
}

/// Measures candidates as tables of the device.
class Meter {
public:
  Meter(Backend backend, Workload workload, WorkloadKeys keys, std::uint64_t seed, double max_seconds)
      : backend_(backend),
        workload_(std::move(workload)),
        keys_(std::move(keys)),
        seed_(seed),
        max_seconds_(max_seconds),
        limits_(backend)
  {
  }

  std::optional<Measured> measure(Candidate const& candidate, Effort const& effort, Progress const& progress)
  {
    Measured measured;
    measured.stage = effort.stage;
    measured.repeats = effort.repeats;
    if (backend_ == Backend::cpu) { measured.handover.measure(); }
    bool const whole = workload_.join ? measure_join(measured, candidate, effort, progress)
                                      : measure_table(measured, candidate, effort, progress);
    if (!whole) { return std::nullopt; }
    if (backend_ == Backend::cpu) { measured.handover.measure(); }
    double const of_one_device = share_of_first_device(candidate.table, device_count(backend_));
    auto const limits =
        limits_.at(static_cast<std::uint64_t>(of_one_device * static_cast<double>(measured.memory_bytes)), progress);
    if (!limits) { return std::nullopt; }
    sum_up(measured, *limits);
    measured.bytes_per_key =
        static_cast<double>(measured.memory_bytes) / static_cast<double>(std::max<std::uint64_t>(1, measured.live));
    measured.candidate = candidate;  // the measured table may be a smaller stand-in
    measured.safe_load = guarantees_of(bench::subject_info(candidate.table.family), candidate.table).safe_load;
    return measured;
  }

  std::optional<ChurnResult> churn(Candidate const& candidate, Effort const& effort, int turns,
                                   Progress const& progress)
  {
    auto const keys = keys_for(candidate, effort, progress);
    if (!keys) { return std::nullopt; }
    Candidate const smaller = candidate_of(candidate.table, candidate.load, keys->different);
    bench::TableCase const subject = case_of(smaller, keys->distinct, keys->different);
    auto const churned = bench::make_table_bench(backend_, subject)->churn(seed_, turns, progress);
    if (!churned) { return std::nullopt; }
    ChurnResult result;
    result.candidate = candidate;
    result.replaced = churned->replaced;
    result.clogged = churned->clogged;
    for (bench::Round const& turn : churned->turns) { note_turn(turn, result); }
    return result;
  }

  /// Uses random keys if the stream is a list, whose keys would be the same in each build.
  std::optional<FailureResult> failures(Candidate const& candidate, int first, int builds, Progress const& progress)
  {
    bool const is_list = keys_.distinct.distribution == KeyDistribution::file;
    KeySettings const keys = is_list ? KeySettings{} : keys_.distinct;
    std::uint64_t const count = std::min(keys_.different, max_built);
    std::uint64_t const at_load = keys_at_load_of(candidate, count);
    Candidate const smaller = candidate_of(candidate.table, candidate.load, at_load);
    bench::TableCase subject = case_of(smaller, keys, at_load);
    subject.batch = std::min(subject.batch, part_of_build);
    auto const table = bench::make_table_bench(backend_, subject);
    FailureResult result{candidate.table, smaller.load, table->keys()};
    for (; result.builds < builds; ++result.builds) {
      std::uint64_t const seed = seed_ + first_other_seed + static_cast<std::uint64_t>(first);
      auto const failed = fails(*table, seed + static_cast<std::uint64_t>(result.builds), progress);
      if (!failed) { return std::nullopt; }
      result.failed += *failed ? 1 : 0;
    }
    return result;
  }

private:
  static constexpr std::uint64_t first_other_seed = 1000;   ///< beyond the seeds of repeats
  static constexpr std::uint64_t max_built = 1u << 18;      ///< keys per build in this test
  static constexpr std::uint64_t part_of_build = 1u << 16;  ///< insertions of such a build that run together

  /// The keys for a measurement. If the effort allows fewer keys than the candidate holds, as many as bring a smaller
  /// table to the same load: if slots must be a power of two, the load would change otherwise. nullopt if cancelled.
  std::optional<WorkloadKeys> keys_for(Candidate const& candidate, Effort const& effort, Progress const& progress)
  {
    if (effort.max_keys == 0 || effort.max_keys >= keys_.inserts) { return at_load_of(candidate, keys_); }
    auto found = fewer_.find(effort.max_keys);
    if (found == fewer_.end()) {
      auto keys = prepare_keys(workload_, effort.max_keys, seed_, progress);
      if (!keys) { return std::nullopt; }
      found = fewer_.emplace(effort.max_keys, *std::move(keys)).first;
    }
    return at_load_of(candidate, found->second);
  }

  static WorkloadKeys at_load_of(Candidate const& candidate, WorkloadKeys const& keys)
  {
    return with_different_keys(keys, keys_at_load_of(candidate, keys.different));
  }

  /// Whether a build leaves out keys, or takes too long because it restarts again and again. nullopt if cancelled.
  static std::optional<bool> fails(bench::TableBench& table, std::uint64_t seed, Progress const& progress)
  {
    try {
      auto const round = table.run(seed, 0, progress);
      return round ? std::optional((*round)[index(Timed::insert)]->failed != 0) : std::nullopt;
    } catch (bench::GivenUp const&) {
      return true;
    }
  }

  bench::TableCase case_of(Candidate const& candidate, KeySettings const& keys, std::uint64_t inserts) const
  {
    std::uint64_t const longest = longest_batch(backend_);
    bench::TableCase subject{candidate.table, std::min(1.0, candidate.load), keys};
    subject.batch = workload_.batch == 0 ? longest : std::min(workload_.batch, longest);
    subject.inserts = inserts;
    subject.filled_at_once = bench::subject_info(candidate.table.family).guarantees(candidate.table).is_static;
    subject.max_batches = max_batches;
    subject.mix = workload_.shares();
    subject.max_seconds = max_seconds_;
    return subject;
  }

  /// Measures a table with all operations of the workload. Returns false if cancelled.
  bool measure_table(Measured& measured, Candidate const& candidate, Effort const& effort, Progress const& progress)
  {
    auto const keys = keys_for(candidate, effort, progress);
    if (!keys) { return false; }
    measured.candidate = candidate_of(candidate.table, candidate.load, keys->different);
    measured.keys = keys->different;
    return measure_operations(measured, *keys, progress);
  }

  /// Measures the build side of a join. Returns false if cancelled.
  bool measure_join(Measured& measured, Candidate const& candidate, Effort const& effort, Progress const& progress)
  {
    auto const rows = rows_for(candidate, effort, progress);
    if (!rows) { return false; }
    measured.candidate = candidate_of(candidate.table, candidate.load, rows->counts.different);
    measured.keys = measured.live = rows->counts.different;
    measured.slots = measured.candidate.table.slots;
    measured.batch = measured.timed_batch = rows->counts.inserts + rows->probe_rows;
    auto const bench = bench::make_join_bench(backend_, join_case_of(measured.candidate, candidate.grouped, *rows));
    for (int repeat = 0; repeat <= measured.repeats; ++repeat) {
      auto const run = bench->run(seed_ + static_cast<std::uint64_t>(repeat), progress);
      if (!run) { return false; }
      if (double const seconds = run->build_seconds + run->probe_seconds;
          max_seconds_ > 0.0 && seconds > max_seconds_) {
        throw Error(tr("the join took {}, and the limit is {}", bench::duration_text(seconds),
                       bench::duration_text(max_seconds_)));
      }
      measured.memory_bytes = std::max(measured.memory_bytes, bench->table_bytes());
      measured.failed += run->failed;
      if (run->failed != 0) { return true; }
      if (repeat == 0) { continue; }  // the first repeat only warms up
      note_part(measured, Timed::build, rows->counts.inserts, run->build_seconds);
      note_part(measured, Timed::probe, rows->probe_rows, run->probe_seconds);
    }
    finish(measured.operations);
    return true;
  }

  static void note_part(Measured& measured, Timed part, std::uint64_t rows, double seconds)
  {
    auto& result = measured.operations[index(part)];
    if (!result) { result.emplace(); }
    result->count = rows;
    result->batches = 1;
    result->worst_batch = std::max(result->worst_batch, seconds);
    result->samples.push_back(seconds);
  }

  bench::JoinCase join_case_of(Candidate const& candidate, bool grouped, JoinRows const& rows) const
  {
    JoinSides const& join = *workload_.join;
    bench::JoinCase subject{.settings = {.key_bits = workload_.key_bits},
                            .kind = join.kind,
                            .build_rows = rows.counts.inserts,
                            .probe_rows = rows.probe_rows,
                            .rows_per_key = join.rows_per_key,
                            .hit_share = join.match,
                            .skew = {.exponent = join.skew},
                            .keys = rows.build,
                            .probe = rows.probe};
    if (grouped) {
      subject.settings.load_factor = std::clamp(candidate.load, 0.1, 0.9);  // with few keys, the load may be higher
    } else if (is_by_others(candidate)) {
      subject.rival = candidate.table.family;
    } else {
      subject.table = candidate.table;
    }
    return subject;
  }

  /// The rows that an effort allows. For generated rows, as many keys as bring the smaller table to the candidate's
  /// load.
  std::optional<JoinRows> rows_for(Candidate const& candidate, Effort const& effort, Progress const& progress)
  {
    auto found = fewer_rows_.find(effort.max_keys);
    if (found == fewer_rows_.end()) {
      auto rows = join_rows(workload_, keys_, effort.max_keys, progress);
      if (!rows) { return std::nullopt; }
      found = fewer_rows_.emplace(effort.max_keys, *std::move(rows)).first;
    }
    JoinRows rows = found->second;
    bool const whole = rows.counts.inserts == keys_.inserts;
    if (whole || candidate.grouped || keys_.stream.distribution == KeyDistribution::file) { return rows; }
    std::uint64_t const per_key = rows.counts.inserts / rows.counts.different;
    rows.counts.different = keys_at_load_of(candidate, rows.counts.different);
    rows.counts.inserts = rows.counts.different * per_key;
    return rows;
  }

  bool measure_operations(Measured& measured, WorkloadKeys const& keys, Progress const& progress)
  {
    bench::TimedMask on_stream = bench::mask_of(Timed::insert);
    if (workload_.hit > 0.0) { on_stream |= bench::mask_of(Timed::find_hit); }
    if (workload_.miss > 0.0) { on_stream |= bench::mask_of(Timed::find_miss); }
    bench::TimedMask on_distinct = 0;
    if (workload_.at_once) { on_distinct |= bench::mask_of(Timed::mixed); }
    if (workload_.erase > 0.0 && !workload_.at_once) { on_distinct |= bench::mask_of(Timed::erase); }
    bool const same = keys.stream == keys.distinct;
    bench::TimedMask const first = same ? static_cast<bench::TimedMask>(on_stream | on_distinct) : on_stream;
    if (!measure_kinds(measured, keys.stream, keys.inserts, first, progress)) { return false; }
    if (!same && on_distinct != 0 && !measure_kinds(measured, keys.distinct, keys.different, on_distinct, progress)) {
      return false;
    }
    return !workload_.replaces_keys() || measured.failed != 0 || measure_replacement(measured, keys, progress);
  }

  bool measure_kinds(Measured& measured, KeySettings const& keys, std::uint64_t inserts, bench::TimedMask kinds,
                     Progress const& progress)
  {
    auto const table = bench::make_table_bench(backend_, case_of(measured.candidate, keys, inserts));
    auto results = slotscape::measure_table(*table, kinds, measured.repeats, seed_, progress);
    if (!results) { return false; }
    for (std::size_t i = 0; i < results->size(); ++i) {
      bool const wanted = (kinds & bench::mask_of(static_cast<Timed>(i))) != 0;
      if (!(*results)[i]) { continue; }
      measured.failed += (*results)[i]->failed;
      if (wanted && (*results)[i]->count == 0 && (*results)[i]->left_out != 0) {
        throw Error(tr("operations would take about {}, and the limit is {}",
                       bench::duration_text((*results)[i]->whole_seconds), bench::duration_text(max_seconds_)));
      }
      if (wanted) {
        auto& result = measured.operations[i] = std::move((*results)[i]);
        if (!result->keys) { result->keys = table->live(); }
      }
    }
    measured.batch = measured.timed_batch = table->batch();
    measured.memory_bytes = table->memory_bytes();
    measured.slots = table->table().slots;
    measured.live = measured.live == 0 ? table->live() : std::min(measured.live, table->live());
    auto const& mixed = measured.operations[index(Timed::mixed)];
    if (mixed && mixed->count != 0) {
      measured.live = std::min(measured.live, *mixed->keys);
      measured.timed_batch = mixed->batch;
    }
    return true;
  }

  /// Replaces the rates of inserting into the empty and erasing from the full table by those at constant load.
  bool measure_replacement(Measured& measured, WorkloadKeys const& keys, Progress const& progress)
  {
    auto const table = bench::make_table_bench(backend_, case_of(measured.candidate, keys.distinct, keys.different));
    auto const replacement = slotscape::measure_replacement(*table, measured.repeats, seed_, progress);
    if (!replacement) { return false; }
    measured.clogged_after = replacement->clogged_after;
    for (Timed const timed : {Timed::insert, Timed::erase}) {
      auto const& changes = replacement->operations[index(timed)];
      if (changes) { measured.operations[index(timed)] = changes; }
    }
    return true;
  }

  /// The slowest repeat of building and probing together.
  static double slowest_join(Measured const& measured)
  {
    auto const& build = measured.operations[index(Timed::build)];
    auto const& probe = measured.operations[index(Timed::probe)];
    if (!build || !probe) { return 0.0; }
    double slowest = 0.0;
    for (std::size_t i = 0; i < std::min(build->samples.size(), probe->samples.size()); ++i) {
      slowest = std::max(slowest, build->samples[i] + probe->samples[i]);
    }
    return slowest;
  }

  void sum_up(Measured& measured, bench::MemoryRates const& limits) const
  {
    std::size_t repeats = std::numeric_limits<std::size_t>::max();
    bool all_of_that_size = true;
    for (auto const& name : enum_names<Timed>()) {
      auto& result = measured.operations[index(name.value)];
      if (!result) { continue; }
      bool const exchanges = result->shards && result->shards->seconds.exchange > 0.0;
      if (!exchanges) {  // the limit applies to one device, without exchanges
        result->limit = bench::limit_of(name.value, workload_.key_bits, limits, workload_.shares());
      }
      if (!counts(workload_, name.value)) { continue; }
      all_of_that_size = all_of_that_size && result->batch == measured.timed_batch;
      measured.worst_batch_seconds = std::max(measured.worst_batch_seconds, result->worst_batch);
      repeats = std::min(repeats, result->samples.size());
    }
    if (workload_.join) {
      measured.worst_batch_seconds = slowest_join(measured);
    } else if (!all_of_that_size) {
      measured.worst_batch_seconds = 0.0;  // unknown, because a batch of another size may be the slowest
    }
    measured.throughput = mix_rate(workload_, measured.operations);
    std::vector<double> rates;
    for (std::size_t i = 0; measured.throughput > 0.0 && i < repeats; ++i) {
      rates.push_back(mix_rate_of_repeat(workload_, measured.operations, i));
    }
    measured.spread = median_of(rates).spread;
    measured.accesses = accesses_of(workload_, measured.operations);
    if (measured.throughput > 0.0) {
      measured.batch_seconds = static_cast<double>(measured.timed_batch) / measured.throughput;
    }
  }

  void note_turn(bench::Round const& turn, ChurnResult& result) const
  {
    auto const rate = [](bench::TimedRun const& run) {
      return static_cast<double>(run.count) / std::max(run.seconds, 1e-12);
    };
    auto const& hit = turn[index(Timed::find_hit)];
    auto const& miss = turn[index(Timed::find_miss)];
    if (hit && miss) {  // without lookups in the workload, half hits and half misses
      bool const none = workload_.hit + workload_.miss <= 0.0;
      double const hits = none ? 0.5 : workload_.hit / (workload_.hit + workload_.miss);
      result.lookups.push_back(1.0 / (hits / rate(*hit) + (1.0 - hits) / rate(*miss)));
    }
    auto const& insert = turn[index(Timed::insert)];
    auto const& erase = turn[index(Timed::erase)];
    if (insert && erase) {
      result.failed += insert->failed;
      result.replacements.push_back(2.0 / (1.0 / rate(*insert) + 1.0 / rate(*erase)));
    }
  }

  Backend backend_;
  Workload workload_;
  WorkloadKeys keys_;
  std::map<std::uint64_t, WorkloadKeys> fewer_;  ///< prepared keys by their maximum number
  std::map<std::uint64_t, JoinRows> fewer_rows_;
  std::uint64_t seed_;
  double max_seconds_;  ///< limit for the operations of one kind
  MemoryLimits limits_;
};

/// The smallest number of accesses that 99 % of lookups do not exceed. weights: how many lookups each number stands
/// for.
std::uint32_t p99_of(std::map<std::uint32_t, double> const& weights)
{
  constexpr double share = 0.99 - 1e-12;  // tolerates rounding in sums of shares
  double all = 0.0;
  for (auto const& [accesses, weight] : weights) { all += weight; }
  double sum = 0.0;
  for (auto const& [accesses, weight] : weights) {
    sum += weight;
    if (sum >= share * all) { return accesses; }
  }
  return 0;
}

}  // namespace

std::optional<bench::Accesses> accesses_of(Workload const& workload, OperationResults const& operations)
{
  std::optional<bench::Accesses> all;
  std::map<std::uint32_t, double> weights;
  double const lookups = std::max(workload.hit + workload.miss, 1e-12);
  for (Timed const timed : {Timed::find_hit, Timed::find_miss}) {
    auto const& result = operations[index(timed)];
    double const share = share_of(workload, timed) / lookups;
    if (!result || !result->accesses || share <= 0.0) { continue; }
    bench::Accesses const& counted = *result->accesses;
    if (!all) { all.emplace(); }
    all->mean += share * counted.mean;
    all->max = std::max(all->max, counted.max);
    all->cut = all->cut || counted.cut;
    double lookups_of_kind = 0.0;
    for (auto const& [accesses, count] : counted.histogram) { lookups_of_kind += static_cast<double>(count); }
    for (auto const& [accesses, count] : counted.histogram) {
      weights[accesses] += share * static_cast<double>(count) / lookups_of_kind;
    }
  }
  if (all) { all->p99 = p99_of(weights); }
  return all;
}

double mix_rate(Workload const& workload, OperationResults const& operations)
{
  if (workload.join) {
    auto const& build = operations[index(Timed::build)];
    auto const& probe = operations[index(Timed::probe)];
    if (!build || !probe) { return 0.0; }
    return static_cast<double>(build->count + probe->count) / std::max(build->seconds + probe->seconds, 1e-12);
  }
  if (workload.at_once) {
    auto const& mixed = operations[index(Timed::mixed)];
    return mixed ? mixed->rate() : 0.0;
  }
  double seconds = 0.0;
  for (auto const& name : enum_names<Timed>()) {
    double const share = share_of(workload, name.value);
    if (share <= 0.0) { continue; }
    auto const& result = operations[index(name.value)];
    if (!result) { return 0.0; }
    seconds += share / result->rate();
  }
  return workload.operations() / seconds;
}

Measures measures_on(Backend backend, Workload const& workload, WorkloadKeys const& keys, std::uint64_t seed,
                     double max_seconds)
{
  auto const meter = std::make_shared<Meter>(backend, workload, keys, seed, max_seconds);
  return {[meter](auto const&... arguments) { return meter->measure(arguments...); },
          [meter](auto const&... arguments) { return meter->churn(arguments...); },
          [meter](auto const&... arguments) { return meter->failures(arguments...); }};
}

}  // namespace slotscape::tuning
