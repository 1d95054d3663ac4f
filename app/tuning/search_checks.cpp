#include "app/tuning/search.hpp"
#include "app/tuning/turns.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/bench/rivals.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/tables/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace slotscape::tuning {
namespace {

/// Shares of the budget at which parts of the check end.
constexpr double finalists_share = 0.8;
constexpr double rivals_share = 0.88;  ///< failures and churn follow
constexpr double sure_share = 0.91;
constexpr double failures_share = 0.95;

constexpr std::size_t min_finalists = 3;
constexpr std::size_t max_finalists = 6;
constexpr std::size_t max_of_a_family = 4;
constexpr std::size_t max_rivals = 2;       ///< number of rivals that join at a time, from different families
constexpr std::size_t max_challengers = 4;  ///< limit, besides other loads and shards of the winner
constexpr int min_passes = 6;
constexpr int enough_turns = 6;  ///< turns that suffice to even out luck
constexpr int max_passes = 16;
constexpr double sure = 0.06;              ///< uncertainty below which the winner is certain
constexpr double as_good_as_equal = 0.03;  ///< uncertainty below which telling tables apart would be of no use
constexpr int churn_runs = 3;

}  // namespace

void Search::check()
{
  compete(finalists(), finalists_share);
  fair_turns_ = passes_ == 0 ? enough_turns : std::min(std::max(passes_, fewest_known_turns()), enough_turns);
  look_beyond_finalists();
  measure_families(rivals_share);
  while (left(rivals_share) > 0.0) {
    std::vector<std::size_t> const list = challengers();
    int const before = passes_;
    compete(list, rivals_share);
    if (passes_ == before) { break; }  // there were no challengers, or nothing more to learn about them
  }
  results_.ended_early = left(rivals_share) > 0.0;
  make_sure();
  note_unmeasured();
  Choice const choice = choose(results_);
  if (!choice.winner) { return; }
  double const best = score(entry_of(*choice.best()));
  results_.unchecked =
      static_cast<std::uint64_t>(std::ranges::count_if(rivals(), [&](std::size_t i) { return score(i) > best; }));
  judge_homes_of_choice();
  count_failures();
  if (!results_.workload.join) { churn(); }
}

void Search::note_unmeasured()
{
  results_.unmeasured.clear();
  for (Entry const& entry : entries_) {
    std::string const title(bench::subject_info(entry.candidate.table.family).title);
    bool const named = std::ranges::find(results_.unmeasured, title) != results_.unmeasured.end();
    if (!named && !knows_family_of(entry)) { results_.unmeasured.push_back(title); }
  }
}

/// Notes numbers of shards that could serve but were not measured.
void Search::note_unmeasured_shards()
{
  std::set<std::uint32_t> open;
  for (Entry const& entry : entries_) {
    if (!entry.hopeless) { open.insert(entry.candidate.table.shards); }
  }
  for (Entry const& entry : entries_) {
    if (entry.measured) { open.erase(entry.candidate.table.shards); }
  }
  results_.unmeasured_shards.assign(open.begin(), open.end());
}

/// A candidate that seemed better than it is may have hidden others: spends remaining time on searching around the best
/// candidates known now.
void Search::look_beyond_finalists()
{
  constexpr int times = 3;
  for (int i = 0; i < times; ++i) {
    std::size_t const before = entries_.size();
    refine();
    if (entries_.size() == before) { return; }
    compete(finalists(), finalists_share);
  }
}

std::size_t Search::entry_of(std::size_t measured) const
{
  auto const found = std::ranges::find(entries_, std::optional(measured), &Entry::measured);
  return static_cast<std::size_t>(found - entries_.begin());
}

/// The value by which tables are chosen.
double Search::score(std::size_t entry) const
{
  double const rate = estimate(entries_[entry]);
  return results_.workload.max_bytes > 0.0 ? rate : rate / std::max(bytes_of(entries_[entry]), 1e-9);
}

double Search::uncertainty(std::size_t entry) const
{
  return results_.measured[*entries_[entry].measured].uncertainty;
}

/// If tables in one piece and in shards compete, the best of each: the answer says whether dividing pays.
std::vector<std::size_t> Search::best_divided_and_whole() const
{
  std::map<bool, std::size_t> best;
  if (!results_.workload.division.compares()) { return {}; }
  for (std::size_t const i : usable()) {
    auto const [place, is_first] = best.try_emplace(entries_[i].candidate.table.shards != 1, i);
    if (!is_first && score(i) > score(place->second)) { place->second = i; }
  }
  std::vector<std::size_t> list;
  list.reserve(best.size());
  for (auto const& [divided, i] : best) { list.push_back(i); }
  return list;
}

/// If tables from other libraries compete: the best of ours and the fastest of theirs, for the answer to compare.
std::vector<std::size_t> Search::best_own_and_by_others() const
{
  std::optional<std::size_t> own;
  std::optional<std::size_t> by_others;
  for (std::size_t const i : usable()) {
    if (is_by_others(entries_[i].candidate)) {
      if (!by_others || estimate(entries_[i]) > estimate(entries_[*by_others])) { by_others = i; }
    } else if (!own || score(i) > score(*own)) {
      own = i;
    }
  }
  return own && by_others ? std::vector{*own, *by_others} : std::vector<std::size_t>{};
}

/// The same table in one piece or, if it is in one piece, in the most shards. nullopt if that is not requested or
/// cannot be measured.
std::optional<std::size_t> Search::twin_of(std::size_t entry)
{
  Division const& division = results_.workload.division;
  if (!division.compares()) { return std::nullopt; }
  Candidate const candidate = entries_[entry].candidate;
  std::uint32_t const count = candidate.table.shards == 1 ? division.shards.back() : division.shards.front();
  for (Candidate const& twin :
       other_shards_of(settings_.backend, results_.workload, results_.different, candidate).possible) {
    if (twin.table.shards != count) { continue; }
    add({.possible = {twin}, .skipped = {}});
    auto const found = std::ranges::find(entries_, twin, &Entry::candidate);
    if (!found->hopeless) { return static_cast<std::size_t>(found - entries_.begin()); }
  }
  return std::nullopt;
}

/// The candidates that may be the best so far; the fastest, since the answer names it; the best in one piece and in
/// shards, and the first candidate with the other division, however short the time was; the best of ours and of other
/// libraries; and the present setting.
std::vector<std::size_t> Search::finalists()
{
  std::vector<std::size_t> const all = promising();
  std::vector<std::size_t> list;
  std::map<std::string, std::size_t> seen;
  for (std::size_t const i : all) {
    if (seen[entries_[i].candidate.table.family]++ >= max_of_a_family) { continue; }
    bool const may_be_best =
        list.size() < min_finalists ||
        score(i) * (1.0 + joint_uncertainty(uncertainty(i), uncertainty(all.front()))) > score(all.front());
    if (may_be_best && list.size() < max_finalists) { list.push_back(i); }
  }
  auto const join = [&](std::size_t i) {
    if (std::ranges::find(list, i) == list.end()) { list.push_back(i); }
  };
  if (!all.empty()) {
    join(*std::ranges::max_element(all, {}, [&](std::size_t i) { return estimate(entries_[i]); }));
  }
  std::ranges::for_each(best_divided_and_whole(), join);
  std::ranges::for_each(best_own_and_by_others(), join);
  if (auto const twin = all.empty() ? std::nullopt : twin_of(all.front())) { join(*twin); }
  if (results_.present && results_.measured[*results_.present].throughput > 0.0) { join(entry_of(*results_.present)); }
  if (auto const known = choose(results_).best(); known && results_.measured[*known].stage == Stage::checked) {
    join(entry_of(*known));  // earlier measurements of other tables are compared with it
  }
  return list;
}

bool Search::is_checked(std::size_t entry) const
{
  auto const& measured = entries_[entry].measured;
  return measured && results_.measured[*measured].stage == Stage::checked;
}

/// Entries that may be better than the winner and were not measured in turn with it, the most promising first.
std::vector<std::size_t> Search::rivals() const
{
  auto const winner = choose(results_).best();
  if (!winner) { return {}; }
  std::size_t const best = entry_of(*winner);
  std::vector<std::size_t> list = promising();
  std::erase_if(list, [&](std::size_t i) {
    double const off = joint_uncertainty(uncertainty(i), uncertainty(best));
    return is_checked(i) || score(i) * (1.0 + off) < score(best);
  });
  return list;
}

/// The winner with its rivals; with the table that seems to be the fastest, which the answer names; with those that
/// would be on the frontier if their rough rates held; and with the same table at other loads and in other numbers of
/// shards, so that the answer can say what more or less memory would bring, and whether dividing pays. Empty if all of
/// these were already measured in turn.
std::vector<std::size_t> Search::challengers()
{
  constexpr std::array steps{0.07, 0.02};
  std::vector<std::size_t> list;
  for (std::size_t const i : rivals()) {
    bool const other = std::ranges::none_of(list, [&](std::size_t rival) {
      return entries_[rival].candidate.table.family == entries_[i].candidate.table.family;
    });
    if (other && list.size() < max_rivals) { list.push_back(i); }
  }
  Choice const choice = choose(results_);
  auto const winner = choice.best();
  if (!winner) { return {}; }
  auto const join = [&](std::size_t i) {
    if (!is_checked(i) && std::ranges::find(list, i) == list.end()) { list.push_back(i); }
  };
  std::vector<std::size_t> const all = usable();
  if (!all.empty()) {
    join(*std::ranges::max_element(all, {}, [&](std::size_t i) { return estimate(entries_[i]); }));
  }
  std::vector<std::size_t> rough = choice.rough;
  for (; !rough.empty() && list.size() < max_challengers; rough.pop_back()) { join(entry_of(rough.back())); }
  Candidate const best = results_.measured[*winner].candidate;
  std::vector<Candidate> neighbours;
  auto const take_in = [&](Candidates around) {
    around.skipped.clear();
    neighbours.insert(neighbours.end(), around.possible.begin(), around.possible.end());
    add(std::move(around));
  };
  for (double const step : steps) {
    take_in(other_loads_of(settings_.backend, results_.workload, results_.different, best, step));
  }
  take_in(other_shards_of(settings_.backend, results_.workload, results_.different, best));
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    bool const near = std::ranges::find(neighbours, entries_[i].candidate) != neighbours.end();
    if (near && !entries_[i].hopeless) { join(i); }
  }
  if (!list.empty()) { list.push_back(entry_of(*winner)); }
  return list;
}

/// A candidate that was best once may have been lucky, and the machine may be slower at some times: these entries are
/// measured in turn, pass by pass, until they can be told apart. The first pass is made even if this share of the
/// budget has been used up, unless all entries were measured in turn before.
void Search::compete(std::vector<std::size_t> entries, double share)
{
  Effort const effort = effort_of(Stage::checked);
  bool const all_known =
      std::ranges::all_of(entries, [&](std::size_t i) { return entries_[i].is_known(Stage::checked); });
  if (all_known && (settled(entries) || left(share) <= 0.0)) { return; }
  for (int pass = 0; pass < max_passes; ++pass) {
    if (pass > 0 && left(share) <= 0.0) { return; }
    if (pass >= min_passes) {
      if (settled(entries)) { return; }
      drop_beaten(entries);
    }
    ++passes_;
    for (std::size_t const i : entries) { take(i, effort, passes_); }
    publish();
    std::ranges::reverse(entries);  // makes a machine that keeps slowing down fair to all
  }
}

/// Gives a winner with few turns, or with turns at bad moments, some more turns, together with its equals.
void Search::make_sure()
{
  constexpr std::size_t max_equals = 2;
  Choice const choice = choose(results_);
  if (!choice.winner || results_.measured[*choice.winner].uncertainty < sure || left(sure_share) <= 0.0) { return; }
  std::vector<std::size_t> list{entry_of(*choice.winner)};
  for (std::size_t const i : choice.equals) {
    if (list.size() <= max_equals) { list.push_back(entry_of(i)); }
  }
  compete(list, sure_share);
}

/// Whether all entries can be told apart from the best, or doing so would be of no use.
bool Search::settled(std::vector<std::size_t> const& entries) const
{
  auto const usable = [&](std::size_t i) { return entries_[i].measured && !entries_[i].hopeless; };
  std::optional<std::size_t> best;
  for (std::size_t const i : entries) {
    if (usable(i) && (!best || score(i) > score(*best))) { best = i; }
  }
  if (best && uncertainty(*best) > sure) { return false; }
  return std::ranges::all_of(entries, [&](std::size_t i) {
    if (!usable(i) || i == best) { return true; }
    double const off = joint_uncertainty(uncertainty(i), uncertainty(*best));
    return off <= as_good_as_equal || score(i) * (1.0 + off) < score(*best);
  });
}

/// Drops clearly worse entries to save time. The present setting stays: the answer compares with it.
void Search::drop_beaten(std::vector<std::size_t>& entries) const
{
  double best = 0.0;
  double fastest = 0.0;
  for (std::size_t const i : entries) {
    if (entries_[i].hopeless || !entries_[i].measured) { continue; }
    best = std::max(best, score(i));
    fastest = std::max(fastest, estimate(entries_[i]));
  }
  std::erase_if(entries, [&](std::size_t i) {
    if (entries_[i].hopeless || !entries_[i].measured) { return true; }
    if (results_.present == entries_[i].measured) { return false; }
    double const margin = 1.0 + 2.0 * uncertainty(i);
    return score(i) * margin < best && estimate(entries_[i]) * margin < fastest;
  });
}

/// Judges the homes of the keys in the chosen table, which the answer is about.
void Search::judge_homes_of_choice()
{
  Candidate const& best = results_.measured[*choose(results_).winner].candidate;
  if (sample_.empty() || !uses_hash(best)) { return; }
  std::vector<Key> const sample = sample_for(best.table);
  if (sample.empty()) { return; }
  results_.homes_of_choice = uniformity_of(best.table.hash, sample, best.table.key_bits, slots_for_sample(best));
  publish();
}

/// Counts failed builds of the winner and of the present setting if they can fail; for the winner also at higher loads.
void Search::count_failures()
{
  constexpr std::array beyond_safe{0.0, 0.02, 0.04, 0.07, 0.1};
  std::size_t const winner = *choose(results_).winner;
  Candidate const best = results_.measured[winner].candidate;
  std::vector<Candidate> list;
  if (results_.present && results_.present != winner) {
    list.push_back(results_.measured[*results_.present].candidate);
  }
  list.push_back(best);
  for (double const beyond : beyond_safe) {
    double const load =
        std::min(0.99, guarantees_of(bench::subject_info(best.table.family), best.table).safe_load + beyond);
    if (load > list.back().load + 0.005) { list.push_back(candidate_of(best.table, load, results_.different)); }
  }
  std::erase_if(list, [](Candidate const& each) {
    Guarantees const guarantees = guarantees_of(bench::subject_info(each.table.family), each.table);
    return each.grouped || (guarantees.safe_load >= 1.0 && guarantees.overflow == OverflowPolicy::report_full);
  });
  for (std::size_t i = 0; i < list.size() && left(failures_share) > 0.0; ++i) {
    FailureResult const result = failures_of(list[i], left(failures_share) / static_cast<double>(list.size() - i));
    results_.failures.push_back(result);
    publish();
    bool const higher = list[i].load > best.load;
    if (higher && result.failed * 2 > result.builds) { return; }  // at higher loads, even more builds would fail
  }
}

/// Makes as many builds as fit into so many seconds, at least one.
FailureResult Search::failures_of(Candidate const& candidate, double seconds)
{
  constexpr int max_builds = 300;
  watch_.begin(Phase::checking, tr("how often {} fails", title_of(candidate)));
  double const start = watch_.seconds();
  FailureResult all{candidate.table, candidate.load, 0};
  for (double spent = 0.0; all.builds < max_builds && spent < seconds; spent = watch_.seconds() - start) {
    double const affordable = all.builds == 0 ? 1.0 : all.builds * std::min(1.0, seconds / spent - 1.0);
    int const builds = std::clamp(static_cast<int>(affordable), 1, max_builds - all.builds);
    auto const more = measures_.failures(candidate, all.builds, builds, watch_.progress);
    if (!more) { throw Stopped{}; }
    all.keys = more->keys;
    all.builds += more->builds;
    all.failed += more->failed;
  }
  return all;
}

/// Measures the winner and the present setting in turn while keys come and go.
void Search::churn()
{
  std::size_t const winner = *choose(results_).winner;
  std::vector<Candidate> list{results_.measured[winner].candidate};
  if (results_.present && results_.present != winner) {
    list.push_back(results_.measured[*results_.present].candidate);
  }
  std::vector<std::vector<ChurnResult>> runs(list.size());
  for (int run = 0; run < churn_runs && left(1.0) > 0.0; ++run) {
    results_.churn.clear();
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (auto result = churn_once(list[i])) { runs[i].push_back(*std::move(result)); }
      if (!runs[i].empty()) { results_.churn.push_back(summary_of(runs[i], results_.unrest)); }
    }
    publish();
  }
}

std::optional<ChurnResult> Search::churn_once(Candidate const& candidate)
{
  constexpr int turns = 2;
  if (bench::subject_info(candidate.table.family).guarantees(candidate.table).is_static) { return std::nullopt; }
  watch_.begin(Phase::checking, tr("how {} holds up when keys come and go", title_of(candidate)));
  try {
    auto result = measures_.churn(candidate, effort_of(Stage::checked), turns, watch_.progress);
    if (!result) { throw Stopped{}; }
    return result->lookups.empty() ? std::nullopt : std::optional(*std::move(result));
  } catch (Error const& error) {
    LazyText const why = [error = std::string(error.what())] { return tr("replacing its keys failed: {}", error); };
    bool const told = std::ranges::any_of(results_.skipped, [&](Skipped const& each) {
      return each.candidate == candidate && each.why.text() == why.text();
    });
    if (!told) { skip(candidate, why); }
    return std::nullopt;
  }
}

}  // namespace slotscape::tuning
