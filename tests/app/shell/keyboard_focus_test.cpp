// The window without a mouse.

#include "tests/app/support/program.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <set>
#include <string>

namespace slotscape {
namespace {

using test::scene_of;

constexpr gl::Size window{1280, 720};

void frames(App& app, int count = 2)
{
  for (int i = 0; i < count; ++i) { app.frame(0.05); }
}

void press(App& app, ImGuiKeyChord chord)
{
  ImGuiIO& io = ImGui::GetIO();
  auto const modifiers = [&](bool down) {
    for (ImGuiKey const modifier : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt}) {
      if ((chord & modifier) != 0) { io.AddKeyEvent(modifier, down); }
    }
  };
  auto const key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
  modifiers(true);
  io.AddKeyEvent(key, true);
  frames(app, 1);
  io.AddKeyEvent(key, false);
  modifiers(false);
  frames(app, 1);
}

/// The window that the keyboard is with; empty if it is with the map.
std::string with_keyboard()
{
  ImGuiContext const& gui = *ImGui::GetCurrentContext();
  return gui.NavCursorVisible && gui.NavWindow != nullptr ? gui.NavWindow->RootWindow->Name : std::string();
}

std::unique_ptr<App> app_with(TableSettings const& table)
{
  auto app = test::offscreen_app(window, test::slots_scenario(table));
  frames(*app, 4);
  return app;
}

TEST(Keyboard, GoesThroughAllPanelsAndBackToTheMap)
{
  auto const app = app_with({.slots = 64});
  std::vector<std::string> visited;
  for (int i = 0; i < 20; ++i) {
    press(*app, ImGuiMod_Ctrl | ImGuiKey_Tab);
    visited.push_back(with_keyboard());
    if (visited.back().empty()) { break; }
  }
  EXPECT_TRUE(visited.back().empty()) << "after the last panel comes the map";
  std::set<std::string> const names(visited.begin(), visited.end());
  EXPECT_EQ(names.size(), visited.size()) << "each panel once";
  EXPECT_TRUE(names.contains("##left"));
  EXPECT_TRUE(names.contains("##right"));
  press(*app, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Tab);
  EXPECT_EQ(with_keyboard(), visited[visited.size() - 2]) << "backwards, the last panel is the first";
}

TEST(Keyboard, OperatesControlsOfAPanel)
{
  auto const app = app_with({.slots = 64});
  auto const& running = scene_of<SlotsScene>(*app).state().settings.drive.running;
  bool const before = running;
  press(*app, ImGuiKey_Space);
  EXPECT_NE(running, before) << "on the map, Space is the program's";
  press(*app, ImGuiMod_Ctrl | ImGuiKey_Tab);
  std::set<ImGuiID> reached;
  for (int i = 0; i < 14; ++i) {
    reached.insert(ImGui::GetCurrentContext()->NavId);
    press(*app, ImGuiKey_Tab);
  }
  EXPECT_GT(reached.size(), 10u) << "Tab goes from control to control";
  EXPECT_NE(running, before) << "and hides no panels";
  EXPECT_GT(scene_of<SlotsScene>(*app).canvas().x, 0);
  bool const now = running;
  press(*app, ImGuiKey_Escape);
  EXPECT_EQ(with_keyboard(), "");
  EXPECT_EQ(running, now);
  press(*app, ImGuiKey_Space);
  EXPECT_NE(running, now) << "Escape gives the keyboard back to the map";
}

TEST(Keyboard, LeavesThePanelsAtAClick)
{
  auto const app = app_with({.slots = 64});
  press(*app, ImGuiMod_Ctrl | ImGuiKey_Tab);
  ASSERT_EQ(with_keyboard(), "##left");
  Rectangle const& canvas = app->current_scene().canvas();
  ImGui::GetIO().AddMousePosEvent(static_cast<float>(canvas.x) + 5.0f, static_cast<float>(canvas.y) + 5.0f);
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, true);
  frames(*app);
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, false);
  frames(*app);
  EXPECT_EQ(with_keyboard(), "");
  press(*app, ImGuiKey_Tab);
  EXPECT_EQ(app->current_scene().canvas().x, 0) << "Tab hides the panels again";
}

TEST(Keyboard, OpensAndLeavesMenus)
{
  auto const app = app_with({.slots = 64});
  auto const popups = [] { return ImGui::GetCurrentContext()->OpenPopupStack.Size; };
  for (bool const by_alt : {false, true}) {
    press(*app, by_alt ? ImGuiKey_LeftAlt : ImGuiKey_F10);
    ASSERT_EQ(with_keyboard(), "##MainMenuBar") << by_alt;
    press(*app, ImGuiKey_DownArrow);
    EXPECT_EQ(popups(), 1) << by_alt;
    ImGuiID const first = ImGui::GetCurrentContext()->OpenPopupStack.back().PopupId;
    press(*app, ImGuiKey_RightArrow);
    frames(*app, 4);
    ASSERT_EQ(popups(), 1) << by_alt;
    EXPECT_NE(ImGui::GetCurrentContext()->OpenPopupStack.back().PopupId, first) << "the menu beside it";
    press(*app, ImGuiKey_LeftArrow);
    frames(*app, 4);
    EXPECT_EQ(popups(), 1) << by_alt;
    press(*app, ImGuiKey_Escape);
    frames(*app, 4);
    EXPECT_EQ(popups(), 0) << by_alt;
    EXPECT_EQ(with_keyboard(), "") << by_alt;
  }
}

TEST(Keyboard, ChoosesFromMenus)
{
  auto const app = app_with({.slots = 64});
  press(*app, ImGuiKey_F10);
  press(*app, ImGuiKey_LeftArrow);  // around the end: Help
  press(*app, ImGuiKey_DownArrow);
  bool const before = app->user_settings().key_list;
  for (int entry = 0; entry < 12 && app->user_settings().key_list == before; ++entry) {
    if (ImGui::GetCurrentContext()->OpenPopupStack.Size == 0) { break; }
    press(*app, ImGuiKey_DownArrow);
    ImGuiContext const& gui = *ImGui::GetCurrentContext();
    bool const is_wanted = gui.NavWindow != nullptr && gui.NavId == gui.NavWindow->GetID("Keyboard shortcuts");
    if (is_wanted) { press(*app, ImGuiKey_Enter); }
  }
  EXPECT_NE(app->user_settings().key_list, before);
  frames(*app, 4);
  EXPECT_EQ(with_keyboard(), "") << "a chosen entry gives the keyboard back";
}

TEST(Keyboard, PointsAtSlotsAndClicksThem)
{
  auto const app = app_with({.slots = 64});
  auto& scene = scene_of<SlotsScene>(*app);
  auto const pointed = [&] {
    return scene.state().inspected.hovered ? scene.state().inspected.hovered->slot.slot : 999;
  };
  Framing const before = std::any_cast<TableSetup>(scene.set_up()).camera;
  press(*app, ImGuiMod_Ctrl | ImGuiKey_RightArrow);
  Slot const first = static_cast<Slot>(pointed());
  ASSERT_LT(first, 64u);
  press(*app, ImGuiMod_Ctrl | ImGuiKey_RightArrow);
  EXPECT_EQ(pointed(), first + 1);
  press(*app, ImGuiMod_Ctrl | ImGuiKey_LeftArrow);
  EXPECT_EQ(pointed(), first);
  EXPECT_EQ(std::any_cast<TableSetup>(scene.set_up()).camera, before) << "what is in view stays where it is";
  press(*app, ImGuiMod_Ctrl | ImGuiKey_Enter);
  EXPECT_EQ(scene.state().selection.pinned, first);
  press(*app, ImGuiKey_Escape);
  EXPECT_EQ(pointed(), 999);
  EXPECT_TRUE(scene.state().selection.pinned) << "one Escape ends one thing";
}

TEST(Keyboard, PointsAtSlotsOfEachComparedTable)
{
  CompareSetup compared;
  compared.tables = {{.slots = 16}, {.family = "robin_hood", .slots = 16}};
  auto const app = test::offscreen_app(window, test::compare_scenario(compared));
  frames(*app, 4);
  auto& scene = scene_of<CompareScene>(*app);
  auto const& second = scene.compared().tables[1].slots;
  for (int i = 0; i < 18 && !second.inspected.hovered; ++i) { press(*app, ImGuiMod_Ctrl | ImGuiKey_RightArrow); }
  press(*app, ImGuiMod_Ctrl | ImGuiKey_Enter);
  EXPECT_FALSE(scene.compared().tables[0].slots.selection.pinned);
  EXPECT_TRUE(second.selection.pinned);
}

}  // namespace
}  // namespace slotscape
