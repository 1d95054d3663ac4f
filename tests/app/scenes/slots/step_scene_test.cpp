#include "app/gl/image.hpp"
#include "app/table_map/step/draw.hpp"
#include "app/table_map/step/plain.hpp"
#include "app/table_scene/toolbar.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace slotscape {
namespace {

using test::scene_of;

using test::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::Not;

/// The program, drawn offscreen, with 12 of 16 slots taken.
class StepSceneTest : public testing::Test {
protected:
  void SetUp() override
  {
    app_ = test::offscreen_app({1280, 720}, test::slots_scenario({.slots = 16}));
    for (Key key = 1; key <= 12; ++key) { scene().simulation().submit(OnKey{Operation::insert, key * 10, key}); }
    scene().finish_steps({});
    frames(1);
  }

  SlotsScene& scene() { return scene_of<SlotsScene>(*app_); }
  TableState& state() { return scene().state(); }
  StepState& steps() { return state().steps; }
  Engine& engine() { return scene().simulation().engine(); }

  void frames(int count)
  {
    for (int frame = 0; frame < count; ++frame) { app_->frame(0.1); }
  }
  void open(OnKey const& operation, std::size_t position = 0)
  {
    state().ask(EnterSteps{StepRequest{operation, position}});
    frames(1);
    ASSERT_TRUE(steps().player);
  }
  void press(std::string_view key)
  {
    test::press(scene(), key);
    frames(1);
  }
  bool in_table(Key key) { return engine().trace(Operation::find, key, 0).outcome == Outcome::found; }
  std::size_t position() { return steps().player->position(); }

  std::unique_ptr<App> app_;
};

/// In the smallest window: beside the code, the start and six steps.
TEST_F(StepSceneTest, TheListShowsSixSteps)
{
  Key key = 200;
  while (engine().trace(Operation::insert, key, 1).steps.size() < 7) { ++key; }
  open({Operation::insert, key, 1}, 6);
  frames(2);
  ASSERT_FALSE(steps().player->at_end());
  auto const is_list = [](ImGuiWindow const* each) {
    return each->Active && std::string_view(each->Name).find("##step_list") != std::string_view::npos;
  };
  auto const& windows = ImGui::GetCurrentContext()->Windows;
  auto const list = std::find_if(windows.begin(), windows.end(), is_list);
  ASSERT_NE(list, windows.end());
  EXPECT_EQ((*list)->ScrollMax.y, 0.0f) << "all of it is in sight";
}

TEST_F(StepSceneTest, AnotherOperationBeginsAtOnce)
{
  open({Operation::find, 74});
  ASSERT_EQ(title_of(*steps().player), "Find 74");
  choose_operation(state(), Operation::insert);
  frames(2);
  EXPECT_EQ(title_of(*steps().player), "Insert 74");
  state().typed.text.clear();
  choose_operation(state(), Operation::erase);
  frames(2);
  EXPECT_EQ(title_of(*steps().player), "Erase 74");
  EXPECT_EQ(position(), 0u);
}

TEST_F(StepSceneTest, TheTotalOfStepsIsToBeGuessedWithThem)
{
  EXPECT_EQ(progress_of(0, 9, false), "0");
  EXPECT_EQ(progress_of(3, 9, true), "3 / 9");
  EXPECT_EQ(progress_of(9, 9, false), "9 / 9") << "at the end it is known";
}

TEST_F(StepSceneTest, PlainStepsCountProbesOfEveryOperation)
{
  FamilyInfo const& family = family_of(state());
  auto const summary = [&](Operation operation, Key key) {
    Trace const trace = engine().trace(operation, key, 0);
    return in_plain_words(trace, family, [](Key written) { return std::to_string(written); }).summary;
  };
  Key const live = engine().pairs().front().key;
  EXPECT_THAT(summary(Operation::find, live), HasSubstr(" is found after "));
  for (Operation const operation : {Operation::insert, Operation::find, Operation::erase}) {
    for (Key const key : {live, Key{4'000'000'001}}) {
      EXPECT_THAT(summary(operation, key), HasSubstr(" probe")) << key;
      EXPECT_THAT(summary(operation, key), Not(HasSubstr("access"))) << key;
    }
  }
}

TEST_F(StepSceneTest, TheKeysGoThroughTheStepsAndEscLeaves)
{
  press("T");
  EXPECT_TRUE(steps().on);
  EXPECT_FALSE(steps().player) << "the user is to choose first";
  open({Operation::insert, 77, 5});
  std::size_t const count = steps().player->count();
  ASSERT_GT(count, 1u);
  press("Right");
  press("Right");
  EXPECT_EQ(position(), 2u);
  press("Left");
  EXPECT_EQ(position(), 1u);
  press("End");
  EXPECT_EQ(position(), count);
  press("Home");
  EXPECT_EQ(position(), 0u);
  press("Space");
  EXPECT_TRUE(steps().player->playing());
  frames(200);
  EXPECT_EQ(position(), count);
  EXPECT_TRUE(scene().quiet());
  press("Esc");
  EXPECT_FALSE(steps().on);
  EXPECT_FALSE(in_table(77));
}

TEST_F(StepSceneTest, TheMixRestsAndThenGoesOn)
{
  state().settings.drive.running = true;
  frames(2);
  open({Operation::find, 10, 0});
  auto const before = scene().simulation().history().size();
  frames(10);
  EXPECT_EQ(scene().simulation().history().size(), before);
  press("Esc");
  frames(2);
  EXPECT_TRUE(state().settings.drive.running);
  EXPECT_GT(scene().simulation().history().size(), before);
}

TEST_F(StepSceneTest, WhatChangesTheTableEndsTheSteps)
{
  open({Operation::insert, 77, 5});
  state().act(Rehash{32});
  frames(1);
  EXPECT_FALSE(steps().on);
  EXPECT_EQ(engine().table().slots, 32u);
  open({Operation::insert, 77, 5});
  state().ask(ReplaceTables{{.slots = 64}, 1});
  frames(1);
  EXPECT_FALSE(steps().on);
}

TEST_F(StepSceneTest, LettersMeantForTheFieldDoNotTouchTheTable)
{
  open({Operation::insert, 77, 5});
  std::vector<Pair> const before = engine().pairs();
  for (std::string_view const key : {"C", "R", "D", "P", "E", "I", "S"}) {
    EXPECT_THROW(press(key), Error) << key;
    frames(1);
  }
  EXPECT_TRUE(steps().player);
  EXPECT_EQ(engine().pairs(), before);
}

TEST_F(StepSceneTest, SeveralTypedKeysFollowOneAnotherAndCanBeWalkedBack)
{
  std::vector<Pair> const before = engine().pairs();
  press("T");
  frames(1);
  auto const pairs = parse_keys("77=5, 78, 79", Operation::insert, {32}).pairs;
  state().ask(OnTyped{{Operation::insert, std::make_shared<std::vector<Pair> const>(pairs)}});
  frames(1);
  EXPECT_EQ(steps().player->trace().key, 77u);
  press("Enter");
  frames(2);
  EXPECT_TRUE(in_table(77));
  ASSERT_TRUE(steps().player);
  EXPECT_EQ(steps().player->trace().key, 78u);
  press("Enter");
  frames(2);
  EXPECT_EQ(steps().player->trace().key, 79u);
  EXPECT_TRUE(in_table(78));
  press("Left");  // at the start of 79
  frames(2);
  ASSERT_TRUE(steps().player);
  EXPECT_EQ(steps().player->trace().key, 78u);
  EXPECT_TRUE(steps().player->at_end());
  EXPECT_FALSE(in_table(78));
  press("Home");
  press("Left");
  frames(2);
  EXPECT_EQ(steps().player->trace().key, 77u);
  EXPECT_EQ(engine().pairs(), before);
  press("Enter");
  frames(2);
  EXPECT_EQ(steps().player->trace().key, 78u) << "what was walked back over follows again";
}

TEST_F(StepSceneTest, LeftGoesBackWhateverWasSetInBetween)
{
  std::vector<Pair> const before = engine().pairs();
  open({Operation::insert, 77, 5});
  test::press(scene(), "Enter");
  state().typed.focus = false;  // while a field has the keyboard, settings are in hand
  frames(2);
  ASSERT_TRUE(in_table(77));
  state().settings.view.color_by = ColorBy::state;
  frames(2);
  state().settings.view.plain_steps = true;
  frames(2);
  ASSERT_EQ(scene().undoes(), "the setting 'Plain step texts'");
  press("Left");
  frames(2);
  ASSERT_TRUE(steps().player);
  EXPECT_EQ(steps().player->trace().key, 77u);
  EXPECT_TRUE(steps().player->at_end());
  EXPECT_EQ(engine().pairs(), before);
  EXPECT_EQ(state().settings.view.color_by, ColorBy::state) << "it is only the operation that is undone";
  EXPECT_TRUE(state().settings.view.plain_steps);
}

TEST_F(StepSceneTest, AnEmptyFieldLeavesArrowsToTheSteps)
{
  open({Operation::insert, 77, 5});
  EXPECT_FALSE(scene().has_empty_field());
  press("Enter");
  EXPECT_TRUE(state().typed.text.empty());
  EXPECT_TRUE(scene().has_empty_field()) << "it waits for the next key, and Left and Esc are no keys";
  state().typed.text = "78";
  EXPECT_FALSE(scene().has_empty_field());
  press("Esc");
  state().typed.text.clear();
  EXPECT_FALSE(scene().has_empty_field()) << "without steps, they move in the field";
}

TEST_F(StepSceneTest, AnAnswerToTypedKeysSaysThatTheTableWasRebuilt)
{
  app_.reset();  // two programs would share Dear ImGui
  app_ = test::offscreen_app({1280, 720},
                             test::slots_scenario(
                                 {.family = "cuckoo", .slots = 16, .parameters = {{"functions", 2}, {"bucket", 1}}}));
  auto const type = [&](std::string_view text) {
    auto const pairs = parse_keys(text, Operation::insert, {32}).pairs;
    state().ask(OnTyped{{Operation::insert, std::make_shared<std::vector<Pair> const>(pairs)}});
    frames(3);
  };
  type("1-10");
  EXPECT_EQ(scene().notice(), "10 keys were inserted.");
  type("11-15");
  EXPECT_EQ(scene().notice(),
            "5 keys were inserted. The whole table was rebuilt 2 times in the process, with other hash functions.");
}

TEST_F(StepSceneTest, DoingItChangesTheTableAndARestartDoesItAgain)
{
  open({Operation::insert, 77, 5});
  press("End");
  state().ask(DoSteps{});
  frames(1);
  EXPECT_FALSE(steps().player);
  EXPECT_THAT(steps().done, HasSubstr("77 is inserted"));
  EXPECT_TRUE(in_table(77));
  EXPECT_EQ(scene().simulation().live(), 13u);
  EXPECT_EQ(scene().simulation().history().back(), Done(OnKey{Operation::insert, 77, 5}));
  open({Operation::erase, 10, 0});
  press("End");
  state().ask(DoSteps{});
  frames(1);
  EXPECT_FALSE(in_table(10));
  press("Esc");
  std::vector<Pair> const before = engine().pairs();
  press("Backspace");
  scene().finish_steps({});
  EXPECT_EQ(engine().pairs(), before);
  EXPECT_EQ(scene().simulation().live(), 12u);
}

TEST_F(StepSceneTest, ItOpensWhenTheTablesWorkIsDone)
{
  for (int batch = 0; batch < 3; ++batch) { state().act(BatchRequest::finds(1000, KeyChoice::hits)); }
  state().ask(EnterSteps{StepRequest{{Operation::find, 10, 0}}});
  frames(30);
  ASSERT_TRUE(steps().player);
  EXPECT_EQ(steps().player->trace().outcome, Outcome::found);
}

TEST_F(StepSceneTest, KeysComeFromTheTableOrAreNewOrPinned)
{
  press("T");
  state().ask(TakeKey{KeySource::fresh});
  frames(1);
  EXPECT_FALSE(in_table(static_cast<Key>(std::stoul(state().typed.text))));
  state().ask(TakeKey{KeySource::live});
  frames(1);
  EXPECT_TRUE(in_table(static_cast<Key>(std::stoul(state().typed.text))));
  state().selection.pinned = engine().probe_path(50).slots.back();
  state().ask(TakeKey{KeySource::pinned});
  frames(1);
  EXPECT_EQ(state().typed.text, "50");
  scene().simulation().submit(Clear{});
  scene().finish_steps({});
  state().ask(TakeKey{KeySource::live});
  frames(1);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("insert some keys"));
}

TEST_F(StepSceneTest, APositionBeyondTheEndIsRefused)
{
  state().ask(EnterSteps{StepRequest{{Operation::find, 10, 0}, 1000}});
  frames(1);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("position 1000"));
  EXPECT_FALSE(steps().player);
}

/// Different colours of the canvas, where it shows the map and the caption.
std::size_t colors(gl::Image const& image)
{
  std::set<std::uint32_t> found;
  for (int y = 60; y < image.height - 60; ++y) {
    for (int x = 310; x < 930; ++x) {
      std::size_t const at =
          (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) * 4;
      found.insert(image.pixels[at] | (image.pixels[at + 1] << 8) | (image.pixels[at + 2] << 16));
    }
  }
  return found.size();
}

TEST_F(StepSceneTest, EveryStepLooksDifferent)
{
  test::paint();
  open({Operation::insert, 77, 5});
  std::vector<std::uint8_t> last;
  for (std::size_t position = 0; position <= steps().player->count(); ++position) {
    steps().player->go_to(position);
    frames(12);
    gl::Image const picture = app_->screen().picture();
    EXPECT_GT(colors(picture), 100u);
    EXPECT_NE(picture.pixels, last);
    last = picture.pixels;
  }
}

TEST_F(StepSceneTest, AScenarioOpensItAtOnceWithTheSlotsInSight)
{
  TemporaryFolder const folder;
  app_->open(folder.write("step.json", R"({ "version": 1, "table": { "slots": 65536 },
    "steps": [ { "op": "fill", "load": 0.9 }, { "op": "step", "operation": "insert", "key": 77, "position": 2 } ] })"));
  scene().finish_steps({});
  frames(1);
  ASSERT_TRUE(steps().player);
  EXPECT_EQ(position(), 2u);
  frames(1);
  std::vector<WrittenSlot> const& written = state().inspected.written;
  Slot const read = steps().player->present()->seen.front().slot;
  EXPECT_TRUE(std::ranges::any_of(written, [&](WrittenSlot const& each) { return each.slot.slot == read; }));
}

/// Whether a text speaks of this slot.
bool names_slot(std::string const& text, Slot slot)
{
  std::string const name = "slot " + std::to_string(slot);
  std::size_t const at = text.find(name);
  return at != text.npos && (at + name.size() == text.size() || std::isdigit(text[at + name.size()]) == 0);
}

TEST_F(StepSceneTest, CaptionsTellWhereItGoesFromThereOnlyIfAsked)
{
  Key unknown = 1;
  while (in_table(unknown) || engine().trace(Operation::find, unknown, 0).steps.size() < 4) { ++unknown; }
  open({Operation::find, unknown, 0});
  EXPECT_FALSE(steps().shows_upcoming);
  StepPlayer& player = *steps().player;
  for (player.forward(); !player.at_end(); player.forward()) {
    Slot const next = player.trace().steps[player.position()].seen.front().slot;
    std::string const quiet = caption_of(player, false).text;
    EXPECT_FALSE(names_slot(quiet, next)) << quiet;
    EXPECT_TRUE(names_slot(quiet, player.present()->seen.front().slot) || player.position() > 1) << quiet;
    EXPECT_TRUE(names_slot(caption_of(player, true).text, next));
  }
  EXPECT_EQ(caption_of(player, false).text, caption_of(player, true).text) << "nothing follows the last one";
}

SlotInfo key_at(Slot slot, Key key, Slot home)
{
  return {slot, SlotState::live, {key, 1}, home, true, (slot - home) & 15u};
}

TEST_F(StepSceneTest, KeysThatMoveAreSeenOnTheirWay)
{
  test::paint();
  open({Operation::insert, 77, 5});
  SlotInfo const empty{11, SlotState::empty, {0, 0}, 11, false, 0};
  Trace trace{Operation::insert, 77, 5, Outcome::inserted, {}, "77 is inserted."};
  trace.steps = {{Step::Kind::metadata, {}, {}, {}, "Reads a seed beside the slots"},
                 {Step::Kind::read, {key_at(4, 30, 4), key_at(5, 31, 4), key_at(6, 32, 4)}, {}, {}, "A window"},
                 {Step::Kind::exchange, {key_at(4, 30, 4)}, key_at(4, 77, 4), {}, "77 goes to slot 4"},
                 {Step::Kind::exchange, {empty}, key_at(11, 30, 4), Slot{4}, "30 moves from slot 4 to slot 11"}};
  steps().player.emplace(trace, 3);
  frames(12);
  gl::Image const before = app_->screen().picture();
  steps().player->forward();
  app_->frame(0.25);
  gl::Image const on_its_way = app_->screen().picture();
  EXPECT_TRUE(scene().state().steps.player->moving());
  frames(12);
  gl::Image const arrived = app_->screen().picture();
  EXPECT_NE(before.pixels, on_its_way.pixels);
  EXPECT_NE(on_its_way.pixels, arrived.pixels);
}

TEST_F(StepSceneTest, APathThatIsTooLongIsRefused)
{
  state().ask(ReplaceTables{{.slots = 1u << 18}, 1});
  frames(1);
  scene().simulation().submit(BatchRequest::inserts(1u << 18));
  scene().finish_steps({});
  state().ask(EnterSteps{StepRequest{{Operation::find, 1, 0}}});
  frames(1);
  EXPECT_FALSE(steps().player);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("too many to step through"));
}

TEST_F(StepSceneTest, APathOfThousandsOfStepsIsDrawn)
{
  state().ask(ReplaceTables{{.slots = 1u << 14}, 1});
  state().act(FillTo{1.0});
  frames(60);
  ASSERT_EQ(state().statistics.live, 1u << 14);
  open({Operation::find, 1, 0});
  ASSERT_EQ(steps().player->count(), 1u << 14);
  steps().shows_upcoming = true;
  press("End");
  frames(12);
  test::paint();
  app_->frame(0.05);
  EXPECT_EQ(position(), 1u << 14);
  EXPECT_GT(colors(app_->screen().picture()), 100u);
}

}  // namespace
}  // namespace slotscape
