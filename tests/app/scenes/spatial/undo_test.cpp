#include "app/scenes/spatial/loader.hpp"
#include "app/scenes/spatial/placement.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>

namespace slotscape {
namespace {

using spatial::Model;

class SpatialUndoTest : public test::SpatialSceneTest {
protected:
  spatial::Pose const& place(Model model) { return state().settings.models[model].place; }
};

TEST_F(SpatialUndoTest, NothingThatTheSceneDoesItselfIsUndone)
{
  SpatialSceneSettings settings = test::small_settings();
  settings.animation.motion = Motion::orbit;
  settings.animation.running = true;
  settings.turntable = true;
  open(settings);
  frames(20);
  EXPECT_EQ(scene().undoes(), "");
}

TEST_F(SpatialUndoTest, AMovedModelASettingAndTheCameraGoBackAndForward)
{
  spatial::Pose const before = place(Model::a);
  state().settings.models[Model::a].place.translation = {0.1f, 0.2f, 0.3f};
  frames(2);
  EXPECT_EQ(scene().undoes(), "moving a model");
  spatial::Pose const after = place(Model::a);
  state().settings.hashing.load_factor = 0.3f;
  frames(2);
  EXPECT_EQ(scene().undoes(), "changing a setting");
  OrbitPlace const seen = scene().camera().place();
  press("+");
  frames(20);
  EXPECT_EQ(scene().undoes(), "moving the camera");
  OrbitPlace const near = scene().camera().place();
  for (int i = 0; i < 3; ++i) {
    scene().undo();
    frames(20);
  }
  EXPECT_EQ(scene().undoes(), "");
  EXPECT_EQ(place(Model::a), before);
  EXPECT_EQ(scene().camera().place(), seen);
  for (int i = 0; i < 3; ++i) {
    scene().redo();
    frames(20);
  }
  EXPECT_EQ(scene().redoes(), "");
  EXPECT_EQ(place(Model::a), after);
  EXPECT_EQ(state().settings.hashing.load_factor, 0.3f);
  EXPECT_EQ(scene().camera().place(), near);
}

TEST_F(SpatialUndoTest, AnotherModelGoesBackToTheOneBefore)
{
  state().requests.emplace_back(UseModel{Model::b, {"torus_knot", 4000, {}}});
  frames(1);
  wait_for_models();
  ASSERT_EQ(state().settings.models[Model::b].source, "torus_knot");
  scene().undo();
  frames(1);
  wait_for_models();
  EXPECT_EQ(state().settings.models[Model::b].source, "sphere");
  EXPECT_EQ(scene().undoes(), "");
  scene().redo();
  frames(1);
  wait_for_models();
  EXPECT_EQ(state().settings.models[Model::b].source, "torus_knot");
}

/// Two files of one site, of which another one takes the place of B.
class UndoOfFiles : public SpatialUndoTest {
protected:
  void SetUp() override
  {
    SpatialSceneSettings settings = test::small_settings();
    settings.models[Model::a] = fresh_model(tile("a.xyz", 0.0));
    settings.models[Model::b] = fresh_model(tile("b.xyz", 5.0));
    open(settings);
  }
  std::string tile(std::string_view name, double east)
  {
    std::string rows;
    for (int i = 0; i < 400; ++i) {
      int const row = i / 20;
      rows += fmt::format("{} {} {}\n", 500'000.0 + east + i % 20, 5'800'000.0 + row, 100 + i * 7 % 5);
    }
    return folder_.write(name, rows).string();
  }
  void open_as_b(std::string const& file)
  {
    press("B");
    app_->open(file);
    frames(1);
    wait_for_models();
  }
  void undo()
  {
    scene().undo();
    frames(1);
    wait_for_models();
  }
  std::string source(Model model) { return label_of_source(state().settings.models[model].source); }

  test::TemporaryFolder folder_;
};

TEST_F(UndoOfFiles, AFileThatGoesBackStandsInTheSameCoordinatesAgain)
{
  SpatialSceneSettings const before = state().settings;
  std::string const why = text_of_placement(state());
  ASSERT_EQ(placement_of(state()), PlacedAs::same_coordinates);
  for (std::string const& other : {tile("far.xyz", 9e6), tile("near.xyz", 12.0)}) {
    SCOPED_TRACE(other);
    open_as_b(other);
    SpatialSceneSettings const after = state().settings;
    undo();
    EXPECT_EQ(state().settings, before);
    EXPECT_EQ(text_of_placement(state()), why);
    EXPECT_EQ(state().frames[Model::a], state().frames[Model::b]) << "exactly, too";
    scene().redo();
    frames(1);
    wait_for_models();
    EXPECT_EQ(state().settings, after);
    undo();
  }
}

TEST_F(UndoOfFiles, AMotionThatWasChosenForAFileComesBackWithIt)
{
  for (Model const model : both_models) {
    state().settings.animation.motion = Motion::orbit;
    frames(2);
    state().ask(UseModel{model, fresh_model("cube")});
    frames(1);
    wait_for_models();
  }
  undo();
  EXPECT_EQ(source(Model::b), "b.xyz");
  EXPECT_EQ(state().settings.animation.motion, Motion::orbit);
}

/// Before what the first one asks for has been opened.
TEST_F(UndoOfFiles, SeveralUndosAndRedosMayFollowAtOnce)
{
  state().settings.hashing.load_factor = 0.3;
  frames(2);
  open_as_b(tile("far.xyz", 9e6));
  SpatialSceneSettings const after = state().settings;
  scene().undo();
  scene().redo();
  frames(1);
  wait_for_models();
  EXPECT_EQ(state().settings, after);
  scene().undo();
  frames(1);
  undo();
  EXPECT_EQ(source(Model::b), "b.xyz");
  EXPECT_NE(state().settings.hashing.load_factor, 0.3);
  scene().redo();
  frames(1);
  wait_for_models();
  EXPECT_EQ(source(Model::b), "b.xyz");
  EXPECT_EQ(state().settings.hashing.load_factor, 0.3);
  scene().redo();
  frames(1);
  wait_for_models();
  EXPECT_EQ(state().settings, after);
}

}  // namespace
}  // namespace slotscape
