#include "app/scenes/spatial/ruler.hpp"

#include "app/scenes/spatial/coordinates.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/clouds/cloud_files.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>

namespace slotscape {
namespace {

using clouds::test::survey_place;
using spatial::Model;
using spatial::Vector;
using ::testing::HasSubstr;

/// Points 5 m apart on a slope, in survey coordinates.
constexpr int rows_of_slope = 20;
clouds::Position on_slope(int x, int y)
{
  return survey_place + clouds::Position{5.0 * x, 5.0 * y, 1.25 * x};
}

class RulerTest : public test::SpatialSceneTest {
protected:
  void open_slope()
  {
    std::string text = "X Y Z\n";
    for (int y = 0; y < rows_of_slope; ++y) {
      for (int x = 0; x < rows_of_slope; ++x) {
        clouds::Position const p = on_slope(x, y);
        text += fmt::format("{:.3f} {:.3f} {:.3f}\n", p.x, p.y, p.z);
      }
    }
    SpatialSceneSettings settings = test::small_settings();
    settings.models[Model::a].source = folder_.write("slope.txt", text).string();
    settings.hashing.grid.side = 128;  // a voxel for each point
    settings.view.kind = spatial::InstanceKind::points;
    settings.boolean = spatial::Boolean::both;
    open(settings);
  }
  /// What a click on that point of the slope takes.
  RulerPoint clicked(int x, int y)
  {
    Vector const seen = clouds::to_vector(scene_of_file(state(), Model::a)(on_slope(x, y)));
    for (spatial::VoxelInfo const& voxel : scene().engine().voxels(Model::a)) {
      if (length(voxel.position - seen) > state().settings.hashing.grid.voxel()) { continue; }
      spatial::Ray const sight{seen - Vector{0.0f, 0.0f, 2.0f}, {0.0f, 0.0f, 1.0f}};
      return ruler_point(state(), voxel, sight);
    }
    ADD_FAILURE() << "no voxel at " << x << ", " << y;
    return {};
  }
  double value(RulerKind kind, std::vector<RulerPoint> points)
  {
    return ruler_value(state(), {kind, std::move(points)}).value;
  }
  void click(Vector place)
  {
    Rectangle const& canvas = scene().layout().canvas;
    Point const at = *scene().camera().to_canvas(place);
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(static_cast<float>(canvas.x + at.x), static_cast<float>(canvas.y + at.y));
    frames(3);
    for (bool const down : {true, false}) {
      io.AddMouseButtonEvent(ImGuiMouseButton_Left, down);
      frames(2);
    }
    frames(5);  // so that the next one is no double click
  }

  test::TemporaryFolder folder_;
};

TEST_F(RulerTest, MeasuresBetweenPointsInTheUnitsOfTheirFile)
{
  open_slope();
  RulerPoint const corner = clicked(3, 4);
  EXPECT_EQ(corner.what, fmt::format("point {}", 4 * rows_of_slope + 3));
  EXPECT_LT(length(corner.at - on_slope(3, 4)), 1e-3);
  double const along = std::hypot(5.0, 1.25);
  EXPECT_NEAR(value(RulerKind::distance, {corner, clicked(11, 4)}), 8.0 * along, 1e-3);
  EXPECT_NEAR(value(RulerKind::distance, {corner, clicked(3, 17)}), 65.0, 1e-3);
  EXPECT_NEAR(value(RulerKind::angle, {clicked(11, 4), corner, clicked(3, 17)}), 90.0, 1e-3);
  EXPECT_NEAR(value(RulerKind::angle, {clicked(9, 4), corner, clicked(9, 10)}),
              std::atan2(30.0, 6.0 * along) * 180.0 / 3.14159265358979, 1e-3);
}

TEST_F(RulerTest, AProfileHasThePointsBesideItsLine)
{
  open_slope();
  HeightProfile const profile = profile_between(state(), {clicked(3, 4), clicked(11, 4)});
  EXPECT_EQ(profile.unit.name, "file");
  EXPECT_NEAR(profile.length, 40.0, 1e-3);
  EXPECT_LT(profile.width, 5.0);
  auto const& points = profile.points[Model::a];
  ASSERT_EQ(points.size(), 9u);
  for (std::size_t i = 0; i < points.size(); ++i) {
    auto const x = static_cast<double>(i);
    EXPECT_NEAR(points[i].along, 5.0 * x, 1e-3);
    EXPECT_NEAR(points[i].height, 1.25 * x, 1e-3);
    EXPECT_EQ(points[i].number, 4u * rows_of_slope + 3 + i);
    EXPECT_LT(length(points[i].at - on_slope(3 + static_cast<int>(i), 4)), 1e-3);
  }
}

TEST_F(RulerTest, AProfileIsSavedPointByPoint)
{
  open_slope();
  RulerMeasurement measurement{RulerKind::profile, {clicked(3, 4), clicked(5, 4)}};
  measurement.profile = std::make_shared<HeightProfile const>(profile_between(state(), measurement.points));
  state().ruler.done.push_back(measurement);
  std::string const csv = ruler_csv(state());
  EXPECT_THAT(csv, HasSubstr("profile,"));
  EXPECT_THAT(csv, HasSubstr(fmt::format(",file,A,point {},", 4 * rows_of_slope + 4)));
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  auto const commas = std::ranges::count(line, ',');
  int rows = 0;
  for (; std::getline(lines, line); ++rows) { EXPECT_EQ(std::ranges::count(line, ','), commas) << line; }
  EXPECT_EQ(rows, 1 + 3) << "the line, and its points";
}

TEST_F(RulerTest, StaysOnItsModelAndMeasuresTheSameWhereverThatStands)
{
  open_slope();
  RulerMeasurement const measurement{RulerKind::distance, {clicked(0, 0), clicked(10, 12)}};
  double const before = ruler_value(state(), measurement).value;
  clouds::Position const place = place_in_scene(state(), measurement.points[0]);
  state().settings.models[Model::a].place.translation = {0.3f, -0.2f, 0.1f};
  state().settings.models[Model::a].place.scale = 0.5f;
  frames(2);
  EXPECT_NEAR(ruler_value(state(), measurement).value, before, 1e-9 * before);
  EXPECT_GT(length(place_in_scene(state(), measurement.points[0]) - place), 0.1);
}

TEST_F(RulerTest, TakesTheMiddlesOfVoxelsThatAreClicked)
{
  SpatialSceneSettings settings = test::small_settings();
  settings.boolean = spatial::Boolean::both;
  settings.show_maps = false;
  open(settings);
  EXPECT_THROW(scene().save_measurements(folder_.path() / "none.csv"), Error);
  press("L");
  ASSERT_TRUE(state().ruler.on);
  glm::dvec3 const towards = scene().camera().eye() / glm::length(scene().camera().eye());
  Vector const of_a = state().poses[Model::a].translation + from_glm(0.7 * towards);
  Vector const of_b = state().poses[Model::b].translation + from_glm(0.7 * towards);
  click(of_a);
  ASSERT_EQ(state().ruler.pending.size(), 1u);
  EXPECT_FALSE(state().selected) << "the click is the ruler's";
  click(of_b);
  ASSERT_EQ(state().ruler.done.size(), 1u);
  RulerValue const result = ruler_value(state(), state().ruler.done.front());
  EXPECT_EQ(result.unit, "scene");
  EXPECT_NEAR(result.value, static_cast<double>(length(of_b - of_a)),
              2.0 * static_cast<double>(settings.hashing.grid.voxel()));
  for (RulerPoint const& point : state().ruler.done.front().points) {
    spatial::VoxelGrid const& grid = state().settings.hashing.grid;
    Vector const at = clouds::to_vector(place_in_scene(state(), point));
    Vector const middle = grid.middle(spatial::VoxelGrid::cell_of(grid.to_grid(at)));
    EXPECT_LT(length(at - middle), 1e-5f);
  }
  click(of_a);
  scene().cancel();
  EXPECT_TRUE(state().ruler.pending.empty());
  EXPECT_EQ(state().ruler.done.size(), 1u);
}

TEST_F(RulerTest, WritesRowsWithThePlacesOfTheirPoints)
{
  open_slope();
  for (RulerPoint const& point : {clicked(0, 0), clicked(4, 0)}) { state().ruler.take(point); }
  state().ruler.kind = RulerKind::angle;
  for (RulerPoint const& point : {clicked(4, 0), clicked(0, 0), clicked(0, 4)}) { state().ruler.take(point); }
  ASSERT_EQ(state().ruler.done.size(), 2u);
  std::string const csv = ruler_csv(state());
  EXPECT_THAT(csv, HasSubstr("measure,value,unit,model_1,what_1,x_1,y_1,z_1"));
  EXPECT_THAT(csv, HasSubstr("\ndistance,20.6155"));
  EXPECT_THAT(csv, HasSubstr(",A,point 0,"));
  EXPECT_THAT(csv, HasSubstr("\nangle,90"));
  std::size_t const columns = static_cast<std::size_t>(std::ranges::count(csv.substr(0, csv.find('\n')), ','));
  std::size_t begin = 0;
  for (std::size_t end = csv.find('\n'); end != std::string::npos; begin = end + 1, end = csv.find('\n', begin)) {
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv.substr(begin, end - begin), ',')), columns);
  }
}

}  // namespace
}  // namespace slotscape
