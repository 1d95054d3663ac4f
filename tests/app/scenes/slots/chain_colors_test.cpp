#include "app/scenes/compare/scene.hpp"
#include "tests/app/support/program.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace slotscape {
namespace {

/// More heads than are drawn as chains.
TableSettings chained(std::string family = "separate_chaining")
{
  return {.family = std::move(family), .slots = 1024, .deletion = Deletion::tombstone_reuse};
}

void run_frames(App& app)
{
  for (int frame = 0; frame < 10; ++frame) { app.frame(0.05); }
}

TEST(ChainColors, FollowTheLongestChainAndNeedHeads)
{
  TableSetup set_up;
  set_up.settings.table = chained();
  set_up.steps = {BatchRequest::inserts(2000)};
  auto const app = test::offscreen_app({1280, 720}, test::slots_scenario(set_up));
  auto& state = test::scene_of<SlotsScene>(*app).state();
  run_frames(*app);
  test::press(app->current_scene(), "Ctrl+5");
  run_frames(*app);
  EXPECT_EQ(state.settings.view.color_by, ColorBy::chain_length);
  EXPECT_GT(state.statistics.groups.max, 4u);
  EXPECT_EQ(scale_end(state), static_cast<double>(std::bit_ceil(state.statistics.groups.max)));
  EXPECT_EQ(app->toasts().errors(), 0u);
  ask_for_table(state, chained("linear_probing"));
  run_frames(*app);
  EXPECT_EQ(state.settings.view.color_by, ColorBy::probe_length);
}

TEST(ChainColors, AreComparedIfAllTablesHaveThem)
{
  CompareSetup set_up;
  set_up.tables = {chained(), chained("linear_hashing")};
  set_up.shared.settings.view.color_by = ColorBy::chain_length;
  auto const alike = test::offscreen_app({1280, 720}, test::compare_scenario(set_up));
  run_frames(*alike);
  EXPECT_EQ(test::scene_of<CompareScene>(*alike).state().settings.view.color_by, ColorBy::chain_length);
}

TEST(ChainColors, AreNotComparedIfOneTableLacksThem)
{
  CompareSetup set_up;
  set_up.tables = {chained(), chained("linear_probing")};
  set_up.shared.settings.view.color_by = ColorBy::chain_length;
  auto const unlike = test::offscreen_app({1280, 720}, test::compare_scenario(set_up));
  run_frames(*unlike);
  EXPECT_EQ(test::scene_of<CompareScene>(*unlike).state().settings.view.color_by, ColorBy::probe_length);
}

}  // namespace
}  // namespace slotscape
