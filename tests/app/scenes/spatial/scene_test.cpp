#include "app/base/json.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

using spatial::Model;
using spatial::VoxelStatus;
using test::content_of;
using test::small_settings;
using test::SpatialSceneTest;
using test::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(SpatialSceneTest, TellsInsideFromOutside)
{
  for (Model const model : {Model::a, Model::b}) {
    EXPECT_EQ(state().snapshot.models[model].points, 4000u);
    EXPECT_EQ(state().snapshot.models[model].outside_grid, 0u);
    EXPECT_GT(count(model, VoxelStatus::inside), 50u);
    EXPECT_GT(count(model, VoxelStatus::outside), count(model, VoxelStatus::inside));
    EXPECT_GT(count(model, VoxelStatus::intersection), 10u);
    EXPECT_EQ(state().tables[model].statistics.live, state().snapshot.models[model].voxels);
  }
}

/// Where the first line of text in the colour of warnings begins, as a share of the panel's width.
float first_warning(SpatialState state)
{
  float left = 1.0f;
  test::text_of_panel([&](Look const& look) {
    voxel_numbers_panel(look, state);
    float top = 1e9f;
    for (ImDrawVert const& corner : ImGui::GetWindowDrawList()->VtxBuffer) {
      if (corner.col == ImU32{theme::warning}) { top = std::min(top, corner.pos.y); }
    }
    for (ImDrawVert const& corner : ImGui::GetWindowDrawList()->VtxBuffer) {
      bool const is_of_line = corner.col == ImU32{theme::warning} && corner.pos.y < top + look.body;
      if (is_of_line) { left = std::min(left, (corner.pos.x - ImGui::GetWindowPos().x) / ImGui::GetWindowWidth()); }
    }
  });
  return left;
}

TEST(SpatialNumbers, OnlyTheModelWithTooFewPointsIsMarked)
{
  SpatialState state;
  auto const put = [&](Model model, std::uint64_t points) {
    state.snapshot.models[model].points = points;
    state.snapshot.models[model].voxels = 100;
  };
  put(Model::a, 5000);
  put(Model::b, 150);
  auto const said = [&] { return test::text_of_panel([&](Look const& look) { voxel_numbers_panel(look, state); }); };
  EXPECT_THAT(said(), HasSubstr("Too few points per voxel of B:"));
  EXPECT_GT(first_warning(state), 0.7f) << "in the last column";
  put(Model::a, 150);
  EXPECT_THAT(said(), HasSubstr("Too few points per voxel of A and B:"));
  EXPECT_LT(first_warning(state), 0.7f);
  put(Model::a, 5000);
  put(Model::b, 5000);
  EXPECT_THAT(said(), Not(HasSubstr("Too few")));
}

TEST_F(SpatialSceneTest, KeysSwitchBooleans)
{
  auto const& a = state().snapshot.models[Model::a];
  press("2");
  EXPECT_EQ(a.shown, a.voxels - count(Model::a, VoxelStatus::inside));
  press("3");
  EXPECT_EQ(a.shown, a.voxels - count(Model::a, VoxelStatus::outside));
  press("1");
  EXPECT_EQ(a.shown, a.voxels);
}

TEST_F(SpatialSceneTest, AMovedModelIsHashedAnewAtOnce)
{
  std::uint64_t const before = count(Model::a, VoxelStatus::intersection);
  state().settings.models[Model::b].place.translation = {10.0f, 0.0f, 0.0f};
  frames(1);
  EXPECT_NE(count(Model::a, VoxelStatus::intersection), before);
  EXPECT_EQ(count(Model::a, VoxelStatus::intersection), 0u);
  EXPECT_EQ(state().snapshot.models[Model::b].outside_grid, 4000u);
}

TEST_F(SpatialSceneTest, DoesNoWorkWhileNothingMoves)
{
  std::size_t const updates = state().stages.frames().size();
  frames(5);
  EXPECT_EQ(state().stages.frames().size(), updates);
  EXPECT_TRUE(scene().quiet());
  press("Space");
  EXPECT_FALSE(scene().quiet());
  press("N");
  frames(3);
  EXPECT_GT(state().stages.frames().size(), updates);
}

TEST_F(SpatialSceneTest, ASlotOfTheMapIsAVoxelInSpace)
{
  spatial::VoxelInfo const voxel = scene().engine().voxel(Model::a, 3);
  EXPECT_EQ(scene().engine().voxel_in_slot(Model::a, voxel.slot), 3u);
  scene().select(Model::a, voxel.key);
  frames(1);
  ASSERT_TRUE(state().selected && state().selected->info);
  EXPECT_EQ(state().selected->info->slot, voxel.slot);
  press("Esc");
  EXPECT_FALSE(state().selected);
}

/// Distance of a point from a window of the interface; 0 in it.
double distance_from(char const* window, Point const& at)
{
  ImGuiWindow const& card = *ImGui::FindWindowByName(window);
  auto const beyond = [](double x, float low, float size) {
    return std::max({static_cast<double>(low) - x, x - static_cast<double>(low + size), 0.0});
  };
  return std::hypot(beyond(at.x, card.Pos.x, card.Size.x), beyond(at.y, card.Pos.y, card.Size.y));
}

TEST_F(SpatialSceneTest, TheVoxelCardIsBesideTheVoxel)
{
  auto const voxels = scene().engine().voxels(Model::a);
  Rectangle const& canvas = scene().layout().canvas;
  for (std::size_t i = 0; i < voxels.size(); i += 97) {
    scene().select(Model::a, voxels[i].key);
    frames(3);
    Point const at = scene().camera().to_canvas(voxels[i].position).value();
    EXPECT_GT(distance_from("##voxel", {canvas.x + at.x, canvas.y + at.y}), 0.0) << i;
  }
}

TEST_F(SpatialSceneTest, ASelectedVoxelMayComeToBeEmpty)
{
  scene().select(Model::a, scene().engine().voxel(Model::a, 0).key);
  state().settings.models[Model::a].place.translation = {0.0f, 0.0f, 20.0f};
  frames(1);
  ASSERT_TRUE(state().selected);
  EXPECT_FALSE(state().selected->info);
  press("Period");
  EXPECT_FALSE(state().selected) << "keys of another grid mean other voxels";
}

TEST_F(SpatialSceneTest, BothTablesHoldTheSameVoxels)
{
  auto const voxels = state().snapshot.models[Model::a].voxels;
  auto const status = state().snapshot.models[Model::a].status;
  press("X");
  EXPECT_EQ(state().tables[Model::a].table.family, "linear_probing");
  EXPECT_EQ(state().snapshot.models[Model::a].voxels, voxels);
  EXPECT_EQ(state().snapshot.models[Model::a].status, status);
}

TEST_F(SpatialSceneTest, OpensADroppedFileAsTheChosenModel)
{
  TemporaryFolder const folder;
  std::string text;
  for (int i = 0; i < 100; ++i) { text += std::to_string(i % 10) + " " + std::to_string(i / 10) + " 0\n"; }
  press("B");
  app_->open(folder.write("square.xyz", text));
  frames(1);
  wait_for_models();
  EXPECT_EQ(state().snapshot.models[Model::b].points, 100u);
  EXPECT_EQ(state().snapshot.models[Model::a].points, 4000u);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("square.xyz"));
}

TEST_F(SpatialSceneTest, NothingIsInsideOfAnOpenSurface)
{
  EXPECT_EQ(label_of_both(state(), VoxelStatus::inside), "inside");
  TemporaryFolder const folder;
  std::string text;
  for (int i = 0; i < 400; ++i) { text += std::to_string(i % 20) + " " + std::to_string(i / 20) + " 0\n"; }
  press("B");
  app_->open(folder.write("ground.xyz", text));
  frames(1);
  wait_for_models();
  EXPECT_THAT(scene().findings(), ::testing::Contains(HasSubstr("The surface is open")));
  bool& changes = state().settings.hashing.changes.shown;
  changes = true;
  frames(2);
  EXPECT_THAT(scene().findings(), ::testing::Each(::testing::Not(::testing::ContainsRegex("surface|inside|sides"))))
      << "changes have no sides";
  changes = false;
  frames(2);
  EXPECT_EQ(label_of_status(state(), Model::a, VoxelStatus::inside), "behind");
  EXPECT_EQ(label_of_status(state(), Model::a, VoxelStatus::outside), "in front");
  EXPECT_EQ(label_of_status(state(), Model::a, VoxelStatus::intersection), "intersection");
  EXPECT_EQ(label_of_status(state(), Model::b, VoxelStatus::inside), "inside") << "of the sphere";
  EXPECT_EQ(label_of_both(state(), VoxelStatus::inside), "inside / behind");
}

TEST_F(SpatialSceneTest, ABadFileLeavesAllAsItWas)
{
  TemporaryFolder const folder;
  app_->open(folder.write("broken.ply", "ply\nformat ascii 1.0\nelement vertex 5\n"));
  frames(1);
  wait_for_models();
  EXPECT_EQ(app_->toasts().errors(), 1u);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("nothing changed"));
  EXPECT_EQ(state().settings.models[Model::a].source, "sphere");
  EXPECT_EQ(state().snapshot.models[Model::a].points, 4000u);
}

TEST_F(SpatialSceneTest, SettingsThatCannotBeAreTakenBack)
{
  state().settings.hashing.grid.side = 2048;  // which two-level cuckoo hashing does not take
  frames(1);
  EXPECT_EQ(app_->toasts().errors(), 1u);
  EXPECT_EQ(state().settings.hashing.grid.side, 32u);
  frames(1);
  EXPECT_EQ(app_->toasts().errors(), 1u);
}

TEST_F(SpatialSceneTest, WritesStatistics)
{
  TemporaryFolder const folder;
  app_->measurements().write(folder / "s.json", folder / "csv");
  Json const json = parse_json(content_of(folder / "s.json"), "s.json");
  EXPECT_EQ(json["backend"], "cpu");
  EXPECT_EQ(json["a"]["points"], 4000);
  EXPECT_EQ(json["b"]["voxels"], state().snapshot.models[Model::b].voxels);
  EXPECT_EQ(json["table"]["family"], "two_level_cuckoo");
  EXPECT_EQ(json["table"]["slots"],
            json["table"]["a"]["slots"].get<std::uint64_t>() + json["table"]["b"]["slots"].get<std::uint64_t>());
  EXPECT_GT(json["table"]["load_factor"], 0.0);
  EXPECT_TRUE(json["table"]["probe_length"].contains("mean"));
  std::uint64_t sum = 0;
  for (char const* status : {"inside", "outside", "intersection", "unknown"}) {
    sum += json["status"]["a"][status].get<std::uint64_t>();
  }
  EXPECT_EQ(json["a"]["voxels"], sum);
  EXPECT_EQ(json["flood_fill"]["rounds"], state().snapshot.rounds);
  EXPECT_EQ(json["flood_fill"]["restarts"], state().snapshot.restarts);
  EXPECT_GT(json["stages_ms"]["total"], 0.0);
  EXPECT_THAT(content_of(folder / "csv/models.csv"), HasSubstr("A,4000,0,"));
  EXPECT_THAT(content_of(folder / "csv/stages.csv"), HasSubstr("total_ms"));
}

TEST_F(SpatialSceneTest, SavesTheResultAndTheVoxels)
{
  TemporaryFolder const folder;
  press("3");
  scene().save_result(folder / "result.ply");
  scene().save_voxels(folder / "voxels.ply");
  Progress const progress = Progress::tracked();
  auto const result = clouds::load_cloud(folder / "result.ply", {}, progress);
  Progress const again = Progress::tracked();
  auto const voxels = clouds::load_cloud(folder / "voxels.ply", {}, again);
  EXPECT_GT(result.positions.size(), 500u);
  EXPECT_LT(result.positions.size(), 4000u) << "less than half of two spheres";
  auto const& models = state().snapshot.models;
  EXPECT_EQ(voxels.positions.size(), models[Model::a].voxels + models[Model::b].voxels);
}

TEST_F(SpatialSceneTest, GoesToOtherScenesAndComesBack)
{
  press("4");
  app_->show(test::entry("slots"));
  frames(1);
  app_->show(test::entry("compare"));
  frames(1);
  app_->show(test::entry("spatial"));
  frames(1);
  EXPECT_EQ(state().settings.boolean, spatial::Boolean::a_minus_b);
  EXPECT_EQ(state().settings.models[Model::b].place.translation, (spatial::Vector{0.5f, 0.0f, 0.0f}));
}

TEST_F(SpatialSceneTest, ItsSetUpComesBackFromAScenario)
{
  TemporaryFolder const folder;
  press("V");
  write_scenario(folder / "s.json", {&app_->current_entry(), scene().set_up()});
  app_->show(test::entry("slots"));
  app_->open(folder / "s.json");
  frames(1);
  EXPECT_EQ(state().settings.view.kind, spatial::InstanceKind::points);
  EXPECT_EQ(state().snapshot.models[Model::a].points, 4000u);
}

TEST_F(SpatialSceneTest, DrawsAtAnySize)
{
  for (int const scale : {1, 2}) {
    UserSettings user;
    user.ui_scale = static_cast<float>(scale);
    app_.reset();
    app_ = test::offscreen_app({640, 400}, test::spatial_scenario({small_settings()}), user);
    frames(2);
    EXPECT_EQ(app_->toasts().errors(), 0u) << app_->toasts().latest();
  }
}

/// As at the first start: A − B with a large sphere as B.
TEST_F(SpatialSceneTest, AShapeStepsAsideForTheFirstFile)
{
  TemporaryFolder const folder;
  std::string rows;
  for (int i = 0; i < 400; ++i) { rows += fmt::format("{} {} {}\n", i % 20, i / 20, i % 3); }
  auto const open_first_file = [&](auto const& change) {
    SpatialSceneSettings settings;
    for (ModelSettings& model : settings.models.of) { model.points = 4000; }
    settings.hashing.grid.side = 32;
    change(settings);
    open(settings);
    app_->open(folder.write("mine.xyz", rows));
    frames(1);
    wait_for_models();
  };
  open_first_file([](SpatialSceneSettings&) {});
  EXPECT_EQ(state().settings.boolean, spatial::Boolean::both);
  EXPECT_EQ(state().snapshot.models[Model::a].shown, state().snapshot.models[Model::a].voxels);
  EXPECT_EQ(count(Model::a, VoxelStatus::inside) + count(Model::a, VoxelStatus::intersection), 0u);
  EXPECT_THAT(scene().findings(), ::testing::Contains(HasSubstr("Only one model is shown. 'Open model as B'")));
  open_first_file([](SpatialSceneSettings& settings) {
    settings.models[Model::b].place.translation.x = 0.3f;
    settings.boolean = spatial::Boolean::unite;
  });
  EXPECT_EQ(state().settings.models[Model::b].place.translation.x, 0.3f) << "somebody has moved it";
  EXPECT_EQ(state().settings.boolean, spatial::Boolean::unite);
}

}  // namespace
}  // namespace slotscape
