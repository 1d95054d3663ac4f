#include "app/scenes/spatial/placing.hpp"

#include "app/gui.hpp"
#include "app/scenes/spatial/animation.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "tests/app/spatial/spatial_scene.hpp"
#include "tests/app/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

namespace slotscape {
namespace {

using clouds::UpAxis;
using spatial::Model;
using spatial::Vector;
using ::testing::HasSubstr;

constexpr float near_enough = 1e-5f;

/// A tetrahedron of faces, closed, as graphics programs write it; or its corners, as scanners do.
std::string mesh_file()
{
  return "v 0 0 0\nv 1 0 0\nv 0 3 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
}
std::string points_file()
{
  std::string text;
  for (int i = 0; i < 100; ++i) { text += std::to_string(i % 10) + " " + std::to_string(i / 10) + " 0\n"; }
  return text;
}

class SpatialPlacing : public test::SpatialSceneTest {
protected:
  void open_as(Model model, std::filesystem::path const& file)
  {
    press(model == Model::a ? "A" : "B");
    app_->open(file);
    frames(1);
    wait_for_models();
    ASSERT_EQ(app_->toasts().errors(), 0u) << app_->toasts().latest();
  }
  ModelSettings& model(Model which) { return state().settings.models[which]; }

  test::TemporaryFolder folder_;
};

TEST_F(SpatialPlacing, ATurnIsTheModelsAndNotItsLetters)
{
  auto const first = folder_.write("first.xyz", points_file());
  auto const second = folder_.write("second.xyz", points_file());
  open_as(Model::a, first);
  model(Model::a).place = {{{Vector{0.0f, -1.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}},
                           {0.1f, 0.2f, 0.3f},
                           0.5f};
  ModelSettings const first_was = model(Model::a);
  spatial::Pose const b_was = model(Model::b).place;
  open_as(Model::a, second);
  EXPECT_EQ(model(Model::a).place.rotation, spatial::Rotation{}) << "of the model before";
  EXPECT_EQ(model(Model::a).place.scale, fresh_model(second.string()).place.scale);
  EXPECT_EQ(model(Model::b).place, b_was);
  open_as(Model::b, first);
  EXPECT_EQ(model(Model::b), first_was) << "moved from A to B";
  press("R");
  EXPECT_EQ(model(Model::b).place.rotation, spatial::Rotation{});
}

TEST_F(SpatialPlacing, TheUpAxisIsTheModelsToo)
{
  auto const mesh = folder_.write("mesh.obj", mesh_file());
  auto const points = folder_.write("points.xyz", points_file());
  open_as(Model::a, mesh);
  EXPECT_EQ(model(Model::a).up, UpAxis::y);
  open_as(Model::a, points);
  EXPECT_EQ(model(Model::a).up, UpAxis::z);
  EXPECT_EQ(model(Model::a).place.rotation, spatial::Rotation{}) << "a mesh turned upright was here before";
  open_as(Model::a, mesh);
  set_up_axis(model(Model::a), UpAxis::z);
  open_as(Model::b, mesh);
  EXPECT_EQ(model(Model::b).up, UpAxis::z) << "switched while it was A";
}

TEST_F(SpatialPlacing, PeoplesOwnFilesStandStill)
{
  SpatialSceneSettings settings = test::small_settings();
  settings.animation = {};
  open(settings);
  ASSERT_FALSE(scene().quiet()) << "the first motion runs";
  open_as(Model::a, folder_.write("points.xyz", points_file()));
  frames(3);
  EXPECT_TRUE(scene().quiet());
  for (Model const which : {Model::a, Model::b}) { EXPECT_EQ(state().poses[which], model(which).place); }
  press("Space");
  frames(2);
  EXPECT_FALSE(scene().quiet()) << "can be run all the same";
  EXPECT_NE(state().poses[Model::a], model(Model::a).place);
  open_as(Model::b, folder_.write("more.xyz", points_file()));
  EXPECT_TRUE(state().settings.animation.moves()) << "someone wants it to run";
}

TEST_F(SpatialPlacing, WhatWasPlacedWhileTheFirstMotionPausedStaysThere)
{
  SpatialSceneSettings settings = test::small_settings();
  settings.animation = {.running = false, .time = 2.0};
  open(settings);
  spatial::Pose const seen = state().poses[Model::b];
  ASSERT_NE(seen, model(Model::b).place);
  open_as(Model::a, folder_.write("points.xyz", points_file()));
  EXPECT_EQ(state().poses[Model::b], seen);
}

TEST_F(SpatialPlacing, AMotionThatSomeoneChoseGoesOn)
{
  SpatialSceneSettings settings = test::small_settings();
  settings.animation.motion = Motion::spin;
  settings.animation.running = true;
  open(settings);
  open_as(Model::a, folder_.write("points.xyz", points_file()));
  EXPECT_TRUE(state().settings.animation.moves());
}

TEST(SpatialUpAxis, TurnsItsAxisUpwardsAndKeepsTheTurn)
{
  ModelSettings model = fresh_model("mesh.obj");
  model.up = UpAxis::y;
  reset_place(model);
  EXPECT_EQ(model.place.rotation({0.0f, 1.0f, 0.0f}), (Vector{0.0f, 0.0f, 1.0f}));
  spatial::Rotation const about_z{{Vector{0.0f, -1.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}};
  model.place.rotation = about_z;
  model.up = UpAxis::z;
  set_up_axis(model, UpAxis::y);
  EXPECT_LT(length(model.place.rotation({0.0f, 1.0f, 0.0f}) - Vector{0.0f, 0.0f, 1.0f}), near_enough);
  EXPECT_LT(length(model.place.rotation({1.0f, 0.0f, 0.0f}) - Vector{0.0f, 1.0f, 0.0f}), near_enough);
  set_up_axis(model, UpAxis::z);
  EXPECT_EQ(model.place.rotation, about_z);
}

TEST(SpatialUpAxis, ComesBackFromAScenario)
{
  SpatialSetup set_up;
  ModelSettings& model = set_up.settings.models[Model::a];
  model.up = UpAxis::y;
  model.turned = true;  // back to how the file lies
  auto const read = test::parse_setup<SpatialSetup>(format_scenario(test::spatial_scenario(set_up)));
  EXPECT_EQ(read.settings.models[Model::a].up, UpAxis::y);
  EXPECT_TRUE(read.settings.models[Model::a].turned) << "opening it must not turn it upright again";
  EXPECT_FALSE(read.settings.models[Model::b].turned);
}

TEST(SpatialPosition, IsTypedAsItIsSeen)
{
  SpatialSceneSettings settings;
  settings.animation = {.motion = Motion::wobble, .time = 3.0};
  spatial::Pose seen = poses_of(settings)[Model::b];
  seen.translation = {0.5f, -0.25f, 0.125f};
  place_as_seen(settings, Model::b, seen);
  EXPECT_LT(length(poses_of(settings)[Model::b].translation - seen.translation), near_enough);
  EXPECT_NEAR(poses_of(settings)[Model::b].scale, seen.scale, near_enough);
}

/// What the panel of the models says.
std::string text_of_panel(SpatialState& state)
{
  auto const context = gl::open_offscreen({640, 480});
  Gui gui(*context);
  gui.begin_frame(0.02);
  ImGui::SetNextWindowSize({400.0f, 400.0f});
  ImGui::Begin("panel");
  ImGui::LogToClipboard();
  models_panel(gui.look(), state);
  ImGui::LogFinish();
  ImGui::End();
  gui.end_frame();
  return ImGui::GetClipboardText();
}

TEST(SpatialPosition, IsWhereTheModelIsSeen)
{
  SpatialState state;
  state.settings.animation.time = 2.0;
  state.poses = poses_of(state.settings);
  Vector const seen = state.poses[Model::a].translation;
  ASSERT_GT(std::abs(seen.x), 0.01f);
  EXPECT_THAT(text_of_panel(state), HasSubstr(fmt::format("{:.2f}", seen.x)));
}

}  // namespace
}  // namespace slotscape
