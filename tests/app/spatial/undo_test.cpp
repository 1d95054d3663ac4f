#include "tests/app/spatial/spatial_scene.hpp"

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
  EXPECT_EQ(scene().undoes(), "the move of a model");
  spatial::Pose const after = place(Model::a);
  state().settings.hashing.load_factor = 0.3f;
  frames(2);
  EXPECT_EQ(scene().undoes(), "the setting");
  OrbitPlace const seen = scene().camera().place();
  press("+");
  frames(20);
  EXPECT_EQ(scene().undoes(), "the move of the camera");
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

}  // namespace
}  // namespace slotscape
