#include "app/simulation/simulation.hpp"

#include "gpu/base/error.hpp"
#include "tests/support/one_thread.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <numeric>

namespace slotscape {
namespace {

constexpr double frame = 1.0 / 60.0;
constexpr double budget = 0.004;
constexpr double ample = 60.0;  // on however busy a machine
DriveSettings const paused{};

KeySettings keys_of(KeyDistribution distribution)
{
  KeySettings keys;
  keys.distribution = distribution;
  return keys;
}

KeySettings file_of(std::size_t count)
{
  KeySettings keys = keys_of(KeyDistribution::file);
  std::vector<Key> numbers(count);
  std::iota(numbers.begin(), numbers.end(), Key{100});
  keys.file_keys = std::make_shared<std::vector<Key> const>(std::move(numbers));
  return keys;
}

Simulation make(TableSettings const& table, KeySettings const& keys = {}, std::uint64_t seed = 1)
{
  return Simulation{Backend::cpu, table, keys, seed};
}

std::vector<Key> sorted_keys(Simulation& simulation)
{
  std::vector<Key> keys;
  for (Pair const& pair : simulation.engine().pairs()) { keys.push_back(pair.key); }
  std::ranges::sort(keys);
  return keys;
}

/// The simulation's own count is what the table holds.
void expect_count_is_right(Simulation& simulation)
{
  EXPECT_EQ(simulation.live(), simulation.engine().pairs().size());
  EXPECT_DOUBLE_EQ(simulation.load_factor(), simulation.engine().statistics().load_factor());
}

void step_until_idle(Simulation& simulation)
{
  for (int steps = 0; !simulation.idle(); ++steps) {
    ASSERT_LT(steps, 100'000);
    simulation.step(paused, frame, budget);
  }
}

/// In the window, a notice says so as long as it lasts.
TEST(Simulation, FindsThatAFillWithoutAWindowRanOutOfKeys)
{
  Simulation simulation = make({.slots = 64}, file_of(3));
  simulation.submit(FillTo{0.9});
  simulation.finish();
  EXPECT_EQ(simulation.findings(),
            Findings{
                "A fill to load factor 0.900 ended at 0.047. The key file has no new keys left: choose another file or "
                "another kind of keys."});
  Simulation shown = make({.slots = 64}, file_of(3));
  shown.submit(FillTo{0.9});
  step_until_idle(shown);
  EXPECT_TRUE(shown.findings().empty());
}

TEST(Simulation, FindsThatAFillWithoutAWindowFoundNoPlace)
{
  Simulation simulation = make({.family = "elastic", .slots = 4096});
  simulation.submit(BatchRequest::inserts(3000));
  simulation.submit(BatchRequest::erases(1000));
  simulation.submit(FillTo{0.8});
  simulation.finish();
  ASSERT_LT(simulation.engine(0).counts().load_factor(), 0.75) << "else this tests nothing";
  EXPECT_THAT(simulation.findings(),
              testing::ElementsAre(testing::AllOf(testing::HasSubstr("A fill to load factor 0.800 ended at 0."),
                                                  testing::HasSubstr("do not fit"))));
}

/// The fullest of the tables tells how far a fill goes.
TEST(Simulation, FindsThatOneOfItsTablesHadNoPlace)
{
  std::vector<TableSettings> const tables{{.slots = 4001}, {.family = "hash_fight", .slots = 4001}};
  Simulation simulation(Backend::cpu, tables, {}, 1);
  simulation.submit(FillTo{0.5});
  simulation.finish();
  EXPECT_THAT(simulation.findings(), testing::IsEmpty());
  simulation.submit(FillTo{0.9});
  simulation.finish();
  EXPECT_THAT(simulation.findings(),
              testing::ElementsAre(testing::AllOf(testing::HasSubstr("Table 2 had no room for"),
                                                  testing::HasSubstr("its fill to load factor 0.900 ended at 0."))));
}

TEST(Simulation, RunsActionsInOrderAndReportsEach)
{
  for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse}) {
    Simulation simulation = make({.slots = 1u << 14, .deletion = deletion});
    simulation.submit(BatchRequest::inserts(8000));
    simulation.submit(BatchRequest::finds(1000, KeyChoice::hits));
    simulation.submit(BatchRequest::erases(3000));
    simulation.submit(BatchRequest{.count = 1000, .insert = 0.5, .find = 0.25, .erase = 0.25});
    simulation.submit(Rehash{1u << 15});
    simulation.submit(FillTo{0.5});
    simulation.submit(SetKeys{keys_of(KeyDistribution::sequential)});
    simulation.submit(BatchRequest::inserts(0));
    step_until_idle(simulation);
    expect_count_is_right(simulation);
    EXPECT_EQ(simulation.live(), 1u << 14);

    std::vector<ActionReport> const reports = simulation.take_reports();
    std::vector<std::string> ops;
    ops.reserve(reports.size());
    for (ActionReport const& report : reports) { ops.push_back(report.op); }
    ASSERT_EQ(ops, (std::vector<std::string>{"insert", "find", "erase", "mix", "rehash", "fill", "insert"}));
    EXPECT_EQ(reports[0].count, 8000u);
    EXPECT_EQ(reports[0].outcomes[Outcome::inserted], 8000u);
    EXPECT_DOUBLE_EQ(reports[0].load_factor, 8000.0 / 16384.0);
    EXPECT_GT(reports[0].seconds, 0.0);
    EXPECT_GT(reports[0].mops(), 0.0);
    EXPECT_EQ(reports[1].outcomes[Outcome::found], 1000u);
    EXPECT_EQ(reports[2].outcomes[Outcome::erased], 3000u);
    EXPECT_EQ(reports[3].count, 1000u);
    std::uint64_t const left = 5000 + reports[3].outcomes[Outcome::inserted] - reports[3].outcomes[Outcome::erased];
    EXPECT_EQ(reports[4].count, left) << "the keys moved";
    EXPECT_EQ(reports[5].outcomes[Outcome::inserted], (1u << 14) - left);
    EXPECT_EQ(reports[6].count, 0u);
    EXPECT_TRUE(simulation.take_reports().empty());

    simulation.submit(Clear{});
    simulation.finish();
    EXPECT_EQ(simulation.live(), 0u);
    expect_count_is_right(simulation);
  }
}

TEST(Simulation, APurgeKeepsTheSlotsOfEveryFamily)
{
  for (std::string const& family : family_names()) {
    for (std::uint64_t const asked : {17u, 100u, 1009u}) {
      if (!suits(family_info(family).slot_counts, asked)) { continue; }
      SCOPED_TRACE(fmt::format("{}, {} slots", family, asked));
      Simulation simulation = make({.family = family, .slots = asked});
      std::uint64_t const slots = simulation.engine().table().slots;
      simulation.submit(FillTo{0.3});
      simulation.finish();
      std::vector<Key> const keys = sorted_keys(simulation);
      EXPECT_GE(keys.size(), slots / 4);
      simulation.submit(Rehash{});
      simulation.finish();
      EXPECT_EQ(simulation.engine().table().slots, slots);
      EXPECT_EQ(sorted_keys(simulation), keys);
      expect_count_is_right(simulation);
      simulation.restart();
      simulation.finish();
      EXPECT_EQ(simulation.engine().table().slots, slots) << "replayed";
    }
  }
}

/// Its 576 slots are more than the 100 asked for, which is no reason to shrink the others.
TEST(Simulation, APurgeOfSeveralTablesShrinksNone)
{
  std::vector<TableSettings> const tables{{.family = "two_level_cuckoo", .slots = 100}, {.slots = 600}};
  Simulation simulation(Backend::cpu, tables, {}, 1);
  simulation.submit(BatchRequest::inserts(100));
  simulation.submit(Rehash{});
  simulation.finish();
  EXPECT_EQ(simulation.engine(0).table().slots, 576u);
  EXPECT_EQ(simulation.engine(1).table().slots, 600u);
  EXPECT_EQ(simulation.live(), 100u);
}

TEST(Simulation, FinishRunsInTheLargestBatches)
{
  Simulation simulation = make({.slots = 1u << 22});
  std::uint64_t const limit = simulation.engine().batch_limit();
  simulation.submit(BatchRequest::inserts(2 * limit + 10));
  simulation.finish();
  EXPECT_TRUE(simulation.idle());
  EXPECT_EQ(simulation.history(),
            (std::vector<Done>{BatchRequest::inserts(limit), BatchRequest::inserts(limit), BatchRequest::inserts(10)}));
  EXPECT_EQ(simulation.take_reports().size(), 1u);
  EXPECT_EQ(simulation.take_runs().size(), 3u);
}

TEST(Simulation, LongActionsAreSlicedSoThatAStepKeepsToItsBudget)
{
  test::OneThread const one_thread;
  Simulation simulation = make({.slots = 1u << 22});
  simulation.submit(BatchRequest::inserts(3'000'000));
  std::vector<double> seconds;
  double last_share = 0.0;
  while (!simulation.idle()) {
    double const start = test::OneThread::seconds();
    simulation.step(paused, frame, budget);
    seconds.push_back(test::OneThread::seconds() - start);
    if (simulation.idle()) { break; }
    auto const progress = simulation.progress();
    ASSERT_TRUE(progress);
    EXPECT_GE(progress->share, last_share);
    EXPECT_LT(progress->share, 1.0);
    last_share = progress->share;
    EXPECT_NE(progress->what.find("insert"), std::string::npos);
  }
  EXPECT_FALSE(simulation.progress());
  EXPECT_EQ(simulation.live(), 3'000'000u);
  std::ranges::sort(seconds);
  EXPECT_GT(seconds.size(), 3u);
  EXPECT_LT(seconds[seconds.size() / 2], 4 * budget) << "half of the steps";
}

TEST(Simulation, RehashTakesSeveralStepsAndCanBeCancelled)
{
  Simulation simulation = make({.slots = 1u << 22});
  simulation.submit(BatchRequest::inserts(1'000'000));
  simulation.finish();
  std::size_t const entries = simulation.history().size();
  simulation.submit(Rehash{1u << 21});
  simulation.submit(Clear{});
  simulation.step(paused, frame, 1e-5);
  ASSERT_FALSE(simulation.idle());
  ASSERT_TRUE(simulation.progress());
  EXPECT_NE(simulation.progress()->what.find("rehash"), std::string::npos);
  simulation.cancel();
  EXPECT_TRUE(simulation.idle());
  EXPECT_FALSE(simulation.progress());
  EXPECT_EQ(simulation.engine().table().slots, 1u << 22);
  EXPECT_EQ(simulation.history().size(), entries) << "what was cancelled has not been done";
  expect_count_is_right(simulation);

  simulation.submit(Rehash{1u << 21});
  step_until_idle(simulation);
  EXPECT_EQ(simulation.engine().table().slots, 1u << 21);
  EXPECT_EQ(simulation.history().back(), (Done{Rehash{1u << 21}}));
  expect_count_is_right(simulation);
}

TEST(Simulation, AnErrorDropsTheQueueAndLeavesTheTable)
{
  Simulation simulation = make({.slots = 1024});
  simulation.submit(BatchRequest::inserts(500));
  simulation.submit(Rehash{256});
  simulation.submit(Clear{});
  EXPECT_THROW(simulation.finish(), Error);
  EXPECT_TRUE(simulation.idle());
  EXPECT_EQ(simulation.live(), 500u);
  EXPECT_EQ(simulation.history().size(), 1u);
  expect_count_is_right(simulation);
  simulation.submit(BatchRequest::inserts(100));
  simulation.step(paused, frame, ample);
  EXPECT_EQ(simulation.live(), 600u);
  EXPECT_THROW(simulation.submit(FillTo{1.5}), Error);
  EXPECT_THROW(simulation.submit(FillTo{-0.1}), Error);
  EXPECT_TRUE(simulation.idle());
}

TEST(Simulation, AnErrorInTheMixLeavesNoBatchBehind)
{
  Simulation simulation = make({.slots = 1 << 16});
  DriveSettings const drive{.running = true, .rate = 1e6, .insert = 1.0, .find = 0.0, .erase = 0.0};
  simulation.engine().watch_batches([](std::uint64_t) -> bool { throw Error("there is no memory"); });
  EXPECT_THROW(simulation.step(drive, frame, ample), Error);
  simulation.engine().watch_batches({});
  simulation.submit(BatchRequest::inserts(100));
  simulation.finish();
  EXPECT_EQ(simulation.take_reports().back().count, 100u);
}

TEST(Simulation, ErasesEndWhereNoLiveKeyIsLeft)
{
  Simulation simulation = make({.slots = 1024});
  simulation.submit(BatchRequest::inserts(300));
  simulation.submit(BatchRequest::erases(1'000'000'000));
  simulation.finish();
  ASSERT_EQ(simulation.take_reports().at(1).count, 300u);
  EXPECT_EQ(simulation.live(), 0u);
}

TEST(Simulation, FillsAndEmptiesToALoad)
{
  for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse}) {
    Simulation simulation = make({.slots = 1u << 16, .deletion = deletion});
    for (double const load : {0.9, 0.25, 0.0}) {
      simulation.submit(FillTo{load});
      step_until_idle(simulation);
      EXPECT_NEAR(simulation.load_factor(), load, 1.0 / (1u << 16));
      EXPECT_TRUE(simulation.notice().empty());
      expect_count_is_right(simulation);
    }
  }
}

TEST(Simulation, AFillTakesThePlaceOfTheFillsBeforeIt)
{
  Simulation simulation = make({.slots = 1 << 20});
  simulation.submit(FillTo{0.9});
  simulation.step(paused, frame, 1e-4);
  ASSERT_FALSE(simulation.idle());
  simulation.fill_instead({0.8});
  simulation.fill_instead({0.001});
  step_until_idle(simulation);
  EXPECT_EQ(simulation.live(), 1049u);
  EXPECT_EQ(simulation.take_reports().size(), 2u);
}

TEST(Simulation, AFillLeavesTheFillsBeforeOtherActions)
{
  Simulation simulation = make({.slots = 1024});
  simulation.submit(FillTo{0.5});
  simulation.submit(BatchRequest::erases(12));
  simulation.fill_instead({0.25});
  simulation.finish();
  EXPECT_EQ(simulation.take_reports().size(), 3u);
  EXPECT_EQ(simulation.live(), 256u);
}

TEST(Simulation, FillsToTheLastSlot)
{
  Simulation simulation = make({.slots = 16});
  simulation.submit(FillTo{1.0});
  simulation.finish();
  EXPECT_EQ(simulation.live(), 16u);
  EXPECT_TRUE(simulation.notice().empty());
}

TEST(Simulation, FillsAlsoWithKeysThatRepeat)
{
  Simulation simulation = make({.slots = 1024}, keys_of(KeyDistribution::zipf));
  simulation.submit(FillTo{0.5});
  simulation.finish();
  EXPECT_EQ(simulation.live(), 512u);
  EXPECT_TRUE(simulation.notice().empty());
}

TEST(Simulation, SaysSoWhereAFillIsOutOfReach)
{
  Simulation file = make({.slots = 1024}, file_of(100));
  file.submit(FillTo{0.5});
  step_until_idle(file);
  EXPECT_EQ(file.live(), 100u);
  EXPECT_NE(file.notice().find("key file"), std::string::npos);
  file.submit(Clear{});
  EXPECT_TRUE(file.notice().empty()) << "until the next action";

  Simulation full = make({.slots = 64});
  full.submit(BatchRequest::inserts(60));
  full.submit(BatchRequest::erases(30));
  full.submit(FillTo{0.9});
  step_until_idle(full);
  EXPECT_EQ(full.live(), 34u) << "erased keys keep their slots";
  EXPECT_NE(full.notice().find("purge"), std::string::npos);
}

TEST(Simulation, TheMixRunsAtItsRate)
{
  Simulation simulation = make({.slots = 1u << 16});
  DriveSettings drive{.running = true, .rate = 10'000.0, .insert = 1.0, .find = 0.0, .erase = 0.0};
  for (int i = 0; i < 60; ++i) { simulation.step(drive, frame, ample); }
  EXPECT_NEAR(static_cast<double>(simulation.live()), 10'000.0, 1.0);
  std::vector<ActionReport> const reports = simulation.take_reports();
  ASSERT_GE(reports.size(), 60u);
  EXPECT_TRUE(std::ranges::all_of(reports, [](ActionReport const& report) { return report.op == "mix"; }));

  simulation.step(drive, 1000.0, ample);
  EXPECT_LE(simulation.live(), 20'001u) << "a second's worth at most";
  std::uint64_t const live = simulation.live();
  simulation.step(paused, frame, budget);
  EXPECT_EQ(simulation.live(), live);
  expect_count_is_right(simulation);
}

TEST(Simulation, AtFullSpeedTheMixUsesItsBudget)
{
  Simulation simulation = make({.slots = 1u << 16});
  DriveSettings const drive{.running = true, .full_speed = true, .insert = 0.0, .find = 1.0, .erase = 0.0};
  auto const start = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) { simulation.step(drive, frame, 0.05); }
  double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_GE(seconds, 10 * 0.05 * 0.9);
  EXPECT_GE(simulation.take_reports().size(), 20u) << "about four slices a step; fewer where others use the machine";
}

TEST(Simulation, HoldsTheLoadWhileTheMixChurns)
{
  for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse}) {
    Simulation simulation = make({.slots = 1u << 17, .deletion = deletion});
    DriveSettings drive{.running = true, .rate = 50'000.0, .hold_load = true};
    for (double const target : {0.5, 0.2, 0.3}) {
      drive.target_load = target;
      for (int i = 0; i < 600 && std::abs(simulation.load_factor() - target) > 0.001; ++i) {
        simulation.step(drive, frame, ample);
      }
      std::uint64_t churn = 0;
      simulation.take_reports();
      for (int i = 0; i < 10; ++i) {
        simulation.step(drive, frame, ample);
        EXPECT_NEAR(simulation.load_factor(), target, 0.003);
      }
      for (ActionReport const& report : simulation.take_reports()) {
        if (report.op == "mix") { churn += report.count; }
      }
      EXPECT_GT(churn, 5000u);
    }
    EXPECT_TRUE(simulation.notice().empty());
    expect_count_is_right(simulation);
  }
}

TEST(Simulation, DoesNotSpinWhereALoadCannotBeHeld)
{
  Simulation simulation = make({.slots = 1024}, file_of(100));
  DriveSettings const drive{.running = true, .rate = 1000.0, .hold_load = true, .target_load = 0.5};
  for (int i = 0; i < 30; ++i) { simulation.step(drive, frame, ample); }
  EXPECT_NE(simulation.notice().find("key file"), std::string::npos);
  EXPECT_EQ(simulation.live(), 100u) << "what there is stays";
  simulation.take_reports();
  for (int i = 0; i < 60; ++i) { simulation.step(drive, frame, ample); }
  std::uint64_t operations = 0;
  for (ActionReport const& report : simulation.take_reports()) { operations += report.count; }
  EXPECT_LE(operations, 1001u) << "the mix alone";
  simulation.submit(SetKeys{});
  for (int i = 0; i < 60; ++i) { simulation.step(drive, frame, ample); }
  EXPECT_NEAR(static_cast<double>(simulation.live()), 512.0, 20.0);
  EXPECT_TRUE(simulation.notice().empty());
}

TEST(Simulation, TheMixWaitsForTheQueue)
{
  Simulation simulation = make({.slots = 1u << 20});
  DriveSettings const drive{.running = true, .rate = 1e6};
  simulation.submit(BatchRequest::inserts(500'000));
  simulation.step(drive, frame, 1e-5);
  EXPECT_FALSE(simulation.idle());
  EXPECT_TRUE(simulation.take_reports().empty());
}

/// Does a bit of everything, in steps as a window makes them.
void play(Simulation& simulation)
{
  DriveSettings const drive{.running = true, .rate = 20'000.0};
  simulation.submit(BatchRequest::inserts(6000));
  for (int i = 0; i < 20; ++i) { simulation.step(drive, frame, budget); }
  simulation.submit(Rehash{1u << 15});
  simulation.submit(BatchRequest::erases(1000));
  simulation.submit(SetKeys{keys_of(KeyDistribution::sequential)});
  simulation.submit(FillTo{0.3});
  for (int i = 0; i < 20; ++i) { simulation.step(drive, frame, budget); }
  simulation.finish();
}

TEST(Simulation, RestartReplaysExactlyTheSame)
{
  for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse}) {
    Simulation simulation = make({.slots = 1u << 14, .deletion = deletion}, {}, 77);
    play(simulation);
    std::vector<Key> const keys = sorted_keys(simulation);
    std::vector<Done> const history = simulation.history();
    for (int times = 0; times < 2; ++times) {
      simulation.restart();
      EXPECT_EQ(simulation.live(), 0u);
      EXPECT_EQ(simulation.engine().table().slots, 1u << 14);
      ASSERT_FALSE(simulation.idle());
      ASSERT_TRUE(simulation.progress());
      EXPECT_EQ(simulation.progress()->what, "replaying");
      if (times == 0) {
        step_until_idle(simulation);
      } else {
        simulation.finish();
      }
      EXPECT_EQ(sorted_keys(simulation), keys);
      EXPECT_EQ(simulation.history(), history);
      EXPECT_EQ(simulation.engine().table().slots, 1u << 15);
      expect_count_is_right(simulation);
    }
    simulation.submit(BatchRequest::inserts(10));
    simulation.finish();
    EXPECT_EQ(simulation.history().size(), history.size() + 1);
  }
}

TEST(Simulation, ACancelledReplayLeavesTheHistoryOfWhatWasDone)
{
  Simulation simulation = make({.slots = 1u << 14});
  for (int i = 0; i < 100; ++i) { simulation.submit(BatchRequest::inserts(50)); }
  simulation.finish();
  simulation.restart();
  simulation.step(paused, frame, 0.0);
  simulation.restart();
  EXPECT_EQ(simulation.history().size(), 100u) << "restarting a replay does not forget its rest";
  simulation.step(paused, frame, 0.0);
  simulation.cancel();
  std::size_t const done = simulation.history().size();
  EXPECT_LT(done, 100u);
  EXPECT_EQ(simulation.live(), done * 50);
  expect_count_is_right(simulation);
}

TEST(Simulation, TheMixWaitsForTheReplay)
{
  Simulation simulation = make({.slots = 1u << 14});
  for (int i = 0; i < 100; ++i) { simulation.submit(BatchRequest::inserts(50)); }
  simulation.finish();
  simulation.restart();
  simulation.take_reports();
  DriveSettings const drive{.running = true, .rate = 1e6};
  while (!simulation.idle()) { simulation.step(drive, frame, 0.0); }
  for (ActionReport const& report : simulation.take_reports()) { EXPECT_EQ(report.op, "insert"); }
  EXPECT_EQ(simulation.live(), 5000u);
}

TEST(Simulation, RestartAloneGoesBackToTheSeedWhereTheHistoryIsTooLong)
{
  Simulation simulation = make({.slots = 16});
  for (std::size_t i = 0; i <= History::limit; ++i) { simulation.submit(Clear{}); }
  simulation.submit(BatchRequest::inserts(5));
  simulation.finish();
  EXPECT_FALSE(simulation.history_complete());
  EXPECT_NE(simulation.notice().find("history"), std::string::npos);
  simulation.restart();
  EXPECT_TRUE(simulation.idle());
  EXPECT_EQ(simulation.live(), 0u);
  EXPECT_TRUE(simulation.history_complete());
  EXPECT_TRUE(simulation.history().empty());
  EXPECT_TRUE(simulation.notice().empty());
}

TEST(Simulation, ValuesThatAreAddedUpCountTheKeysOfAStream)
{
  constexpr std::uint64_t batch = 20'000;
  for (std::string const family : {"linear_probing", "cuckoo", "segmented_cuckoo", "sorted_array"}) {
    Simulation simulation =
        make({.family = family, .slots = 1u << 14, .combine = Combine::add}, keys_of(KeyDistribution::zipf));
    simulation.submit(BatchRequest::inserts(batch));
    step_until_idle(simulation);
    std::vector<Pair> const pairs = simulation.engine().pairs();
    EXPECT_LT(pairs.size(), batch / 2) << family;
    std::uint64_t const sum = std::accumulate(pairs.begin(), pairs.end(), std::uint64_t{0},
                                              [](auto sum, Pair const& p) { return sum + p.value; });
    EXPECT_EQ(sum, batch) << family;
  }
}

/// As in a window in which a frame leaves hardly any time for the tables.
void step_in_small_parts(Simulation& simulation)
{
  for (int steps = 0; !simulation.idle(); ++steps) {
    ASSERT_LT(steps, 100'000);
    simulation.step(paused, frame, 1e-5);
  }
}

void submit_scenario(Simulation& simulation, std::uint64_t operations)
{
  simulation.submit(FillTo{0.4});
  simulation.submit(BatchRequest::erases(operations));
  simulation.submit(BatchRequest{.count = operations, .insert = 0.3, .find = 0.3, .erase = 0.4});
  simulation.submit(BatchRequest::inserts(operations / 2));
  simulation.submit(Rehash{});
  simulation.submit(BatchRequest::erases(operations / 4));
}

/// The key of each slot, or its state.
std::vector<std::string> all_slots(Engine& engine)
{
  std::vector<Slot> slots(engine.table().slots);
  std::iota(slots.begin(), slots.end(), Slot{0});
  std::vector<std::string> texts;
  for (SlotInfo const& slot : engine.slots(slots)) {
    int const state = static_cast<int>(slot.state);
    texts.push_back(slot.has_key ? fmt::format("{} {}", state, slot.pair.key) : fmt::format("{}", state));
  }
  return texts;
}

TEST(Simulation, TheSameStepsComeToTheSameSlotsWhateverTheSizeOfTheParts)
{
  for (std::string const& family : family_names()) {
    SCOPED_TRACE(family);
    Simulation whole = make({.family = family, .slots = 4096});
    Simulation parts = make({.family = family, .slots = 4096});
    for (Simulation* const each : {&whole, &parts}) { submit_scenario(*each, 1000); }
    whole.finish();
    step_in_small_parts(parts);
    EXPECT_FALSE(whole.raced());
    EXPECT_FALSE(parts.raced());
    EXPECT_GT(whole.live(), 500u);
    EXPECT_EQ(all_slots(parts.engine()), all_slots(whole.engine()));
    EXPECT_EQ(parts.history(), whole.history());
  }
}

TEST(Simulation, TheSameStepsComeToTheSameKeysInTablesInWhichThreadsRace)
{
  KeySettings zipf = keys_of(KeyDistribution::zipf);
  for (KeySettings const& keys : {KeySettings{}, zipf}) {
    for (char const* const family : {"linear_probing", "quadratic", "cuckoo"}) {
      SCOPED_TRACE(family);
      TableSettings const table{.family = family, .slots = std::uint64_t{1} << 17};
      Simulation whole = make(table, keys);
      Simulation parts = make(table, keys);
      for (Simulation* const each : {&whole, &parts}) { submit_scenario(*each, 20'000); }
      whole.finish();
      step_in_small_parts(parts);
      EXPECT_TRUE(parts.raced());
      EXPECT_EQ(sorted_keys(parts), sorted_keys(whole));
      EXPECT_EQ(parts.history(), whole.history());
    }
  }
}

TEST(Simulation, SeveralTablesHoldTheSameKeysAsOneAlone)
{
  std::vector<TableSettings> const tables{{.slots = 4096}, {.family = "cuckoo", .slots = 4096}};
  Simulation two{Backend::cpu, tables, {}, 1};
  Simulation one = make(tables.front());
  for (Simulation* const each : {&two, &one}) {
    each->submit(FillTo{0.4});
    each->submit(BatchRequest::erases(1000));
    each->submit(BatchRequest::inserts(500));
  }
  step_in_small_parts(two);
  one.finish();
  EXPECT_EQ(sorted_keys(two), sorted_keys(one));
}

TEST(Simulation, WhatWasStoppedMidwayIsRepeatedAsFarAsItCame)
{
  Simulation simulation = make({.slots = std::uint64_t{1} << 17});
  simulation.submit(FillTo{0.5});
  simulation.finish();
  std::uint64_t const full = simulation.live();
  simulation.submit(BatchRequest::erases(60'000));
  while (simulation.live() == full) { simulation.step(paused, frame, 1e-5); }
  ASSERT_FALSE(simulation.idle());
  simulation.cancel();
  std::uint64_t const left = simulation.live();
  ASSERT_GT(left, full - 60'000);
  simulation.submit(BatchRequest::inserts(1000));
  simulation.submit(BatchRequest::erases(500));
  simulation.finish();
  EXPECT_EQ(simulation.live(), left + 500);
  expect_count_is_right(simulation);
  std::vector<Key> const before = sorted_keys(simulation);
  simulation.restart();
  simulation.finish();
  EXPECT_EQ(sorted_keys(simulation), before);
}

TEST(Simulation, SaysWhereThreadsHaveRaced)
{
  Simulation small = make({.slots = 1024});
  small.submit(BatchRequest::inserts(100));
  small.finish();
  EXPECT_FALSE(small.raced());
  DriveSettings mix;
  mix.running = true;
  while (small.history().size() < 2) { small.step(mix, frame, budget); }
  EXPECT_TRUE(small.raced()) << "the mix runs in parallel";
  small.submit(Clear{});
  small.finish();
  EXPECT_FALSE(small.raced());
}

/// 128 batches that are quick each, as where a lesson measures, are together one piece of work.
TEST(Simulation, ProgressIsOfAllThatWasSubmitted)
{
  Simulation simulation = make({.slots = 4096});
  for (int i = 0; i < 4; ++i) { simulation.submit(BatchRequest{.count = 100, .insert = 1.0}); }
  ASSERT_TRUE(simulation.progress_of_all());
  EXPECT_EQ(simulation.progress_of_all()->what, "step 1 of 4, insert 100");
  EXPECT_EQ(simulation.progress_of_all()->share, 0.0);
  double before = 0.0;
  while (!simulation.idle()) {
    simulation.step(paused, frame, 1e-9);  // a slice at a time
    double const now = simulation.idle() ? 1.0 : simulation.progress_of_all()->share;
    EXPECT_GE(now, before);
    before = now;
  }
  EXPECT_FALSE(simulation.progress_of_all());
  simulation.submit(BatchRequest{.count = 100, .insert = 1.0});
  EXPECT_EQ(simulation.progress_of_all()->what, "insert 100") << "counted anew";
}

}  // namespace
}  // namespace slotscape
