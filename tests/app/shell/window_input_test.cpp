#include "app/scenes/tune/scene.hpp"
#include "tests/app/support/program.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <vector>

namespace slotscape {
namespace {

using test::scene_of;

constexpr gl::Size window_size{1280, 720};

void press_key(App& app, ImGuiKey key)
{
  ImGui::GetIO().AddKeyEvent(key, true);
  app.frame(0.05);
  ImGui::GetIO().AddKeyEvent(key, false);
  app.frame(0.05);
}

void click(App& app, float x, float y)
{
  ImGui::GetIO().AddMousePosEvent(x, y);
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, true);
  app.frame(0.05);
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, false);
  app.frame(0.05);
}

/// The canvas has the whole width of the window.
bool hides_panels(App& app)
{
  Rectangle const& canvas = app.current_scene().canvas();
  return canvas.x == 0 && canvas.width == window_size.width;
}

void expect_tab_hides_and_shows(App& app, std::string_view where)
{
  app.frame(0.05);
  EXPECT_FALSE(hides_panels(app)) << where;
  for (int round = 0; round < 3; ++round) {
    press_key(app, ImGuiKey_Tab);
    EXPECT_TRUE(hides_panels(app)) << where << ", round " << round;
    press_key(app, ImGuiKey_Tab);
    EXPECT_FALSE(hides_panels(app)) << where << ", round " << round;
  }
}

void step(TableScene& scene)
{
  scene.state().ask(EnterSteps{StepRequest{{Operation::insert, 77, 5}, 0}});
}

/// Waits for step mode's chooser, and leaves its field.
void choose(App& app, TableScene& scene)
{
  scene.state().ask(EnterSteps{});
  for (int frame = 0; frame < 4; ++frame) { app.frame(0.05); }
  ImGui::ClearActiveID();
  app.frame(0.05);
}

TEST(Tab, HidesEveryPanelInOneTable)
{
  auto const app = test::offscreen_app(window_size, test::slots_scenario({.slots = 16}));
  expect_tab_hides_and_shows(*app, "one table");
  click(*app, 20.0f, 400.0f);  // in the left panel, whose fields are now next for Tab
  expect_tab_hides_and_shows(*app, "after a click in a panel");
  auto& scene = scene_of<SlotsScene>(*app);
  choose(*app, scene);
  expect_tab_hides_and_shows(*app, "choosing an operation");
  step(scene);
  expect_tab_hides_and_shows(*app, "stepping");
}

TEST(Tab, HidesEveryPanelBesideComparedTables)
{
  CompareSetup compared;
  compared.tables = {{.slots = 16}, {.family = "robin_hood", .slots = 16}};
  auto const tables = test::offscreen_app(window_size, test::compare_scenario(compared));
  expect_tab_hides_and_shows(*tables, "compared tables");
  auto& scene = scene_of<CompareScene>(*tables);
  choose(*tables, scene);
  expect_tab_hides_and_shows(*tables, "choosing an operation on compared tables");
  step(scene);
  expect_tab_hides_and_shows(*tables, "stepping through compared tables");
}

TEST(Tab, HidesEveryPanelBesideModels)
{
  auto const models =
      test::offscreen_app(window_size, Scenario{&test::entry("spatial"), test::entry("spatial").first()});
  expect_tab_hides_and_shows(*models, "models");
}

TEST(Tab, BringsBackThePanelsThatWereThere)
{
  UserSettings settings;
  settings.panels.plots = false;
  settings.panels.slot_card = false;
  auto const app = test::offscreen_app(window_size, test::slots_scenario({.slots = 16}), settings);
  press_key(*app, ImGuiKey_Tab);
  press_key(*app, ImGuiKey_Tab);
  Panels const panels = app->user_settings().panels;
  EXPECT_TRUE(panels.controls && panels.numbers);
  EXPECT_FALSE(panels.plots || panels.slot_card);
}

/// The first digit brings the field the keyboard, a few frames later. What follows it until then is not a command: the
/// comma would change the load, and Backspace begin anew.
TEST(TypedWithoutAClick, GoesToTheFieldToTheLastCharacter)
{
  for (bool const at_once : {false, true}) {
    auto const app = test::offscreen_app(window_size, test::slots_scenario({.slots = 32}));
    app->frame(0.3);
    auto& scene = scene_of<SlotsScene>(*app);
    DriveSettings const drive = scene.state().settings.drive;
    for (char const* character = "7, 15=5, 23"; *character != '\0'; ++character) {
      ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(*character));
      if (!at_once) { app->frame(0.3); }
    }
    for (int frame = 0; frame < 4; ++frame) { app->frame(0.3); }
    EXPECT_EQ(scene.state().typed.text, "7, 15=5, 23");
    EXPECT_EQ(scene.state().settings.drive, drive);
    press_key(*app, ImGuiKey_Enter);
    scene.finish_steps({});
    EXPECT_EQ(scene.simulation().live(), 3u);
  }
}

/// What is said of a wrong key is to be read, and the card that warns of a full table with it.
TEST(TypedKeysField, ItsMessageLiesOverNoCard)
{
  TableSetup set_up;
  set_up.settings.table = {.slots = 16};
  set_up.steps = {BatchRequest::inserts(16)};
  auto const app = test::offscreen_app(window_size, test::slots_scenario(set_up));
  app->current_scene().finish_steps({});
  auto const rect_of = [](char const* name) {
    ImGuiWindow const* const window = ImGui::FindWindowByName(name);
    return window != nullptr && window->Active ? window->Rect() : ImRect();
  };
  for (int round = 0; round < 2; ++round) {  // the card comes first, then the message
    for (int frame = 0; frame < 3; ++frame) { app->frame(0.1); }
    float const top = rect_of("##tombstones").Min.y;
    ASSERT_GT(top, 0.0f) << "the card";
    scene_of<SlotsScene>(*app).state().typed.text = "3.5";
    for (int frame = 0; frame < 4; ++frame) { app->frame(0.1); }
    ASSERT_GT(rect_of("##keys_error").GetWidth(), 100.0f) << "the message";
    EXPECT_FALSE(rect_of("##keys_error").Overlaps(rect_of("##tombstones"))) << "round " << round;
    scene_of<SlotsScene>(*app).state().typed.text.clear();
    for (int frame = 0; frame < 3; ++frame) { app->frame(0.1); }
    EXPECT_EQ(rect_of("##tombstones").Min.y, top) << "it goes back";
  }
}

/// After Enter, the field keeps the keyboard for the next keys, none of which begins with a T.
TEST(TypedKeysField, TBeginsStepModeWhereAKeyWouldBegin)
{
  auto const app = test::offscreen_app(window_size, test::slots_scenario({.slots = 32}));
  app->frame(0.3);
  auto const type = [&](char const* text) {
    for (char const* character = text; *character != '\0'; ++character) {
      ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(*character));
      app->frame(0.3);
    }
    for (int frame = 0; frame < 4; ++frame) { app->frame(0.3); }
  };
  auto& scene = scene_of<SlotsScene>(*app);
  type("7");
  press_key(*app, ImGuiKey_Enter);
  scene.finish_steps({});
  type("t24");
  EXPECT_TRUE(scene.state().steps.on);
  EXPECT_EQ(scene.state().typed.text, "24");
  press_key(*app, ImGuiKey_Enter);
  app->frame(0.3);
  ASSERT_TRUE(scene.state().steps.player);
  EXPECT_EQ(scene.state().steps.player->trace().key, 24u);
}

TEST(TypedWithoutAClick, IsEnteredEvenBeforeTheFieldHasTheKeyboard)
{
  for (int const frames_between : {0, 1, 2, 3}) {
    auto const app = test::offscreen_app(window_size, test::slots_scenario({.slots = 32}));
    app->frame(0.3);
    ImGui::GetIO().AddInputCharacter('7');
    for (int frame = 0; frame < frames_between; ++frame) { app->frame(0.3); }
    press_key(*app, ImGuiKey_Enter);
    for (int frame = 0; frame < 4; ++frame) { app->frame(0.3); }
    scene_of<SlotsScene>(*app).finish_steps({});
    EXPECT_EQ(scene_of<SlotsScene>(*app).simulation().live(), 1u) << frames_between << " frames between";
  }
}

/// In the field that has the keyboard.
TEST(TypedKeysField, AKeyWithEnterAtItsHeelsIsEntered)
{
  for (int const frames_between : {0, 1, 2}) {
    auto const app = test::offscreen_app(window_size, test::slots_scenario({.slots = 32}));
    app->frame(0.3);
    ImGui::GetIO().AddInputCharacter('1');
    for (int frame = 0; frame < 5; ++frame) { app->frame(0.3); }
    ImGui::GetIO().AddInputCharacter('9');
    for (int frame = 0; frame < frames_between; ++frame) { app->frame(0.3); }
    press_key(*app, ImGuiKey_Enter);
    for (int frame = 0; frame < 4; ++frame) { app->frame(0.3); }
    auto& scene = scene_of<SlotsScene>(*app);
    scene.finish_steps({});
    EXPECT_EQ(scene.simulation().engine().trace(Operation::find, 19, 0).outcome, Outcome::found)
        << frames_between << " frames between";
  }
}

TEST(ErrorMessages, NeverCoverTheTable)
{
  auto const app = test::offscreen_app(window_size, test::slots_scenario({.slots = 16}));
  app->frame(0.05);
  Rectangle const before = app->current_scene().canvas();
  for (char const* const text : {"Something is wrong.", "This is wrong, too.\nDo that."}) {
    app->toasts().error(text);
    app->frame(0.05);
    app->frame(0.05);
  }
  Rectangle const canvas = app->current_scene().canvas();
  EXPECT_LT(canvas.height, before.height);
  int drawn = 0;
  for (ImGuiWindow const* const each : ImGui::GetCurrentContext()->Windows) {
    if (!each->Active || !std::string_view(each->Name).starts_with("##toast")) { continue; }
    ++drawn;
    EXPECT_GE(each->Pos.y, static_cast<float>(canvas.y + canvas.height)) << each->Name;
    EXPECT_LE(each->Pos.y + each->Size.y, static_cast<float>(window_size.height));
  }
  EXPECT_EQ(drawn, 2);
  app->toasts().dismiss_all();
  app->frame(0.05);
  EXPECT_EQ(app->current_scene().canvas().height, before.height);
}

TEST(Notices, LieOverTheLegendAndLeaveTheTableAsItIs)
{
  auto const app = test::offscreen_app(window_size, test::slots_scenario({.slots = 16}));
  app->frame(0.05);
  Rectangle const before = app->current_scene().canvas();
  app->toasts().notice("11 keys were inserted.");
  app->frame(0.05);
  app->frame(0.05);
  Rectangle const canvas = app->current_scene().canvas();
  EXPECT_EQ(canvas.height, before.height);
  ImGuiWindow const* const notice = ImGui::FindWindowByName("##toast0");
  ASSERT_TRUE(notice != nullptr && notice->Active);
  EXPECT_GE(notice->Pos.y, static_cast<float>(canvas.y + canvas.height));
  EXPECT_LE(notice->Pos.y + notice->Size.y, static_cast<float>(window_size.height));
}

TEST(Menus, OpenWithOneClickEvenIfItComesInTheSameFrameAsEsc)
{
  auto const app = test::offscreen_app(window_size, test::slots_scenario({.slots = 16}));
  app->frame(0.05);
  auto const popups = [] { return ImGui::GetCurrentContext()->OpenPopupStack.Size; };
  click(*app, 100.0f, 12.0f);
  ASSERT_EQ(popups(), 1);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Escape, true);
  click(*app, 100.0f, 12.0f);
  EXPECT_EQ(popups(), 1);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Escape, false);
  app->frame(0.05);
  press_key(*app, ImGuiKey_Escape);
  EXPECT_EQ(popups(), 0);
  click(*app, 100.0f, 12.0f);
  EXPECT_EQ(popups(), 1);
}

TEST(SmallTables, ShowTheirKeysInEveryScaleOfTheInterface)
{
  for (float const scale : {1.0f, 1.5f, 2.0f}) {
    for (std::uint64_t const slots : {16u, 32u, 64u}) {
      UserSettings settings;
      settings.ui_scale = scale;
      auto const app = test::offscreen_app(window_size, test::slots_scenario({.slots = slots}), settings);
      auto& scene = scene_of<SlotsScene>(*app);
      app->frame(0.05);
      EXPECT_EQ(scene.state().inspected.written.size(), slots) << "scale " << scale;
      step(scene);
      app->frame(0.05);
      app->frame(0.05);
      EXPECT_EQ(scene.state().inspected.written.size(), slots) << "stepping at scale " << scale;
    }
  }
}

/// Into the slider or the field of a panel, as after Ctrl+click.
void type_into(App& app, char const* id, char const* text)
{
  ImGuiContext& gui = *ImGui::GetCurrentContext();
  std::vector<ImGuiWindow*> const windows(gui.Windows.begin(), gui.Windows.end());
  for (ImGuiWindow* const window : windows) {
    ImGuiID const item = window->GetID(id);
    gui.NavNextActivateId = item;
    gui.NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
    for (int frame = 0; frame < 3; ++frame) { app.frame(0.1); }
    if (gui.ActiveId != item) { continue; }
    for (char const* character = text; *character != '\0'; ++character) {
      ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(*character));
    }
    app.frame(0.1);
    return press_key(app, ImGuiKey_Enter);
  }
  FAIL() << "there is no " << id;
}

/// Two digits are for dragging.
TEST(TypedNumbers, AreTakenAsTheyAreTyped)
{
  auto const tables = test::offscreen_app(window_size, test::slots_scenario({.slots = 64}));
  tables->frame(0.1);
  auto const& drive = scene_of<SlotsScene>(*tables).state().settings.drive;
  type_into(*tables, "##batch", "12345");
  EXPECT_EQ(drive.batch, 12'345u);
  type_into(*tables, "##batch", "4294967295");
  EXPECT_EQ(drive.batch, 4'294'967'295u);
  type_into(*tables, "##rate", "98765.4321");
  EXPECT_EQ(drive.rate, 98765.4321);
}

TEST(TypedNumbers, AreTakenInTuningAsTheyAreTyped)
{
  TuneSetup set_up;
  set_up.start = false;
  auto const tuning = test::offscreen_app(window_size, Scenario{&test::entry("tune"), set_up});
  tuning->frame(0.1);
  auto const& workload = scene_of<TuneScene>(*tuning).state().settings.workload;
  type_into(*tuning, "##count", "1234567");
  EXPECT_EQ(workload.keys, 1'234'567u);
  type_into(*tuning, "##batch", "77777");
  EXPECT_EQ(workload.batch, 77'777u);
  type_into(*tuning, "##batch", "268435456");
  EXPECT_EQ(workload.batch, 268'435'456u) << "and not 'as many as there are', which is the end of the slider";
}

/// What a field shows in per cent is typed so.
TEST(TypedNumbers, AreSharesOfAMixInPerCent)
{
  auto const tables = test::offscreen_app(window_size, test::slots_scenario({.slots = 64}));
  tables->frame(0.1);
  type_into(*tables, "##insert", "30");
  EXPECT_DOUBLE_EQ(scene_of<SlotsScene>(*tables).state().settings.drive.insert, 0.3);
}

TEST(TypedNumbers, AreSharesOfAllOperationsInPerCent)
{
  TuneSetup set_up;
  set_up.start = false;
  auto const tuning = test::offscreen_app(window_size, Scenario{&test::entry("tune"), set_up});
  tuning->frame(0.1);
  auto const& workload = scene_of<TuneScene>(*tuning).state().settings.workload;
  type_into(*tuning, "##miss", "40");
  EXPECT_DOUBLE_EQ(workload.miss / workload.operations(), 0.4);
  EXPECT_DOUBLE_EQ(workload.hit, 2.0 * workload.insert) << "as before";
  type_into(*tuning, "##erase", "12.5");
  EXPECT_DOUBLE_EQ(workload.erase / workload.operations(), 0.125);
}

}  // namespace
}  // namespace slotscape
