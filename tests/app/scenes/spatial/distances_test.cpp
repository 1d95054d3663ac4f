// Distances from cloud to cloud in the spatial scene.

#include "app/scenes/spatial/distances.hpp"
#include "app/base/json.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace slotscape {
namespace {

using spatial::Model;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// A floor of points one unit apart, in the coordinates of a survey, at this height; a part of it, raised.
std::string floor_at(double height, double raised = 0.0)
{
  std::string rows;
  for (int x = 0; x < 40; ++x) {
    for (int y = 0; y < 40; ++y) {
      double const z = height + (x < 10 && y < 20 ? raised : 0.0);
      rows += fmt::format("{} {} {}\n", 500000 + x, 5800000 + y, z);
    }
  }
  return rows;
}

class Distances : public test::SpatialSceneTest {
protected:
  void open_two(std::string const& a, std::string const& b, DistanceSettings const& distances)
  {
    SpatialSceneSettings settings = test::small_settings();
    settings.models[Model::a] = fresh_model(folder_.write("a.xyz", a).string());
    settings.models[Model::b] = fresh_model(folder_.write("b.xyz", b).string());
    settings.distances = distances;
    open(settings);
    settle();
  }
  void settle()
  {
    for (int i = 0; i < 600 && (i < 2 || !scene().quiet()); ++i) { frames(1); }
  }
  DistanceSummary const& of(Model model) { return state().distances->of[model]; }

  test::TemporaryFolder folder_;
};

TEST_F(Distances, OfParallelFloorsAreTheirHeights)
{
  open_two(floor_at(100.0), floor_at(100.25), {.shown = true});
  ASSERT_TRUE(state().distances);
  EXPECT_EQ(state().distances->unit.name, "file");
  for (Model const model : both_models) {
    EXPECT_EQ(of(model).points, 1600u);
    EXPECT_NEAR(of(model).mean, 0.25, 1e-4);
    EXPECT_NEAR(of(model).rms, 0.25, 1e-4);
    EXPECT_NEAR(of(model).max, 0.25, 1e-4);
  }
}

TEST_F(Distances, AreSignedByTheNormalsOfTheOtherModel)
{
  open_two(floor_at(100.0), floor_at(100.25), {.shown = true, .is_signed = true});  // normals of floors point upwards
  EXPECT_NEAR(of(Model::a).mean, -0.25, 1e-4);
  EXPECT_NEAR(of(Model::b).mean, 0.25, 1e-4);
  EXPECT_NEAR(of(Model::a).median, 0.25, 1e-4) << "without signs";
}

TEST_F(Distances, TellWhatIsBeyondTheThreshold)
{
  open_two(floor_at(100.0), floor_at(100.0, 0.5), {.threshold = 0.1});
  show_distances(state().settings, true);
  settle();
  ASSERT_TRUE(state().distances);
  EXPECT_DOUBLE_EQ(state().distances->share_beyond(Model::b, 0.1), 200.0 / 1600.0);
  EXPECT_DOUBLE_EQ(state().distances->share_beyond(Model::b, 0.6), 0.0);
  ASSERT_TRUE(state().coloring);
  EXPECT_EQ(state().coloring->range.low, 0.1) << "where the scale begins";
}

TEST_F(Distances, AreAnAttributeWhileTheyAreShown)
{
  open_two(floor_at(100.0), floor_at(101.0), {});
  EXPECT_THAT(state().attributes, Not(Contains(std::string(distance_attribute))));
  show_distances(state().settings, true);
  settle();
  EXPECT_THAT(state().attributes, Contains(std::string(distance_attribute)));
  EXPECT_EQ(state().settings.view.paint_by, spatial::PaintBy::attribute);
  EXPECT_NEAR(state().clouds[Model::a].attributes.back()[0], 1.0, 1e-4);
  show_distances(state().settings, false);
  settle();
  EXPECT_THAT(state().attributes, Not(Contains(std::string(distance_attribute))));
  EXPECT_EQ(state().settings.view.paint_by, spatial::PaintBy::status);
}

TEST_F(Distances, FollowModelsThatAreMoved)
{
  open_two(floor_at(100.0), floor_at(100.0), {.shown = true});
  EXPECT_NEAR(of(Model::a).max, 0.0, 1e-4);
  double const in_scene = state().distances->unit.in_scene;
  state().settings.models[Model::b].place.translation.z += static_cast<float>(2.0 * in_scene);
  settle();
  EXPECT_NEAR(of(Model::a).mean, 2.0, 0.01);
}

TEST_F(Distances, OfMovingModelsBelongToEachFrameOffscreenAndRestInAWindow)
{
  SpatialSceneSettings settings = test::small_settings();
  settings.animation = {.motion = Motion::orbit, .running = true};
  settings.distances.shown = true;
  open(settings);
  ASSERT_TRUE(state().distances);
  double const first = of(Model::a).mean;
  frames(10);
  double const second = of(Model::a).mean;
  EXPECT_NE(first, second);
  scene().set_max_wait(0.0);
  frames(10);
  EXPECT_EQ(of(Model::a).mean, second);
}

TEST_F(Distances, AreOneOfTheColumnsOfSavedPointsAndInStatistics)
{
  open_two(floor_at(100.0), floor_at(100.25), {.shown = true});
  scene().save_result(folder_.path() / "points.ply");
  std::ifstream file(folder_.path() / "points.ply", std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("property float distance_to_other"));
  SceneStatistics const statistics = scene().statistics({});
  EXPECT_NEAR(statistics.json["distances"]["a_to_b"]["mean"].get<double>(), 0.25, 1e-4);
  EXPECT_EQ(statistics.tables.back().first, "distances.csv");
}

TEST_F(Distances, OfModelsInDifferentCoordinatesAreWarnedAbout)
{
  open_two("0 0 0\n1 0 0\n0 1 0\n1 1 1\n", floor_at(100.0), {.shown = true});
  EXPECT_EQ(state().distances->unit.name, "scene");
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("not shown in the same coordinates")));
}

TEST(DistanceHistogram, HasASharePerBin)
{
  std::vector<float> const ascending{-1.0f, 0.0f, 0.1f, 0.2f, 3.0f};
  EXPECT_EQ(histogram_of(ascending, 0.0, 1.0, 2), (std::vector<double>{0.8, 0.2}));
  EXPECT_EQ(histogram_of({}, 0.0, 1.0, 2), (std::vector<double>{0.0, 0.0}));
}

}  // namespace
}  // namespace slotscape
