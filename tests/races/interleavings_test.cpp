// The search itself: what it leaves out makes no difference, and what it finds can be replayed.

#include "gpu/races/interleavings.hpp"

#include "gpu/base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace slotscape::races::interleavings_tests {
namespace {

constexpr std::size_t places = 3;

/// A few accesses to three words; which ones depends on the seed, and on what earlier ones returned.
ScheduledOperation random_operation(std::uint64_t seed, MemoryModel model)
{
  return [=](ScheduledMachine const& machine) {
    std::uint64_t drawn = 0;
    auto const below = [&](std::uint32_t bound) { return random_below(seed, drawn++, bound); };
    Word last = 0;
    Word all = 0;
    for (std::uint32_t left = 1 + below(4); left != 0; --left) {
      Slot const place = below(places);
      Word const word = (below(3) + (below(3) == 0 ? last : 0)) % 3;
      switch (below(model == MemoryModel::late_stores ? 8 : 6)) {
        case 0: last = machine.load(place); break;
        case 1: last = machine.load_fresh(place); break;
        case 2: last = machine.compare_exchange(place, below(3), word); break;
        case 3: last = machine.exchange(place, word); break;
        case 4: last = machine.add_metadata(place, word); break;
        case 5:
          last = machine.load(place);
          if (last == 1) { last = machine.load(0); }
          break;
        case 6: machine.store(place, word); break;
        default: machine.release_store(place, word); break;
      }
      all = 5 * all + last;
    }
    return Answer{Outcome::found, static_cast<Slot>(all), 0};
  };
}

std::vector<ScheduledOperation> random_operations(std::uint64_t seed, MemoryModel model)
{
  std::size_t const threads = seed % 12 == 0 ? 4 : 2 + seed % 2;
  std::vector<ScheduledOperation> operations;
  for (std::size_t i = 0; i < threads; ++i) { operations.push_back(random_operation(max_threads * seed + i, model)); }
  return operations;
}

/// Memory, answers, and which operations had ended before which began.
using Ends = std::set<std::tuple<Words, std::vector<Slot>, std::array<std::uint8_t, max_threads>>>;

class RandomPrograms : public ::testing::TestWithParam<std::tuple<MemoryModel, bool>> {
protected:
  MemoryModel const model_ = std::get<0>(GetParam());

  Program program_of(std::uint64_t seed) const
  {
    return {random_operations(seed, model_), Words(places), model_, std::get<1>(GetParam())};
  }
  static bool is_good(Answer const& first) { return first.slot % 7 != 0; }

  static Findings search_all(Program& program, Ends& ends, bool reduces)
  {
    auto const good = [&](End const& end) {
      std::vector<Slot> answers;
      std::ranges::transform(end.results, std::back_inserter(answers), &Answer::slot);
      ends.insert({end.moment.memory, answers, end.moment.ended_before});
      return is_good(end.results.front());
    };
    return search(program, good, {.reduces = reduces});
  }
};

TEST_P(RandomPrograms, WhatIsLeftOutMakesNoDifference)
{
  std::uint64_t turns_of_all = 0;
  std::uint64_t turns = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Program program = program_of(seed);
    Ends all;
    Ends reduced;
    Findings const found_of_all = search_all(program, all, false);
    Findings const found = search_all(program, reduced, true);
    ASSERT_EQ(reduced, all) << "seed " << seed;
    ASSERT_EQ(found.bad_ends, found_of_all.bad_ends) << "seed " << seed;
    ASSERT_EQ(found.shortest.size(), found_of_all.shortest.size()) << "seed " << seed;
    turns_of_all += found_of_all.counts.turns;
    turns += found.counts.turns;
  }
  EXPECT_LT(2 * turns, turns_of_all);
}

TEST_P(RandomPrograms, TheShortestBadScheduleCanBeReplayed)
{
  std::size_t bad = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Program program = program_of(seed);
    Ends ends;
    Findings const found = search_all(program, ends, true);
    if (found.shortest.empty()) { continue; }
    Moment moment = program.start();
    for (Turn const& turn : found.shortest) {
      ASSERT_TRUE(program.has(moment, turn)) << "seed " << seed;
      program.take(moment, turn);
    }
    ASSERT_TRUE(program.ended(moment)) << "seed " << seed;
    EXPECT_FALSE(is_good(program.results(moment).front())) << "seed " << seed;
    ++bad;
  }
  EXPECT_GT(bad, 10u);
}

TEST_P(RandomPrograms, WithoutRoomToRememberItOnlyTakesLonger)
{
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Program program = program_of(seed);
    auto const good = [](End const& end) { return is_good(end.results.front()); };
    Findings const found = search(program, good);
    Findings const forgetful = search(program, good, {.max_moments = 4});
    EXPECT_EQ(forgetful.bad_ends == 0, found.bad_ends == 0) << "seed " << seed;
    EXPECT_EQ(forgetful.shortest.size(), found.shortest.size()) << "seed " << seed;
    EXPECT_GE(forgetful.counts.turns, found.counts.turns) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, RandomPrograms,
                         ::testing::Combine(::testing::Values(MemoryModel::in_order, MemoryModel::late_stores,
                                                              MemoryModel::stale_loads),
                                            ::testing::Bool()));

/// Two threads that store to one word and then read another's: the first litmus tests of every model.
std::set<std::vector<Slot>> answers_of(MemoryModel model, std::vector<ScheduledOperation> const& operations)
{
  Program program(operations, Words(places), model, false);
  std::set<std::vector<Slot>> answers;
  search(program, [&](End const& end) {
    std::vector<Slot> each;
    std::ranges::transform(end.results, std::back_inserter(each), &Answer::slot);
    answers.insert(each);
    return true;
  });
  return answers;
}

Answer answer(Word word)
{
  return {Outcome::found, static_cast<Slot>(word), 0};
}

TEST(MemoryModels, StoresMayPassLoadsOnlyWhereTheyAreLate)
{
  auto const store_and_load = [](Slot mine, Slot other) -> ScheduledOperation {
    return [=](ScheduledMachine const& machine) {
      machine.store(mine, 1);
      return answer(machine.load(other));
    };
  };
  std::vector<ScheduledOperation> const both{store_and_load(0, 1), store_and_load(1, 0)};
  std::vector<Slot> const neither{0, 0};
  EXPECT_FALSE(answers_of(MemoryModel::in_order, both).contains(neither));
  EXPECT_TRUE(answers_of(MemoryModel::late_stores, both).contains(neither));
}

TEST(MemoryModels, AMessageIsPassedInOrderByAReleaseStore)
{
  auto const send = [](bool releases) -> ScheduledOperation {
    return [=](ScheduledMachine const& machine) {
      machine.store(0, 1);  // the message
      releases ? machine.release_store(1, 1) : machine.store(1, 1);
      return answer(0);
    };
  };
  ScheduledOperation const receive = [](ScheduledMachine const& machine) {
    return answer(machine.load(1) == 1 ? 10 + machine.load(0) : 0);
  };
  std::vector<Slot> const lost{0, 10};
  EXPECT_FALSE(answers_of(MemoryModel::in_order, {send(false), receive}).contains(lost));
  EXPECT_TRUE(answers_of(MemoryModel::late_stores, {send(false), receive}).contains(lost));
  EXPECT_FALSE(answers_of(MemoryModel::late_stores, {send(true), receive}).contains(lost));
}

TEST(MemoryModels, AThreadReadsItsOwnStoresAndOneWordInOrder)
{
  ScheduledOperation const writer = [](ScheduledMachine const& machine) {
    machine.store(0, 1);
    machine.store(0, 2);
    return answer(machine.load(0));
  };
  ScheduledOperation const reader = [](ScheduledMachine const& machine) {
    Word const first = machine.load(0);
    return answer(10 * first + machine.load(0));
  };
  for (MemoryModel const model : {MemoryModel::late_stores, MemoryModel::stale_loads}) {
    for (std::vector<Slot> const& each : answers_of(model, {writer, reader})) {
      EXPECT_EQ(each[0], 2u);
      EXPECT_LE(each[1] / 10, each[1] % 10) << "a newer word was read first";
    }
    EXPECT_EQ(answers_of(model, {writer, reader}).size(), 6u) << "00 01 02 11 12 22";
  }
}

TEST(MemoryModels, AReadModifyWriteIsNeverStaleAndNoneIsLost)
{
  ScheduledOperation const add = [](ScheduledMachine const& machine) { return answer(machine.add_metadata(0, 1)); };
  for (MemoryModel const model : {MemoryModel::in_order, MemoryModel::late_stores, MemoryModel::stale_loads}) {
    std::set<std::vector<Slot>> const answers = answers_of(model, {add, add, add});
    EXPECT_EQ(answers.size(), 6u);
    for (std::vector<Slot> each : answers) {
      std::ranges::sort(each);
      EXPECT_EQ(each, (std::vector<Slot>{0, 1, 2}));
    }
  }
}

TEST(Search, CountsAllSchedulesExactly)
{
  ScheduledOperation const three = [](ScheduledMachine const& machine) {
    for (int i = 0; i < 3; ++i) { machine.load(0); }
    return answer(0);
  };
  Program two({three, three}, Words(places), MemoryModel::in_order, true);
  EXPECT_EQ(count_schedules(two, 1000), 20.0);
  Program four({three, three, three, three}, Words(places), MemoryModel::in_order, true);
  EXPECT_EQ(count_schedules(four, 10'000), 369600.0);  // 12! / 3!^4
  EXPECT_EQ(count_schedules(four, 10), std::nullopt);
}

TEST(Search, TakesTurnsAsRarelyAsItCan)
{
  auto const write_and_read = [](Slot mine, Slot other) -> ScheduledOperation {
    return [=](ScheduledMachine const& machine) {
      machine.exchange(mine, 1);
      machine.load(2);
      return answer(machine.load(other));
    };
  };
  Program program({write_and_read(0, 1), write_and_read(1, 0)}, Words(places), MemoryModel::in_order, false);
  Schedule back_and_forth;
  for (int i = 0; i < 3; ++i) { back_and_forth.insert(back_and_forth.end(), {Turn{0}, Turn{1}}); }
  Schedule const tidy = with_fewest_switches(program, back_and_forth);
  auto const switches = [](Schedule const& schedule) {
    std::size_t count = 0;
    for (std::size_t i = 1; i < schedule.size(); ++i) { count += schedule[i].thread != schedule[i - 1].thread ? 1 : 0; }
    return count;
  };
  EXPECT_EQ(switches(back_and_forth), 5u);
  EXPECT_EQ(switches(tidy), 2u) << "each writes before the other one reads";
  auto const results_of = [&](Schedule const& schedule) {
    Moment moment = program.start();
    for (Turn const& turn : schedule) { program.take(moment, turn); }
    std::vector<Answer> const results = program.results(moment);
    return std::pair(results[0].slot, results[1].slot);
  };
  EXPECT_EQ(results_of(tidy), results_of(back_and_forth));
}

TEST(Search, SaysWhereAnOperationDoesNotEndOrLeavesTheTable)
{
  ScheduledOperation const spin = [](ScheduledMachine const& machine) {
    while (machine.load(0) == 0) {}
    return answer(1);
  };
  ScheduledOperation const stray = [](ScheduledMachine const& machine) { return answer(machine.load(places)); };
  for (auto const& [operation, fault] : {std::pair(spin, "there is no end"), {stray, "leave the table"}}) {
    Program program({operation}, Words(places), MemoryModel::in_order, false);
    std::string said;
    Findings const found = search(program, [&](End const& end) {
      said = end.fault;
      return end.fault.empty();
    });
    EXPECT_EQ(found.bad_ends, 1u);
    EXPECT_NE(said.find(fault), std::string::npos) << said;
  }
}

TEST(Search, CanBeGivenUp)
{
  ScheduledOperation const long_one = [](ScheduledMachine const& machine) {
    for (Slot i = 0; i < 12; ++i) { machine.exchange(i % places, i); }
    return answer(0);
  };
  Program program({long_one, long_one, long_one, long_one}, Words(places), MemoryModel::in_order, false);
  int calls = 0;
  Progress const progress([&](Progress const& now) {
    EXPECT_GE(now.share(), 0.0);
    EXPECT_LE(now.share(), 1.0);
    return ++calls < 3;
  });
  Findings const found = search(
      program, [](End const&) { return true; }, {}, progress);
  EXPECT_EQ(calls, 3);
  EXPECT_FALSE(found.complete);
}

}  // namespace
}  // namespace slotscape::races::interleavings_tests
