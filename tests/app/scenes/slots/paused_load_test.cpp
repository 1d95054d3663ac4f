#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace slotscape {
namespace {

using test::scene_of;

/// The program, drawn offscreen, with an empty table of 1024 slots and the mix paused.
class PausedLoadTest : public testing::Test {
protected:
  void SetUp() override
  {
    app_ =
        test::offscreen_app({640, 480}, test::slots_scenario({.slots = 1024, .deletion = Deletion::tombstone_reuse}));
  }

  TableState& state() { return scene_of<SlotsScene>(*app_).state(); }

  std::uint64_t live_after_frames()
  {
    for (int frame = 0; frame < 5; ++frame) { app_->frame(0.1); }
    return state().statistics.live;
  }

  std::unique_ptr<App> app_;
};

TEST_F(PausedLoadTest, TheKeysFillAndEmptyTheTableAndLeaveTheMixPaused)
{
  test::press(app_->current_scene(), "Period");
  EXPECT_EQ(live_after_frames(), 51u);
  test::press(app_->current_scene(), "Comma");
  EXPECT_EQ(live_after_frames(), 0u);
  EXPECT_FALSE(state().settings.drive.running);
}

TEST_F(PausedLoadTest, ANewTableOfAnotherHashKeepsTheKeysAndOneOfAnotherSeedIsFilledToTheLoad)
{
  state().act(FillTo{0.25});
  live_after_frames();
  TableSettings table = state().settings.table;
  table.hash = HashKind::identity;
  ask_for_table(state(), table);
  EXPECT_EQ(live_after_frames(), 256u);
  EXPECT_EQ(state().settings.table.hash, HashKind::identity);
  state().settings.drive.hold_load = true;
  state().settings.drive.target_load = 0.5;
  state().edits.seed_text = std::to_string(8);
  ask_for_typed_seed(state());
  EXPECT_EQ(live_after_frames(), 512u);
  EXPECT_EQ(state().settings.seed, 8u);
}

/// Or the next press would fill a hand-made example with random keys.
TEST_F(PausedLoadTest, TypedKeysLetGoOfALoadThatIsHeld)
{
  auto const two_keys = std::make_shared<std::vector<Pair> const>(std::vector<Pair>{{17, 1}, {42, 2}});
  state().settings.drive.hold_load = true;
  state().settings.drive.target_load = 0.5;
  state().ask(OnTyped{{Operation::find, two_keys}});
  live_after_frames();
  EXPECT_TRUE(state().settings.drive.hold_load) << "looking up changes nothing";
  state().ask(OnTyped{{Operation::insert, two_keys}});
  EXPECT_EQ(live_after_frames(), 2u);
  EXPECT_FALSE(state().settings.drive.hold_load);
  state().settings.drive.hold_load = true;
  state().act(Clear{});
  EXPECT_EQ(live_after_frames(), 0u);
  EXPECT_FALSE(state().settings.drive.hold_load);
}

TEST_F(PausedLoadTest, ASeedThatIsNoneIsRefusedAndNothingChanges)
{
  std::uint64_t const seed = state().settings.seed;
  for (std::string const text : {"-5abc", "-1", "", "1.5", "99999999999999999999"}) {
    app_->toasts().dismiss_all();
    state().edits.seed_text = text;
    ask_for_typed_seed(state());
    app_->frame(0.1);
    EXPECT_EQ(app_->toasts().errors(), 1u) << text;
    EXPECT_EQ(state().settings.seed, seed);
  }
}

TEST_F(PausedLoadTest, TheOpeningGoesOnAfterAPause)
{
  TableSetup set_up;
  set_up.settings = state().settings;
  set_up.settings.drive.target_load = 0.75;
  set_up.opening = true;
  app_.reset();  // there can be one at a time
  app_ = test::offscreen_app({640, 480}, test::slots_scenario(set_up));
  std::uint64_t const before = live_after_frames();
  test::press(app_->current_scene(), "Space");
  EXPECT_EQ(live_after_frames(), before);
  EXPECT_EQ(std::any_cast<TableSetup>(app_->current_scene().to_remember()).settings.drive.target_load, 0.75);
  test::press(app_->current_scene(), "Space");
  EXPECT_GT(live_after_frames(), before);
  for (int frame = 0; frame < 140; ++frame) { app_->frame(0.1); }
  EXPECT_EQ(state().statistics.live, 768u);
  EXPECT_FALSE(state().settings.drive.running);
}

TEST_F(PausedLoadTest, TheTableFollowsADragWithoutOperationsOfTheMix)
{
  DriveSettings drive;
  drive.hold_load = true;
  drive.target_load = 0.5;
  drive.find = 1.0;
  auto& simulation = scene_of<SlotsScene>(*app_).simulation();
  simulation.step(steering_alone(drive), 0.1, 0.1);
  EXPECT_EQ(simulation.live(), 512u);
  simulation.take_reports();
  simulation.step(steering_alone(drive), 0.1, 0.1);
  EXPECT_TRUE(simulation.take_reports().empty());
}

TEST_F(PausedLoadTest, AUsedUpKeyFileIsOfferedFewerSlots)
{
  test::TemporaryFolder const folder;
  std::string keys;
  for (int key = 1; key <= 300; ++key) { keys += std::to_string(7 * key) + "\n"; }
  app_->open(folder.write("keys.txt", keys));
  state().settings.drive.hold_load = true;
  state().settings.drive.target_load = 0.25;
  state().act(FillTo{0.25});
  EXPECT_EQ(live_after_frames(), 256u);
  EXPECT_FALSE(slots_for_held_load(state())) << "the load is reached";
  state().settings.drive.target_load = 0.9;
  state().act(FillTo{0.9});
  EXPECT_EQ(live_after_frames(), 300u);
  auto const found = slots_for_held_load(state());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->slots, 333u) << "300 / 0.9";
  EXPECT_NEAR(found->load, 0.9009, 1e-4);
  EXPECT_EQ(app_->current_scene().notice(),
            "The file has no more keys for α 0.900: the table holds 300. With 333 slots, α is 0.901.");
  state().act(rehash_to(state(), found->slots));
  EXPECT_EQ(live_after_frames(), 300u);
  EXPECT_EQ(state().settings.table.slots, 333u);
  EXPECT_FALSE(slots_for_held_load(state()));
}

TEST_F(PausedLoadTest, AFamilyOfPowersOfTwoIsOfferedTheNearestOne)
{
  test::TemporaryFolder const folder;
  state().ask(ReplaceTables{{.family = "quadratic", .slots = 1024}, 1});
  live_after_frames();
  std::string keys;
  for (int key = 1; key <= 300; ++key) { keys += std::to_string(7 * key) + "\n"; }
  app_->open(folder.write("keys.txt", keys));
  state().settings.drive.hold_load = true;
  state().settings.drive.target_load = 0.5;
  state().act(FillTo{0.5});
  EXPECT_EQ(live_after_frames(), 300u);
  auto const found = slots_for_held_load(state());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->slots, 512u) << "the load is 0.586 there: enough";
  state().settings.drive.target_load = 0.9;
  EXPECT_EQ(slots_for_held_load(state())->slots, 512u) << "the fewest that hold them";
  EXPECT_NE(advice_on_held_load(state()).find("that this family allows is 512: α 0.586"), std::string::npos)
      << advice_on_held_load(state());
}

/// Two tables as tuning hands them over: a load is that of the smaller one.
TEST(HeldLoad, OfSeveralTablesIsReachedByTheFullest)
{
  constexpr std::uint64_t live = 20'839;
  auto const sized = [](std::string const& family, std::uint64_t slots) {
    return ComparedSize{{.family = family, .slots = slots}, static_cast<double>(live) / static_cast<double>(slots)};
  };
  TableState state;
  state.compared = {sized("quadratic", 65'536), sized("linear_probing", 41'678)};
  state.settings.table = state.compared.front().table;
  state.settings.drive.hold_load = true;
  state.settings.drive.target_load = 0.5;
  state.run.keys_used_up = true;
  state.statistics.live = live;
  state.statistics.slots = 65'536;
  EXPECT_FALSE(slots_for_held_load(state));
  EXPECT_EQ(advice_on_held_load(state), "");
  state.settings.drive.target_load = 0.6;
  auto const halved = slots_for_held_load(state);
  ASSERT_TRUE(halved);
  EXPECT_FALSE(can_be_offered(state, *halved)) << "half of 41,678 slots would be full";
  EXPECT_EQ(advice_on_held_load(state), "The file has no more keys for α 0.600: the tables hold 20,839.");
  state.compared.front() = sized("linear_probing", 60'000);
  state.settings.table = state.compared.front().table;
  state.statistics.slots = 60'000;
  auto const found = slots_for_held_load(state);
  ASSERT_TRUE(found && can_be_offered(state, *found));
  ASSERT_EQ(found->all.size(), 2u);
  EXPECT_NEAR(found->all[1].load, 0.6, 0.001);
  EXPECT_NEAR(found->all[0].load, 0.6 * 41'678.0 / 60'000.0, 0.001);
  EXPECT_NE(advice_on_held_load(state).find("table 2 has 34,73"), std::string::npos) << advice_on_held_load(state);
}

}  // namespace
}  // namespace slotscape
