#include "app/simulation/action.hpp"
#include "app/simulation/mix.hpp"
#include "app/simulation/pacing.hpp"
#include "app/simulation/throughput.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

TEST(SlicePace, GrowsFromShortSlicesToTheTimeAimedAt)
{
  SlicePace pace;
  pace.aim_at(0.002);
  double const operations_per_second = 1e9;
  double const cost_of_starting = 50e-6;
  std::uint64_t slice = pace.slice(1.0, 1u << 30);
  EXPECT_LT(slice, 10000u);
  for (int i = 0; i < 20; ++i) {
    slice = pace.slice(1.0, 1u << 30);
    pace.observe(slice, cost_of_starting + static_cast<double>(slice) / operations_per_second);
  }
  EXPECT_NEAR(static_cast<double>(slice) / operations_per_second, 0.002, 0.0002);
}

TEST(SlicePace, ShrinksAtOnceWhereOperationsGrowDear)
{
  SlicePace pace;
  pace.aim_at(0.002);
  for (int i = 0; i < 20; ++i) { pace.observe(2'000'000, 0.002); }
  pace.observe(pace.slice(1.0, 1u << 30), 2.0);
  EXPECT_LE(pace.slice(1.0, 1u << 30), 2000u);
}

TEST(SlicePace, TrustsATinyBatchOnlyAsFarAsItWouldBeBearableToBeWrong)
{
  SlicePace pace;
  pace.aim_at(0.002);
  for (int i = 0; i < 20; ++i) { pace.observe(2'000'000, 0.002); }
  double const dear = 50e-6 / 5.0;  // of each operation, if the batch measured them rather than its launch
  pace.observe(5, 50e-6);
  EXPECT_LE(static_cast<double>(pace.slice(1.0, 1u << 30)) * dear, 8 * 0.002 + 1e-9);
  for (int i = 0; i < 6; ++i) {
    std::uint64_t const slice = pace.slice(1.0, 1u << 30);
    pace.observe(slice, 50e-6 + static_cast<double>(slice) * 1e-9);
  }
  EXPECT_GE(pace.slice(1.0, 1u << 30), 1'500'000u) << "it was the launch";
}

TEST(Paces, StartWithCareWhereAnotherKindOfRequestBegins)
{
  Paces paces;
  paces.aim_at(0.002);
  BatchRequest const hits = BatchRequest::finds(1, KeyChoice::hits);
  BatchRequest const misses = BatchRequest::finds(1, KeyChoice::misses);
  for (int i = 0; i < 20; ++i) { paces.observe(hits, 2'000'000, 0.002); }
  EXPECT_GE(paces.of(hits).slice(1.0, 1u << 30), 1'900'000u);
  EXPECT_LE(paces.of(misses).slice(1.0, 1u << 30), 8u) << "an absent key may take a million accesses";
  for (int i = 0; i < 20; ++i) { paces.observe(misses, 2'000'000, 0.002); }
  paces.observe(BatchRequest::inserts(1), 10, 0.002);
  EXPECT_LE(paces.of(misses).slice(1.0, 1u << 30), 80u) << "as slow as an insert, more or less";
  paces.forget();
  EXPECT_LE(paces.of(hits).slice(1.0, 1u << 30), 8u);
}

TEST(SlicePace, KeepsWithinTheLimitAndTheTimeLeft)
{
  SlicePace pace;
  pace.aim_at(0.002);
  for (int i = 0; i < 20; ++i) { pace.observe(2'000'000, 0.002); }
  EXPECT_EQ(pace.slice(1.0, 1000), 1000u);
  EXPECT_NEAR(static_cast<double>(pace.slice(0.001, 1u << 30)), 1e6, 1e5);
  EXPECT_EQ(pace.slice(-1.0, 1000), 1u);
}

BatchReport inserted(std::uint64_t count, std::uint64_t new_keys, std::uint64_t full = 0)
{
  BatchReport report{.count = count, .outcomes = {}, .seconds = 1e-6};
  report.outcomes[Outcome::inserted] = new_keys;
  report.outcomes[Outcome::full] = full;
  report.outcomes[Outcome::updated] = count - new_keys - full;
  return report;
}

TEST(Steering, InsertsOrErasesWhatIsMissing)
{
  Steering const steering(1000);
  EXPECT_EQ(steering.next(400, 10000), BatchRequest::inserts(600));
  EXPECT_EQ(steering.next(400, 100), BatchRequest::inserts(100));
  EXPECT_EQ(steering.next(1400, 10000), BatchRequest::erases(400));
  EXPECT_EQ(steering.next(1000, 10000), std::nullopt);
}

TEST(Steering, AsksForMoreWhereKeysRepeatAndStillArrives)
{
  Steering steering(100'000);
  std::uint64_t live = 0;
  std::uint64_t batches = 0;
  while (auto const request = steering.next(live, 1u << 20)) {
    if (request->erase > 0.0) {
      live -= request->count;
      continue;
    }
    std::uint64_t const new_keys = request->count / 10;
    live += new_keys;
    steering.observe(*request, inserted(request->count, new_keys));
    ASSERT_LT(++batches, 60u);
  }
  EXPECT_EQ(live, 100'000u);
  EXPECT_FALSE(steering.stalled());
}

TEST(Steering, StallsAfterSeveralBatchesWithoutANewKey)
{
  Steering steering(1000);
  std::uint64_t operations = 0;
  while (auto const request = steering.next(990, 1u << 20)) {
    steering.observe(*request, inserted(request->count, 0));
    operations += request->count;
    ASSERT_LT(operations, 1'000'000u);
  }
  EXPECT_TRUE(steering.stalled());
  EXPECT_GE(operations, 4096u);
}

TEST(Steering, StallsAtOnceInAFullTable)
{
  Steering steering(1000);
  steering.observe(BatchRequest::inserts(10), inserted(10, 0, 10));
  EXPECT_TRUE(steering.stalled());
  EXPECT_EQ(steering.next(990, 100), std::nullopt);
}

TEST(Mix, OwesWhatTheRateSaysAndCarriesTheFraction)
{
  Mix mix;
  DriveSettings const drive{.running = true, .rate = 100.0};
  std::uint64_t operations = 0;
  for (int frame = 0; frame < 600; ++frame) {  // 2.5 operations in each
    mix.accrue(drive, 0.025);
    while (auto const request = mix.next(drive, 0, 1024, 1000)) {
      operations += request->count;
      mix.observe(*request, inserted(request->count, request->count), {});
    }
  }
  EXPECT_EQ(operations, 1500u);
}

TEST(Mix, NeverOwesMoreThanASecondsWorth)
{
  Mix mix;
  DriveSettings const drive{.running = true, .rate = 1000.0};
  for (int frame = 0; frame < 100; ++frame) { mix.accrue(drive, 1.0); }
  auto const request = mix.next(drive, 0, 1024, 1u << 20);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->count, 1000u);
}

TEST(Mix, SharesSumToOne)
{
  Mix mix;
  DriveSettings const drive{.full_speed = true, .insert = 4.0, .find = 3.0, .erase = 1.0};
  auto const request = mix.next(drive, 0, 1024, 1000);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->count, 1000u);
  EXPECT_DOUBLE_EQ(request->insert, 0.5);
  EXPECT_DOUBLE_EQ(request->find, 0.375);
  EXPECT_DOUBLE_EQ(request->erase, 0.125);
  EXPECT_EQ(mix.next({.full_speed = true, .insert = 0.0, .find = 0.0, .erase = 0.0}, 0, 1024, 100), std::nullopt);
}

TEST(Mix, KeepsToItsSharesInBatchesOfOne)
{
  Mix mix;
  DriveSettings const drive{.rate = 60.0, .insert = 0.5, .find = 0.3, .erase = 0.2};
  double inserts = 0.0;
  double finds = 0.0;
  double erases = 0.0;
  for (int frame = 0; frame < 1000; ++frame) {
    mix.accrue(drive, 1.001 / 60.0);
    auto const request = mix.next(drive, 0, 16, 1);
    ASSERT_TRUE(request);
    inserts += request->insert;
    finds += request->find;
    erases += request->erase;
    mix.observe(*request, {.count = 1, .outcomes = {}}, {});
  }
  EXPECT_NEAR(inserts, 500.0, 1.0);
  EXPECT_NEAR(finds, 300.0, 1.0);
  EXPECT_NEAR(erases, 200.0, 1.0);
}

TEST(Mix, SteersToTheLoadThenBalancesInsertsAndErases)
{
  Mix mix;
  DriveSettings const drive{
      .full_speed = true, .insert = 0.4, .find = 0.4, .erase = 0.2, .hold_load = true, .target_load = 0.5};
  auto const steering = mix.next(drive, 10'000, 65'536, 1u << 20);
  ASSERT_EQ(steering, BatchRequest::inserts(32'768 - 10'000));
  EXPECT_TRUE(mix.steering());
  mix.observe(*steering, inserted(steering->count, steering->count), {});

  auto const held = mix.next(drive, 32'768, 65'536, 100);
  ASSERT_TRUE(held);
  EXPECT_FALSE(mix.steering());
  EXPECT_DOUBLE_EQ(held->insert, held->erase);
  EXPECT_DOUBLE_EQ(held->find, 0.4);

  mix.next(drive, 32'768 + 60, 65'536, 100);
  EXPECT_FALSE(mix.steering()) << "off by less than a hair";
  EXPECT_EQ(mix.next(drive, 32'768 + 70, 65'536, 100), BatchRequest::erases(70));
  EXPECT_TRUE(mix.steering());
}

TEST(Mix, SaysSoWhereALoadIsOutOfReachAndKeepsWhatThereIs)
{
  Mix mix;
  DriveSettings const drive{.full_speed = true, .hold_load = true, .target_load = 0.9};
  KeySettings keys;
  keys.distribution = KeyDistribution::file;
  auto request = mix.next(drive, 100, 1024, 1000);
  for (int i = 0; i < 20 && mix.steering(); ++i) {
    mix.observe(*request, inserted(request->count, 0), keys);
    request = mix.next(drive, 100, 1024, 1000);
  }
  EXPECT_FALSE(mix.steering());
  EXPECT_NE(mix.notice().find("key file"), std::string::npos) << mix.notice();
  EXPECT_EQ(request->erase, 0.0);
  EXPECT_GT(request->insert, 0.0) << "should notice when new keys come again";

  mix.observe(*request, inserted(request->count, request->count / 2), keys);
  EXPECT_TRUE(mix.notice().empty());
  mix.next(drive, 600, 1024, 1000);
  EXPECT_TRUE(mix.steering());
}

DriveSettings full_speed(double insert, double find, double erase)
{
  DriveSettings drive;
  drive.full_speed = true;
  drive.insert = insert;
  drive.find = find;
  drive.erase = erase;
  return drive;
}

BatchReport lasting(BatchRequest const& request, double seconds)
{
  BatchReport report{.count = request.count, .outcomes = {}, .seconds = seconds};
  if (request.insert > 0.0) { report.outcomes[Outcome::inserted] = request.count; }
  return report;
}

TEST(Mix, InsertsIntoStaticTablesOnceRebuildingHasHadItsShareOfTheTime)
{
  Mix mix;
  mix.insert_in_bursts(1000);
  DriveSettings const drive = full_speed(0.5, 0.25, 0.25);
  mix.accrue(drive, 0.02);
  BatchRequest const first = *mix.next(drive, 0, 1 << 20, 100);
  EXPECT_EQ(first.count, 100u);
  EXPECT_DOUBLE_EQ(first.insert, 0.5);
  EXPECT_TRUE(mix.notice().empty());
  mix.observe(first, lasting(first, 0.1), {});

  double passed = 0.02;
  for (std::uint64_t batches = 1;; ++batches) {
    ASSERT_LT(batches, 100u);
    mix.accrue(drive, 0.02);
    passed += 0.02;
    BatchRequest const next = *mix.next(drive, 50, 1 << 20, 100);
    if (next.insert > 0.0) {
      EXPECT_EQ(next.count, 50 + std::min<std::uint64_t>(50 * batches, 950)) << "what was kept back, and its own";
      break;
    }
    EXPECT_EQ(next.count, 50u);
    EXPECT_DOUBLE_EQ(next.find, 0.5);
    EXPECT_DOUBLE_EQ(next.erase, 0.5);
    EXPECT_NE(mix.notice().find("bursts"), std::string::npos);
    mix.observe(next, lasting(next, 0.01), {});
  }
  EXPECT_NEAR(passed, 0.4, 0.041) << "the rebuilding was a quarter of it";
}

TEST(Mix, WaitsWithErasesTooOnceABurstIsAllThatABatchTakes)
{
  Mix mix;
  mix.insert_in_bursts(200);
  DriveSettings const drive = full_speed(0.5, 0.25, 0.25);
  mix.accrue(drive, 0.02);
  mix.observe(*mix.next(drive, 0, 1 << 20, 100), {.count = 100, .outcomes = {}, .seconds = 10.0}, {});
  for (int i = 0; i < 4; ++i) { EXPECT_GT(mix.next(drive, 0, 1 << 20, 100)->erase, 0.0); }
  EXPECT_EQ(mix.next(drive, 0, 1 << 20, 100),
            (BatchRequest{.count = 100, .insert = 0.0, .find = 1.0, .find_keys = KeyChoice::mixed}));
  mix.forget_debt();
  EXPECT_GT(mix.next(drive, 0, 1 << 20, 100)->erase, 0.0) << "what was collected is forgotten";
}

TEST(Mix, InsertsAloneWaitWithoutABatch)
{
  Mix mix;
  mix.insert_in_bursts(1000);
  DriveSettings const drive = full_speed(1.0, 0.0, 0.0);
  mix.accrue(drive, 0.02);
  BatchRequest const first = *mix.next(drive, 0, 1 << 20, 100);
  mix.observe(first, lasting(first, 0.01), {});
  EXPECT_FALSE(mix.next(drive, 100, 1 << 20, 100));
  mix.accrue(drive, 0.04);
  EXPECT_EQ(mix.next(drive, 100, 1 << 20, 100), (BatchRequest{.count = 200, .find_keys = KeyChoice::mixed}));
}

TEST(Mix, SteersStaticTablesInWholeBatchesAndKeepsTheirLoadBetweenBursts)
{
  Mix mix;
  mix.insert_in_bursts(1'000'000);
  DriveSettings drive = full_speed(0.3, 0.4, 0.3);
  drive.hold_load = true;
  drive.target_load = 0.5;
  mix.accrue(drive, 0.02);
  BatchRequest const fill = *mix.next(drive, 0, 1'000'000, 100);
  EXPECT_EQ(fill, BatchRequest::inserts(500'000)) << "not only as many as fit a slice";
  mix.observe(fill, lasting(fill, 0.1), {});

  BatchRequest const held = *mix.next(drive, 490'000, 1'000'000, 100);
  EXPECT_EQ(held.insert, 0.0);
  EXPECT_GT(held.erase, 0.0);
  BatchRequest const low = *mix.next(drive, 479'000, 1'000'000, 100);
  EXPECT_EQ(low.insert, 0.0);
  EXPECT_EQ(low.erase, 0.0);
  EXPECT_FALSE(mix.steering());
  mix.accrue(drive, 1.0);
  EXPECT_EQ(mix.next(drive, 479'000, 1'000'000, 100), BatchRequest::inserts(21'000));
  EXPECT_TRUE(mix.steering());
}

TEST(History, ForgetsAllWhereItGrowsTooLong)
{
  History history;
  for (std::size_t i = 0; i < History::limit; ++i) { history.record(Clear{}); }
  EXPECT_TRUE(history.complete());
  EXPECT_EQ(history.entries().size(), History::limit);
  history.record(Clear{});
  EXPECT_FALSE(history.complete());
  EXPECT_TRUE(history.entries().empty());
  history.record(Clear{});
  EXPECT_TRUE(history.entries().empty());
  history.reset();
  history.record(Clear{});
  EXPECT_TRUE(history.complete());
  EXPECT_EQ(history.entries().size(), 1u);
}

ActionReport run_of(std::string const& op, double mops, double load_factor)
{
  ActionReport run{.op = op, .count = 2'000'000, .outcomes = {}, .seconds = 1.0 / mops, .load_factor = load_factor};
  run.outcomes[op == "find" ? Outcome::found : Outcome::inserted] = 1'000'000;
  run.outcomes[Outcome::full] = 1'000'000;
  return run;
}

TEST(ThroughputCurve, GrowsByBinAndShowsTheMedianOfTheLatest)
{
  ThroughputCurve curve;
  for (double const mops : {1.0, 1000.0, 100.0, 300.0, 200.0, 250.0}) { curve.add(run_of("insert", mops, 0.5)); }
  curve.add(run_of("insert", 50.0, 1.0));
  curve.add(run_of("find", 70.0, 0.0));
  curve.add(run_of("rehash", 70.0, 0.2));
  auto const inserts = curve.points(RunKind::insert);
  ASSERT_EQ(inserts.size(), 2u);
  EXPECT_DOUBLE_EQ(inserts[0].load_factor, 0.5025);
  EXPECT_NEAR(inserts[0].mops, 250.0, 1e-9) << "of those that found a place";
  EXPECT_NEAR(inserts[0].low, 100.0, 1e-9);
  EXPECT_NEAR(inserts[0].high, 300.0, 1e-9);
  EXPECT_EQ(inserts[0].runs, 6u);
  EXPECT_DOUBLE_EQ(inserts[1].load_factor, 0.9975);
  EXPECT_EQ(curve.points(RunKind::find).size(), 1u);
  EXPECT_TRUE(curve.points(RunKind::mix).empty());
  curve.clear();
  EXPECT_TRUE(curve.points(RunKind::insert).empty());
}

/// The parts of one batch are in bins of their own.
TEST(ThroughputCurve, TellsTheSpreadOfThreeRunsOrMoreNearALoad)
{
  ThroughputCurve curve;
  EXPECT_FALSE(curve.speed_at(0.5, RunKind::insert));
  std::array const mops{200.0, 100.0, 140.0, 150.0};
  for (std::size_t i = 0; i < mops.size(); ++i) {
    curve.add(run_of("insert", mops[i], 0.49 + 0.01 * static_cast<double>(i)));
    auto const speed = curve.speed_at(0.5, RunKind::insert);
    ASSERT_TRUE(speed);
    EXPECT_EQ(speed->runs, i + 1);
    EXPECT_EQ(speed->spread.has_value(), i >= 2) << i + 1 << " runs";
  }
  EXPECT_NEAR(curve.speed_at(0.5, RunKind::insert)->mops, 150.0, 1e-9);
  EXPECT_NEAR(curve.speed_at(0.5, RunKind::insert)->spread.value(), (150.0 - 140.0) / 2.0 / 150.0, 1e-9);
  EXPECT_FALSE(curve.speed_at(0.7, RunKind::insert));
  EXPECT_FALSE(curve.speed_at(0.5, RunKind::find));
}

ActionReport part_of(std::string const& op, std::uint64_t count)
{
  return {.op = op, .count = count, .outcomes = {}, .seconds = 1e-3};
}

TEST(Operations, PartsOfAMixAndOfHoldingALoadGoOnAsOneEach)
{
  std::vector<ActionReport> operations;
  for (char const* op : {"hold", "mix", "mix", "hold", "mix", "insert", "mix", "insert", "insert"}) {
    append_operation(operations, part_of(op, 10));
  }
  std::vector<std::string> ops;
  ops.reserve(operations.size());
  for (ActionReport const& operation : operations) { ops.push_back(operation.op); }
  EXPECT_EQ(ops, (std::vector<std::string>{"hold", "mix", "insert", "mix", "insert", "insert"}));
  EXPECT_EQ(operations[0].count, 20u);
  EXPECT_EQ(operations[1].count, 30u);
  ActionReport elsewhere = part_of("mix", 10);
  elsewhere.settings.slots = 32;
  append_operation(operations, part_of("mix", 10));
  append_operation(operations, elsewhere);
  EXPECT_EQ(operations.size(), 8u) << "what another table does is another operation";
}

TEST(Operations, SpeedIsOfWhatSucceeded)
{
  ActionReport report = part_of("insert", 100);
  report.outcomes[Outcome::inserted] = 10;
  report.outcomes[Outcome::updated] = 60;
  report.outcomes[Outcome::full] = 30;
  EXPECT_EQ(report.succeeded(), 70u) << "an update stores a value, as the bench and tuning count it";
  EXPECT_DOUBLE_EQ(report.mops(), 0.07);
  report.op = "mix";
  EXPECT_EQ(report.succeeded(), 70u);
  report = part_of("find", 100);
  report.outcomes[Outcome::missing] = 100;
  EXPECT_EQ(report.succeeded(), 100u) << "that a key is absent is an answer";
  report.op = "erase";
  EXPECT_EQ(report.succeeded(), 0u);
}

TEST(ThroughputCurve, LeavesOutRunsTooShortToTell)
{
  ThroughputCurve curve;
  curve.add({.op = "insert", .count = 10, .outcomes = {}, .seconds = 1e-5, .load_factor = 0.5});
  curve.add({.op = "insert", .count = 1000, .outcomes = {}, .seconds = 0.0, .load_factor = 0.5});
  EXPECT_TRUE(curve.points(RunKind::insert).empty());
}

TEST(RateMeter, CountsTheLastSecondByKind)
{
  RateMeter meter;
  ActionReport mix{.op = "mix", .count = 100, .outcomes = {}, .seconds = 1e-4};
  mix.outcomes[Outcome::inserted] = 30;
  mix.outcomes[Outcome::updated] = 10;
  mix.outcomes[Outcome::found] = 20;
  mix.outcomes[Outcome::missing] = 15;
  mix.outcomes[Outcome::erased] = 25;
  ActionReport erase{.op = "erase", .count = 7, .outcomes = {}, .seconds = 1e-4};
  erase.outcomes[Outcome::erased] = 4;
  erase.outcomes[Outcome::missing] = 3;
  for (int i = 0; i < 10; ++i) { meter.add(mix, 0.05 + 0.1 * i); }
  meter.add(erase, 0.96);
  RateMeter::Rates const rates = meter.rates(1.0);
  EXPECT_DOUBLE_EQ(rates.insert, 300.0);
  EXPECT_DOUBLE_EQ(rates.find, 350.0);
  EXPECT_DOUBLE_EQ(rates.erase, 254.0);
  EXPECT_DOUBLE_EQ(rates.total(), 904.0);
  EXPECT_DOUBLE_EQ(rates.updated, 100.0);
  EXPECT_DOUBLE_EQ(rates.absent, 3.0);
  EXPECT_DOUBLE_EQ(meter.rates(1.5).insert, 150.0);
  EXPECT_DOUBLE_EQ(meter.rates(3.0).total(), 0.0);
}

TEST(RateBasis, SaysWhenARateIsRough)
{
  ThroughputCurve curve;
  ActionReport run{.op = "insert", .count = 3000, .outcomes = {}, .seconds = 3e-3, .load_factor = 0.5};
  run.outcomes[Outcome::inserted] = 3000;
  curve.add(run);
  RateBasis const little = curve.speed_at(0.5, RunKind::insert)->basis;
  EXPECT_TRUE(little.rough());
  EXPECT_EQ(text_of(little).substr(0, 63), "3,000 operations in 1 batch: 3.00 ms in the table. This is a ro");
  curve.add(run);
  RateBasis const enough = curve.points(RunKind::insert).at(0).basis;
  EXPECT_EQ(enough.operations, 6000u);
  EXPECT_EQ(enough.runs, 2u);
  EXPECT_FALSE(enough.rough());
  EXPECT_EQ(text_of(enough), "6,000 operations in 2 batches: 6.00 ms in the table.");
  EXPECT_EQ(reading_of("insert", curve.points(RunKind::insert), 0.51, 0.02),
            "\ninsert: 1 M/s, from 6,000 operations in 2 runs, 6.00 ms");
  EXPECT_EQ(reading_of("insert", curve.points(RunKind::insert), 0.6, 0.02), "");
}

TEST(RateMeter, TellsWhatItsRatesRestOn)
{
  RateMeter meter;
  ActionReport run{.op = "insert", .count = 5000, .outcomes = {}, .seconds = 3e-3};
  run.outcomes[Outcome::inserted] = 5000;
  meter.add(run, 0.1);
  RateMeter::Rates const once = meter.rates(0.5);
  EXPECT_TRUE(once.basis_of(once.insert).rough()) << "too short";
  meter.add(run, 0.2);
  RateMeter::Rates const twice = meter.rates(0.5);
  EXPECT_EQ(twice.basis_of(twice.insert).operations, 10'000u);
  EXPECT_EQ(twice.basis_of(twice.insert).runs, 2u);
  EXPECT_FALSE(twice.basis_of(twice.insert).rough());
}

TEST(LoadHistory, KeepsEverythingWhileItIsShort)
{
  LoadHistory history;
  for (int i = 0; i < 100; ++i) { history.add({i * 0.5, 0.01 * i, 0.02 * i}); }
  ASSERT_EQ(history.samples().size(), 100u);
  EXPECT_DOUBLE_EQ(history.samples()[37].time, 18.5);
}

TEST(LoadHistory, ThinsEvenlyAndKeepsTheFirstAndTheLatest)
{
  LoadHistory history;
  int const added = 1'000'000;
  for (int i = 0; i < added; ++i) {
    history.add({static_cast<double>(i), 0.0, 0.0});
    ASSERT_LE(history.samples().size(), LoadHistory::max_samples);
    ASSERT_EQ(history.samples().back().time, i);
  }
  auto const& samples = history.samples();
  EXPECT_GE(samples.size(), LoadHistory::max_samples / 2 - 1);
  EXPECT_EQ(samples.front().time, 0.0);
  double const spacing = samples[1].time - samples[0].time;
  for (std::size_t i = 1; i + 1 < samples.size(); ++i) {
    ASSERT_EQ(samples[i].time - samples[i - 1].time, spacing) << i;
  }
  EXPECT_LE(samples.back().time - samples[samples.size() - 2].time, spacing);
}

}  // namespace
}  // namespace slotscape
