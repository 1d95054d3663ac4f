// The checker of recorded histories, which knows of no schedules: held to hand-made histories, and to the judge of all
// schedules.

#include "tests/support/registers.hpp"
#include "gpu/base/error.hpp"
#include "gpu/races/cases.hpp"
#include "gpu/races/history.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace slotscape::races::registers_tests {
namespace {

using registers::fault_in;
using registers::Recorded;
using ::testing::HasSubstr;

Recorded insert(std::uint64_t value, Outcome outcome, std::uint64_t invoked, std::uint64_t returned)
{
  return {.key = 5,
          .value = value,
          .invoked = invoked,
          .returned = returned,
          .operation = Operation::insert,
          .outcome = outcome};
}
Recorded found(std::uint64_t value, std::uint64_t invoked, std::uint64_t returned)
{
  return {.key = 5, .value = value, .invoked = invoked, .returned = returned, .outcome = Outcome::found};
}
Recorded missed(std::uint64_t invoked, std::uint64_t returned)
{
  return {.key = 5, .invoked = invoked, .returned = returned};
}
Recorded erase(Outcome outcome, std::uint64_t invoked, std::uint64_t returned)
{
  return {.key = 5, .invoked = invoked, .returned = returned, .operation = Operation::erase, .outcome = outcome};
}

TEST(Registers, HoldWhatWasPutThereLast)
{
  EXPECT_EQ(fault_in({insert(1, Outcome::inserted, 1, 2), found(1, 3, 4), erase(Outcome::erased, 5, 6), missed(7, 8)}),
            "");
  EXPECT_THAT(fault_in({insert(1, Outcome::inserted, 1, 2), missed(3, 4)}), HasSubstr("no order explains"));
  EXPECT_NE(fault_in({insert(1, Outcome::inserted, 1, 2), insert(2, Outcome::updated, 3, 4), found(1, 5, 6)}), "");
  EXPECT_NE(fault_in({insert(1, Outcome::updated, 1, 2)}), "") << "there was nothing";
  EXPECT_NE(fault_in({erase(Outcome::erased, 1, 2)}), "");
  EXPECT_NE(fault_in({insert(1, Outcome::inserted, 1, 2), erase(Outcome::missing, 3, 4)}), "");
}

TEST(Registers, LetWhatOverlapsComeInAnyOrder)
{
  EXPECT_EQ(fault_in({insert(1, Outcome::inserted, 1, 9), missed(2, 3), found(1, 4, 5)}), "");
  EXPECT_NE(fault_in({insert(1, Outcome::inserted, 1, 9), found(1, 2, 3), missed(4, 5)}), "") << "there, then not";
  EXPECT_EQ(fault_in({insert(1, Outcome::inserted, 1, 2), missed(2, 3)}), "") << "they touch";
  EXPECT_NE(fault_in({insert(1, Outcome::inserted, 1, 9), insert(2, Outcome::inserted, 1, 9)}), "") << "twice new";
  EXPECT_NE(fault_in({insert(1, Outcome::inserted, 1, 9), insert(2, Outcome::updated, 1, 9), found(1, 10, 11)}), "")
      << "an update comes after the insertion";
  EXPECT_EQ(fault_in({insert(1, Outcome::inserted, 1, 9), erase(Outcome::erased, 1, 9), missed(2, 3), missed(10, 11)}),
            "");
}

/// Reads that see two writes in different orders.
TEST(Registers, HaveOneOrderForAll)
{
  std::vector<Recorded> history{insert(1, Outcome::inserted, 1, 2), insert(2, Outcome::updated, 3, 20),
                                insert(3, Outcome::updated, 3, 20), found(2, 4, 5), found(3, 6, 7)};
  EXPECT_EQ(fault_in(history), "");
  history.push_back(found(2, 8, 9));
  EXPECT_NE(fault_in(history), "");
}

TEST(Registers, AddUpWhateverTheOrder)
{
  std::vector<Recorded> history;
  for (std::uint64_t i = 0; i < 12; ++i) {
    history.push_back(insert(1 + i, i == 7 ? Outcome::inserted : Outcome::updated, 1, 9));
    history.back().combine = Combine::add;
  }
  history.push_back(found(78, 10, 11));
  EXPECT_EQ(fault_in(history), "");
  history.back().value = 77;
  EXPECT_NE(fault_in(history), "") << "one was lost";
}

TEST(Registers, OfOtherKeysDoNotMatter)
{
  Recorded other = missed(3, 4);
  other.key = 6;
  EXPECT_EQ(fault_in({insert(1, Outcome::inserted, 1, 2), other}), "");
}

TEST(Registers, AllowStaleLoadsNoFurtherBackThanTheThreadHasSeen)
{
  auto const allowed = [](std::vector<Recorded> history) {
    registers::allow_stale_loads(history);
    return fault_in(history);
  };
  Recorded of_other = missed(5, 6);
  of_other.thread = 1;
  EXPECT_NE(fault_in({insert(1, Outcome::inserted, 1, 2), of_other}), "");
  EXPECT_EQ(allowed({insert(1, Outcome::inserted, 1, 2), of_other}), "");
  EXPECT_NE(allowed({insert(1, Outcome::inserted, 1, 2), found(1, 3, 4), missed(5, 6)}), "") << "it saw its own";
  Recorded saw = found(1, 3, 4);
  saw.thread = 1;
  EXPECT_NE(allowed({insert(1, Outcome::inserted, 1, 2), saw, of_other}), "") << "time does not go back";
}

/// A schedule as its threads could have recorded it, with what the table holds before and after.
std::vector<Recorded> recorded(Race const& race, Schedule const& schedule, End const& end)
{
  std::vector<Recorded> history;
  std::uint64_t time = 0;
  for (Pair const& pair : pairs_in(*race.table, race.table->start())) {
    history.push_back(
        {.key = pair.key, .value = pair.value, .operation = Operation::insert, .outcome = Outcome::inserted});
  }
  std::size_t const first = history.size();
  for (std::size_t thread = 0; thread < race.calls.size(); ++thread) {
    Call const& call = race.calls[thread];
    Answer const& answer = end.results[thread];
    bool const brings = call.operation == Operation::insert;
    bool const takes = answer.outcome == Outcome::found || answer.outcome == Outcome::erased;
    history.push_back({.key = call.key,
                       .value = brings  ? call.value
                                : takes ? answer.value
                                        : registers::untold,
                       .thread = static_cast<std::uint32_t>(thread),
                       .operation = call.operation,
                       .combine = call.combine,
                       .outcome = answer.outcome});
  }
  for (Turn const& turn : schedule) {
    Recorded& mine = history[first + turn.thread];
    ++time;
    if (mine.invoked == 0) { mine.invoked = time; }
    mine.returned = ++time;
  }
  ++time;
  for (std::size_t i = 0, count = history.size(); i < count; ++i) {
    Answer const last = race.table->find(end.moment.memory, static_cast<Narrow::Key>(history[i].key));
    bool const is_there = last.outcome == Outcome::found;
    history.push_back({.key = history[i].key,
                       .value = is_there ? last.value : registers::untold,
                       .invoked = time,
                       .returned = time,
                       .outcome = is_there ? Outcome::found : Outcome::missing});
  }
  return history;
}

/// Random schedules of the famous races, in which nothing is stored twice or out of reach: those are told by a look at
/// the table. Both agree whether the answers add up.
TEST(Registers, SayOfSchedulesWhatTheJudgeSays)
{
  std::size_t legal = 0;
  std::size_t illegal = 0;
  for (Case const& each : famous_cases()) {
    if (each.race.memory != MemoryModel::in_order) { continue; }
    Race const race = make_race(each.race);
    Judge const judge(race);
    std::vector<Schedule> schedules{explore(race).findings.shortest};
    for (std::uint64_t seed = 1; seed <= 300; ++seed) { schedules.push_back(random_schedule(race, {}, seed)); }
    for (Schedule const& schedule : schedules) {
      Program program = program_of(race);
      Moment moment = program.start();
      for (Turn const& turn : schedule) { program.take(moment, turn); }
      if (!program.ended(moment) || !races::fault_in(*race.table, moment.memory).empty()) { continue; }
      std::vector<Answer> const results = program.results(moment);
      if (std::ranges::count(results, Outcome::full, &Answer::outcome) != 0) { continue; }
      End const end{moment, results, schedule};
      std::string const fault = fault_in(recorded(race, schedule, end));
      Verdict const verdict = judge.verdict(end);
      ++(verdict.legal ? legal : illegal);
      EXPECT_EQ(fault.empty(), verdict.legal) << each.name << ": " << verdict.fault << "; " << fault;
    }
  }
  EXPECT_GT(legal, 1000u);
  EXPECT_GT(illegal, 20u);
}

}  // namespace
}  // namespace slotscape::races::registers_tests
