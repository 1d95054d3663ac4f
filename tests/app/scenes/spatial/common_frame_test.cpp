// Two files of one place: one frame for both, or each by itself, and what is said about it.

#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/export.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "tests/app/clouds/cloud_files.hpp"
#include "tests/app/clouds/las_files.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <tuple>
#include <utility>

namespace slotscape {
namespace {

using clouds::Position;
using clouds::test::lines_of;
using spatial::Model;
using spatial::VoxelStatus;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// Points all over a sphere, or over its lower half: a bowl.
std::vector<Position> sphere(Position center, double radius, bool lower_half = false)
{
  constexpr int count = 20'000;
  double const golden = std::numbers::pi * (3.0 - std::sqrt(5.0));
  std::vector<Position> points;
  for (int i = 0; i < count; ++i) {
    double const z = lower_half ? -(i + 0.5) / count : 1.0 - 2.0 * (i + 0.5) / count;
    double const across = std::sqrt(1.0 - z * z);
    points.push_back(center + radius * Position{across * std::cos(golden * i), across * std::sin(golden * i), z});
  }
  return points;
}

/// The LAS file with keys for the code of its coordinate system and, if it is not 0, that of its unit.
std::string with_system(std::string las, std::uint16_t code, std::uint16_t unit = 0)
{
  std::vector<std::pair<std::uint16_t, std::uint16_t>> keys{{3072, code}};
  if (unit != 0) { keys.emplace_back(3076, unit); }
  return clouds::test::with_keys(std::move(las), keys);
}

class CommonFrame : public test::SpatialSceneTest {
protected:
  /// As `slotscape spatial A B` does.
  void open_files(std::string const& a, std::string const& b, std::optional<bool> same = std::nullopt,
                  std::string_view ending = ".xyz")
  {
    SpatialSceneSettings settings = test::small_settings();
    settings.models[Model::a] = fresh_model(folder_.write(fmt::format("a{}", ending), a).string());
    settings.models[Model::b] = fresh_model(folder_.write(fmt::format("b{}", ending), b).string());
    settings.hashing.grid.side = 128;
    settings.same_coordinates = same;
    open(settings);
  }
  void open_spheres(Position at, std::optional<bool> same = std::nullopt)
  {
    open_files(lines_of(sphere(at, 10.0)), lines_of(sphere(at, 5.0)), same);
  }
  /// The radii of both models as the scene shows them: A's divided by B's.
  double shown_ratio()
  {
    auto const radius = [&](Model model) { return state().poses[model].scale; };  // of a cloud, it is 1
    return static_cast<double>(radius(Model::a) / radius(Model::b));
  }
  Json statistics()
  {
    app_->measurements().write(folder_ / "s.json", {});
    return parse_json(test::content_of(folder_ / "s.json"), "s.json");
  }
  void expect_common()
  {
    EXPECT_NEAR(shown_ratio(), 2.0, 1e-3);
    Json const json = statistics();
    EXPECT_EQ(json["common_coordinates"], true);
    EXPECT_NEAR(json["a"]["scene_units_per_file_unit"].get<double>(),
                json["b"]["scene_units_per_file_unit"].get<double>(), 1e-6);
    EXPECT_THAT(scene().findings(), Contains(HasSubstr("keep the coordinates of their files")));
  }
  void expect_each_by_itself()
  {
    EXPECT_NEAR(shown_ratio(), 1.0, 1e-3);
    Json const json = statistics();
    EXPECT_EQ(json["common_coordinates"], false);
    EXPECT_NEAR(json["b"]["scene_units_per_file_unit"].get<double>() /
                    json["a"]["scene_units_per_file_unit"].get<double>(),
                2.0, 1e-3);
    EXPECT_THAT(json["findings"].get<Findings>(), Contains(HasSubstr("placed separately")));
  }

  test::TemporaryFolder folder_;
};

TEST_F(CommonFrame, FilesOfOnePlaceKeepIt)
{
  for (Position const& at : {Position{500'000.0, 5'800'000.0, 100.0}, Position{100.0, 200.0, 30.0}}) {
    SCOPED_TRACE(at.x);
    open_spheres(at);
    expect_common();
    EXPECT_EQ(count(Model::b, VoxelStatus::inside), state().snapshot.models[Model::b].voxels);
    EXPECT_EQ(count(Model::a, VoxelStatus::outside), state().snapshot.models[Model::a].voxels);
  }
}

TEST_F(CommonFrame, ModelsAtTheOriginAreScaledEachByItselfAndSaySo)
{
  open_spheres({});
  expect_each_by_itself();
}

TEST_F(CommonFrame, TheUserDecides)
{
  open_spheres({}, true);
  expect_common();
  open_spheres({500'000.0, 5'800'000.0, 100.0}, false);
  expect_each_by_itself();
}

TEST_F(CommonFrame, MovedModelsKeepTheirScaleAndSaySo)
{
  auto const expect_moved = [&] {
    EXPECT_EQ(statistics()["common_coordinates"], false);
    EXPECT_THAT(scene().findings(), Contains(HasSubstr("A and B have the same scale")));
    EXPECT_THAT(scene().findings(), Not(Contains(HasSubstr("placed separately"))));
    EXPECT_THAT(all_voxels(scene().engine(), state()).comments, Contains(HasSubstr("A and B have the same scale")));
  };
  open_spheres({500'000.0, 5'800'000.0, 100.0});
  state().settings.models[Model::a].place.translation.z += 0.3f;
  frames(2);
  expect_moved();
  state().settings.models[Model::a].place.translation.z -= 0.3f;
  state().settings.models[Model::b].place.rotation = upright(clouds::UpAxis::y);
  frames(2);
  expect_moved();
  state().settings.models[Model::b].place.scale *= 1.1f;
  frames(2);
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("placed separately")));
}

TEST_F(CommonFrame, ABowlAroundABallDoesNotMeetIt)
{
  Position const at{500'000.0, 5'800'000.0, 100.0};
  open_files(lines_of(sphere(at, 10.0, true)), lines_of(sphere(at, 6.0)));
  EXPECT_EQ(statistics()["common_coordinates"], true);
  for (Model const model : {Model::a, Model::b}) { EXPECT_EQ(count(model, VoxelStatus::intersection), 0u); }
}

/// A house in a town: no longer too small for one scale.
TEST_F(CommonFrame, OneMayBeMuchSmaller)
{
  Position const at{500'000.0, 5'800'000.0, 100.0};
  open_files(lines_of(sphere(at, 1000.0)), lines_of(sphere(at, 5.0)));
  EXPECT_NEAR(shown_ratio(), 200.0, 0.1);
  open_files(lines_of(sphere(at, 100'000.0)), lines_of(sphere(at, 1.0)));
  EXPECT_EQ(statistics()["common_coordinates"], false);
  EXPECT_THAT(scene().findings(),
              Contains(HasSubstr("A is 200,000 wide, and B is 2 wide, in the units of their files")));
}

TEST_F(CommonFrame, TheCoordinateSystemDecides)
{
  using clouds::test::las_file;
  using clouds::test::las_points;
  Position const at{500'000.0, 5'800'000.0, 100.0};
  auto const las = [&](Position const& center, std::uint16_t code) {
    return with_system(las_file(0, las_points(sphere(center, 10.0)), {0.001, at}), code);
  };
  open_files(las(at, 25832), las(at + Position{300.0, 0.0, 0.0}, 25832), std::nullopt, ".las");
  EXPECT_EQ(state().clouds[Model::a].system.horizontal, "EPSG:25832");
  EXPECT_EQ(statistics()["common_coordinates"], true) << "far apart, in one system";
  EXPECT_EQ(statistics()["b"]["coordinate_system"], "EPSG:25832");
  EXPECT_EQ(statistics()["b"]["file_unit"], "m") << "of UTM";
  EXPECT_EQ(length_in_file(state(), Model::a, 0.47), "0.47 m");
  open_files(las(at, 25832), las(at, 25833), std::nullopt, ".las");
  EXPECT_EQ(statistics()["common_coordinates"], false) << "overlap in numbers of different systems";
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("EPSG:25833")));
}

TEST_F(CommonFrame, DifferentUnitsAreTheReasonAndNotTheNumbersThatFollow)
{
  using clouds::test::las_file;
  using clouds::test::las_points;
  Position const at{500'000.0, 5'800'000.0, 100.0};
  constexpr double feet = 1.0 / 0.3048;
  auto const las = [&](double scale, std::uint16_t code, std::uint16_t unit) {
    return with_system(las_file(0, las_points(sphere(scale * at, scale * 10.0)), {0.001, scale * at}), code, unit);
  };
  for (auto const& [code, unit, said] :
       {std::tuple{
            25832, 9002,
            "A is in m and B in ft, though both files name EPSG:25832: convert one of them (1 ft is 0.3048 m). To "
            "convert a file to metres, choose its unit in Models, or add --unit-a or --unit-b."},
        {2263, 9003, "different coordinate systems, EPSG:25832 in m and EPSG:2263 in US survey ft: convert one"}}) {
    open_files(las(1.0, 25832, 9001), las(feet, static_cast<std::uint16_t>(code), static_cast<std::uint16_t>(unit)),
               std::nullopt, ".las");
    EXPECT_EQ(statistics()["placement"], "each_by_itself");
    EXPECT_THAT(text_of_placement(state()), AllOf(HasSubstr(said), Not(HasSubstr("apart"))));
    EXPECT_THAT(scene().findings(), Contains(AllOf(HasSubstr(said), Not(HasSubstr("--same-coordinates")))));
  }
  open_files(las(1.0, 25832, 9001), las(feet, 25832, 9002), true, ".las");
  EXPECT_THAT(text_of_placement(state()),
              AllOf(HasSubstr("A is in m and B in ft"), HasSubstr("A is 20 m wide, and B is 65.6"),
                    HasSubstr(" ft wide"), Not(HasSubstr("apart"))))
      << "asked for, and too far apart";
}

/// Heights are a part of the system, with a datum and a unit of their own.
TEST_F(CommonFrame, HeightsInOtherUnitsOrFromAnotherDatumDoNotCompare)
{
  Position const at{500'000.0, 5'800'000.0, 100.0};
  std::string const las = clouds::test::las_file(0, clouds::test::las_points(sphere(at, 10.0)), {0.001, at});
  auto const with = [&](std::vector<std::pair<std::uint16_t, std::uint16_t>> keys) {
    keys.emplace_back(3072, 25832);
    return clouds::test::with_keys(las, keys);
  };
  struct Case {
    std::string a;
    std::string b;
    std::string said;
  };
  for (Case const& apart :
       {Case{with({{4096, 6360}}), with({}),
             "z of A is in US survey ft and z of B in m, though both files name EPSG:25832: convert one of them "
             "(1 US survey ft is 0.3048006096 m)."},
        Case{with({{4099, 9003}}), with({{3076, 9001}}), "z of A is in US survey ft and z of B in m"},
        Case{with({{4096, 7837}}), with({{4096, 5703}}),
             "The heights in their files have different coordinate systems, EPSG:7837 and EPSG:5703"}}) {
    open_files(apart.a, apart.b, std::nullopt, ".las");
    EXPECT_EQ(statistics()["placement"], "each_by_itself");
    EXPECT_THAT(text_of_placement(state()), HasSubstr(apart.said));
  }
  open_files(with({{4096, 7837}}), with({}), std::nullopt, ".las");
  EXPECT_EQ(statistics()["placement"], "same_coordinates");
  EXPECT_THAT(text_of_placement(state()),
              HasSubstr("name the coordinate system EPSG:25832, and only A names one for heights, EPSG:7837"));
  EXPECT_EQ(statistics()["a"]["coordinate_system"], "EPSG:25832+7837");
}

TEST_F(CommonFrame, DegreesAreNoMetres)
{
  Position const at{7.0, 51.0, 100.0};
  std::vector<Position> points;
  for (Position const& p : sphere({}, 1.0)) { points.push_back(at + Position{1e-3 * p.x, 1e-3 * p.y, 50.0 * p.z}); }
  std::string const las = clouds::test::las_file(0, clouds::test::las_points(points), {1e-6, at});
  open_files(clouds::test::with_keys(las, {{2048, 4326}, {4096, 5773}}), las, false, ".las");
  EXPECT_THAT(scene().findings(),
              Contains(AllOf(HasSubstr("A (a.las)"), HasSubstr("in degrees: for true proportions"))));
  EXPECT_EQ(statistics()["a"]["file_unit"], "degrees");
  EXPECT_EQ(statistics()["a"]["file_unit_of_z"], "m");
  EXPECT_EQ(length_in_file(state(), Model::a, 0.5), "0.5 degrees in x and y, 0.5 m in z");
  EXPECT_THAT(all_voxels(scene().engine(), state()).comments, Contains(HasSubstr(" degrees in x and y, ")));
  open_files(clouds::test::with_keys(las, {{2048, 4979}}), clouds::test::with_keys(las, {{2048, 4979}}), std::nullopt,
             ".las");
  auto const sides = sides_of_grid_in_files(state());
  EXPECT_THAT(sides[0], HasSubstr(" degrees"));
  EXPECT_THAT(sides[1], HasSubstr(" degrees"));
  EXPECT_THAT(sides[2], AllOf(HasSubstr(" m"), Not(HasSubstr("degrees"))));
}

/// Two epochs of one site, A in metres and B in millimetres.
class EpochsInTwoUnits : public CommonFrame {
protected:
  void SetUp() override { open_files(lines_of(sphere(at, 10.0)), lines_of(in_millimetres(sphere(at, 10.1)))); }
  static std::vector<Position> in_millimetres(std::vector<Position> points)
  {
    for (Position& point : points) { point = 1000.0 * point; }
    return points;
  }
  void choose_unit(Model model, clouds::FileUnit unit)
  {
    ModelSettings wanted = state().settings.models[model];
    wanted.unit = unit;
    state().ask(UseModel{model, wanted});
    frames(1);
    wait_for_models();
  }

  static constexpr Position at{500'000.0, 5'800'000.0, 100.0};
};

TEST_F(EpochsInTwoUnits, AreComparedOnceOneIsConverted)
{
  EXPECT_EQ(statistics()["placement"], "each_by_itself");
  EXPECT_THAT(scene().findings(),
              Contains(AllOf(HasSubstr("B is 1010 times as wide as A: if B is in mm"), HasSubstr("--unit-b mm"))));
  choose_unit(Model::b, clouds::FileUnit::millimetre);
  EXPECT_EQ(statistics()["placement"], "same_coordinates");
  EXPECT_EQ(statistics()["b"]["file_unit"], "m");
  EXPECT_EQ(statistics()["b"]["converted_from"], "mm");
  EXPECT_FALSE(statistics()["a"].contains("converted_from"));
  EXPECT_NEAR(clouds::width_of(state().boxes[Model::b]), 20.2, 1e-3);
  EXPECT_THAT(all_voxels(scene().engine(), state()).comments, Contains(HasSubstr("the file of B is in mm")));
  EXPECT_EQ(scene().undoes(), "changing a setting");
  scene().undo();
  frames(1);
  wait_for_models();
  EXPECT_EQ(state().settings.models[Model::b].unit, clouds::FileUnit::as_is);
  EXPECT_NEAR(clouds::width_of(state().boxes[Model::b]), 20'200.0, 1.0);
  EXPECT_EQ(statistics()["placement"], "each_by_itself");
}

TEST_F(EpochsInTwoUnits, WhatWasMeasuredIsConvertedToo)
{
  RulerMeasurement const across{RulerKind::distance,
                                {{Model::b, 1000.0 * at, "point 1"},
                                 {Model::b, 1000.0 * at + Position{0.0, 0.0, 5000.0}, "point 2"}}};
  state().ruler.done.push_back(across);
  set_voxel_in_file(state(), 2000.0, Model::b);
  frames(2);
  EXPECT_EQ(text_of(ruler_value(state(), state().ruler.done.front())), "5000 in the file");
  choose_unit(Model::b, clouds::FileUnit::millimetre);
  EXPECT_EQ(text_of(ruler_value(state(), state().ruler.done.front())), "5 m");
  EXPECT_FALSE(state().asked_voxel) << "2000 was a width in mm";
}

TEST_F(CommonFrame, TheUnitThatAFileSeemsToBeInIsNamed)
{
  struct Case {
    double scale;
    std::string_view option;
  };
  for (Case const& each : {Case{1.0 / 0.3048, "--unit-a ft"}, {100.0, "--unit-a cm"}, {1.0 / 0.0254, "--unit-a in"}}) {
    open_files(lines_of(sphere(each.scale * Position{3.0, 2.0, 1.0}, each.scale * 10.0)),
               lines_of(sphere({3.0, 2.0, 1.0}, 10.0)));
    EXPECT_THAT(text_of_placement(state()), HasSubstr(each.option));
  }
  open_files(lines_of(sphere({3.0, 2.0, 1.0}, 20.0)), lines_of(sphere({3.0, 2.0, 1.0}, 10.0)));
  EXPECT_THAT(text_of_placement(state()), Not(HasSubstr("--unit")));
}

TEST_F(CommonFrame, APlaceWithoutExtentIsNoWidth)
{
  open_files(lines_of(sphere({500'000.0, 5'800'000.0, 100.0}, 2'714'000.0)), "500000 5800000 100\n", true);
  EXPECT_THAT(text_of_placement(state()),
              AllOf(HasSubstr("A is 5,428,000 wide, and B is a single point, in the units"), Not(HasSubstr("apart"))));
}

// --- what moves them, and what brings them back

/// Two spheres of radius 10, and 5 apart, in the numbers of a town.
class MovedFrame : public CommonFrame {
protected:
  static constexpr Position at{500.0, 500.0, 100.0};
  static constexpr Position there{505.0, 500.0, 100.0};

  void SetUp() override { open_two(); }
  void open_two(SpatialSetup set_up = {test::small_settings()})
  {
    set_up.settings.models[Model::a] = fresh_model(folder_.write("a.xyz", lines_of(sphere(at, 10.0))).string());
    set_up.settings.models[Model::b] = fresh_model(folder_.write("b.xyz", lines_of(sphere(there, 10.0))).string());
    open_saved(set_up);
  }
  void open_saved(SpatialSetup const& set_up)
  {
    app_.reset();
    app_ = test::offscreen_app({1280, 720}, test::spatial_scenario(set_up));
    frames(2);
  }
  void animate(Motion motion, double time)
  {
    state().settings.animation = {.motion = motion, .running = false, .time = time};
    frames(2);
  }
  /// By the points that are exported: how far apart the scene shows the middles, in the units of the files.
  double shown_distance()
  {
    clouds::PlyPoints const ply = all_voxels(scene().engine(), state());
    std::array<Position, 2> middle{};
    std::array<double, 2> points{};
    for (std::size_t i = 0; i < ply.scene.size(); ++i) {
      double const weight = ply.points[i];
      middle.at(ply.model[i]) = middle.at(ply.model[i]) + weight * clouds::to_position(ply.scene[i]);
      points.at(ply.model[i]) += weight;
    }
    double const apart = length((1.0 / points[0]) * middle[0] - (1.0 / points[1]) * middle[1]);
    return apart / statistics()["a"]["scene_units_per_file_unit"].get<double>();
  }
  /// The scale in which both just fit, by hand: a box of 25 by 20 by 20, which fills a sphere of radius 0.8.
  void expect_one_scale()
  {
    double const scale = 0.8 / (0.5 * std::hypot(25.0, 20.0, 20.0));
    for (char const* const model : {"a", "b"}) {
      EXPECT_NEAR(statistics()[model]["scene_units_per_file_unit"].get<double>(), scale, 1e-5);
    }
  }
  void expect_at_home(std::string const& how)
  {
    SCOPED_TRACE(how);
    expect_one_scale();
    EXPECT_NEAR(shown_distance(), 5.0, 0.01);
    EXPECT_EQ(statistics()["placement"], "same_coordinates");
    EXPECT_EQ(statistics()["common_coordinates"], true);
    EXPECT_THAT(all_voxels(scene().engine(), state()).comments, Contains(HasSubstr("keep the coordinates")));
  }
  void expect_moved(std::string const& why)
  {
    expect_one_scale();
    EXPECT_GT(std::abs(shown_distance() - 5.0), 0.1);
    EXPECT_EQ(statistics()["placement"], "one_scale");
    EXPECT_EQ(statistics()["common_coordinates"], false);
    EXPECT_THAT(scene().findings(), Contains(AllOf(HasSubstr("have the same scale, but"), HasSubstr(why))));
    EXPECT_THAT(all_voxels(scene().engine(), state()).comments,
                Contains(AllOf(HasSubstr("have the same scale, but"), HasSubstr(why))));
    EXPECT_THAT(text_of_placement(state()), AllOf(HasSubstr("At the same scale, but moved"), HasSubstr(why)));
  }
};

TEST_F(MovedFrame, EveryMotionIsToldAndKeepsTheScale)
{
  expect_at_home("opened");
  for (Motion const motion : {Motion::orbit, Motion::wobble}) {
    for (double const time : {0.4, 1.7, 3.7}) {
      animate(motion, time);
      expect_moved("The animation has moved them");
    }
  }
  animate(Motion::spin, 3.7);  // about their own middles
  EXPECT_EQ(statistics()["placement"], "one_scale") << "turned, each in its own way";
  EXPECT_THAT(text_of_placement(state()), HasSubstr("animation"));
  SpatialSetup const saved = std::any_cast<SpatialSetup>(scene().set_up());
  open_saved(saved);
  EXPECT_EQ(statistics()["placement"], "one_scale") << "as it was saved";
  animate(Motion::still, 3.7);
  expect_at_home("still");
}

TEST_F(MovedFrame, AnAnimationFromTheStartKeepsTheScale)
{
  for (std::optional<bool> const same : {std::optional<bool>(), std::optional(true)}) {
    SpatialSetup set_up{test::small_settings()};
    set_up.settings.animation = {.motion = Motion::orbit, .running = false, .time = 3.7};
    set_up.settings.same_coordinates = same;
    set_up.insists = true;
    open_two(set_up);
    expect_moved("The animation has moved them");
  }
}

TEST_F(MovedFrame, ManyWaysLeadBackToTheFiles)
{
  std::vector<std::pair<std::string, std::function<void()>>> const ways{
      {"reset", [&] { press("R"); }},
      {"restart", [&] { press("Backspace"); }},
      {"undo", [&] { scene().undo(); }},
      {"same coordinates", [&] { state().ask(PlaceByCoordinates{}); }},
  };
  for (auto const& [how, go_back] : ways) {
    open_two();
    press("Space");
    frames(20);
    press("Space");
    frames(2);
    expect_moved("The animation has moved them");
    go_back();
    frames(3);
    expect_at_home(how);
  }
}

/// A picture takes a moment: until then, what is seen and what is set differ, without any animation.
TEST_F(MovedFrame, NoticesAreOfPicturesThatShowWhatIsSet)
{
  ModelSettings& a = state().settings.models[Model::a];
  spatial::Pose const opened = a.place;
  a.place.translation.z += 0.2f;
  frames(2);
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("They were placed by hand")));
  app_->scene_host().set_max_wait(0.0);
  a.place = opened;
  frames(1);
  EXPECT_THAT(scene().findings(), Not(Contains(HasSubstr("animation"))));
  EXPECT_THAT(text_of_placement(state()), Not(HasSubstr("animation")));
  for (int i = 0; i < 600 && !scene().quiet(); ++i) { frames(1); }
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("keep the coordinates of their files")));
}

TEST_F(MovedFrame, ResetOfWhatNobodyMovedChangesNothing)
{
  auto const before = state().poses;
  for (std::string_view const letter : {"A", "B"}) {
    press(letter);
    press("R");
    frames(1);
  }
  EXPECT_EQ(state().poses, before);
  expect_at_home("untouched");
}

TEST_F(MovedFrame, ResetBringsBackWhatAHandHasMoved)
{
  auto const before = state().poses;
  auto const move = [&](Model model) {
    spatial::Pose& place = state().settings.models[model].place;
    place.rotation = upright(clouds::UpAxis::y);
    place.translation.z += 0.2f;
    place.scale *= 1.3f;
  };
  move(Model::b);
  frames(2);
  EXPECT_EQ(statistics()["placement"], "each_by_itself");
  EXPECT_THAT(text_of_placement(state()), HasSubstr("by hand"));
  press("B");
  press("R");
  frames(1);
  EXPECT_EQ(state().poses, before);
  move(Model::a);
  move(Model::b);
  animate(Motion::orbit, 2.0);
  spatial::Pose const a_seen = state().poses[Model::a];
  press("R");
  frames(2);
  auto const expect_a_as_seen = [&] {
    spatial::Pose const& a = state().poses[Model::a];
    EXPECT_LT(length(a.translation - a_seen.translation), 1e-5f);
    for (std::size_t row = 0; row < 3; ++row) {
      EXPECT_LT(length(a.rotation.rows[row] - a_seen.rotation.rows[row]), 1e-5f);
    }
  };
  expect_a_as_seen();
  EXPECT_EQ(state().poses[Model::b], before[Model::b]);
  scene().undo();
  frames(2);
  expect_a_as_seen();
  EXPECT_NE(state().poses[Model::b], before[Model::b]);
  scene().redo();
  press("A");
  press("R");
  frames(2);
  EXPECT_EQ(state().poses, before);
  expect_at_home("one after the other");
}

TEST_F(MovedFrame, WhatIsTurnedTogetherStaysTogether)
{
  auto const before = state().poses;
  state().settings.models[Model::a].place.rotation = upright(clouds::UpAxis::y);
  state().ask(PlaceByCoordinates{});
  frames(2);
  expect_at_home("turned");
  EXPECT_NE(state().poses, before);
  press("R");
  frames(2);
  EXPECT_EQ(state().poses, before);
  choose_up_axis(state(), Model::b, clouds::UpAxis::y);
  frames(2);
  EXPECT_NE(state().poses, before);
  expect_at_home("with another axis up");
}

TEST_F(MovedFrame, ResetOfFilesThatStandEachByItselfLeavesThemSo)
{
  state().ask(PlaceEachByItself{});
  frames(2);
  auto const before = state().poses;
  animate(Motion::orbit, 2.0);
  press("R");
  frames(2);
  EXPECT_EQ(state().poses[state().chosen], before[state().chosen]);
  EXPECT_THAT(text_of_placement(state()), Not(HasSubstr("coordinates of their files")));
}

TEST_F(CommonFrame, FilesThatStandTheSameWayByThemselvesWereNotPlacedByHand)
{
  std::string const same = lines_of(sphere({}, 1.0));
  open_files(same, same);
  EXPECT_EQ(statistics()["placement"], "same_coordinates");
  EXPECT_THAT(text_of_placement(state()), AllOf(HasSubstr("be in the same positions"), Not(HasSubstr("by hand"))));
}

TEST_F(CommonFrame, WhatReadersNoticedIsToldAndWritten)
{
  open_files("nan 0 0\n" + lines_of(sphere({}, 1.0)), lines_of(sphere({}, 1.0)));
  EXPECT_THAT(statistics()["findings"].get<Findings>(),
              Contains(AllOf(HasSubstr("A (a.xyz)"), HasSubstr("1 of 20,001 points"))));
  open(test::small_settings());
  EXPECT_FALSE(statistics().contains("findings")) << "two built-in shapes";
}

TEST_F(CommonFrame, PointsOutsideTheGridAreTold)
{
  SpatialSceneSettings settings = test::small_settings();
  open(settings);
  EXPECT_THAT(scene().findings(), Not(Contains(HasSubstr("outside the grid"))));
  state().settings.models[Model::b].place.translation.x = 1.0f;
  frames(2);
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("B (Sphere)")));
}

/// A square of 100 by 60 metres: its radius is half its diagonal.
TEST_F(CommonFrame, AVoxelHasAWidthInTheUnitsOfTheFile)
{
  std::string square;
  for (int x = 0; x <= 50; ++x) {
    for (int y = 0; y <= 30; ++y) { square += fmt::format("{} {} 0\n", 2 * x, 2 * y); }
  }
  SpatialSceneSettings settings = test::small_settings();
  settings.models[Model::a] = fresh_model(folder_.write("square.xyz", square).string());
  open(settings);
  state().settings.models[Model::a].place.scale = 0.5f;
  frames(2);
  double const metres_per_unit = 0.5 * std::hypot(100.0, 60.0) / 0.5;
  EXPECT_NEAR(statistics()["a"]["voxel_in_file_units"].get<double>(), 2.4 / 32.0 * metres_per_unit, 1e-4);
  EXPECT_TRUE(statistics()["b"]["voxel_in_file_units"].is_null());
  EXPECT_NEAR(statistics()["grid"]["voxel"].get<double>(), 2.4 / 32.0, 1e-6);
}

}  // namespace
}  // namespace slotscape
