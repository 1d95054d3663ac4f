#include "app/table_scene/key_chips.hpp"

#include "app/table_map/step/draw.hpp"
#include "tests/app/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>

namespace slotscape {
namespace {

using test::scene_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TableSetup with_names(std::uint64_t slots)
{
  TableSetup set_up;
  set_up.settings.table.slots = slots;
  set_up.settings.view.keys_as = KeyStyle::names;
  return set_up;
}

void move_mouse(App& app, ImVec2 to)
{
  ImGui::GetIO().AddMousePosEvent(to.x, to.y);
  app.frame(0.05);
}

void press_mouse(App& app, bool down)
{
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, down);
  app.frame(0.05);
}

/// Where the first key to drag is: the mouse looks for it, row by row.
std::optional<ImVec2> first_chip(App& app, std::string const& text)
{
  int const number = 0;
  ImGuiWindow const& toolbar = *ImGui::FindWindowByName("##toolbar");
  ImGuiID const row = ImHashStr("chips", 0, toolbar.ID);
  ImGuiID const chip = ImHashStr(text.c_str(), 0, ImHashData(&number, sizeof number, row));
  for (float y = toolbar.Pos.y + 20.0f; y < toolbar.Pos.y + toolbar.Size.y; y += 30.0f) {
    for (float x = toolbar.Pos.x + 200.0f; x < toolbar.Pos.x + toolbar.Size.x; x += 20.0f) {
      move_mouse(app, {x, y});
      if (ImGui::GetHoveredID() == chip) { return ImVec2{x, y}; }
    }
  }
  return std::nullopt;
}

void drag_first_chip_onto_map(App& app, std::string const& text)
{
  auto const chip = first_chip(app, text);
  ASSERT_TRUE(chip) << "no key " << text << " to drag";
  press_mouse(app, true);
  Rectangle const canvas = app.current_scene().canvas();
  auto const at = [](int corner, int extent, float share) {
    return static_cast<float>(corner) + share * static_cast<float>(extent);
  };
  ImVec2 const map{at(canvas.x, canvas.width, 0.25f), at(canvas.y, canvas.height, 0.5f)};
  move_mouse(app, {chip->x + 10.0f, chip->y + 10.0f});
  move_mouse(app, map);
  move_mouse(app, {map.x + 1.0f, map.y});
  press_mouse(app, false);
  app.frame(0.05);
}

TEST(DraggedKeys, AreInsertedWhereTheyAreDropped)
{
  auto const app = test::offscreen_app({1280, 720}, test::slots_scenario(with_names(16)));
  for (int frame = 0; frame < 3; ++frame) { app->frame(0.05); }
  auto& scene = scene_of<SlotsScene>(*app);
  drag_first_chip_onto_map(*app, "Ada");
  scene.finish_steps({});
  EXPECT_THAT(scene.simulation().engine().pairs(), ElementsAre(Pair{1, 0}));
  EXPECT_THAT(scene.notice(), HasSubstr("Ada was inserted."));
  EXPECT_THAT(scene.undoes(), HasSubstr("insert Ada"));
  EXPECT_FALSE(scene.state().selection.pinned) << "dropping is no click";
}

TEST(DraggedKeys, AreSteppedThroughInStepMode)
{
  auto const app = test::offscreen_app({1280, 720}, test::slots_scenario(with_names(16)));
  auto& scene = scene_of<SlotsScene>(*app);
  scene.state().ask(EnterSteps{});
  for (int frame = 0; frame < 4; ++frame) { app->frame(0.05); }
  drag_first_chip_onto_map(*app, "Ada");
  app->frame(0.05);
  ASSERT_TRUE(scene.state().steps.player);
  StepPlayer& player = *scene.state().steps.player;
  EXPECT_EQ(title_of(player), "Insert Ada");
  player.go_to(player.count());
  EXPECT_THAT(caption_of(player, true).text, HasSubstr("Ada"));
  EXPECT_THAT(caption_of(player, true).summary, HasSubstr("Ada is inserted"));
  scene.state().settings.view.keys_as = KeyStyle::numbers;
  app->frame(0.05);
  EXPECT_THAT(caption_of(player, true).summary, HasSubstr("1 is inserted")) << "the sentences follow the setting";
}

TEST(DraggedKeys, GoIntoEveryComparedTable)
{
  CompareSetup set_up;
  set_up.shared = with_names(16);
  set_up.tables = {{.slots = 16}, {.family = "robin_hood", .slots = 16}};
  auto const app = test::offscreen_app({1280, 720}, test::compare_scenario(set_up));
  for (int frame = 0; frame < 3; ++frame) { app->frame(0.05); }
  auto& scene = scene_of<CompareScene>(*app);
  drag_first_chip_onto_map(*app, "Ada");
  scene.finish_steps({});
  for (std::size_t table = 0; table < 2; ++table) {
    EXPECT_THAT(scene.simulation().engine(table).pairs(), ElementsAre(Pair{1, 0}));
  }
}

TEST(OfferedKeys, AreThoseUsedLatelyAndTheFirstUnusedOnes)
{
  TableState state;
  state.settings.view.keys_as = KeyStyle::names;
  state.typed.lately = {{7, 3}, {9, 0}, {11, 0}};
  std::vector<WrittenSlot> const written{{{0, SlotState::live, {1, 0}, 0, true, 0}, 0},
                                         {{1, SlotState::tombstone, {2, 0}, 1, true, 0}, 0}};
  EXPECT_THAT(offered_keys(state, written, 4), ElementsAre(Pair{7, 3}, Pair{9, 0}, Pair{2, 0}, Pair{3, 0}));
  state.settings.view.keys_as = KeyStyle::numbers;
  EXPECT_THAT(offered_keys(state, written, 4), ElementsAre(Pair{7, 3}, Pair{9, 0}, Pair{11, 0}));
  state.typed.lately = {{~Key{0} - 5, 0}};
  EXPECT_THAT(offered_keys(state, {}, 4), ElementsAre()) << "too wide for the table";
}

TEST(ShowingKeysAs, MakesNewKeysOnesThatHaveAText)
{
  auto const app = test::offscreen_app({1280, 720}, test::slots_scenario({.slots = 16}));
  auto& scene = scene_of<SlotsScene>(*app);
  app->frame(0.05);
  show_keys_as(scene.state(), KeyStyle::words);
  scene.state().act(FillTo{0.5});
  for (int frame = 0; frame < 3; ++frame) { app->frame(0.05); }
  EXPECT_EQ(scene.simulation().live(), 8u);
  for (Pair const& pair : scene.simulation().engine().pairs()) { EXPECT_TRUE(is_spoken(pair.key, KeyStyle::words)); }
  scene.state().ask(TakeKey{KeySource::fresh});
  app->frame(0.05);
  auto const fresh = key_named(scene.state().typed.text, KeyStyle::words);
  ASSERT_TRUE(fresh) << scene.state().typed.text;
  EXPECT_FALSE(scene.simulation().engine().probe_path(*fresh).value);
}

}  // namespace
}  // namespace slotscape
