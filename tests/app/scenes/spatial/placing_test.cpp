#include "app/scenes/spatial/placing.hpp"

#include "app/scenes/spatial/animation.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/export.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "tests/app/clouds/cloud_files.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

namespace slotscape {
namespace {

using clouds::UpAxis;
using spatial::Model;
using spatial::Vector;
using ::testing::Contains;
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

/// A square of a survey, 100 m wide, `east` of the place of the survey.
std::string tile(double east)
{
  std::string text;
  for (int i = 0; i < 400; ++i) {
    int const row = i / 20;
    clouds::Position const p =
        clouds::test::survey_place + clouds::Position{east + 5.0 * (i % 20), 5.0 * row, 0.3 * (i % 7)};
    text += fmt::format("{:.3f} {:.3f} {:.3f}\n", p.x, p.y, p.z);
  }
  return text;
}

/// How far apart, in the scene, the two models show the same place of their files' coordinates, at most.
double disagreement(SpatialState const& state)
{
  double most = 0.0;
  for (double const east : {-100.0, 0.0, 250.0}) {
    clouds::Position const place = clouds::test::survey_place + clouds::Position{east, 30.0, 2.0};
    auto const seen = [&](Model model) { return scene_of_file(state.clouds[model].frame, state.poses[model])(place); };
    most = std::max(most, length(seen(Model::a) - seen(Model::b)));
  }
  return most;
}

TEST_F(SpatialPlacing, TilesOfASurveyThatOverlapStandWhereTheirCoordinatesHaveThem)
{
  open_as(Model::a, folder_.write("west.xyz", tile(0.0)));
  open_as(Model::b, folder_.write("east.xyz", tile(80.0)));
  frames(1);
  EXPECT_LT(disagreement(state()), 1e-5);
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("keep the coordinates of their files")));
  EXPECT_EQ(state().snapshot.models[Model::b].outside_grid, 0u);
  open_as(Model::b, folder_.write("farther_east.xyz", tile(70.0)));
  frames(1);
  EXPECT_LT(disagreement(state()), 1e-5) << "nobody has moved A since then";
  model(Model::a).place.translation.x += 0.1f;
  open_as(Model::b, folder_.write("again.xyz", tile(60.0)));
  frames(1);
  EXPECT_GT(disagreement(state()), 0.01) << "A was moved, and stays there";
  state().ask(PlaceByCoordinates{});
  frames(2);
  EXPECT_LT(disagreement(state()), 1e-5);
}

TEST_F(SpatialPlacing, TilesThatOnlyTouchStandSideBySide)
{
  auto const offered = [&] { return may_share_coordinates(state()); };
  EXPECT_FALSE(offered()) << "built-in shapes";
  open_as(Model::a, folder_.write("west.xyz", tile(0.0)));
  open_as(Model::b, folder_.write("next.xyz", tile(100.0)));
  EXPECT_LT(disagreement(state()), 1e-5);
  EXPECT_NEAR(state().poses[Model::b].translation.x, -state().poses[Model::a].translation.x, 1e-3);
  state().ask(PlaceEachByItself{});
  frames(2);
  EXPECT_EQ(model(Model::b).place.translation, Vector{}) << "as any other model";
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("but not the positions in their files")));
}

TEST_F(SpatialPlacing, AModelLeavesItsCommonPlaceWithTheOther)
{
  open_as(Model::a, folder_.write("west.xyz", tile(0.0)));
  open_as(Model::b, folder_.write("east.xyz", tile(80.0)));
  ASSERT_NE(model(Model::b).place.translation, Vector{});
  open_as(Model::a, folder_.write("elsewhere.xyz", points_file()));
  EXPECT_EQ(model(Model::b).place, fresh_model("file").place);
}

TEST_F(SpatialPlacing, TilesFarApartAreOfferedTheirCoordinates)
{
  open_as(Model::a, folder_.write("west.xyz", tile(0.0)));
  open_as(Model::b, folder_.write("elsewhere.xyz", tile(1000.0)));
  EXPECT_EQ(model(Model::b).place.translation, Vector{});
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("but not the positions in their files")));
  ASSERT_TRUE(may_share_coordinates(state()));
  state().ask(PlaceByCoordinates{});
  frames(2);
  EXPECT_LT(disagreement(state()), 1e-5);
}

TEST_F(SpatialPlacing, ModelsThatAreNotOfASurveyStandInTheMiddleEach)
{
  open_as(Model::a, folder_.write("first.xyz", points_file()));
  open_as(Model::b, folder_.write("second.xyz", points_file() + "12 12 3\n"));
  EXPECT_EQ(model(Model::b).place.translation, Vector{});
  EXPECT_EQ(model(Model::b).place.scale, fresh_model("file").place.scale);
}

TEST_F(SpatialPlacing, TheResultOfTwoTilesIsInTheCoordinatesOfBoth)
{
  open_as(Model::a, folder_.write("west.xyz", tile(0.0)));
  open_as(Model::b, folder_.write("east.xyz", tile(60.0)));
  frames(1);
  state().settings.boolean = spatial::Boolean::a_minus_b;
  frames(2);
  clouds::PlyPoints const ply = result_points(scene().engine(), state());
  ASSERT_FALSE(ply.positions.empty());
  for (std::size_t i = 0; i < ply.positions.size(); ++i) {
    clouds::Position const from_corner = ply.positions[i] - clouds::test::survey_place;
    ASSERT_GE(from_corner.x, -0.01);
    ASSERT_LE(from_corner.x, ply.model[i] == 0 ? 95.01 : 155.01);
  }
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

TEST(SpatialPosition, IsWhereTheModelIsSeen)
{
  SpatialState state;
  state.settings.animation.time = 2.0;
  state.poses = poses_of(state.settings);
  Vector const seen = state.poses[Model::a].translation;
  ASSERT_GT(std::abs(seen.x), 0.01f);
  EXPECT_THAT(test::text_of_panel([&](Look const& look) { models_panel(look, state); }),
              HasSubstr(fmt::format("{:.2f}", seen.x)));
}

}  // namespace
}  // namespace slotscape
