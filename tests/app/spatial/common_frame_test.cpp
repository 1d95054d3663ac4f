// Two files of one place: one frame for both, or each by itself, and what is said about it.

#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/export.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "tests/app/clouds/cloud_files.hpp"
#include "tests/app/clouds/las_files.hpp"
#include "tests/app/spatial/spatial_scene.hpp"
#include "tests/app/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

namespace slotscape {
namespace {

using clouds::Position;
using clouds::test::lines_of;
using spatial::Model;
using spatial::VoxelStatus;
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

/// The LAS file with a record that names a coordinate system by its EPSG code.
std::string with_system(std::string las, std::uint16_t code)
{
  using clouds::test::raw;
  std::string user = "LASF_Projection";
  user.resize(16, '\0');
  std::string keys = raw(std::uint16_t{1}) + raw(std::uint16_t{1}) + raw(std::uint16_t{0}) + raw(std::uint16_t{1});
  keys += raw(std::uint16_t{3072}) + raw(std::uint16_t{0}) + raw(std::uint16_t{1}) + raw(code);
  std::string const record = raw(std::uint16_t{0}) + user + raw(std::uint16_t{34735}) +
                             raw(static_cast<std::uint16_t>(keys.size())) + std::string(32, '\0') + keys;
  auto const begin = clouds::test::raw(static_cast<std::uint32_t>(227 + record.size()));
  las.replace(96, 4, begin);
  las.replace(100, 4, raw(std::uint32_t{1}));
  return las.insert(227, record);
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
    app_->write_statistics(folder_ / "s.json", {});
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
    EXPECT_THAT(json["findings"].get<Findings>(), Contains(HasSubstr("each by itself")));
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
    EXPECT_THAT(scene().findings(), Contains(HasSubstr("A and B have one scale")));
    EXPECT_THAT(scene().findings(), Not(Contains(HasSubstr("each by itself"))));
    EXPECT_THAT(all_voxels(scene().engine(), state()).comments, Contains(HasSubstr("A and B have one scale")));
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
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("each by itself")));
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
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("A is 2e+05 wide, B 2")));
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
  EXPECT_EQ(state().clouds[Model::a].coordinate_system, "EPSG:25832");
  EXPECT_EQ(statistics()["common_coordinates"], true) << "far apart, in one system";
  EXPECT_EQ(statistics()["b"]["coordinate_system"], "EPSG:25832");
  EXPECT_EQ(statistics()["b"]["file_unit"], "m") << "of UTM";
  EXPECT_EQ(length_in_file(state(), Model::a, 0.47), "0.47 m");
  open_files(las(at, 25832), las(at, 25833), std::nullopt, ".las");
  EXPECT_EQ(statistics()["common_coordinates"], false) << "overlap in numbers of different systems";
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("EPSG:25833")));
}

TEST_F(CommonFrame, WhatReadersNoticedIsToldAndWritten)
{
  open_files("nan 0 0\n" + lines_of(sphere({}, 1.0)), lines_of(sphere({}, 1.0)));
  EXPECT_THAT(statistics()["findings"].get<Findings>(),
              Contains(::testing::AllOf(HasSubstr("A (a.xyz)"), HasSubstr("1 of 20,001 points"))));
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
