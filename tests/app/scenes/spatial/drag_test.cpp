#include "app/view3d/gizmo.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

using spatial::Model;

/// Two spheres side by side, with the mouse over the second one. The first is chosen and has the gizmo.
class SpatialDrag : public test::SpatialSceneTest {
protected:
  void SetUp() override
  {
    SpatialSceneSettings settings = test::small_settings();
    for (ModelSettings& model : settings.models.of) { model.place = {{}, {-0.7f, 0.0f, 0.0f}, 0.35f}; }
    settings.models[Model::b].place.translation.x = 0.7f;
    settings.boolean = spatial::Boolean::both;
    open(settings);
    point_at_b();
    before_ = state().settings.models;
    camera_before_ = scene().camera().place();
  }

  void point_at_b()
  {
    Rectangle const& canvas = scene().layout().canvas;
    Point const at = *scene().camera().to_canvas(state().poses[Model::b].translation);
    mouse_ = {static_cast<float>(canvas.x + at.x), static_cast<float>(canvas.y + at.y)};
    ImGui::GetIO().AddMousePosEvent(mouse_.x, mouse_.y);
    frames(3);
  }
  void button(bool down)
  {
    ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, down);
    frames(2);
  }
  void drag(ImGuiKey modifier = ImGuiKey_None)
  {
    ImGuiIO& io = ImGui::GetIO();
    if (modifier != ImGuiKey_None) { io.AddKeyEvent(modifier, true); }
    frames(2);
    button(true);
    io.AddMousePosEvent(mouse_.x + 40.0f, mouse_.y + 25.0f);
    frames(2);
    button(false);
    if (modifier != ImGuiKey_None) { io.AddKeyEvent(modifier, false); }
    frames(2);
  }
  spatial::Pose const& place(Model model) { return state().settings.models[model].place; }
  bool view_turned() { return scene().camera().place() != camera_before_; }

  ImVec2 mouse_;
  spatial::PerModel<ModelSettings> before_;
  OrbitPlace camera_before_;
};

TEST_F(SpatialDrag, TurnsTheViewOverAModelToo)
{
  ASSERT_TRUE(state().hovered && state().hovered->model == Model::b);
  drag();
  EXPECT_TRUE(view_turned());
  EXPECT_EQ(state().settings.models, before_);
  EXPECT_EQ(state().chosen, Model::a);
}

TEST_F(SpatialDrag, WithShiftMovesTheModelUnderTheMouse)
{
  drag(ImGuiMod_Shift);
  EXPECT_FALSE(view_turned());
  EXPECT_EQ(state().chosen, Model::b);
  EXPECT_NE(place(Model::b).translation, before_[Model::b].place.translation);
  EXPECT_EQ(place(Model::b).rotation, before_[Model::b].place.rotation);
  EXPECT_EQ(place(Model::a), before_[Model::a].place);
}

TEST_F(SpatialDrag, WithCtrlTurnsTheModelUnderTheMouse)
{
  drag(ImGuiMod_Ctrl);
  EXPECT_FALSE(view_turned());
  EXPECT_NE(place(Model::b).rotation, before_[Model::b].place.rotation);
  EXPECT_EQ(place(Model::b).translation, before_[Model::b].place.translation);
}

TEST_F(SpatialDrag, NeverMovesAGhost)
{
  press("3");  // nothing is inside the other model: all is hidden
  ASSERT_EQ(state().snapshot.models[Model::b].shown, 0u);
  ASSERT_TRUE(state().settings.view.ghosts);
  drag(ImGuiMod_Shift);
  EXPECT_TRUE(view_turned());
  EXPECT_EQ(state().settings.models, before_);
}

TEST_F(SpatialDrag, AClickSelectsAVoxelAndChoosesItsModel)
{
  button(true);
  button(false);
  ASSERT_TRUE(state().selected);
  EXPECT_EQ(state().selected->model, Model::b);
  EXPECT_EQ(state().chosen, Model::b);
  EXPECT_FALSE(view_turned());
}

/// The mouse where a handle of A's gizmo is in front of a voxel of A.
class SpatialGizmo : public SpatialDrag {
protected:
  void SetUp() override
  {
    SpatialDrag::SetUp();
    for (int x = -90; x <= 90 && !found_; x += 3) {
      for (int y = -90; y <= 90 && !found_; y += 3) { try_at({double(x), double(y)}); }
    }
    ASSERT_TRUE(found_);
    ImGui::GetIO().AddMousePosEvent(mouse_.x, mouse_.y);
    frames(3);
  }

private:
  void try_at(Point from_middle)
  {
    OrbitCamera const& camera = scene().camera();
    spatial::Pose const& pose = state().poses[Model::a];
    Point const at = *camera.to_canvas(pose.translation) + from_middle;
    auto const hit = scene().engine().pick(camera.ray(at), spatial::Boolean::both);
    found_ = Gizmo::handle_at(camera, pose, at, 1.0f) && hit && hit->model == Model::a;
    Rectangle const& canvas = scene().layout().canvas;
    mouse_ = {static_cast<float>(canvas.x + at.x), static_cast<float>(canvas.y + at.y)};
  }

  bool found_ = false;
};

TEST_F(SpatialGizmo, AClickOnAHandleSelectsTheVoxelBehindIt)
{
  button(true);
  button(false);
  ASSERT_TRUE(state().selected);
  EXPECT_EQ(state().selected->model, Model::a);
  EXPECT_EQ(state().settings.models, before_);
  EXPECT_FALSE(view_turned());
}

TEST_F(SpatialGizmo, ADragOfAHandleMovesTheModelAndSelectsNothing)
{
  drag();
  EXPECT_FALSE(state().selected);
  EXPECT_NE(place(Model::a), before_[Model::a].place);
  EXPECT_FALSE(view_turned());
}

}  // namespace
}  // namespace slotscape
