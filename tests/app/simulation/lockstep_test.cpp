#include "app/simulation/simulation.hpp"

#include "gpu/base/error.hpp"
#include "tests/support/one_thread.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace slotscape {
namespace {

using testing::IsEmpty;

constexpr double lockstep_frame = 1.0 / 60.0;
constexpr double lockstep_budget = 0.004;

/// Two deletions, three hashes.
std::vector<TableSettings> four_tables(std::uint64_t slots)
{
  TableSettings const keeping{.slots = slots, .deletion = Deletion::empty_value};
  TableSettings const reusing{.slots = slots, .deletion = Deletion::tombstone_reuse};
  TableSettings xxhash = reusing;
  xxhash.hash = HashKind::xxhash;
  TableSettings fibonacci = keeping;
  fibonacci.hash = HashKind::fibonacci;
  return {keeping, reusing, xxhash, fibonacci};
}

std::vector<Key> keys_of_table(Simulation& simulation, std::size_t table)
{
  std::vector<Key> keys;
  for (Pair const& pair : simulation.engine(table).pairs()) { keys.push_back(pair.key); }
  std::ranges::sort(keys);
  return keys;
}

void expect_same_keys(Simulation& simulation)
{
  std::vector<Key> const first = keys_of_table(simulation, 0);
  EXPECT_EQ(first.size(), simulation.live(0));
  for (std::size_t table = 1; table < simulation.tables(); ++table) {
    EXPECT_EQ(keys_of_table(simulation, table), first) << "table " << table;
    EXPECT_EQ(simulation.live(table), first.size());
  }
}

BatchRequest mix_of(std::uint64_t count)
{
  return {.count = count, .insert = 0.4, .find = 0.25, .erase = 0.35, .find_keys = KeyChoice::mixed};
}

SetKeys new_stream(KeyDistribution distribution)
{
  SetKeys change;
  change.keys.distribution = distribution;
  return change;
}

/// Everything that can be done to tables, in slices of time and all at once, such that none gets full.
void play_in_lockstep(Simulation& simulation)
{
  DriveSettings drive;
  drive.running = true;
  drive.rate = 5000.0;
  drive.hold_load = true;
  drive.target_load = 0.45;
  simulation.submit(FillTo{0.3});
  for (int i = 0; i < 12; ++i) { simulation.step(drive, lockstep_frame, lockstep_budget); }
  simulation.submit(mix_of(2500));
  simulation.submit(BatchRequest::erases(700));
  simulation.submit(Rehash{simulation.engine().table().slots * 2});
  simulation.submit(new_stream(KeyDistribution::zipf));
  simulation.submit(mix_of(3000));
  simulation.submit(BatchRequest::erases(100, KeyChoice::stream));
  simulation.submit(new_stream(KeyDistribution::sequential));
  simulation.submit(mix_of(1500));
  simulation.submit(FillTo{0.35});
  simulation.finish();
  drive.target_load = 0.3;
  for (int i = 0; i < 12; ++i) { simulation.step(drive, lockstep_frame, lockstep_budget); }
}

TEST(Lockstep, HoldsTheSameKeysWhateverTheDeletionAndTheHash)
{
  Simulation simulation{Backend::cpu, four_tables(1u << 13), {}, 5};
  expect_same_keys(simulation);
  simulation.submit(FillTo{0.5});
  for (int i = 0; i < 8; ++i) { simulation.submit(mix_of(1000)); }
  simulation.finish();
  EXPECT_GT(simulation.live(), 1000u);
  expect_same_keys(simulation);
  simulation.submit(Rehash{1u << 13});
  play_in_lockstep(simulation);
  EXPECT_GT(simulation.live(), 1000u);
  expect_same_keys(simulation);
}

TEST(Lockstep, ARestartReplaysTheSameInAll)
{
  Simulation simulation{Backend::cpu, four_tables(1u << 12), {}, 9};
  play_in_lockstep(simulation);
  std::vector<Key> const keys = keys_of_table(simulation, 0);
  std::vector<Done> const history = simulation.history();
  for (int times = 0; times < 2; ++times) {
    simulation.restart();
    for (std::size_t table = 0; table < simulation.tables(); ++table) {
      EXPECT_THAT(keys_of_table(simulation, table), IsEmpty());
      EXPECT_EQ(simulation.engine(table).table().slots, 1u << 12);
    }
    simulation.finish();
    EXPECT_EQ(keys_of_table(simulation, 0), keys);
    EXPECT_EQ(simulation.history(), history);
    expect_same_keys(simulation);
  }
}

TEST(Lockstep, RunsTheSameKeysAsATableAlone)
{
  std::vector<Action> const actions{BatchRequest::inserts(3000), BatchRequest::erases(1000), BatchRequest::inserts(500),
                                    FillTo{0.2}};
  Simulation alone{Backend::cpu, four_tables(1u << 13)[1], {}, 3};
  Simulation compared{Backend::cpu, four_tables(1u << 13), {}, 3};
  for (Simulation* const simulation : {&alone, &compared}) {
    for (Action const& action : actions) { simulation->submit(action); }
    simulation->finish();
  }
  EXPECT_EQ(keys_of_table(compared, 1), keys_of_table(alone, 0));
}

TEST(Lockstep, ReportsOfEachTable)
{
  Simulation simulation{Backend::cpu, four_tables(1u << 12), {}, 1};
  simulation.submit(BatchRequest::inserts(1000));
  simulation.submit(mix_of(1000));
  simulation.submit(Clear{});
  simulation.finish();
  std::vector<ActionReport> const reports = simulation.take_reports();
  ASSERT_EQ(reports.size(), 12u);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    EXPECT_EQ(reports[i].table, i % 4);
    EXPECT_EQ(reports[i].op, i < 4 ? "insert" : i < 8 ? "mix" : "clear");
    EXPECT_EQ(reports[i].count, i < 8 ? 1000u : 1050u);
    EXPECT_EQ(reports[i].outcomes, reports[i - i % 4].outcomes);
    EXPECT_GT(reports[i].seconds, 0.0);
  }
  std::vector<std::string> ops;
  for (ActionReport const& run : simulation.take_runs()) {
    if (run.table == 3) { ops.push_back(run.op); }
  }
  EXPECT_THAT(ops, testing::ElementsAre("insert", "insert", "find", "erase")) << "a mix is measured by its kinds";
}

TEST(Lockstep, TheSmallestTableSaysHowManyKeysALoadIs)
{
  std::vector<TableSettings> tables = four_tables(1u << 10);
  tables[1].slots = 1u << 11;
  tables[2].slots = 1u << 9;
  Simulation simulation{Backend::cpu, tables, {}, 1};
  simulation.submit(FillTo{0.5});
  simulation.finish();
  EXPECT_EQ(simulation.live(), 256u);
  expect_same_keys(simulation);
  EXPECT_DOUBLE_EQ(simulation.load_factor(1), 0.125);
}

TEST(Lockstep, ARehashKeepsTheProportionsOfTheTables)
{
  std::vector<TableSettings> tables = four_tables(1u << 10);
  tables[1].slots = 1u << 12;
  Simulation simulation{Backend::cpu, tables, {}, 1};
  simulation.submit(FillTo{0.5});
  simulation.submit(Rehash{1u << 11});
  simulation.finish();
  EXPECT_EQ(simulation.engine(0).table().slots, 1u << 11);
  EXPECT_EQ(simulation.engine(1).table().slots, 1u << 13);
  expect_same_keys(simulation);
  simulation.restart();
  EXPECT_EQ(simulation.engine(1).table().slots, 1u << 12);
}

/// Half of 16 slots have no room for 12 keys; the tables before it have begun by then.
TEST(Lockstep, ARehashThatOneTableCannotDoIsDoneByNone)
{
  std::vector<TableSettings> tables = four_tables(1u << 10);
  tables[2].slots = 1u << 4;
  Simulation simulation{Backend::cpu, tables, {}, 1};
  simulation.submit(BatchRequest::inserts(12));
  simulation.finish();
  simulation.submit(Rehash{1u << 9});
  EXPECT_THROW(simulation.finish(), Error);
  EXPECT_TRUE(simulation.idle());
  EXPECT_EQ(simulation.engine(0).table().slots, 1u << 10);
  simulation.submit(BatchRequest::inserts(2));
  simulation.finish();
  expect_same_keys(simulation);
}

TEST(Lockstep, ACancelledRehashLeavesTheTablesInStep)
{
  std::vector<TableSettings> tables = four_tables(1u << 20);
  tables[1].slots = 1u << 6;
  Simulation simulation{Backend::cpu, tables, {}, 1};
  simulation.submit(BatchRequest::inserts(40));
  simulation.finish();
  simulation.submit(Rehash{1u << 21});
  simulation.step({}, lockstep_frame, 1e-6);
  ASSERT_TRUE(simulation.progress()) << "the large tables take several steps, the small one does not";
  simulation.cancel();
  EXPECT_EQ(simulation.engine(0).table().slots, 1u << 21);
  EXPECT_EQ(simulation.engine(1).table().slots, 1u << 7);
  EXPECT_EQ(simulation.history().back(), Done{Rehash{1u << 21}});
  expect_same_keys(simulation);
}

TEST(Lockstep, AFullTableDoesNotMakeTheOthersOverfull)
{
  std::vector<TableSettings> tables = four_tables(1u << 10);
  tables.resize(2);
  tables[0].deletion = Deletion::empty_value;
  Simulation simulation{Backend::cpu, tables, {}, 1};
  for (int i = 0; i < 4; ++i) {  // leaves tombstones that only the second table fills
    simulation.submit(FillTo{0.6});
    simulation.submit(FillTo{0.3});
  }
  simulation.submit(FillTo{0.9});
  simulation.finish();
  EXPECT_LT(simulation.live(0), 900u) << "no slot was left for new keys";
  EXPECT_EQ(simulation.live(1), 922u);
  std::uint64_t refused = 0;
  for (ActionReport const& report : simulation.take_reports()) {
    if (report.table == 0) { refused += report.outcomes[Outcome::full]; }
  }
  EXPECT_GT(refused, 0u);
}

TEST(Lockstep, AStepKeepsToItsBudgetOverAllTables)
{
  test::OneThread const one_thread;
  Simulation simulation{Backend::cpu, four_tables(1u << 20), {}, 1};
  simulation.submit(BatchRequest::inserts(900'000));
  std::vector<double> seconds;
  while (!simulation.idle()) {
    double const start = test::OneThread::seconds();
    simulation.step({}, lockstep_frame, lockstep_budget);
    seconds.push_back(test::OneThread::seconds() - start);
  }
  std::ranges::sort(seconds);
  EXPECT_GT(seconds.size(), 4u);
  EXPECT_LT(seconds[seconds.size() / 2], 4 * lockstep_budget) << "half of the steps";
  expect_same_keys(simulation);
}

}  // namespace
}  // namespace slotscape
