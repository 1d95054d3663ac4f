// The famous races: what a search finds, and what is told of it.

#include "gpu/races/cases.hpp"
#include "gpu/races/history.hpp"
#include "gpu/races/published.hpp"

#include "gpu/base/error.hpp"
#include "gpu/tables/hash_formula.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace slotscape::races::cases_tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class FamousCases : public ::testing::TestWithParam<Case> {};

TEST_P(FamousCases, EndAsTheySay)
{
  Race const race = make_race(GetParam().race);
  Report const report = explore(race);
  EXPECT_TRUE(report.findings.complete);
  EXPECT_EQ(report.legal(), GetParam().legal) << report.verdict.fault;
  EXPECT_EQ(report.verdict.fault.empty(), GetParam().legal);
}

/// A real family goes wrong only beyond its promise, and a published table that is right only shows what others lack.
TEST_P(FamousCases, GoWrongOnlyWhereNothingIsPromised)
{
  Race const race = make_race(GetParam().race);
  bool const promised = why_not_promised(*race.table, race.calls).empty();
  Published const* const published = find_published(GetParam().race.published);
  if (published == nullptr) {
    EXPECT_EQ(promised, GetParam().legal);
  } else {
    EXPECT_TRUE(promised);
    EXPECT_EQ(published->flaw.empty(), GetParam().legal);
  }
}

TEST_P(FamousCases, AreToldTurnByTurn)
{
  Race const race = make_race(GetParam().race);
  Schedule schedule = explore(race).findings.shortest;
  if (schedule.empty()) { schedule = random_schedule(race, {}, 1); }
  for (std::size_t turns = 0; turns < schedule.size(); ++turns) {
    History const history = history_of(race, {schedule.begin(), schedule.begin() + static_cast<std::ptrdiff_t>(turns)});
    EXPECT_EQ(history.events.size(), turns);
    EXPECT_FALSE(history.verdict);
    EXPECT_NE(std::ranges::find(history.turns, schedule[turns]), history.turns.end());
    for (ThreadNow const& thread : history.threads) { EXPECT_EQ(thread.next.has_value(), !thread.upcoming.empty()); }
  }
  History const history = history_of(race, schedule);
  for (Event const& event : history.events) { EXPECT_FALSE(event.text.empty()); }
  ASSERT_TRUE(history.verdict);
  EXPECT_EQ(history.verdict->legal, GetParam().legal);
  EXPECT_THAT(text_of(race, *history.verdict), HasSubstr(GetParam().legal ? "legal: the same as" : "illegal: "));
}

TEST_P(FamousCases, EachAccessIsOnALineOfThePseudocode)
{
  Race const race = make_race(GetParam().race);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (Event const& event : history_of(race, random_schedule(race, {}, seed)).events) {
      if (!event.access) { continue; }
      std::vector<CodeLine> const lines = race.table->code(race.calls[event.turn.thread].operation);
      EXPECT_EQ(std::ranges::count(lines, event.code.line, &CodeLine::label), 1)
          << event.code.line << ": " << event.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, FamousCases, ::testing::ValuesIn(famous_cases().begin(), famous_cases().end()),
                         [](auto const& info) {
                           std::string name(info.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(FamousCases, EachPublishedTableIsShown)
{
  std::set<std::string> shown;
  for (Case const& each : famous_cases()) { shown.insert(each.race.published); }
  for (Published const& table : published_tables()) { EXPECT_TRUE(shown.contains(std::string(table.info->name))); }
}

TEST(FamousCases, ThePublishedReuseOfTombstonesStoresAKeyTwice)
{
  Race const race = make_race(find_case("first-tombstone")->race);
  Report const report = explore(race);
  EXPECT_EQ(report.verdict.fault, "13 is stored twice: in slots 5 and 6");
  EXPECT_EQ(report.findings.shortest, (Schedule{{1}, {1}, {0}, {0}})) << "the erase, then the insertion";
  History const history = history_of(race, report.findings.shortest);
  EXPECT_THAT(history.events[1].text, HasSubstr("Slot 5 becomes a tombstone"));
  EXPECT_THAT(history.events[3].text, HasSubstr("13 goes to slot 5"));
  EXPECT_EQ(text_of(race, *history.verdict), "illegal: 13 is stored twice: in slots 5 and 6");
}

TEST(FamousCases, AllFourStatesOfASlotAreSeen)
{
  Race const race = make_race(find_case("key-before-value")->race);
  std::set<Fill> seen;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Schedule const schedule = random_schedule(race, {}, seed);
    for (std::size_t turns = 0; turns <= schedule.size(); ++turns) {
      History const history =
          history_of(race, {schedule.begin(), schedule.begin() + static_cast<std::ptrdiff_t>(turns)});
      seen.insert(race.table->slot(history.now.memory, 6).fill);
    }
  }
  EXPECT_EQ(seen, (std::set<Fill>{Fill::empty, Fill::key_only, Fill::pair, Fill::value_only}));
}

/// A table whose parameters change what its operations do says so beside its threads, too.
TEST(Histories, HaveTheCodeOfTheTablesParameters)
{
  TableSettings table{.family = "cuckoo", .slots = 8, .parameters = {{"bucket", 1}}};
  auto const rebuilds = [&] {
    auto const lines = make_race({.table = table, .calls = {Call{.key = 5}}}).table->code(Operation::insert);
    return std::ranges::count(lines, "rebuild", &CodeLine::label);
  };
  EXPECT_EQ(rebuilds(), 1);
  table.parameters["hashing"] = 2;
  EXPECT_EQ(rebuilds(), 0) << "its functions are fixed";
}

TEST(Histories, RefuseATurnThatCannotBeTaken)
{
  Race const race = make_race(find_case("two-inserts")->race);
  try {
    history_of(race, {{0}, {2}});
    FAIL() << "there are two threads";
  } catch (Error const& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("Turn 2"), HasSubstr("T3")));
  }
}

/// A thread is told of while it is under way: nothing may be said of a key that its next accesses prove wrong.
TEST(Histories, DoNotSayThatAKeyCannotMoveBeforeItDoes)
{
  Race const race = make_race(find_case("missed-while-moved")->race);
  Schedule const schedule = explore(race).findings.shortest;
  bool moves = false;
  for (std::size_t turns = 1; turns <= schedule.size(); ++turns) {
    History const history = history_of(race, {schedule.begin(), schedule.begin() + static_cast<std::ptrdiff_t>(turns)});
    EXPECT_EQ(history.events.back().text.find("cannot move"), std::string::npos) << history.events.back().text;
    moves = moves || history.events.back().text.find("2 moves from slot 2 to slot 4") != std::string::npos;
  }
  EXPECT_TRUE(moves);
}

TEST(Histories, OfOneSeedAreTheSame)
{
  Race const race = make_race(find_case("two-slots-left")->race);
  EXPECT_EQ(random_schedule(race, {}, 5), random_schedule(race, {}, 5));
  EXPECT_NE(random_schedule(race, {}, 5), random_schedule(race, {}, 6));
  Schedule const whole = random_schedule(race, {}, 5);
  EXPECT_EQ(random_schedule(race, {whole.begin(), whole.begin() + 4}, 5), whole) << "it goes on the same way";
}

/// With the identity, they would have the homes 5 and 0.
TEST(RaceSettings, TakeFormulas)
{
  RaceSettings settings = find_case("two-inserts")->race;
  settings.table.hash = HashChoice(parse_hash_formula("(3*k + 1) / 9 % m"));
  settings.before = {{Operation::insert, 5, 1}};
  settings.calls = {{Operation::insert, 8, 10}, {Operation::insert, 8, 11}};
  Race const race = make_race(settings);
  EXPECT_EQ(race.table->home(5), 1u);
  EXPECT_EQ(race.table->home(8), 2u);
  EXPECT_EQ(race.table->slot(race.table->start(), 1).key, 5u);
  EXPECT_TRUE(explore(race).legal());
}

TEST(RaceSettings, AreRefusedWithAReason)
{
  auto const why = [](auto change) {
    RaceSettings settings = find_case("two-inserts")->race;
    change(settings);
    try {
      make_race(settings);
    } catch (Error const& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(why([](RaceSettings& race) { race.calls.clear(); }), HasSubstr("1 to 4 threads"));
  EXPECT_THAT(why([](RaceSettings& race) { race.calls.resize(5); }), HasSubstr("1 to 4 threads"));
  EXPECT_THAT(why([](RaceSettings& race) { race.table.slots = 12; }), HasSubstr("8, 16, 32 or 64"));
  EXPECT_THAT(why([](RaceSettings& race) { race.table.family = "cpu_unordered_map"; }), HasSubstr("one thread"));
  EXPECT_THAT(why([](RaceSettings& race) { race.published = "none"; }), HasSubstr("'none'"));
  EXPECT_THAT(why([](RaceSettings& race) {
                race.published = "first_tombstone";
                race.table.hash = HashChoice(parse_hash_formula("k % m"));
              }),
              HasSubstr("choose a named hash"));
  EXPECT_THAT(why([](RaceSettings& race) { race.calls[0].key = Narrow::empty_key; }), HasSubstr("reserved"));
  EXPECT_THAT(why([](RaceSettings& race) { race.before.resize(9, Call{}); }), HasSubstr("no error")) << "one key";
  EXPECT_THAT(why([](RaceSettings& race) {
                for (Narrow::Key key = 0; key < 9; ++key) { race.before.push_back({Operation::insert, 100 + key, 1}); }
              }),
              HasSubstr("no place"));
}

}  // namespace
}  // namespace slotscape::races::cases_tests
