#include "app/base/text.hpp"
#include "app/tuning/answer.hpp"
#include "app/tuning/search.hpp"
#include "app/tuning/turns.hpp"
#include "tests/app/tuning/noisy_machine.hpp"

#include <gmock/gmock.h>

#include <set>

namespace slotscape::tuning {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t keys_of_runs = 4'000'000;

struct Named {
  std::string what;
  Disturbance disturbance;
};

std::vector<Named> machines()
{
  return {{"quiet", {.noise = 0.01}},
          {"noisy", {.noise = 0.06}},
          {"busy now and then", {.noise = 0.02, .busy = 0.5, .busy_share = 0.4, .stretch = 6.0, .mishaps = 0.05}},
          {"busy for long", {.noise = 0.03, .busy = 0.55, .busy_share = 0.5, .stretch = 25.0, .mishaps = 0.05}}};
}

Results search(NoisyMachine& machine, double budget, Workload workload = {})
{
  workload.keys = keys_of_runs;
  Results start;
  start.workload = workload;
  start.inserts = start.different = keys_of_runs;
  Results last;
  SweepSettings const settings{.budget_seconds = budget};
  Search search(start, {}, settings, machine.measures(), {},
                {Progress(), [](Phase, std::string const&) {}, [&](Results const& results) { last = results; },
                 [&] { return machine.seconds(); }});
  EXPECT_TRUE(search.run());
  return last;
}

struct Tuned {
  std::string machine;
  std::uint64_t seed;
  Results results;
  Choice choice;
  double quiet_share;  ///< of the time

  Measured const& winner() const { return results.measured[choice.winner.value()]; }
  std::string name() const { return machine + ", seed " + std::to_string(seed); }
};

/// The same workload, as it is tuned on several machines, several times each.
class TuningAgreement : public ::testing::Test {
protected:
  static void SetUpTestSuite()
  {
    for (Named const& machine : machines()) {
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        NoisyMachine noisy(machine.disturbance, keys_of_runs, seed);
        Results results = search(noisy, 8.0 * static_cast<double>(family_names().size()));
        Choice choice = choose(results);
        runs_.push_back({machine.what, seed, std::move(results), std::move(choice), noisy.quiet_share()});
      }
    }
  }
  static void TearDownTestSuite() { runs_.clear(); }

  static inline std::vector<Tuned> runs_;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
};

/// What one run chooses is as good as what another one chooses, within the uncertainty that they name; and that is
/// small, unless a machine that is busy half of the time was so whenever the winner was measured again.
TEST_F(TuningAgreement, RunsChooseAlikeWithinTheUncertaintyThatTheyName)
{
  constexpr double step_of_loads = 0.02;  // what the nearest load that is tried may lose
  double best = 0.0;
  for (Tuned const& run : runs_) { best = std::max(best, true_score(run.winner().candidate)); }
  std::vector<std::string> worse;
  std::vector<std::string> unsure;
  for (Tuned const& run : runs_) {
    std::string const name = run.name() + ": " + title_of(run.winner().candidate);
    SCOPED_TRACE(name);
    double const uncertainty = run.winner().uncertainty;
    EXPECT_EQ(run.winner().stage, Stage::checked);
    EXPECT_GE(uncertainty, 0.01);
    bool const is_small = uncertainty < 0.12;
    EXPECT_TRUE(is_small || run.machine.starts_with("busy")) << uncertainty;
    if (!is_small) { unsure.push_back(name); }
    double const off = joint_uncertainty(uncertainty, uncertainty) + step_of_loads;
    if (true_score(run.winner().candidate) * (1.0 + off) <= best) { worse.push_back(name); }
  }
  EXPECT_LE(unsure.size(), runs_.size() / 20) << listed(unsure);
  EXPECT_LE(worse.size(), runs_.size() / 20) << "uncertainties are those of 95 cases in 100: " << listed(worse);
}

/// The speed that the answer names is that of the quiet machine, however busy it was.
TEST_F(TuningAgreement, RunsNameTheSameSpeed)
{
  int compared = 0;
  for (Tuned const& run : runs_) {
    if (run.quiet_share < 0.35) { continue; }  // nobody can know what a machine that is always busy could do
    ++compared;
    EXPECT_NEAR(run.winner().throughput / true_rate(run.winner().candidate), 1.0, 0.2) << run.name();
  }
  EXPECT_GT(compared, 30);
}

TEST_F(TuningAgreement, NothingIsChosenWhereLessMemoryIsAsFast)
{
  int compared = 0;
  for (Tuned const& run : runs_) {
    Measured const& winner = run.winner();
    for (Measured const& each : run.results.measured) {
      if (each.stage != Stage::checked || each.bytes_per_key > 0.99 * winner.bytes_per_key) { continue; }
      ++compared;
      EXPECT_GT(winner.throughput, each.throughput) << run.name() << ": " << title_of(each.candidate);
    }
  }
  EXPECT_GT(compared, 30);
}

/// The sentences of one run hold together.
TEST_F(TuningAgreement, TheFastestIsFasterAndAdviceIsGoodForSomething)
{
  int advice = 0;
  for (Tuned const& run : runs_) {
    for (Sentence const& sentence : answer_of(run.results, run.choice)) {
      if (sentence.topic != Topic::alternative) { continue; }
      SCOPED_TRACE(run.name() + ": " + sentence.text);
      ++advice;
      if (sentence.text.starts_with("The fastest is")) { EXPECT_THAT(sentence.text, HasSubstr("more throughput")); }
      bool const spends = sentence.text.find("would take") != std::string::npos;
      if (spends) { EXPECT_THAT(sentence.text, HasSubstr("faster")); }
    }
  }
  EXPECT_GT(advice, 0);
}

/// Of what was measured as closely. What was measured only roughly may stand above it, and is named then.
TEST_F(TuningAgreement, NoMarkStandsAboveTheFrontier)
{
  for (Tuned const& run : runs_) {
    std::vector<Measured> const& all = run.results.measured;
    auto const best_of = [&](std::vector<std::size_t> const& list, Measured const& each) {
      double best = 0.0;
      for (std::size_t const i : list) {
        if (all[i].bytes_per_key <= each.bytes_per_key) { best = std::max(best, all[i].throughput); }
      }
      return best;
    };
    for (Measured const& each : all) {
      if (each.stage == Stage::coarse) { continue; }  // not drawn beside full tables
      double best = best_of(run.choice.frontier, each);
      if (each.stage != Stage::checked) { best = std::max(best, best_of(run.choice.rough, each)); }
      EXPECT_LE(each.throughput, best) << run.name();
    }
  }
}

TEST_F(TuningAgreement, TheAnswerSeesThatTheMachineWasBusy)
{
  int busy = 0;
  for (Tuned const& run : runs_) {
    std::string const text = text_of(answer_of(run.results, run.choice));
    if (run.machine == "quiet") { EXPECT_THAT(text, Not(HasSubstr("Other programs used the machine"))); }
    if (run.machine != "busy now and then" || run.quiet_share > 0.75 || run.quiet_share < 0.25) { continue; }
    ++busy;
    EXPECT_THAT(text, HasSubstr("Other programs used the machine")) << run.name();
  }
  EXPECT_GT(busy, 0);
}

TEST_F(TuningAgreement, EqualTablesAreSaidToBe)
{
  int said = 0;
  for (Tuned const& run : runs_) {
    std::string const text = text_of(answer_of(run.results, run.choice));
    if (text.starts_with("No answer yet")) { continue; }  // a rival was so unsteady that nothing is compared
    for (std::size_t const i : run.choice.equals) {
      Measured const& equal = run.results.measured[i];
      if (uncertainty_of(equal, run.winner()) > 0.5) { continue; }  // its speed is hardly known
      EXPECT_GE(equal.bytes_per_key, run.winner().bytes_per_key) << "of equal ones the smallest is taken";
    }
    if (run.choice.equals.empty()) { continue; }
    ++said;
    EXPECT_THAT(text, HasSubstr("within the uncertainty"));
  }
  EXPECT_GT(said, 10) << "the parameters of a made-up cuckoo table change nothing";
}

/// 'It goes on getting slower' in one run and 'nothing changed any more' in the next cannot both be.
TEST(TuningChurn, RunsSayTheSameOfKeysThatComeAndGo)
{
  Workload workload;
  workload.erase = workload.insert;
  for (double const second : {0.49, 0.42, 0.25}) {
    for (Named const& machine : machines()) {
      std::set<std::string> trends;
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        NoisyMachine noisy(machine.disturbance, keys_of_runs, seed);
        noisy.lookups_after_second_turn = second;
        Results const results = search(noisy, 20.0, workload);
        std::string const text = text_of(answer_of(results, choose(results)));
        if (text.find("keeps getting slower: rebuild") != std::string::npos) { trends.insert("goes on"); }
        if (text.find("hardly anything changed.") != std::string::npos) { trends.insert("steady"); }
      }
      EXPECT_LE(trends.size(), 1u) << machine.what << " at " << second;
      if (machine.what != "quiet") { continue; }
      if (second == 0.49) { EXPECT_THAT(trends, ::testing::ElementsAre("steady")); }
      if (second == 0.25) { EXPECT_THAT(trends, ::testing::ElementsAre("goes on")); }
    }
  }
}

TEST(TuningTurns, AreComparedWhateverTheMachineDidMeanwhile)
{
  std::vector<Turn> turns;
  std::vector<double> const machine{1.0, 0.4, 1.0, 0.7, 0.5, 1.0, 0.6};
  for (int pass = 0; pass < 7; ++pass) {
    double const speed = machine[static_cast<std::size_t>(pass)];
    turns.push_back({0, pass, 100.0 * speed});
    turns.push_back({1, pass, 80.0 * speed});
    if (pass > 2) { turns.push_back({2, pass, 90.0 * speed}); }
  }
  auto const standings = standings_of(turns);
  EXPECT_NEAR(standings.at(1).rate / standings.at(0).rate, 0.8, 1e-9);
  EXPECT_NEAR(standings.at(2).rate / standings.at(0).rate, 0.9, 1e-9) << "though it joined late";
  EXPECT_NEAR(standings.at(0).uncertainty, 0.01, 1e-9);
  EXPECT_EQ(standings.at(2).turns, 4);
  turns[2].rate *= 0.3;  // one mishap
  EXPECT_NEAR(standings_of(turns).at(1).rate / standings_of(turns).at(0).rate, 0.8, 0.01);
}

/// The winner has more turns than others when it is compared with those that join late: that must not drive them out.
TEST(TuningTurns, AShortCheckKeepsItsFinalists)
{
  for (double const budget : {20.0, 40.0}) {
    NoisyMachine machine({.noise = 0.02}, keys_of_runs, 1);
    Results const results = search(machine, budget);
    EXPECT_GE(std::ranges::count(results.measured, Stage::checked, &Measured::stage), 3) << budget;
  }
}

/// An earlier session of a machine twice as fast, and this one, in which more tables are new than known.
TEST(TuningTurns, SessionsAreComparedByWhatHadTurnsInBoth)
{
  std::vector<Turn> turns;
  for (int pass = 1; pass <= 6; ++pass) {
    turns.push_back({0, -pass, 100.0});
    turns.push_back({1, -pass, 80.0});
  }
  for (int pass = 1; pass <= 20; ++pass) {
    turns.push_back({0, pass, 50.0});
    for (std::size_t other : {2, 3, 4}) { turns.push_back({other, pass, 45.0}); }
  }
  auto const standings = standings_of(turns);
  EXPECT_NEAR(standings.at(0).rate, 100.0, 1e-6) << "at the pace of the faster session";
  EXPECT_NEAR(standings.at(1).rate, 80.0, 1e-6);
  EXPECT_NEAR(standings.at(3).rate, 90.0, 1e-6);
  EXPECT_EQ(standings.at(0).turns, 26);
}

/// The interval of the median of the samples holds the true median in 95 of 100 cases, or somewhat more.
TEST(TuningTurns, UncertaintyHoldsTheTruth)
{
  std::mt19937_64 random(1);
  std::lognormal_distribution<> const noise(0.0, 0.1);
  for (int const count : {3, 5, 8, 12, 16}) {
    int held = 0;
    for (int trial = 0; trial < 2000; ++trial) {
      std::vector<double> samples;
      samples.reserve(static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) { samples.push_back(std::log(std::lognormal_distribution<>(noise)(random))); }
      std::vector<double> sorted = samples;
      std::ranges::sort(sorted);
      auto const middle = sorted.size() / 2;
      double const median = sorted.size() % 2 != 0 ? sorted[middle] : 0.5 * (sorted[middle - 1] + sorted[middle]);
      if (std::abs(median) <= uncertainty_of_median(samples)) { ++held; }
    }
    EXPECT_GT(held, 1840) << count;
  }
}

}  // namespace
}  // namespace slotscape::tuning
