#include "app/tuning/search.hpp"

#include "gpu/base/error.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slotscape::tuning {
namespace {

/// Shares of the budget at which parts of the check end.
constexpr double finalists_share = 0.8;
constexpr double loads_share = 0.84;
constexpr double rivals_share = 0.88;  ///< after them come failures and churn
constexpr double failures_share = 0.94;

constexpr std::size_t finalists = 4;
constexpr int passes = 3;  ///< over the finalists in turn

}  // namespace

void Search::check()
{
  check_finalists();
  if (!choose(results_).winner) { return; }
  try_higher_load();
  check_rivals();
  if (!choose(results_).winner) { return; }
  count_failures();
  churn(*choose(results_).winner);
  if (results_.present && results_.present != choose(results_).winner) { churn(*results_.present); }
}

/// What was best once may have been lucky, and the machine may be slower at one time than at another: the best are
/// measured again in turn, pass by pass.
void Search::check_finalists()
{
  std::vector<std::size_t> list = promising();
  list.resize(std::min(list.size(), finalists));
  for (std::size_t i = 0; results_.present && i < entries_.size(); ++i) {
    bool const present = entries_[i].measured == results_.present;
    if (present && std::ranges::find(list, i) == list.end()) { list.push_back(i); }
  }
  check_in_turn(list, finalists_share);
}

/// The first pass is made whatever share of the budget has been used up.
void Search::check_in_turn(std::vector<std::size_t> const& entries, double share)
{
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t const i : entries) {
      if (pass == 0 || left(share) > 0.0) { measure(i, effort_of(Stage::checked)); }
    }
  }
}

/// So that the answer can say what more memory, or less, would bring.
void Search::try_higher_load()
{
  Candidate const best = results_.measured[*choose(results_).winner].candidate;
  std::size_t const first = entries_.size();
  Candidates around = other_loads_of(settings_.backend, results_.workload, results_.different, best, 0.07);
  around.skipped.clear();
  add(std::move(around));
  for (std::size_t i = first; i < entries_.size() && left(loads_share) > 0.0; ++i) {
    measure(i, effort_of(Stage::refined));
  }
}

/// What looks better than the winner although it was no finalist may have been unlucky, or the finalists were lucky,
/// before they were checked. It is measured in turn with the winner.
void Search::check_rivals()
{
  while (left(rivals_share) > 0.0) {
    std::vector<std::size_t> const list = promising();
    auto const chosen = choose(results_).winner;
    if (!chosen || list.empty() || entries_[list.front()].stage == Stage::checked) { return; }
    auto const winner = std::ranges::find(entries_, chosen, &Entry::measured);
    check_in_turn({list.front(), static_cast<std::size_t>(winner - entries_.begin())}, rivals_share);
  }
}

/// Builds of the winner and of the present setting, where they can fail; of the winner at higher loads, too.
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
    double const load = std::min(0.99, family_info(best.table.family).guarantees(best.table).safe_load + beyond);
    if (load > list.back().load + 0.005) { list.push_back(candidate_of(best.table, load, results_.different)); }
  }
  std::erase_if(list, [](Candidate const& each) {
    Guarantees const guarantees = family_info(each.table.family).guarantees(each.table);
    return guarantees.safe_load >= 1.0 && guarantees.overflow == OverflowPolicy::report_full;
  });
  for (std::size_t i = 0; i < list.size() && left(failures_share) > 0.0; ++i) {
    FailureResult const result = failures_of(list[i], left(failures_share) / static_cast<double>(list.size() - i));
    results_.failures.push_back(result);
    watch_.publish(results_);
    bool const higher = list[i].load > best.load;
    if (higher && result.failed * 2 > result.builds) { return; }  // beyond, it only gets worse
  }
}

/// As many builds as fit in so many seconds; at least one.
FailureResult Search::failures_of(Candidate const& candidate, double seconds)
{
  constexpr int most_builds = 300;
  watch_.begin(Phase::checking, fmt::format("how often {} fails", title_of(candidate)));
  double const start = watch_.seconds();
  FailureResult all{candidate.table, candidate.load, 0};
  for (double spent = 0.0; all.builds < most_builds && spent < seconds; spent = watch_.seconds() - start) {
    double const affordable = all.builds == 0 ? 1.0 : all.builds * std::min(1.0, seconds / spent - 1.0);
    int const builds = std::clamp(static_cast<int>(affordable), 1, most_builds - all.builds);
    auto const more = measures_.failures(candidate, all.builds, builds, watch_.go_on);
    if (!more) { throw Stopped{}; }
    all.keys = more->keys;
    all.builds += more->builds;
    all.failed += more->failed;
  }
  return all;
}

void Search::churn(std::size_t number)
{
  constexpr int turns = 2;
  Candidate const candidate = results_.measured[number].candidate;
  if (family_info(candidate.table.family).guarantees(candidate.table).is_static || left(1.0) <= 0.0) { return; }
  watch_.begin(Phase::checking, fmt::format("what becomes of {} when keys come and go", title_of(candidate)));
  try {
    auto const result = measures_.churn(candidate, effort_of(Stage::checked), turns, watch_.go_on);
    if (!result) { throw Stopped{}; }
    if (!result->lookups.empty()) { results_.churn.push_back(*result); }
  } catch (Error const& error) {
    skip(candidate, fmt::format("replacing its keys failed: {}", error.what()));
  }
  watch_.publish(results_);
}

}  // namespace slotscape::tuning
