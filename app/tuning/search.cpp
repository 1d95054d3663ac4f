#include "app/tuning/search.hpp"

#include "app/base/text.hpp"
#include "app/bench/report.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/bench/rivals.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/tables/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape::tuning {
namespace {

/// Shares of the budget at which phases end.
constexpr double coarse_share = 0.35;
constexpr double refined_share = 0.65;

constexpr std::array steps{0.08, 0.03, 0.01};  ///< steps of the load factor, from coarse to fine
constexpr double near = 0.85;                  ///< share of the frontier's throughput that earns another look
constexpr std::size_t max_expanded = 4;        ///< candidates that each step expands
constexpr std::size_t max_families = 5;        ///< families whose best candidate is also expanded
constexpr double most_of_budget = 1.0 / 30.0;  ///< limit for one refined measurement

std::uint64_t coarse_keys(Backend backend)
{
  return std::uint64_t{1} << (backend == Backend::cuda ? 23 : 18);
}

double throughput_a_byte(double throughput, double bytes)
{
  return bytes > 0.0 ? throughput / bytes : 0.0;
}

}  // namespace

Search::Search(Results start, std::vector<Key> sample, SweepSettings const& settings, Measures measures,
               std::vector<Measured> known, SearchWatch watch)
    : results_(std::move(start)),
      sample_(std::move(sample)),
      settings_(settings),
      measures_(std::move(measures)),
      known_(std::move(known)),
      watch_(std::move(watch)),
      coarse_keys_(std::min(coarse_keys(settings.backend), results_.inserts))
{
}

bool Search::run()
{
  try {
    auto const present = present_candidate(settings_.backend, results_.workload, results_.different);
    take_over_known();
    coarse();
    decide_sizes();
    if (present) {
      results_.present_setting = present;
      entries_.push_back({*present});
      measure_present();
    }
    refine();
    check();
  } catch (Stopped const&) {
    return false;
  }
  return true;
}

double Search::left(double share) const
{
  return share * settings_.budget_seconds - watch_.seconds();
}

void Search::add(Candidates candidates)
{
  for (Skipped& skipped : candidates.skipped) {
    bool const told =
        std::ranges::any_of(results_.skipped, [&](Skipped const& each) { return each.candidate == skipped.candidate; });
    if (!told) { results_.skipped.push_back(std::move(skipped)); }
  }
  for (Candidate const& candidate : candidates.possible) {
    if (std::ranges::find(entries_, candidate, &Entry::candidate) != entries_.end()) { continue; }
    entries_.push_back({candidate});
    for (LazyText const& why : {cannot_join(candidate), bad_hash_of(candidate)}) {
      if (why.empty() || entries_.back().hopeless) { continue; }
      entries_.back().hopeless = true;
      skip(candidate, why);
    }
  }
}

std::uint64_t Search::slots_for_sample(Candidate const& candidate) const
{
  bool const whole = sample_.size() == results_.different;
  return slots_of_shard(whole ? candidate.table : candidate_of(candidate.table, candidate.load, sample_.size()).table);
}

/// The keys of the sample that fall into one table; with shards, the keys of the first shard.
std::vector<Key> Search::sample_for(TableSettings const& table) const
{
  std::vector<Key> its = sample_;
  ShardOf const shard_of{table.shards};
  bool const wide = table.key_bits == 64;
  std::erase_if(its, [&](Key key) {
    return (wide ? shard_of.segment(key) : shard_of.segment(static_cast<std::uint32_t>(key))) != 0;
  });
  return its;
}

/// Why the candidate cannot hold the build side of the workload's join; empty if it can, or there is no join.
LazyText Search::cannot_join(Candidate const& candidate) const
{
  bool const shared = results_.inserts != results_.different;
  bool const lists_rows = candidate.grouped || is_by_others(candidate);
  if (!results_.workload.join || lists_rows || candidate.table.keys_only || !shared) { return {}; }
  return translatable("several rows of the build side share a key, but this table stores one row per key");
}

/// Why the candidate need not be measured: its hash is much worse than another in the same table. Empty if it is not.
LazyText Search::bad_hash_of(Candidate const& candidate) const
{
  constexpr double hopeless = 1.5;
  TableSettings const& table = candidate.table;
  FamilyInfo const& family = bench::subject_info(table.family);
  if (sample_.empty() || !uses_hash(candidate) || table.hash == HashKind::murmur3) { return {}; }
  std::uint64_t const slots = slots_for_sample(candidate);
  std::vector<Key> const sample = sample_for(table);
  if (sample.empty()) { return {}; }
  HomeSpread const homes = spread_of(count_homes(table.hash, sample, table.key_bits, slots), table.key_bits);
  double const slowdown = slowdown_of(homes, family, results_.misses());
  if (homes.evenness() == Evenness::as_random || slowdown < hopeless) { return {}; }
  return [hash = table.hash, slowdown] {
    return tr("the hash {} crowds these keys: operations would read {} times as many slots as with random homes",
              to_text(hash), slowdown < 100.0 ? fmt::format("{:.1f}", slowdown) : short_number(slowdown));
  };
}

void Search::coarse()
{
  Candidates candidates = coarse_candidates(settings_.backend, results_.workload, results_.different);
  // Each family once before any family twice, in case the budget is short; then once in shards.
  std::map<std::string, int> seen;
  std::vector<std::pair<int, Candidate>> order;
  for (Candidate const& candidate : candidates.possible) {
    bool const again = candidate.table.shards != results_.workload.division.shards.front();
    int const times = again ? 1 : seen[candidate.table.family + (candidate.grouped ? " grouped" : "")]++;
    order.emplace_back(times, candidate);
  }
  std::ranges::stable_sort(order, {}, &std::pair<int, Candidate>::first);
  std::ranges::transform(order, candidates.possible.begin(), &std::pair<int, Candidate>::second);
  add(std::move(candidates));
  publish();
  for (std::size_t i = 0; i < entries_.size() && left(coarse_share) > 0.0; ++i) {
    measure(i, effort_of(Stage::coarse));
  }
  // Measures again at another time: a candidate measured at a bad moment would otherwise be dropped for good.
  for (int const looks : {1, 2}) {
    for (std::size_t i = 0; i < entries_.size() && left(coarse_share) > 0.0; ++i) {
      bool const again = entries_[i].stage == Stage::coarse && static_cast<int>(entries_[i].taken.size()) == looks;
      if (again && (looks == 1 || differ(entries_[i].taken))) { look_again(i, effort_of(Stage::coarse)); }
    }
  }
}

/// Measures a table of each family that the coarse phase had no time for, while this share of the budget lasts.
void Search::measure_families(double share)
{
  for (std::size_t i = 0; i < entries_.size() && left(share) > 0.0; ++i) {
    if (!knows_family_of(entries_[i])) { measure(i, effort_of(Stage::coarse)); }
  }
}

/// Whether a table of the entry's family was measured, or no table of the family can be.
bool Search::knows_family_of(Entry const& entry) const
{
  return std::ranges::any_of(entries_, [&](Entry const& other) {
    return other.candidate.table.family == entry.candidate.table.family && (other.measured || other.hopeless);
  });
}

/// Full tables may be too large for the budget: then smaller tables stand in for them.
void Search::decide_sizes()
{
  if (std::ranges::any_of(entries_, [](Entry const& each) { return each.is_known(Stage::refined); })) {
    return keep_known_size();
  }
  std::vector<double> costs;
  for (Entry const& entry : entries_) {
    if (entry.cost > 0.0) { costs.push_back(entry.cost); }
  }
  if (costs.empty()) { return; }
  Effort const small = effort_of(Stage::coarse);
  Effort const full = effort_of(Stage::refined);
  double const rounds = (full.repeats + 1.0) / (small.repeats + 1.0);
  double const seconds_a_key = median_of(costs).median * rounds / static_cast<double>(coarse_keys_);
  double const affordable = most_of_budget * settings_.budget_seconds / seconds_a_key;
  if (affordable >= 0.5 * static_cast<double>(results_.inserts) || coarse_keys_ == results_.inserts) { return; }
  full_keys_ = std::max(coarse_keys_, static_cast<std::uint64_t>(affordable));
  add_remark([few = full_keys_, inserts = results_.inserts] {
    return tr("Tables of {} insertions were measured instead of {}, which would exceed the time budget.", grouped(few),
              grouped(inserts));
  });
}

void Search::measure_present()
{
  std::size_t const number = entries_.size() - 1;
  auto const same = std::ranges::find(entries_, entries_[number].candidate, &Entry::candidate);
  std::size_t const first = static_cast<std::size_t>(same - entries_.begin());
  if (first != number) { entries_.pop_back(); }
  if (measure(first, effort_of(Stage::refined))) { results_.present = entries_[first].measured; }
}

double Search::estimate(Entry const& entry) const
{
  Measured const& measured = results_.measured[*entry.measured];
  if (measured.stage != Stage::coarse || slowdowns_.empty()) { return measured.throughput; }
  bool const divided = entry.candidate.table.shards != 1;
  auto const found = slowdown_of_.find({entry.candidate.table.family, divided});
  if (found != slowdown_of_.end()) { return measured.throughput * found->second; }
  auto const usual = usual_slowdown_.find(divided);
  return measured.throughput * (usual != usual_slowdown_.end() ? usual->second : usual_slowdown_.begin()->second);
}

void Search::note_slowdown(std::size_t number, double slowdown)
{
  constexpr double hardly_more = 1.3;  // spread between families; beyond it, one of the two measurements is wrong
  slowdowns_[number] = slowdown;
  std::map<bool, std::vector<double>> all;  // for tables in one piece and for shards, which need partitioning first
  std::map<std::pair<std::string, bool>, std::vector<double>> own;
  for (auto const& [i, each] : slowdowns_) {
    TableSettings const& table = entries_[i].candidate.table;
    all[table.shards != 1].push_back(each);
    own[{table.family, table.shards != 1}].push_back(each);
  }
  for (auto const& [divided, each] : all) { usual_slowdown_[divided] = median_of(each).median; }
  for (auto const& [kind, each] : own) {
    double const usual = usual_slowdown_.at(kind.second);
    slowdown_of_[kind] = std::clamp(median_of(each).median, usual / hardly_more, usual * hardly_more);
  }
}

double Search::bytes_of(Entry const& entry) const
{
  return results_.measured[*entry.measured].bytes_per_key;
}

std::vector<std::size_t> Search::usable() const
{
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].measured || entries_[i].hopeless) { continue; }
    if (can_be_chosen(results_, results_.measured[*entries_[i].measured])) { list.push_back(i); }
  }
  return list;
}

std::vector<std::size_t> Search::promising() const
{
  std::vector<std::size_t> by_bytes = usable();
  std::ranges::stable_sort(by_bytes, {}, [&](std::size_t i) { return bytes_of(entries_[i]); });
  std::vector<std::size_t> list;
  double best = 0.0;  // highest rate of the tables that need no more memory
  double second = 0.0;
  for (std::size_t const i : by_bytes) {
    double const rate = estimate(entries_[i]);
    second = std::max(second, std::min(best, rate));
    best = std::max(best, rate);
    double const to_reach = second > 0.0 ? second : best;  // a single wrong measurement must not hide all others
    if (rate >= near * to_reach) { list.push_back(i); }
  }
  bool const by_speed = results_.workload.max_bytes > 0.0;
  std::ranges::stable_sort(list, std::greater{}, [&](std::size_t i) {
    return by_speed ? estimate(entries_[i]) : throughput_a_byte(estimate(entries_[i]), bytes_of(entries_[i]));
  });
  return list;
}

/// Alternates between refining and expanding: with many similar tables, neither must take all the time.
void Search::refine()
{
  for (bool around = false; left(refined_share) > 0.0; around = !around) {
    bool const found = around ? expand_one() || refine_one() : refine_one() || expand_one();
    if (!found) { break; }
  }
  measure_families(refined_share);
}

/// Measures the most promising candidate that was measured only coarsely.
bool Search::refine_one()
{
  for (std::size_t const i : promising()) {
    if (entries_[i].stage != Stage::coarse) { continue; }
    measure(i, effort_of(Stage::refined));
    return true;
  }
  return false;
}

/// The most promising candidates, and the best of each family: similar variants of one table must not keep others out.
std::vector<std::size_t> Search::worth_expanding() const
{
  std::vector<std::size_t> list;
  std::map<std::string, int> seen;
  std::size_t any = 0;
  for (std::size_t const i : promising()) {
    bool const first = seen[entries_[i].candidate.table.family]++ == 0;
    if (any < max_expanded || (first && seen.size() <= max_families)) { list.push_back(i); }
    ++any;
  }
  return list;
}

/// Expands one of these candidates with the coarsest step that has not been taken there.
bool Search::expand_one()
{
  std::vector<std::size_t> const list = worth_expanding();
  for (std::size_t step = 0; step < steps.size(); ++step) {
    for (std::size_t const i : list) {
      if (entries_[i].expanded > static_cast<int>(step)) { continue; }
      entries_[i].expanded = static_cast<int>(step) + 1;
      expand(i, step);
      return true;
    }
  }
  return false;
}

void Search::expand(std::size_t entry, std::size_t step)
{
  std::size_t const first = entries_.size();
  double const parent = entries_[entry].coarse.empty() ? 0.0 : middle_of(entries_[entry].coarse).throughput;
  Candidate const candidate = entries_[entry].candidate;
  Workload const& workload = results_.workload;
  add(other_loads_of(settings_.backend, workload, results_.different, candidate, steps[step]));
  if (step == 0) { add(variants_of(settings_.backend, workload, results_.different, candidate)); }
  for (std::size_t i = first; i < entries_.size() && left(refined_share) > 0.0; ++i) {
    measure(i, effort_of(Stage::coarse));
  }
  for (std::size_t i = first; i < entries_.size() && left(refined_share) > 0.0; ++i) {  // after some time
    bool const new_one = entries_[i].coarse.size() == 1 && !entries_[i].hopeless;
    if (!new_one || !surprises(middle_of(entries_[i].coarse).throughput, parent)) { continue; }
    look_again(i, effort_of(Stage::coarse));
    if (differ(entries_[i].coarse)) { look_again(i, effort_of(Stage::coarse)); }
  }
}

}  // namespace slotscape::tuning
