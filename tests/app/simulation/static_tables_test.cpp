#include "app/simulation/simulation.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <memory>

namespace slotscape {
namespace {

constexpr double frame_time = 1.0 / 60.0;
constexpr double time_to_work = 0.004;
constexpr double ample_time = 60.0;  // on however busy a machine

/// One that an insertion rebuilds, and one that it does not.
std::vector<TableSettings> static_and_other(std::uint64_t slots)
{
  TableSettings const other{.family = "linear_probing", .slots = slots, .deletion = Deletion::tombstone_reuse};
  return {other, {.family = "sorted_array", .slots = slots}};
}

std::vector<Key> keys_of_static(Simulation& simulation, std::size_t table)
{
  std::vector<Key> keys;
  for (Pair const& pair : simulation.engine(table).pairs()) { keys.push_back(pair.key); }
  std::ranges::sort(keys);
  return keys;
}

std::vector<BatchRequest> batches_of(Simulation const& simulation)
{
  std::vector<BatchRequest> batches;
  for (Done const& done : simulation.history()) {
    if (auto const* batch = std::get_if<BatchRequest>(&done)) { batches.push_back(*batch); }
  }
  return batches;
}

TEST(StaticTables, AreFilledInWholeBatches)
{
  for (std::vector<TableSettings> const& tables :
       {static_and_other(1u << 18), std::vector{static_and_other(1u << 18)[1]}}) {
    Simulation simulation{Backend::cpu, tables, {}, 1};
    simulation.submit(FillTo{0.5});
    simulation.submit(BatchRequest::inserts(20'000));
    while (!simulation.idle()) { simulation.step({}, frame_time, 1e-4); }
    EXPECT_THAT(batches_of(simulation),
                testing::ElementsAre(BatchRequest::inserts(1u << 17), BatchRequest::inserts(20'000)));
    EXPECT_EQ(keys_of_static(simulation, 0), keys_of_static(simulation, simulation.tables() - 1));
  }
}

/// As documented of lists of up to 4096: in their order.
TEST(StaticTables, OfSeveralValuesInAListTheRightOneStays)
{
  auto const values = [](TableSettings const& table, std::size_t others) {
    std::vector<TableSettings> tables{table};
    if (others != 0) { tables.push_back({.family = "sorted_array", .slots = 64, .combine = table.combine}); }
    Simulation simulation{Backend::cpu, tables, {}, 1};
    for (std::vector<Pair> const& pairs : {std::vector<Pair>{{11, 7}}, {{10, 1}, {11, 6}, {10, 3}, {11, 9}, {10, 2}}}) {
      simulation.submit(OnKeys{Operation::insert, std::make_shared<std::vector<Pair> const>(pairs)});
    }
    EXPECT_TRUE(simulation.finish());
    std::map<Key, Value> found;
    for (Pair const& pair : simulation.engine(0).pairs()) { found[pair.key] = pair.value; }
    return found;
  };
  using Found = std::map<Key, Value>;
  std::size_t rebuilt = 0;
  for (std::string const& name : family_names()) {
    TableSettings table{.family = name, .slots = 64};
    if (family_info(name).guarantees(table).is_static) { ++rebuilt; }
    for (std::size_t const others : {0u, 1u}) {
      for (auto const& [combine, expected] : {std::pair{Combine::replace, Found{{10, 2}, {11, 9}}},
                                              {Combine::keep_first, Found{{10, 1}, {11, 7}}},
                                              {Combine::add, Found{{10, 6}, {11, 22}}},
                                              {Combine::max, Found{{10, 3}, {11, 9}}}}) {
        table.combine = combine;
        EXPECT_EQ(values(table, others), expected) << name << ", combine " << static_cast<int>(combine);
      }
    }
  }
  EXPECT_GE(rebuilt, 5u);
}

TEST(StaticTables, AMixSpendsAQuarterOfTheTimeOnRebuilding)
{
  Simulation simulation{Backend::cpu, static_and_other(1u << 18), {}, 1};
  DriveSettings drive{.running = true, .rate = 60'000.0, .insert = 0.4, .find = 0.3, .erase = 0.3};
  simulation.submit(FillTo{0.4});
  simulation.finish();
  simulation.take_runs();
  double const short_frame = 1e-4;  // in which no rebuilding fits
  double passed = 0.0;
  double inserting = 0.0;
  double longest = 0.0;
  std::size_t inserts = 0;
  std::size_t finds = 0;
  for (; inserts < 3 && passed < 60.0; passed += short_frame) {
    simulation.step(drive, short_frame, time_to_work);
    double batch = 0.0;
    for (ActionReport const& run : simulation.take_runs()) {
      if (run.op == "insert") { batch += run.seconds; }
      if (run.op == "find") { ++finds; }
    }
    inserts += batch > 0.0;
    inserting += batch;
    longest = std::max(longest, batch);
  }
  ASSERT_EQ(inserts, 3u);
  EXPECT_LT(inserting - longest, passed / 3.5);
  EXPECT_GT(finds, 10 * inserts);
  EXPECT_NE(simulation.notice().find("bursts"), std::string::npos);
  EXPECT_EQ(keys_of_static(simulation, 0), keys_of_static(simulation, 1)) << "of all tables the same batches";
  simulation.step({}, frame_time, time_to_work);
  EXPECT_TRUE(simulation.notice().empty());
}

TEST(StaticTables, InsertsOfAMixAreAsManyAsItsShareInTheLongRun)
{
  Simulation simulation{Backend::cpu, static_and_other(1u << 12)[1], {}, 1};
  DriveSettings const drive{.running = true, .rate = 6000.0, .insert = 0.25, .find = 0.75, .erase = 0.0};
  for (int i = 0; i < 60; ++i) { simulation.step(drive, frame_time, 1.0); }
  EXPECT_NEAR(static_cast<double>(simulation.live()), 1500.0, 30.0);
}

TEST(StaticTables, AHeldLoadIsHeld)
{
  Simulation simulation{Backend::cpu, static_and_other(1u << 14), {}, 1};
  DriveSettings const drive{.running = true, .rate = 50'000.0, .hold_load = true, .target_load = 0.5};
  for (int i = 0; i < 30; ++i) { simulation.step(drive, frame_time, ample_time); }
  for (int i = 0; i < 60; ++i) {
    simulation.step(drive, frame_time, ample_time);
    EXPECT_NEAR(simulation.load_factor(), 0.5, 0.08);
  }
  EXPECT_EQ(keys_of_static(simulation, 0), keys_of_static(simulation, 1));
}

TEST(Tables, CountLoadOverSlotsForKeysAlone)
{
  TableSettings const slab{.family = "slab", .slots = 1u << 14};
  Simulation simulation{Backend::cpu, slab, {}, 1};
  simulation.submit(FillTo{0.25});
  simulation.finish();
  Statistics const statistics = simulation.engine().statistics();
  EXPECT_EQ(statistics.slots, (1u << 14) / 16 * 15);
  EXPECT_EQ(simulation.live(), statistics.slots / 4);
  EXPECT_DOUBLE_EQ(simulation.load_factor(), statistics.load_factor());
  simulation.submit(Rehash{1u << 15});
  simulation.finish();
  EXPECT_DOUBLE_EQ(simulation.load_factor(), simulation.engine().statistics().load_factor());
}

TEST(Tables, AtFirstHaveTheSlotsThatTheFamilyMadeOfTheSettings)
{
  Simulation simulation{Backend::cpu, TableSettings{.family = "slab", .slots = 1001}, {}, 1};
  std::uint64_t const slots = simulation.engine().table().slots;
  ASSERT_NE(slots, 1001u);
  simulation.submit(BatchRequest::inserts(10));
  simulation.finish();
  simulation.restart();
  EXPECT_EQ(simulation.history().size(), 1u);
  EXPECT_EQ(simulation.engine().table().slots, slots);
  simulation.finish();
  EXPECT_EQ(simulation.live(), 10u);
}

}  // namespace
}  // namespace slotscape
