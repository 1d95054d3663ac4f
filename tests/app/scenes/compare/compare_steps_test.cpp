#include "app/table_map/step/draw.hpp"
#include "app/table_scene/toolbar.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

namespace slotscape {
namespace {

using test::scene_of;

using test::TemporaryFolder;
using testing::HasSubstr;

Trace trace_of(std::size_t steps)
{
  Trace trace{};
  trace.operation = Operation::find;
  trace.steps.resize(steps);
  return trace;
}

TEST(StepGroup, AShorterTraceStandsAtItsEnd)
{
  StepPlayer shorter{trace_of(2)};
  StepPlayer longer{trace_of(4)};
  StepGroup group{{&shorter, &longer}};
  EXPECT_EQ(group.count(), 4u);
  for (int i = 0; i < 3; ++i) { group.forward(); }
  EXPECT_EQ(shorter.position(), 2u);
  EXPECT_EQ(longer.position(), 3u);
  EXPECT_FALSE(group.at_end());
  group.back();
  EXPECT_EQ(shorter.position(), 2u) << "it has waited at its end";
  EXPECT_EQ(longer.position(), 2u);
  group.back();
  EXPECT_EQ(shorter.position(), 1u);
  EXPECT_EQ(longer.position(), 1u);
  group.go_to(4);
  EXPECT_TRUE(group.at_end());
  EXPECT_EQ(group.position(), 4u);
}

TEST(StepGroup, PlaysAndPausesAllTogether)
{
  StepPlayer shorter{trace_of(1)};
  StepPlayer longer{trace_of(9)};
  StepGroup group{{&shorter, &longer}};
  group.set_speed(1.0);
  group.play_or_pause();
  group.advance(2.5);
  EXPECT_EQ(longer.position(), 3u);
  EXPECT_TRUE(group.playing());
  group.play_or_pause();
  EXPECT_FALSE(group.playing());
  EXPECT_EQ(shorter.position(), 1u) << "and is not begun anew";
  group.play_or_pause();
  EXPECT_EQ(longer.position(), 4u);
  group.go_to(9);
  group.play_or_pause();
  EXPECT_EQ(shorter.position(), 1u);
  EXPECT_EQ(longer.position(), 1u) << "at the end all begin anew";
}

std::string const four_families = R"("tables": [ { "family": "linear_probing", "slots": 32 },
  { "family": "robin_hood", "slots": 32 }, { "family": "hopscotch", "slots": 32 }, { "family": "cuckoo", "slots": 32 } ],
  "steps": [ { "op": "fill", "load": 0.7 })";

/// The program, drawn offscreen, with four small tables.
class CompareStepsTest : public testing::Test {
protected:
  void open(std::string const& last_step)
  {
    app_.reset();  // there can be one at a time
    app_ = test::offscreen_app({1280, 720});
    app_->let_errors_out();
    write_text(folder_ / "four.json", R"({ "version": 1, )" + four_families + last_step + " ] }");
    app_->open(folder_ / "four.json");
    scene().finish_steps({});
    frames(2);
  }
  static void write_text(std::filesystem::path const& file, std::string const& text) { std::ofstream{file} << text; }
  void frames(int count)
  {
    for (int i = 0; i < count; ++i) { app_->frame(0.05); }
  }
  void press(std::string_view key)
  {
    test::press(scene(), key);
    frames(1);
  }
  CompareScene& scene() { return scene_of<CompareScene>(*app_); }
  CompareState& state() { return scene().compared(); }
  StepPlayer& player(std::size_t table) { return *state().tables[table].slots.steps.player; }
  bool any_player() { return !players_of(state()).empty(); }
  bool holds_77(std::size_t table) { return scene().simulation().engine(table).probe_path(77).value.has_value(); }

  TemporaryFolder folder_;
  std::unique_ptr<App> app_;
};

std::string const step_77 = R"(, { "op": "step", "operation": "insert", "key": 77, "value": 5, "position": 2 })";

TEST_F(CompareStepsTest, AScenarioOpensItForEveryTable)
{
  open(step_77);
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(state().tables[i].slots.steps.player);
    EXPECT_EQ(player(i).position(), std::min<std::size_t>(2, player(i).count()));
    EXPECT_EQ(player(i).trace().key, 77u);
    EXPECT_FALSE(holds_77(i));
  }
}

TEST_F(CompareStepsTest, TheKeysStepAllAndEscLeaves)
{
  open("");
  press("T");
  EXPECT_TRUE(state().shared.steps.on);
  EXPECT_FALSE(any_player()) << "the user is to choose first";
  state().shared.ask(EnterSteps{StepRequest{{Operation::insert, 77, 5}}});
  frames(2);
  ASSERT_TRUE(any_player());
  press("Right");
  for (std::size_t i = 0; i < 4; ++i) { EXPECT_EQ(player(i).position(), 1u); }
  press("Left");
  for (std::size_t i = 0; i < 4; ++i) { EXPECT_EQ(player(i).position(), 0u); }
  press("End");
  for (std::size_t i = 0; i < 4; ++i) { EXPECT_TRUE(player(i).at_end()); }
  press("Esc");
  EXPECT_FALSE(state().shared.steps.on);
  EXPECT_FALSE(any_player());
}

TEST_F(CompareStepsTest, TheMixRestsMeanwhile)
{
  open(step_77);
  state().shared.settings.drive.running = true;
  state().shared.settings.drive.rate = 1000.0;  // small tables begin with one operation a second
  std::size_t const before = scene().simulation().history().size();
  frames(5);
  EXPECT_EQ(scene().simulation().history().size(), before);
  press("Esc");
  frames(5);
  EXPECT_GT(scene().simulation().history().size(), before);
}

TEST_F(CompareStepsTest, DoingItDoesItInEveryTable)
{
  open(step_77);
  press("End");
  state().shared.ask(DoSteps{});
  frames(2);
  EXPECT_TRUE(state().shared.steps.on);
  EXPECT_FALSE(any_player());
  EXPECT_THAT(state().shared.steps.done, HasSubstr("Insert 77"));
  for (std::size_t i = 0; i < 4; ++i) { EXPECT_TRUE(holds_77(i)); }
}

TEST_F(CompareStepsTest, AnotherOperationBeginsAtOnceInEveryTable)
{
  open(step_77);
  state().shared.typed.text.clear();
  choose_operation(state().shared, Operation::find);
  frames(2);
  ASSERT_TRUE(any_player());
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(title_of(player(i)), "Find 77");
    EXPECT_EQ(player(i).position(), 0u);
  }
}

TEST_F(CompareStepsTest, WhatChangesTheTablesEndsIt)
{
  open(step_77);
  EXPECT_THROW(press("I"), Error) << "a letter that was meant for the field";
  EXPECT_TRUE(state().shared.steps.on);
  state().shared.act(BatchRequest::inserts(1));
  app_->frame(0.1);
  EXPECT_FALSE(state().shared.steps.on);
  EXPECT_FALSE(any_player());
}

TEST_F(CompareStepsTest, APositionBeyondTheLongestTraceIsRefused)
{
  EXPECT_THROW(open(R"(, { "op": "step", "operation": "find", "key": 77, "position": 5000 })"), Error);
}

}  // namespace
}  // namespace slotscape
