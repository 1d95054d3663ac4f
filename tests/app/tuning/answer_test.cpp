#include "app/tuning/answer.hpp"

#include "app/base/text.hpp"
#include "app/bench/table_rows.hpp"
#include "app/tuning/candidates.hpp"
#include "app/tuning/check.hpp"
#include "app/tuning/measure.hpp"
#include "app/tuning/report.hpp"
#include "gpu/engine/engine.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <regex>
#include <set>

namespace slotscape::tuning {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::uint64_t keys = 4'000'000;

Measured measured(std::string const& family, double load, double rate)
{
  Measured result;
  TableSettings table;
  table.family = family;
  result.candidate = candidate_of(table, load, keys);
  result.stage = Stage::checked;
  result.repeats = 9;
  result.keys = keys;
  result.batch = result.timed_batch = 1u << 19;
  result.throughput = rate;
  result.spread = 0.01;
  result.bytes_per_key = 8.0 / result.candidate.load;
  result.memory_bytes = 8 * result.candidate.table.slots;
  result.safe_load = family_info(family).guarantees(table).safe_load;
  result.batch_seconds = static_cast<double>(result.batch) / rate;
  result.worst_batch_seconds = 3.0 * result.batch_seconds;
  OperationResult& find = result.operations[static_cast<std::size_t>(bench::Timed::find_hit)].emplace();
  find.count = keys;
  find.seconds = static_cast<double>(keys) / rate;
  find.limit = 2.0 * rate;
  return result;
}

Results results()
{
  Results all;
  all.workload.keys = keys;
  all.inserts = all.different = keys;
  all.available = {keys, keys};
  all.measured = {measured("linear_probing", 0.5, 100e6), measured("cuckoo", 0.88, 190e6),
                  measured("cuckoo", 0.94, 160e6), measured("cuckoo", 0.7, 200e6), measured("robin_hood", 0.9, 70e6)};
  all.present = 0;
  return all;
}

/// The sentences on a topic, as one text.
std::string said(Results const& all, Topic topic)
{
  std::string text;
  for (Sentence const& sentence : answer_of(all, choose(all))) {
    if (sentence.topic == topic) { text += sentence.text + ' '; }
  }
  return text;
}

bool warns(Results const& all, Topic topic)
{
  for (Sentence const& sentence : answer_of(all, choose(all))) {
    if (sentence.topic == topic && sentence.warns) { return true; }
  }
  return false;
}

/// The number that the pattern's group finds.
double number_in(std::string const& text, std::string const& pattern)
{
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(pattern))) {
    ADD_FAILURE() << "'" << pattern << "' is not in: " << text;
    return 0.0;
  }
  return std::stod(found[1]);
}

TEST(TuningAnswer, SaysWhatTheDataSay)
{
  Results const all = results();
  Choice const choice = choose(all);
  ASSERT_EQ(choice.winner, 1u);
  Measured const& best = all.measured[1];
  Measured const& present = all.measured[0];

  std::string const choice_said = said(all, Topic::choice);
  EXPECT_THAT(choice_said, HasSubstr(title_of(best.candidate)));
  EXPECT_NEAR(number_in(choice_said, "([0-9.]+) M operations a second"), 1e-6 * best.throughput, 0.5);
  EXPECT_NEAR(number_in(choice_said, "([0-9.]+) bytes a key"), best.bytes_per_key, 0.051);

  std::string const compared = said(all, Topic::comparison);
  EXPECT_NEAR(number_in(compared, "([0-9.]+) × the speed"), best.throughput / present.throughput, 0.0051);
  double const saved = static_cast<double>(keys) * (present.bytes_per_key - best.bytes_per_key) / 0x1p20;
  EXPECT_NEAR(number_in(compared, "with ([0-9.]+) MiB less memory"), saved, 0.51);
}

TEST(TuningAnswer, NamesFamiliesThatWereNotReachedAndClaimsNothingOverThem)
{
  Results all = results();
  all.workload.max_bytes = 0.0;
  all.measured = {measured("linear_probing", 0.5, 200e6), measured("robin_hood", 0.5, 70e6)};
  all.present.reset();
  EXPECT_THAT(said(all, Topic::choice), HasSubstr("the fastest of all"));
  all.unmeasured = {"Swiss table", "Iceberg hashing"};
  EXPECT_THAT(said(all, Topic::choice), Not(HasSubstr("the fastest of all")));
  EXPECT_THAT(said(all, Topic::certainty), HasSubstr("no time for Swiss table and Iceberg hashing"));
  all.unmeasured.clear();
  all.measured.push_back(measured("cuckoo", 0.5, 210e6));
  all.measured.back().stage = Stage::coarse;
  EXPECT_THAT(said(all, Topic::choice), Not(HasSubstr("the fastest of all"))) << "a mark is higher";
  all.measured.resize(1);
  EXPECT_THAT(said(all, Topic::choice), HasSubstr("the only one measured in the given time"));
}

TEST(TuningAnswer, IsNoneWhereTheRatesWereTooUnsteady)
{
  Results all = results();
  EXPECT_FALSE(warns(all, Topic::choice));
  for (Measured& each : all.measured) { each.uncertainty = 3.0; }
  EXPECT_THAT(said(all, Topic::choice), HasSubstr("No answer yet"));
  EXPECT_TRUE(warns(all, Topic::choice));
}

/// A rival whose rate says nothing leaves the question open, however well the choice itself is known.
TEST(TuningAnswer, IsNoneWhereARivalIsTooUnsteady)
{
  Results all = results();
  all.measured = {measured("linear_probing", 0.62, 1.1e6), measured("linear_probing", 0.5, 8.6e6)};
  all.measured[1].uncertainty = 9.0;
  EXPECT_THAT(said(all, Topic::choice), AllOf(HasSubstr("No answer yet"), Not(HasSubstr("Keep"))));
  EXPECT_TRUE(warns(all, Topic::choice));
  EXPECT_THAT(said(all, Topic::comparison), Not(HasSubstr("Keep it")));
  EXPECT_THAT(said(all, Topic::alternative), testing::IsEmpty());
  EXPECT_THAT(said(all, Topic::certainty), AllOf(HasSubstr("is not known"), Not(HasSubstr("900"))));
}

/// A table that only stands for the user's own is not called the present setting.
TEST(TuningAnswer, DoesNotCallAStandInThePresentSetting)
{
  Results all = results();
  all.workload.present = Present{all.measured[0].candidate.table, 0.5, {Unlike::crowded_hash, Unlike::deletion}};
  for (std::size_t const worst : {0u, 1u}) {  // the stand-in is chosen, then another one
    all.measured[worst == 0 ? 1 : 0].throughput = all.measured[2].throughput = all.measured[3].throughput = 50e6;
    all.measured[worst].throughput = 400e6;
    std::string const text = text_of(answer_of(all, choose(all)));
    EXPECT_THAT(text, AllOf(StartsWith("Change the hash first"), HasSubstr("which crowds these keys) and its deletion"),
                            Not(HasSubstr("present setting")), Not(HasSubstr("Keep"))));
  }
  all.workload.present->unlike = {Unlike::deletion};
  EXPECT_THAT(text_of(answer_of(all, choose(all))), Not(HasSubstr("Change the hash")));
}

/// Wherever the question of the present setting was asked, the answer names it.
TEST(TuningAnswer, SaysWhatBecameOfAPresentSettingWithoutARate)
{
  Results all = results();
  all.present.reset();
  EXPECT_THAT(said(all, Topic::comparison), testing::IsEmpty()) << "there is none";
  TableSettings table;
  table.family = "quadratic";
  all.workload.present = Present{table, 0.5, {}};
  EXPECT_THAT(said(all, Topic::comparison),
              HasSubstr("Your present setting, Quadratic probing, has not been measured"));
  EXPECT_FALSE(warns(all, Topic::comparison)) << "it is still to come";

  all.present_setting = candidate_of(table, 0.5, keys);
  all.skipped.push_back({candidate_of(table, 0.2, keys), "of another load"});
  all.skipped.push_back({*all.present_setting, "operations would take about 3 s, and the limit is 1 s"});
  std::string const why = "Your present setting, Quadratic probing, α 0.48, was not measured: operations would take";
  EXPECT_THAT(said(all, Topic::comparison), HasSubstr(why));
  EXPECT_TRUE(warns(all, Topic::comparison));
  all.workload.present->unlike = {Unlike::deletion};
  EXPECT_THAT(said(all, Topic::comparison),
              AllOf(HasSubstr("Your own table was not measured"), HasSubstr("Nor was the closest, Quadratic probing"),
                    HasSubstr("3 s"), Not(HasSubstr("present setting"))));
  all.workload.present->unlike.clear();
  for (Measured& each : all.measured) { each.uncertainty = 3.0; }
  EXPECT_THAT(said(all, Topic::comparison), HasSubstr(why)) << "without an answer, too";
  for (Measured& each : all.measured) { each.failed = 1; }
  EXPECT_THAT(said(all, Topic::choice), HasSubstr("No measured table suits"));
  EXPECT_THAT(said(all, Topic::comparison), HasSubstr(why)) << "nor with a choice";
}

TEST(TuningAnswer, NamesAPresentSettingWhoseMeasurementWasGivenUpLater)
{
  Results all = results();
  all.measured[0].throughput = 0.0;
  all.skipped.push_back({all.measured[0].candidate, "given up after 9 s, as 1 s are allowed."});
  EXPECT_THAT(said(all, Topic::comparison),
              HasSubstr(
                  "Your present setting, Linear probing, α 0.50, was not measured: given up after 9 s, as 1 s are "
                  "allowed. "));
  all.measured[0].failed = 7;
  EXPECT_THAT(said(all, Topic::comparison), HasSubstr("was not measured: 7 insertions failed."));
}

TEST(TuningAnswer, NamesThePresentSettingWhereNothingCanBeSaidOfIt)
{
  Results all = results();
  all.measured[3].throughput = 230e6;
  all.measured[3].uncertainty = 9.0;
  EXPECT_THAT(
      said(all, Topic::comparison),
      HasSubstr(
          "It is not known whether it is better than your present setting (Linear probing, α 0.50: 100 M operations"));
  for (Measured& each : all.measured) { each.clogged_after = 0.5; }
  EXPECT_THAT(said(all, Topic::comparison),
              HasSubstr("Your present setting, Linear probing, α 0.50, does not suit it, either: erased keys"));
}

TEST(TuningAnswer, WeighsOtherLoads)
{
  Results const all = results();
  std::string const others = said(all, Topic::alternative);
  double const less = 100.0 * (1.0 - all.measured[2].bytes_per_key / all.measured[1].bytes_per_key);
  EXPECT_NEAR(number_in(others, "The same table at α 0.94 would save ([0-9]+) % memory"), less, 0.51);
  double const slower = 100.0 * (1.0 - 160.0 / 190.0);
  EXPECT_NEAR(number_in(others, "save [0-9]+ % memory and be ([0-9]+) % slower"), slower, 0.51);
  double const faster = 100.0 * (200.0 / 190.0 - 1.0);
  EXPECT_NEAR(number_in(others, "The same table at α 0.70 would take [0-9]+ % more memory and be ([0-9]+) % faster"),
              faster, 0.51);
}

/// More memory for less speed is advice for nobody, and so is a 'fastest' table that is not faster.
TEST(TuningAnswer, OffersOnlyWhatIsBetterInSomething)
{
  Results all = results();
  all.measured[3].throughput = 150e6;  // the same table at a lower load, slower
  EXPECT_THAT(said(all, Topic::alternative), Not(HasSubstr("α 0.70")));
  EXPECT_THAT(said(all, Topic::alternative), Not(HasSubstr("The fastest")));
  all.measured[3].throughput = 195e6;
  EXPECT_THAT(said(all, Topic::alternative), HasSubstr("The same table at α 0.70 would take"));
  for (Measured& each : all.measured) { each.uncertainty = 0.03; }
  EXPECT_THAT(said(all, Topic::alternative), Not(HasSubstr("α 0.70"))) << "2.6 % may be nothing";
  EXPECT_THAT(said(all, Topic::alternative), Not(HasSubstr("The fastest")));
  all.measured[2].throughput = 189e6;
  EXPECT_EQ(choose(all).winner, 2u) << "less memory at no difference in speed";
}

TEST(TuningAnswer, KeepsThePresentSettingInWordsToo)
{
  Results all = results();
  all.workload.max_bytes = 0.0;
  for (Measured& each : all.measured) { each.uncertainty = 0.6; }
  all.measured[0].throughput = 190e6;
  ASSERT_EQ(choose(all).winner, all.present);
  EXPECT_THAT(said(all, Topic::comparison), HasSubstr("your present setting: no measured table is clearly better"));
  EXPECT_THAT(said(all, Topic::certainty), HasSubstr("So keep your present setting."));
}

TEST(TuningAnswer, SaysHowUncertainTheComparisonIs)
{
  Results all = results();
  all.measured[0].uncertainty = 0.03;
  all.measured[1].uncertainty = 0.04;
  EXPECT_THAT(said(all, Topic::comparison), HasSubstr("(± 5.0 %)"));
}

TEST(TuningAnswer, SpeaksOfReplacedKeysOnlyWhereKeysAreErased)
{
  Results all = results();
  all.workload.erase = 0.0;
  all.churn = {ChurnResult{all.measured[1].candidate, 2.0, {100e6, 50e6, 43e6}, {30e6, 30e6}}};
  EXPECT_EQ(said(all, Topic::churn), "");
}

TEST(TuningAnswer, DoesNotClaimWhatTheRepeatsDoNotShow)
{
  Results all = results();
  all.workload.erase = 0.25;
  ChurnResult churn{all.measured[1].candidate, 2.0, {100e6, 50e6, 43e6}, {30e6, 30e6}};
  churn.runs = 3;
  churn.uncertainty = 0.1;
  all.churn = {churn};
  EXPECT_THAT(said(all, Topic::churn), HasSubstr("57 % slower"));
  EXPECT_THAT(said(all, Topic::churn), HasSubstr("It is not clear whether it keeps getting slower"));
  churn.lookups = {100e6, 95e6, 92e6};
  all.churn = {churn};
  EXPECT_THAT(said(all, Topic::churn), HasSubstr("no clear change"));
  EXPECT_FALSE(warns(all, Topic::churn));
  all.churn[0].uncertainty = 2329.0;
  EXPECT_THAT(said(all, Topic::churn), HasSubstr("differ too much from run to run"));
}

TEST(TuningChurn, IsTheMedianOfItsRuns)
{
  Candidate const candidate = results().measured[1].candidate;
  std::vector<ChurnResult> const runs{{candidate, 2.0, {100e6, 50e6, 49e6}},
                                      {candidate, 2.0, {60e6, 30e6, 29.4e6}},  // the machine was slower
                                      {candidate, 2.0, {100e6, 30e6, 49e6}}};  // a bad moment
  ChurnResult const all = summary_of(runs, 0.0);
  EXPECT_NEAR(all.lookups[1] / all.lookups[0], 0.5, 1e-9);
  EXPECT_NEAR(all.lookups[2] / all.lookups[0], 0.49, 1e-9);
  EXPECT_EQ(all.runs, 3);
  EXPECT_GT(all.uncertainty, 0.3);
}

TEST(TuningAnswer, CountsFailedBuilds)
{
  Results all = results();
  FailureResult result{all.measured[1].candidate.table, 0.88, 1u << 18, 300, 0};
  all.failures = {result};
  EXPECT_THAT(said(all, Topic::risk), HasSubstr("None of 300 builds failed at α 0.88"));
  EXPECT_FALSE(warns(all, Topic::risk));
  result.load = 0.97;
  result.failed = 2;
  all.failures.push_back(result);
  EXPECT_THAT(said(all, Topic::risk), HasSubstr("At α 0.97, 2 of 300 builds failed: avoid this load"));
  EXPECT_FALSE(warns(all, Topic::risk));
  all.failures[0].failed = 1;
  EXPECT_THAT(said(all, Topic::risk), HasSubstr("At α 0.88, 1 of 300 builds failed: choose a lower load"));
  EXPECT_TRUE(warns(all, Topic::risk));
  EXPECT_THAT(said(all, Topic::risk), HasSubstr("are guaranteed a slot up to α 0.95"));
  all.measured[0] = measured("hopscotch", 0.5, 100e6);
  all.failures = {{all.measured[0].candidate.table, 0.5, 1u << 18, 300, 7}};
  EXPECT_THAT(said(all, Topic::risk), HasSubstr("In your present setting, 7 of 300 builds failed"));
  EXPECT_THAT(said(all, Topic::risk), Not(HasSubstr("α 0.50")));
}

TEST(TuningAnswer, SaysWhatBecomesOfATableWhoseKeysAreReplaced)
{
  Results all = results();
  all.workload.erase = 0.25;
  ChurnResult churn{all.measured[1].candidate, 2.0, {100e6, 50e6, 49e6}, {30e6, 30e6}};
  churn.runs = 3;
  all.churn = {churn};
  EXPECT_NEAR(number_in(said(all, Topic::churn), "lookups were ([0-9]+) % slower"), 51.0, 0.51);
  EXPECT_THAT(said(all, Topic::churn), HasSubstr("hardly anything changed."));
  EXPECT_TRUE(warns(all, Topic::churn));
  churn.lookups = {100e6, 80e6, 40e6};
  all.churn = {churn};
  EXPECT_THAT(said(all, Topic::churn), HasSubstr("keeps getting slower"));
  churn.lookups = {100e6};
  churn.clogged = true;
  churn.replaced = 0.25;
  all.churn = {churn};
  EXPECT_THAT(said(all, Topic::churn), HasSubstr("After 25.0 % of the keys"));
  EXPECT_THAT(said(all, Topic::churn), HasSubstr("rebuilt"));
}

TEST(TuningAnswer, SaysHowSureItIs)
{
  Results all = results();
  EXPECT_THAT(said(all, Topic::certainty), HasSubstr("Medians of 9 repeats of 4,000,000 operations"));
  EXPECT_THAT(said(all, Topic::certainty), HasSubstr("interquartile range 1.0 %"));
  EXPECT_THAT(said(all, Topic::certainty), Not(HasSubstr("within the uncertainty")));
  all.measured.push_back(measured("hopscotch", 0.88, 187e6));
  EXPECT_THAT(said(all, Topic::certainty), Not(HasSubstr("within the uncertainty"))) << "they are, by 1.6 %";
  all.measured[1].uncertainty = all.measured.back().uncertainty = 0.02;
  EXPECT_THAT(said(all, Topic::certainty),
              HasSubstr("α 0.88 has the same balance of speed and memory, within the uncertainty"));
  EXPECT_FALSE(warns(all, Topic::certainty));
  all.measured[1].spread = 0.3;
  EXPECT_THAT(said(all, Topic::certainty), Not(HasSubstr("spread is large"))) << "the median is known to ± 2 %";
  EXPECT_FALSE(warns(all, Topic::certainty));
  all.measured[1].uncertainty = 0.09;
  EXPECT_THAT(said(all, Topic::certainty), HasSubstr("The spread is large"));
  EXPECT_TRUE(warns(all, Topic::certainty));
  all = results();
  all.measured[1].operations[static_cast<std::size_t>(bench::Timed::find_hit)]->count = 400;
  EXPECT_THAT(said(all, Topic::certainty), HasSubstr("Rough: all repeats together cover only 3,600 operations"));
  all = results();
  all.measured[1].batch_seconds = 9e-6;
  EXPECT_THAT(said(all, Topic::certainty), Not(HasSubstr("launch")));
  all.backend = Backend::cuda;
  EXPECT_THAT(said(all, Topic::certainty), HasSubstr("is launch overhead"));
}

/// The list of those that could as well be chosen may hold smaller ones.
TEST(TuningAnswer, SaysWhyASmallerOneOfItsEqualsWasNotChosen)
{
  Results const all = results();
  Choice choice = choose(all);
  choice.winner = 1;
  choice.equals = {2};
  ASSERT_LT(all.measured[2].bytes_per_key, all.measured[1].bytes_per_key);
  EXPECT_THAT(text_of(answer_of(all, choice)),
              HasSubstr("of those whose measured balance is within a tenth of the best, it takes the least memory."));
  choice.equals = {3};
  EXPECT_THAT(text_of(answer_of(all, choice)), HasSubstr("it takes the least memory of these."));
}

/// Which of three comes out best, noise decides: the first sentence is of all of them, in the same order each time.
TEST(TuningAnswer, HeadlinesNameAllThatAreTied)
{
  std::set<std::string> headlines;
  std::set<std::string> chosen;
  for (std::size_t lucky = 0; lucky < 3; ++lucky) {
    Results all = results();
    all.present.reset();
    all.measured = {measured("robin_hood", 0.94, 160e6), measured("cuckoo", 0.91, 165e6),
                    measured("hopscotch", 0.88, 170e6)};
    all.measured[lucky].throughput *= 1.15;
    for (Measured& each : all.measured) { each.uncertainty = 0.15; }
    ASSERT_EQ(choose(all).equals.size(), 2u);
    std::string const text = said(all, Topic::choice);
    std::size_t const end = text.find(". Take ");
    ASSERT_NE(end, std::string::npos) << text;
    headlines.insert(text.substr(0, end));
    chosen.insert(text.substr(end));
    EXPECT_THAT(text, AllOf(HasSubstr("Robin Hood hashing, α 0.94"), HasSubstr("Cuckoo hashing, α 0.91"),
                            HasSubstr("Hopscotch hashing, α 0.88")));
  }
  EXPECT_EQ(headlines.size(), 1u) << *headlines.begin();
  Results all = results();
  all.present.reset();
  all.measured = {measured("cuckoo", 0.91, 165e6), measured("cuckoo", 0.85, 155e6)};
  for (Measured& each : all.measured) { each.uncertainty = 0.15; }
  EXPECT_THAT(said(all, Topic::choice), HasSubstr("any of these will do: Cuckoo hashing, α 0.85 to 0.91. Take "));
}

TEST(TuningAnswer, SaysHowManyMoreKeysAreSafe)
{
  Results all = results();
  all.present.reset();
  all.measured = {measured("cuckoo", 0.949, 190e6)};
  std::string const text = said(all, Topic::risk);
  std::uint64_t const slots = all.measured[0].candidate.table.slots;
  auto const room = static_cast<std::uint64_t>(0.95 * static_cast<double>(slots)) - keys;
  EXPECT_THAT(text, HasSubstr("guaranteed a slot up to α 0.95: " + grouped(room) + " more keys (0.1 %) are safe."));
  EXPECT_THAT(text, HasSubstr("grow_at"));
  EXPECT_TRUE(warns(all, Topic::risk));
  all.measured = {measured("cuckoo", 0.7, 190e6)};
  EXPECT_THAT(said(all, Topic::risk), AllOf(HasSubstr("more keys (35.7 %) are safe."), Not(HasSubstr("grow_at"))));
  EXPECT_FALSE(warns(all, Topic::risk));
  all.measured = {measured("linear_probing", 0.98, 190e6)};
  EXPECT_THAT(said(all, Topic::risk), HasSubstr("more keys (2.0 %) fit."));
  all.measured = {measured("linear_probing", 0.5, 190e6)};
  EXPECT_EQ(said(all, Topic::risk), "") << "nobody is near an end";
}

TEST(TuningAnswer, DoesNotBlameTheTimeWhereSomeWasLeft)
{
  Results all = results();
  all.measured[3].stage = Stage::refined;
  all.unchecked = 3;
  EXPECT_THAT(said(all, Topic::certainty), HasSubstr("The time was too short"));
  all.ended_early = true;
  EXPECT_THAT(said(all, Topic::certainty), AllOf(Not(HasSubstr("time was too short")), HasSubstr("only roughly")));
}

TEST(TuningAnswer, AHashThatDoesNotMixIsGoodForTheseKeysOnly)
{
  Results all = results();
  all.present.reset();
  all.measured = {measured("double_hashing", 0.7, 190e6)};  // cuckoo hashing has functions of its own
  EXPECT_THAT(said(all, Topic::risk), Not(HasSubstr("dense")));
  for (HashKind const hash : {HashKind::identity, HashKind::fibonacci}) {
    all.measured[0].candidate.table.hash = hash;
    HashUniformity& homes = all.homes_of_choice.emplace();
    homes.hash = hash;
    homes.keys = 1000;
    homes.z = -20.0;
    homes.probing = {1.0, 1.5};
    homes.random_probing = {1.5, 2.5};
    EXPECT_THAT(said(all, Topic::risk), HasSubstr("is good here because these keys are dense numbers"));
    EXPECT_TRUE(warns(all, Topic::risk));
    all.homes_of_choice->z = 0.0;
    EXPECT_THAT(said(all, Topic::risk), HasSubstr("because these keys are random numbers already"));
  }
  all.measured[0].candidate.table.hash = HashKind::xxhash;
  EXPECT_THAT(said(all, Topic::risk), Not(HasSubstr("is good here")));
}

/// On a CPU.
Measured by_others(double rate, double bytes)
{
  Measured result = measured("linear_probing", 0.9, rate);
  result.candidate.table = {.family = "std::unordered_map", .slots = result.candidate.table.slots};
  result.bytes_per_key = bytes;
  return result;
}

/// They are made of other slots than ours.
TEST(TuningAnswer, NothingIsSaidOfTheHomesInATableByOthers)
{
  Results all = results();
  all.present.reset();
  all.measured = {measured("double_hashing", 0.9, 190e6)};
  HashUniformity& homes = all.homes_of_choice.emplace();
  homes.hash = all.measured[0].candidate.table.hash = HashKind::identity;
  homes.slots = all.measured[0].candidate.table.slots;
  homes.keys = 1000;
  homes.z = 20.0;
  homes.probing = {3.0, 9.0};
  homes.random_probing = {1.5, 2.5};
  EXPECT_THAT(said(all, Topic::keys), HasSubstr("identity"));
  all.measured = {by_others(190e6, 10.0)};
  all.measured[0].candidate.table.hash = HashKind::identity;
  homes.slots = all.measured[0].candidate.table.slots;
  EXPECT_EQ(said(all, Topic::keys) + said(all, Topic::risk), "");
}

TEST(TuningAnswer, NamesAFasterTableByOthersAtOnce)
{
  Results all = results();
  all.present.reset();
  all.measured.push_back(by_others(500e6, 60.0));
  EXPECT_EQ(choose(all).winner, 1u) << "it takes too much memory";
  std::vector<Sentence> const answer = answer_of(all, choose(all));
  EXPECT_EQ(answer.at(1).text,
            "A table of another library is faster: std::unordered_map (by others, one thread): 500 M operations a "
            "second, 2.63 × the speed, with 560 % more memory (60.0 bytes a key).");
  EXPECT_THAT(said(all, Topic::alternative), AllOf(Not(HasSubstr("The fastest is")), HasSubstr("--most-bytes 60,")));
  all.measured.back() = by_others(150e6, 60.0);
  EXPECT_THAT(text_of(answer_of(all, choose(all))), Not(HasSubstr("by others"))) << "it is slower";
  all.measured.back() = by_others(500e6, 10.0);
  EXPECT_EQ(choose(all).winner, 5u);
  EXPECT_THAT(said(all, Topic::choice), StartsWith("std::unordered_map (by others, one thread): 500 M"));
  EXPECT_THAT(answer_of(all, choose(all)).at(1).text,
              HasSubstr("The best table of this program is " + title_of(all.measured[1]) + ": 190 M"));
  Json const written = to_json(all).at("candidates").at(5);
  EXPECT_EQ(written.at("by_others"), true);
  EXPECT_EQ(written.at("table").at("family"), "std::unordered_map");
  EXPECT_TRUE(written.at("load").is_null());
  EXPECT_THAT(check_of(all, all.measured[5]).command, HasSubstr("--families 'std::unordered_map'"));
  BenchRow const row = rows_of(all, all.measured[5]).back();
  EXPECT_EQ(row.at("variant"), "1 thread");
  ASSERT_EQ(measured_in(rows_of(all, all.measured[5]), all).size(), 1u);
  EXPECT_EQ(measured_in(rows_of(all, all.measured[5]), all).front().candidate.table.family, "std::unordered_map");
}

/// A file that has no other keys leaves some out, and a mix runs in small batches.
TEST(TuningAnswer, SaysWhatAMixRanOn)
{
  Results all = results();
  OperationResult& mix = all.measured[1].operations[static_cast<std::size_t>(bench::Timed::mixed)].emplace();
  mix.count = 1000;
  mix.keys = keys - 100;
  all.measured[1].timed_batch = 4'685;
  EXPECT_THAT(said(all, Topic::keys), HasSubstr("The table of this mix held at most 3,999,900 keys instead of"));
  EXPECT_THAT(said(all, Topic::latency), HasSubstr("A batch of 4,685 operations takes"));
  all.measured[1].worst_batch_seconds = 0.0;
  EXPECT_THAT(said(all, Topic::latency), Not(HasSubstr("slowest"))) << "none of that size was timed";
}

/// Of a machine where other programs run: no claim goes beyond what the marks and the repeats show.
TEST(TuningAnswer, ClaimsNothingThatItsOwnPictureDenies)
{
  Results all = results();
  all.measured = {measured("linear_probing", 0.58, 64e6), measured("linear_probing", 0.82, 187e6)};
  all.present.reset();
  all.measured[0].uncertainty = 2.7;
  all.measured[1].uncertainty = 2.7;
  EXPECT_THAT(said(all, Topic::choice), Not(HasSubstr("the fastest of all")));
  all.measured[1].stage = Stage::refined;
  EXPECT_THAT(choose(all).rough, ElementsAre(1u));
  EXPECT_THAT(said(all, Topic::choice), Not(HasSubstr("the fastest of all")));
  EXPECT_THAT(said(all, Topic::certainty), HasSubstr("α 0.82 closely: it may be better"));
  EXPECT_THAT(said(all, Topic::certainty), AllOf(HasSubstr("too unsteady"), Not(HasSubstr("270"))));
  all.measured.pop_back();
  EXPECT_THAT(said(all, Topic::choice), HasSubstr("the only one"));
  Check check = check_of(all, all.measured[0]);
  EXPECT_EQ(nearness_of(check), "within 10 %");
  all.unrest = 0.3;
  EXPECT_EQ(nearness_of(check_of(all, all.measured[0])), "within 30 %");
  all.unrest = 0.83;
  EXPECT_THAT(nearness_of(check_of(all, all.measured[0])), Not(HasSubstr("within")));
}

TEST(TuningAnswer, SaysHowManyKeysAreDifferent)
{
  Results all = results();
  all.available = {20000, 20000};
  EXPECT_THAT(said(all, Topic::keys), Not(HasSubstr("distinct")));
  all.available.different = 1;
  EXPECT_THAT(said(all, Topic::keys), HasSubstr("Of 20,000 keys, 1 is distinct."));
}

TEST(TuningAnswer, SaysWhenTheCoresWereMovedApart)
{
  Results all = results();
  all.measured[1].handover = {25e-9, 30e-9};
  EXPECT_FALSE(warns(all, Topic::certainty));
  EXPECT_THAT(check_of(all, all.measured[1]).remark,
              HasSubstr("Passing a cache line from one core to another took 25 to 30 ns."));
  all.measured[1].handover.add({170e-9, 170e-9});
  EXPECT_TRUE(warns(all, Topic::certainty));
  EXPECT_THAT(said(all, Topic::certainty), HasSubstr("took 25 to 170 ns"));
}

TEST(TuningReport, RowsKeepTheHandover)
{
  Results all = results();
  all.device = "CPU";
  all.measured[1].handover = {25e-9, 170e-9};
  std::vector<Measured> const read = measured_in(rows_of(all, all.measured[1]), all);
  ASSERT_EQ(read.size(), 1u);
  EXPECT_DOUBLE_EQ(read[0].handover.least, 25e-9);
  EXPECT_DOUBLE_EQ(read[0].handover.most, 170e-9);
}

TEST(TuningAnswer, KnowsWhenThePresentSettingIsBest)
{
  Results all = results();
  all.present = 1;
  EXPECT_THAT(said(all, Topic::comparison), HasSubstr("your present setting: no measured table is clearly better"));
  all.present.reset();
  EXPECT_EQ(said(all, Topic::comparison), "");
}

TEST(TuningAnswer, SaysWhyThereIsNone)
{
  Results all = results();
  all.workload.max_bytes = 1.0;
  all.skipped.push_back({all.measured[0].candidate, "its slots alone take 16.0 bytes a key"});
  EXPECT_THAT(said(all, Topic::choice), HasSubstr("No measured table"));
  EXPECT_THAT(said(all, Topic::choice), HasSubstr("its slots alone take 16.0 bytes a key"));
}

TEST(TuningAnswer, NamesTheCommandThatChecksIt)
{
  Results all = results();
  all.measured[1].candidate.table.parameters["functions"] = 3;
  Check check = check_of(all, all.measured[1]);
  EXPECT_THAT(check.command, HasSubstr("--families 'cuckoo functions=3'"));
  EXPECT_THAT(check.command, HasSubstr("--slots " + std::to_string(all.measured[1].candidate.table.slots)));
  EXPECT_THAT(check.command, HasSubstr("--keys 'uniform'"));
  EXPECT_THAT(check.command, HasSubstr("--ops find_hit"));
  ASSERT_EQ(check.rows.size(), 1u);
  EXPECT_EQ(check.rows[0].operation, "find_hit");
  EXPECT_DOUBLE_EQ(check.rows[0].rate, 190e6);
  check.bytes_per_key = 23.2;
  EXPECT_EQ(text_of(check), "find_hit 190 M/s, at 23.2 bytes per key");
  all.workload.source.distribution = KeyDistribution::zipf;
  EXPECT_THAT(check_of(all, all.measured[1]).command, HasSubstr("--keys 'zipf keys=4000000'"));
}

TEST(TuningReport, HasTheColumnsOfTheBenchAndMore)
{
  Results const all = results();
  std::vector<std::string> const bench = RowColumns<TableRow>(table_identity_columns(), table_figure_columns()).names();
  std::vector<std::string> const ours = columns();
  ASSERT_GT(ours.size(), bench.size());
  EXPECT_TRUE(std::equal(bench.begin(), bench.end(), ours.begin()));
  for (std::string const& column : identity()) { EXPECT_THAT(ours, ::testing::Contains(column)); }
  std::vector<BenchRow> const rows = rows_of(all, all.measured[1]);
  ASSERT_EQ(rows.size(), 2u);
  for (BenchRow const& row : rows) {
    for (std::string const& column : ours) { EXPECT_TRUE(row.contains(column)) << column; }
    EXPECT_EQ(row.size(), ours.size());
  }
  EXPECT_EQ(rows[0].at("operation"), "find_hit");
  EXPECT_EQ(rows[1].at("operation"), "workload");
  EXPECT_DOUBLE_EQ(rows[1].at("mops").get<double>(), 190.0);
}

TEST(TuningReport, PagesHoldTheAnswerAndNothingRaw)
{
  Results all = results();
  all.workload.name = "Orders <b> & more";
  all.skipped.push_back({all.measured[0].candidate, "it stores 32-bit keys only"});
  std::string const page = html_report(all, {{"A plot", "<?xml?>\n<svg>lines</svg>"}});
  EXPECT_THAT(page, HasSubstr("Orders &lt;b&gt; &amp; more"));
  EXPECT_THAT(page, HasSubstr("<svg>lines</svg>"));
  EXPECT_THAT(page, Not(HasSubstr("<?xml")));
  EXPECT_THAT(page, HasSubstr("slotscape bench tables"));
  EXPECT_THAT(page, HasSubstr("it stores 32-bit keys only"));
  for (Sentence const& sentence : answer_of(all, choose(all))) {
    EXPECT_THAT(markdown_report(all, {{"A plot", "a.svg"}}), HasSubstr(sentence.text));
  }
  EXPECT_THAT(markdown_report(all, {{"A plot", "a.svg"}}), HasSubstr("![A plot](a.svg)"));
}

TEST(TuningAnswer, SaysFirstHowManyTablesWereMeasuredClosely)
{
  Results all = results();
  all.present.reset();
  for (int i = 0; i < 62; ++i) {
    all.measured.push_back(measured("simple_hash", 0.5, 30e6));
    all.measured.back().stage = Stage::coarse;
  }
  EXPECT_THAT(said(all, Topic::choice), HasSubstr("of the 5 closely measured tables (out of 67)"));
  EXPECT_THAT(said(all, Topic::certainty), Not(HasSubstr("only roughly")));
  all.measured.back().throughput = 455e6;
  EXPECT_THAT(said(all, Topic::certainty),
              AllOf(HasSubstr("measured only roughly so far is Simple"), HasSubstr("455 M")));
}

TEST(TuningAnswer, KeepsThePresentSettingInPlainWords)
{
  Results all = results();
  all.different = 20'839;
  all.measured = {measured("linear_probing", 0.5, 56e6), measured("double_hashing", 0.9, 42.8e6)};
  std::string const first = said(all, Topic::choice);
  EXPECT_THAT(first, HasSubstr("Keep your present setting, Linear probing, α 0.50"));
  EXPECT_THAT(first, HasSubstr("is worth the change"));
  EXPECT_THAT(said(all, Topic::comparison), AllOf(HasSubstr("Double hashing"), HasSubstr("23.6 % slower")));
}

TEST(TuningAnswer, SaysHowToAskForTheFastest)
{
  Results all = results();
  std::string const others = said(all, Topic::alternative);
  EXPECT_THAT(others, HasSubstr("For the fastest table, raise the memory limit: --most-bytes 12,"));
  all.workload.max_bytes = 12.0;
  EXPECT_EQ(choose(all).winner, 3u) << "then it is the answer";
}

/// Of those that cannot be told apart from the fastest the smallest is named; not as if nothing had a higher rate.
TEST(TuningAnswer, TheFastestDoesNotContradictTheFrontier)
{
  Results all = results();
  all.present.reset();
  all.measured = {measured("cuckoo", 0.9, 100e6), measured("linear_probing", 0.68, 137e6),
                  measured("hopscotch", 0.5, 145e6)};
  for (Measured& each : all.measured) { each.uncertainty = 0.05; }
  all.measured[0].uncertainty = 0.001;
  Choice const choice = choose(all);
  ASSERT_EQ(choice.winner, 0u);
  ASSERT_EQ(choice.fastest, 1u);
  std::string const text = said(all, Topic::alternative);
  EXPECT_THAT(text, Not(HasSubstr("The fastest is")));
  EXPECT_THAT(text, HasSubstr(title_of(all.measured[2]) + " has the highest rate, 145 M"));
  EXPECT_THAT(text, HasSubstr("cannot be told apart"));
  EXPECT_THAT(text, HasSubstr(title_of(all.measured[1])));
  for (Measured& each : all.measured) { each.uncertainty = 0.001; }
  EXPECT_THAT(said(all, Topic::alternative), HasSubstr("The fastest is " + title_of(all.measured[2])));
}

TEST(TuningAnswer, SaysThatATableIsBuiltAsAWhole)
{
  Results all = results();
  all.present.reset();
  all.measured = {measured("hash_graph", 0.9, 100e6)};
  EXPECT_THAT(said(all, Topic::risk), HasSubstr("built as a whole: your 25.0 % of insertions were measured that way"));
  EXPECT_TRUE(warns(all, Topic::risk));
  all.workload.insert = 0.0;
  EXPECT_THAT(said(all, Topic::risk), Not(HasSubstr("built as a whole")));
}

TEST(TuningAnswer, EqualsThatLookAlikeAreToldApartByTheirSlots)
{
  Results all = results();
  all.present.reset();
  all.measured = {measured("linear_probing", 0.6712, 100e6), measured("linear_probing", 0.6745, 100e6)};
  for (Measured& each : all.measured) { each.uncertainty = 0.1; }
  Choice const choice = choose(all);
  ASSERT_EQ(choice.equals.size(), 1u);
  ASSERT_EQ(title_of(all.measured[0]), title_of(all.measured[1]));
  std::string const slots = grouped(all.measured[choice.equals.front()].candidate.table.slots);
  EXPECT_THAT(said(all, Topic::certainty), HasSubstr("(" + slots + " slots) has the same balance"));
}

/// Hits and misses together, in their shares: looked up one by one here.
TEST(TuningAccesses, OfAMixAreThoseOfAllItsLookups)
{
  Workload workload;
  workload.insert = 0.4;
  workload.hit = 0.4;
  workload.miss = 0.2;
  OperationResults operations;
  auto const set = [&](bench::Timed timed, std::vector<std::pair<std::uint32_t, std::uint64_t>> counts) {
    auto& result = operations[static_cast<std::size_t>(timed)].emplace();
    bench::Accesses& accesses = result.accesses.emplace();
    double all = 0.0;
    for (auto const& [number, count] : counts) {
      accesses.mean += static_cast<double>(number * count);
      all += static_cast<double>(count);
      accesses.max = std::max(accesses.max, number);
    }
    accesses.mean /= all;
    accesses.histogram = std::move(counts);
  };
  set(bench::Timed::find_hit, {{1, 900}, {4, 95}, {10, 5}});
  set(bench::Timed::find_miss, {{2, 480}, {30, 15}, {48, 5}});  // fewer were counted than hits
  std::vector<std::uint32_t> each;
  auto const look_up = [&](std::uint32_t accesses, int times) { each.insert(each.end(), times, accesses); };
  look_up(1, 2 * 900);
  look_up(4, 2 * 95);
  look_up(10, 2 * 5);
  look_up(2, 2 * 480);
  look_up(30, 2 * 15);
  look_up(48, 2 * 5);
  std::ranges::sort(each);
  bench::Accesses const mixed = accesses_of(workload, operations).value();
  EXPECT_EQ(mixed.p99, each[each.size() * 99 / 100 - 1]);
  EXPECT_EQ(mixed.p99, 30u) << "neither the 4 of hits nor the 48 of the worse kind's few";
  EXPECT_EQ(mixed.max, 48u);
  EXPECT_NEAR(mixed.mean, std::accumulate(each.begin(), each.end(), 0.0) / static_cast<double>(each.size()), 1e-9);
}

TEST(TuningAccesses, AreUnknownWhereNothingIsLookedUp)
{
  Results all = results();
  all.workload.hit = all.workload.miss = 0.0;
  EXPECT_FALSE(accesses_of(all.workload, all.measured[1].operations));
  all.measured[1].worst_batch_seconds = 0.0;
  all.measured[1].operations[static_cast<std::size_t>(bench::Timed::find_hit)]->limit = 0.0;
  for (BenchRow const& row : rows_of(all, all.measured[1])) {
    for (char const* const column :
         {"accesses_mean", "accesses_p99", "accesses_max", "worst_batch_ms", "limit_mops", "percent_of_limit"}) {
      EXPECT_TRUE(row.at(column).is_null()) << column << " of " << row.at("operation");
    }
  }
  Json const written = to_json(all).at("candidates").at(1);
  EXPECT_TRUE(written.at("worst_batch_ms").is_null());
  EXPECT_TRUE(written.at("operations").at("find_hit").at("limit_mops").is_null());
}

}  // namespace
}  // namespace slotscape::tuning
