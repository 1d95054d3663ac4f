#include "app/simulation/simulation.hpp"
#include "app/table_scene/report.hpp"
#include "gpu/base/error.hpp"
#include "gpu/execution/traced.hpp"
#include "tests/app/support/program.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace slotscape {
namespace {

using ::testing::HasSubstr;

constexpr double bounded_frame = 1.0 / 60.0;
constexpr double bounded_budget = 0.004;

KeySettings one_home()
{
  KeySettings keys;
  keys.distribution = KeyDistribution::one_home;
  return keys;
}

/// A table without an empty slot: half of its keys, then all others, were erased.
std::unique_ptr<Engine> choked(TableSettings const& table)
{
  auto engine = make_engine(Backend::cpu, table);
  engine->run(BatchRequest::inserts(table.slots));
  engine->run(BatchRequest::erases(table.slots / 2));
  return engine;
}

TEST(Bounded, MeasuresFarKeysWithoutWalkingToThem)
{
  std::vector<TableSettings> const tables{
      {.family = "quadratic", .slots = 1024},
      {.family = "double_hashing", .slots = 1024},
      {.family = "double_hashing", .slots = 1009},
      {.family = "warp_cooperative", .slots = 1024, .parameters = {{"tile", 1}}},
      {.family = "warp_cooperative", .slots = 1000, .parameters = {{"tile", 4}}},  // 250 windows: paths are of rings
  };
  for (TableSettings const& table : tables) {
    auto const engine = make_engine(Backend::cpu, table);
    engine->run(BatchRequest::inserts(table.slots));
    std::uint32_t farthest = 0;
    for (Slot slot = 0; slot < table.slots; ++slot) {
      SlotInfo const info = engine->slot(slot);
      ASSERT_EQ(info.state, SlotState::live);
      ASSERT_EQ(engine->trace(Operation::find, info.pair.key, 0).steps.size(), info.probe_length + 1)
          << table.family << " slot " << slot;
      farthest = std::max(farthest, info.probe_length);
    }
    EXPECT_GT(farthest, 50u) << table.family << ": far beyond what is counted step by step";
  }
}

TEST(Bounded, CountsAccessesOfMissesAgainstTheClock)
{
  auto const engine = choked({.family = "double_hashing", .slots = 1u << 20});
  Statistics const live = engine->analyse({}, {}).statistics;
  EXPECT_EQ(live.empty(), 0u);
  EXPECT_GT(live.miss_accesses.count, 0u);
  EXPECT_LT(live.miss_accesses.count, live.miss_sample.wanted) << "each reads the whole table";
  EXPECT_EQ(live.miss_sample.stopped_at, 16'384u);
  EXPECT_EQ(live.miss_accesses.max, 16'384u);
  EXPECT_THAT(remark_on_misses(live), HasSubstr("too long, stopped at 16,384 accesses"));

  engine->rehash(engine->table().slots);
  Statistics const purged = engine->analyse({}, {}).statistics;
  EXPECT_EQ(purged.miss_sample.stopped_at, 0u);
}

TEST(Bounded, GivesUpAPathAndATraceOfTooManyAccesses)
{
  auto const engine = choked({.family = "linear_probing", .slots = 1u << 16});
  Key const absent = 4'000'000'000;
  ProbePath const path = engine->probe_path(absent);
  EXPECT_FALSE(path.complete);
  EXPECT_EQ(path.slots.size(), max_traced);
  try {
    engine->trace(Operation::insert, absent, 1);
    ADD_FAILURE() << "traced";
  } catch (Error const& error) {
    EXPECT_THAT(error.what(), HasSubstr("Purge the tombstones"));
  }
}

TEST(Bounded, RehashesInStepsOfTimeWhereInsertsAreDear)
{
  auto const engine = make_engine(Backend::cpu, {.slots = 1u << 16});
  engine->set_keys(one_home(), 1);
  engine->run(BatchRequest::inserts(30'000));
  engine->rehash_begin(1u << 17);
  int steps = 1;
  while (!engine->rehash_step()) { ++steps; }
  EXPECT_GT(steps, 4) << "450 million accesses in one step";
  EXPECT_EQ(engine->pairs().size(), 30'000u);
}

TEST(Bounded, LetsABatchTakeHalfOfTheEmptySlotsAtMost)
{
  auto const engine = make_engine(Backend::cpu, {.slots = 1u << 10});
  EXPECT_EQ(engine->inserts_at_once(100), 100u);
  EXPECT_EQ(engine->inserts_at_once(1000), 512u);
  engine->run(BatchRequest::inserts(1024 - 10));
  EXPECT_EQ(engine->inserts_at_once(1000), 5u);
  engine->run(BatchRequest::inserts(9));
  EXPECT_EQ(engine->inserts_at_once(1000), 1u);
  engine->run(BatchRequest::inserts(1));
  EXPECT_EQ(engine->inserts_at_once(1000), 1000u) << "it cannot get worse";
  engine->clear();
  EXPECT_EQ(engine->inserts_at_once(1000), 512u);
}

TEST(Bounded, ABatchGivenUpLeavesATableThatGoesOn)
{
  Simulation simulation{Backend::cpu, TableSettings{.slots = 1u << 16}, {}, 1};
  simulation.submit(BatchRequest::inserts(40'000));
  simulation.submit(BatchRequest::finds(1000, KeyChoice::hits));
  std::uint64_t told = 0;
  double share = 0.0;
  Progress const twice([&](Progress const& progress) {
    told = progress.count();
    EXPECT_GE(progress.share(), share);
    share = progress.share();
    return told < 3000;
  });
  EXPECT_FALSE(simulation.finish(twice));
  EXPECT_TRUE(simulation.idle());
  EXPECT_GE(told, 3000u);
  EXPECT_LT(told, 40'000u);
  EXPECT_EQ(simulation.live(), told);
  EXPECT_EQ(simulation.engine().pairs().size(), told);
  auto const reports = simulation.take_reports();
  ASSERT_EQ(reports.size(), 1u) << "the finds were left out";
  EXPECT_EQ(reports[0].count, told) << "what ran is reported";

  simulation.submit(BatchRequest::erases(1000));
  EXPECT_TRUE(simulation.finish());
  EXPECT_EQ(simulation.engine().pairs().size(), told - 1000);
}

TEST(Bounded, AWatchedBatchRunsTheSameKeys)
{
  std::vector<Pair> pairs;
  for (bool const watched : {false, true}) {
    Simulation simulation{Backend::cpu, TableSettings{.slots = 1u << 16}, {}, 1};
    simulation.submit(BatchRequest::inserts(30'000));
    simulation.submit(BatchRequest{.count = 20'000, .insert = 0.5, .find = 0.2, .erase = 0.3});
    EXPECT_TRUE(simulation.finish(watched ? Progress::tracked() : Progress()));
    std::vector<Pair> now = simulation.engine().pairs();
    std::ranges::sort(now, {}, &Pair::key);
    if (watched) { EXPECT_EQ(now, pairs); }
    pairs = now;
  }
}

TEST(Bounded, HoldingALoadPurgesInTimeIfTheUserWishes)
{
  for (bool const purge : {false, true}) {
    Simulation simulation{Backend::cpu, TableSettings{.slots = 1u << 14}, {}, 1};
    DriveSettings const drive{
        .running = true, .full_speed = true, .hold_load = true, .target_load = 0.6, .purge = purge};
    double most = 0.0;
    bool purged = false;
    for (int step = 0; step < 2000 && !purged && most < 0.97; ++step) {
      simulation.step(drive, bounded_frame, bounded_budget);
      most = std::max(most, simulation.engine().counts().effective_load());
      for (ActionReport const& report : simulation.take_reports()) { purged = purged || report.op == "rehash"; }
    }
    EXPECT_EQ(purged, purge);
    EXPECT_EQ(most < 0.97, purge) << most;
  }
}

TEST(Bounded, WarnsOnlyWhereTombstonesAreToBlame)
{
  EXPECT_TRUE(is_clogged_by_tombstones(600, 100, 1000));
  EXPECT_FALSE(is_clogged_by_tombstones(600, 101, 1000)) << "not yet";
  EXPECT_FALSE(is_clogged_by_tombstones(900, 100, 1000)) << "full of keys, not of tombstones";
  EXPECT_FALSE(is_clogged_by_tombstones(950, 49, 1000));
  EXPECT_TRUE(is_clogged_by_tombstones(950, 25, 1000));
}

TEST(Bounded, TheWindowWarnsUntilTheTombstonesAreGone)
{
  auto const app = test::offscreen_app({640, 480}, test::slots_scenario({.slots = 1u << 12}));
  auto& scene = test::scene_of<SlotsScene>(*app);
  scene.simulation().submit(BatchRequest::inserts(3800));
  scene.simulation().submit(BatchRequest::erases(2000));
  scene.finish_steps({});
  app->frame(0.01);
  EXPECT_EQ(scene.state().advice.warning.title, "Tombstones fill the table");
  EXPECT_TRUE(shows_warning(scene.state()));
  test::press(scene, "Esc");
  EXPECT_FALSE(shows_warning(scene.state())) << "it hides what it is about";
  app->frame(0.01);
  EXPECT_FALSE(shows_warning(scene.state())) << "until it comes anew";
  test::press(scene, "P");
  scene.advance(0.01);
  scene.finish_steps({});
  app->frame(0.01);
  EXPECT_EQ(scene.state().advice.warning, RoomWarning{});
  EXPECT_EQ(scene.state().statistics.live, 1800u);
}

TEST(Bounded, AClosedWarningComesBackOnceItWasOver)
{
  TableState state;
  RoomWarning const first{.title = "Tombstones fill table 2", .text = {}};
  warn(state, first);
  close_warning(state);
  warn(state, first);
  EXPECT_FALSE(shows_warning(state));
  warn(state, {.title = "No empty slot is left in table 2", .text = {}});
  EXPECT_TRUE(shows_warning(state)) << "it has become worse";
  close_warning(state);
  warn(state, {});
  warn(state, first);
  EXPECT_TRUE(shows_warning(state));
}

/// A warning's title and what it tells of a table of 1000 slots with so many live keys and tombstones.
RoomWarning warning_at(std::uint64_t live, std::uint64_t tombstones, std::string const& family = "linear_probing")
{
  TableState state;
  state.settings.table = {.family = family, .slots = 1000};
  state.statistics.slots = 1000;
  state.statistics.live = live;
  state.statistics.tombstones = tombstones;
  return room_warning(state, "the table");
}

TEST(Bounded, TheWarningSaysWhatFillsTheTable)
{
  EXPECT_EQ(warning_at(600, 310).title, "Tombstones fill the table");
  EXPECT_EQ(warning_at(980, 15).title, "Few empty slots are left in the table") << "they fill 1.5 % of it";
  RoomWarning const with_few = warning_at(999, 1);
  EXPECT_EQ(with_few.title, "No empty slot is left in the table");
  EXPECT_TRUE(with_few.purge_helps);
  RoomWarning const of_keys = warning_at(1000, 0);
  EXPECT_EQ(of_keys.title, "No empty slot is left in the table");
  EXPECT_FALSE(of_keys.purge_helps) << "there is nothing to purge";
  EXPECT_EQ(warning_at(999, 0), RoomWarning{});
  EXPECT_EQ(warning_at(1000, 0, "robin_hood"), RoomWarning{}) << "its lookups end at a nearer key";
}

/// A window that never waits for the work of its table.
struct Impatient {
  explicit Impatient(TableSettings const& table) : app(test::offscreen_app({320, 240}, test::slots_scenario(table)))
  {
    app->scene_host().set_max_wait(0.0);
    app->frame(bounded_frame);
  }
  SlotsScene& scene() { return test::scene_of<SlotsScene>(*app); }
  TableState& state() { return scene().state(); }
  /// Draws frames until the work is done, and what was asked for meanwhile.
  void finish()
  {
    do {
      app->frame(bounded_frame);
    } while (state().progress || !state().requests.empty());
  }
  std::uint64_t live() { return state().statistics.live; }

  std::unique_ptr<App> app;
};

TableSettings const rebuilt_slowly{.family = "two_level_cuckoo", .slots = 1u << 20};

TEST(Bounded, FramesGoOnWhileATableIsRebuilt)
{
  Impatient window{rebuilt_slowly};
  window.state().act(FillTo{0.5});
  window.app->frame(bounded_frame);
  ASSERT_TRUE(window.state().progress);
  EXPECT_THAT(window.state().progress->what, HasSubstr("fill"));
  EXPECT_EQ(window.live(), 0u) << "shown as it was";
  EXPECT_FALSE(window.app->quiet());
  window.finish();
  EXPECT_GE(window.live(), rebuilt_slowly.slots / 2);
  EXPECT_EQ(window.live(), window.scene().simulation().live());
}

TEST(Bounded, CancelAndUndoFollowTheWorkInProgress)
{
  Impatient window{rebuilt_slowly};
  window.state().act(FillTo{0.5});
  window.app->frame(bounded_frame);
  window.scene().cancel();
  window.app->frame(bounded_frame);
  ASSERT_TRUE(window.state().progress);
  EXPECT_THAT(window.state().progress->what, HasSubstr("cancelling"));
  window.scene().undo();
  window.finish();
  EXPECT_EQ(window.live(), 0u);
  window.scene().redo();
  window.finish();
  EXPECT_GE(window.live(), rebuilt_slowly.slots / 2) << "what had been done when it was cancelled";
}

TEST(Bounded, AnErrorOfWorkInProgressIsTold)
{
  Impatient window{{.slots = 1u << 16}};
  window.state().act(FillTo{0.5});
  window.finish();
  window.state().act(Rehash{1u << 10});
  window.finish();
  window.app->frame(bounded_frame);
  EXPECT_FALSE(window.app->toasts().empty());
  EXPECT_EQ(window.live(), 1u << 15);
}

TEST(Bounded, EqualTablesTakeTurnsAndNeverRunTwiceInARow)
{
  Simulation simulation{Backend::cpu, std::vector<TableSettings>(2, {.slots = 1u << 16}), {}, 1};
  simulation.submit(BatchRequest::inserts(32'768));
  for (int i = 0; i < 3; ++i) {
    simulation.submit(BatchRequest::erases(8192));
    simulation.submit(BatchRequest::inserts(8192));
  }
  simulation.finish();
  std::vector<ActionReport> const runs = simulation.take_runs();
  EXPECT_EQ(runs.size(), 2u * (8 + 6 * 2)) << "each batch in turns";
  for (std::size_t i = 1; i < runs.size(); ++i) { EXPECT_NE(runs[i].table, runs[i - 1].table) << i; }
}

}  // namespace
}  // namespace slotscape
