// Points on borders of cells belong to the cell above, in the coordinates of their file: in this scene and in the
// sparse one, for any number of different coordinates, and however a model is turned.

#include "app/base/npy.hpp"
#include "app/scene/scenario.hpp"
#include "app/scenes/sparse/site_source.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <any>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

using spatial::Model;

/// A point's coordinates, or a cell. Of points, in thousandths: whole numbers have no rounding.
using Triple = std::array<std::int64_t, 3>;

std::int64_t cell_along(std::int64_t thousandths, std::int64_t width)
{
  return (thousandths >= 0 ? thousandths : thousandths - width + 1) / width;
}

std::set<Triple> expected_cells(std::vector<Triple> const& points, std::int64_t width)
{
  std::set<Triple> cells;
  for (Triple const& p : points) {
    cells.insert({cell_along(p[0], width), cell_along(p[1], width), cell_along(p[2], width)});
  }
  return cells;
}

std::string decimal(std::int64_t thousandths)
{
  return fmt::format("{:.3f}", static_cast<double>(thousandths) / 1000.0);
}

std::string rows_of_decimals(std::vector<Triple> const& points)
{
  std::string text;
  for (Triple const& p : points) { text += decimal(p[0]) + " " + decimal(p[1]) + " " + decimal(p[2]) + "\n"; }
  return text;
}

/// n^3 points from `low` on.
std::vector<Triple> lattice(std::int64_t n, std::int64_t step, Triple const& low)
{
  std::vector<Triple> points;
  points.reserve(static_cast<std::size_t>(n * n * n));
  for (std::int64_t i = 0; i < n * n * n; ++i) {
    points.push_back({low[0] + step * (i % n), low[1] + step * (i / n % n), low[2] + step * (i / (n * n))});
  }
  return points;
}

/// The cells that the inside of a cube's faces passes through.
std::set<Triple> cells_of_cube(std::int64_t low, std::int64_t high, std::int64_t width)
{
  std::set<Triple> cells;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::int64_t const face : {cell_along(low, width), cell_along(high, width)}) {
      for (std::int64_t u = cell_along(low, width); u * width < high; ++u) {
        for (std::int64_t v = cell_along(low, width); v * width < high; ++v) {
          Triple cell{};
          cell[axis] = face;
          cell[(axis + 1) % 3] = u;
          cell[(axis + 2) % 3] = v;
          cells.insert(cell);
        }
      }
    }
  }
  return cells;
}

constexpr std::array<std::array<int, 4>, 6> faces_of_cube{
    {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}}};

std::string corner_of_cube(int number, std::int64_t low, std::int64_t high)
{
  auto const at = [&](int bit) { return decimal((number >> bit & 1) != 0 ? high : low); };
  return at(2) + " " + at(1) + " " + at(0);
}

std::string cube_obj(std::int64_t low, std::int64_t high)
{
  std::string text;
  for (int corner = 0; corner < 8; ++corner) { text += "v " + corner_of_cube(corner, low, high) + "\n"; }
  for (auto const& [a, b, c, d] : faces_of_cube) { text += fmt::format("f {} {} {} {}\n", a + 1, b + 1, c + 1, d + 1); }
  return text;
}

std::string cube_stl(std::int64_t low, std::int64_t high)
{
  std::string text = "solid cube\n";
  for (auto const& face : faces_of_cube) {
    for (std::size_t const second : {std::size_t{1}, std::size_t{2}}) {
      text += "facet normal 0 0 0\nouter loop\n";
      for (int const corner : {face[0], face[second], face[second + 1]}) {
        text += "vertex " + corner_of_cube(corner, low, high) + "\n";
      }
      text += "endloop\nendfacet\n";
    }
  }
  return text + "endsolid cube\n";
}

class CellBorders : public test::SpatialSceneTest {
protected:
  void SetUp() override {}

  void open_file(std::string const& name, std::string const& content, std::int64_t width)
  {
    SpatialSetup set_up{test::small_settings()};
    ModelSettings& model = set_up.settings.models[Model::a];
    model = fresh_model(folder_.write(name, content).string());
    model.points = samples;
    set_up.settings.models[Model::b].place = place_of_stand_in();
    set_up.voxel = static_cast<double>(width) / 1000.0;
    app_.reset();
    app_ = test::offscreen_app({640, 480}, test::spatial_scenario(set_up));
    frames(2);
  }
  std::uint64_t voxels() { return state().snapshot.models[Model::a].voxels; }

  std::size_t sites(std::string const& name, std::int64_t width)
  {
    Progress const progress = Progress::tracked();
    Sites const found =
        load_sites({.name = (folder_ / name).string(), .points = samples, .voxel = static_cast<double>(width) / 1000.0},
                   progress);
    std::set<Triple> cells;
    for (sparse::Site const& site : found.sites) { cells.insert({site.x, site.y, site.z}); }
    return cells.size();
  }

  void expect_cells(std::vector<Triple> const& points, std::int64_t width, std::string const& what)
  {
    SCOPED_TRACE(what);
    open_file("points.xyz", rows_of_decimals(points), width);
    std::size_t const expected = expected_cells(points, width).size();
    EXPECT_EQ(voxels(), expected);
    EXPECT_EQ(sites("points.xyz", width), expected);
  }

  static constexpr std::uint64_t samples = 300'000;
  test::TemporaryFolder folder_;
};

TEST_F(CellBorders, HoldForAnyNumberOfCoordinates)
{
  for (std::int64_t const n : {3, 5, 10, 15, 24, 30}) {
    expect_cells(lattice(n, 1000, {}), 1000, fmt::format("{} whole numbers", n));
  }
  expect_cells(lattice(10, 1000, {}), 3000, "every third");
  expect_cells(lattice(10, 250, {}), 250, "quarters");
  expect_cells(lattice(10, 100, {}), 100, "tenths");
}

TEST_F(CellBorders, HoldForNegativeAndLargeCoordinates)
{
  expect_cells(lattice(10, 1000, {-5000, -7000, -4000}), 1000, "around 0");
  expect_cells(lattice(10, 100, {-500, -1000, -700}), 300, "tenths around 0");
  expect_cells(lattice(12, 1000, {412'345'000, 5'678'901'000, 187'000}), 1000, "metres of a survey");
  expect_cells(lattice(12, 100, {412'345'600, 5'678'901'200, 187'300}), 300, "decimetres of a survey");
}

/// Half a step below them is where other points are.
TEST_F(CellBorders, HoldForVoxelsThatAreNoMultiplesOfTheSteps)
{
  expect_cells(lattice(43, 1000, {}), 2500, "voxels of two steps and a half");
  expect_cells(lattice(40, 500, {250, 250, 250}), 1000, "coordinates beside the borders");
}

TEST_F(CellBorders, HoldWhereOneAxisHasFewCoordinatesAndAnotherMany)
{
  std::mt19937 random(3);
  std::uniform_int_distribution<std::int64_t> thousandths(0, 39'999);
  std::vector<Triple> points;
  points.reserve(20'000);
  for (std::int64_t i = 0; i < 20'000; ++i) {
    points.push_back({1000 * (i % 7), thousandths(random), 1000 * (i % 40)});
  }
  expect_cells(points, 1000, "layers");
}

/// 300 points in a line, each in a cell of its own as people count: 0.3 is the fourth.
TEST_F(CellBorders, OfDecimalsAreThoseThatPeopleCount)
{
  std::vector<Triple> points;
  points.reserve(300);
  for (std::int64_t i = 0; i < 300; ++i) { points.push_back({100 * i, 0, 0}); }
  expect_cells(points, 100, "tenths");
}

/// 1000.7 is 1000.7000122 there, and 1000.9 is 1000.9000244, but 1000.3 is 1000.2999878.
TEST_F(CellBorders, OfDecimalsInSinglePrecisionAreThoseThatPeopleCount)
{
  constexpr std::uint64_t count = 50;
  std::vector<double> numbers;
  numbers.reserve(3 * count);
  for (std::uint64_t i = 0; i < count; ++i) {
    numbers.insert(numbers.end(),
                   {static_cast<double>(static_cast<float>(1000.0 + static_cast<double>(i) / 10.0)), 0.0, 0.0});
  }
  open_file("points.npy", npy_of(numbers, {count, 3}), 100);
  EXPECT_EQ(voxels(), count);
  EXPECT_EQ(sites("points.npy", 100), count);
}

TEST_F(CellBorders, HoldForSamplesOfAMesh)
{
  for (auto const& [low, high] :
       {std::pair<std::int64_t, std::int64_t>{100'000, 110'000}, std::pair<std::int64_t, std::int64_t>{-5000, 5000}}) {
    open_file("cube.stl", cube_stl(low, high), 500);
    std::size_t const expected = cells_of_cube(low, high, 500).size();
    EXPECT_EQ(voxels(), expected) << "from " << low;
    EXPECT_EQ(sites("cube.stl", 500), expected) << "from " << low;
  }
}

/// The mesh of a format with y upwards is turned, so that one axis of the file runs downwards in the scene.
TEST_F(CellBorders, HoldInTheCoordinatesOfTheFileOfATurnedModel)
{
  constexpr std::int64_t low = 105'000;
  constexpr std::int64_t high = 115'000;
  std::size_t const expected = cells_of_cube(low, high, 700).size();
  open_file("cube.stl", cube_stl(low, high), 700);
  ASSERT_EQ(state().settings.models[Model::a].up, clouds::UpAxis::z);
  EXPECT_EQ(voxels(), expected);
  open_file("cube.obj", cube_obj(low, high), 700);
  ASSERT_EQ(state().settings.models[Model::a].up, clouds::UpAxis::y);
  EXPECT_EQ(voxels(), expected);
  SpatialSetup const set_up = std::any_cast<SpatialSetup>(scene().set_up());
  write_scenario(folder_ / "cube.slotscape.json", {&test::entry("spatial"), set_up});
  app_.reset();
  app_ = test::offscreen_app({640, 480}, read_scenario(scenes(), folder_ / "cube.slotscape.json"));
  frames(2);
  EXPECT_EQ(voxels(), expected) << "as it was saved";
}

}  // namespace
}  // namespace slotscape
