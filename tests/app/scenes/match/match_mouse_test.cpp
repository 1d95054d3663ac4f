#include "app/pictures/generated.hpp"
#include "tests/app/scenes/match/match_scene.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <imgui.h>

#include <cmath>

namespace slotscape {
namespace {

using matching::Side;

/// The mouse over the scene of image matching.
class MatchMouse : public test::MatchSceneTest {
protected:
  MatchMouse()
  {
    state().settings.pose = {};
    frames(3);
    finish();
  }

  void move_to(ImVec2 place)
  {
    ImGui::GetIO().AddMousePosEvent(place.x, place.y);
    frames(2);
  }
  void button(ImGuiMouseButton which, bool down)
  {
    ImGui::GetIO().AddMouseButtonEvent(which, down);
    frames(1);
  }
  void drag(ImGuiMouseButton which, ImVec2 from, ImVec2 to)
  {
    move_to(from);
    button(which, true);
    move_to({(from.x + to.x) / 2.0f, (from.y + to.y) / 2.0f});
    move_to(to);
    button(which, false);
    frames(1);
  }
  void click(ImVec2 place)
  {
    move_to(place);
    button(ImGuiMouseButton_Left, true);
    button(ImGuiMouseButton_Left, false);
    frames(2);
  }
  void turn_wheel(ImVec2 place, float by)
  {
    move_to(place);
    ImGui::GetIO().AddMouseWheelEvent(0.0f, by);
    frames(2);
  }
  static ImVec2 middle_of(Rectangle const& place)
  {
    return {static_cast<float>(place.x) + static_cast<float>(place.width) / 2.0f,
            static_cast<float>(place.y) + static_cast<float>(place.height) / 2.0f};
  }
  Rectangle const& canvas_of(Side side) { return scene().layout().pictures[index_of(side)].canvas; }
  QueryPose const& pose() { return state().settings.pose; }
};

TEST_F(MatchMouse, DragsMoveTheQueryAndTheMatchFollows)
{
  ImVec2 const from = middle_of(canvas_of(Side::query));
  drag(ImGuiMouseButton_Left, from, {from.x + 24.0f, from.y - 12.0f});
  double const scale = scene().picture(Side::query).scale();
  EXPECT_NEAR(pose().shift_x, 24.0 / scale, 0.1);
  EXPECT_NEAR(pose().shift_y, -12.0 / scale, 0.1);
  EXPECT_EQ(pose().turn, 0.0);
  ASSERT_TRUE(state().found());
  EXPECT_NEAR(transformation().shift_x, -24.0 / scale, 2.0);
  EXPECT_NEAR(transformation().shift_y, 12.0 / scale, 2.0);
  EXPECT_EQ(scene().undoes(), "moving the query");
}

TEST_F(MatchMouse, TheRightButtonTurnsTheQuery)
{
  ImVec2 const middle = middle_of(canvas_of(Side::query));
  drag(ImGuiMouseButton_Right, {middle.x + 60.0f, middle.y}, {middle.x, middle.y - 60.0f});
  EXPECT_NEAR(pose().turn, 90.0, 1.0);
  EXPECT_EQ(pose().scale, 1.0);
  EXPECT_NEAR(transformation().rotation_degrees, -pose().turn, 1.0);
}

TEST_F(MatchMouse, CornersTurnAndScaleTheQuery)
{
  PictureView const& view = scene().picture(Side::query);
  ImVec2 const middle = middle_of(canvas_of(Side::query));
  ImVec2 const corner = view.on_screen(0.0, 0.0);
  ImVec2 const half{(middle.x + corner.x) / 2.0f, (middle.y + corner.y) / 2.0f};
  drag(ImGuiMouseButton_Left, corner, half);
  EXPECT_NEAR(pose().scale, 0.5, 0.02);
  EXPECT_NEAR(pose().turn, 0.0, 0.5);
  EXPECT_EQ(pose().shift_x, 0.0);
}

TEST_F(MatchMouse, TheWheelScalesTheQueryAndZoomsTheReference)
{
  turn_wheel(middle_of(canvas_of(Side::query)), 2.0f);
  EXPECT_NEAR(pose().scale, 1.05 * 1.05, 1e-6);
  double const before = scene().picture(Side::reference).scale();
  ImVec2 const reference = middle_of(canvas_of(Side::reference));
  turn_wheel(reference, 3.0f);
  double const after = scene().picture(Side::reference).scale();
  EXPECT_GT(after, 1.5 * before);
  drag(ImGuiMouseButton_Left, reference, {reference.x + 20.0f, reference.y});
  EXPECT_NEAR(scene().picture(Side::reference).on_screen(320.0, 240.0).x, reference.x + 20.0f, 2.0f);
  test::press(scene(), "0");
  frames(2);
  EXPECT_NEAR(scene().picture(Side::reference).scale(), before, 1e-9);
}

TEST_F(MatchMouse, AClickOnTheVotesChoosesAPairOfBases)
{
  Rectangle const& votes = scene().layout().votes.canvas;
  matching::Candidate const& match = snapshot().candidates.at(0);
  auto const share = [](std::uint32_t index, std::size_t count) { return (index + 0.5f) / static_cast<float>(count); };
  click(
      {static_cast<float>(votes.x) +
           share(match.reference_basis, snapshot().bases[0]) * static_cast<float>(votes.width),
       static_cast<float>(votes.y) + share(match.query_basis, snapshot().bases[1]) * static_cast<float>(votes.height)});
  ASSERT_TRUE(state().pair);
  EXPECT_NEAR(state().pair->reference, match.reference_basis, 4.0) << "columns are narrower than pixels";
  EXPECT_NEAR(state().pair->query, match.query_basis, 1.0);
  test::press(scene(), "Esc");
  frames(1);
  EXPECT_FALSE(state().pair);
}

TEST_F(MatchMouse, AClickOnASlotShowsItsBases)
{
  ImVec2 const middle = middle_of(scene().layout().map.canvas);
  for (int i = 0; i < 20 && !state().chosen; ++i) { click({middle.x + static_cast<float>(i), middle.y}); }
  ASSERT_TRUE(state().chosen);
  EXPECT_FALSE(state().chosen->bases.empty());
  EXPECT_EQ(state().table.selection.pinned, state().chosen->slot);
}

TEST_F(MatchMouse, PointingAtASlotReadsItsCell)
{
  ImVec2 const middle = middle_of(scene().layout().map.canvas);
  for (int i = 0; i < 20 && !state().hovered; ++i) { move_to({middle.x + static_cast<float>(i), middle.y}); }
  ASSERT_TRUE(state().hovered);
  EXPECT_FALSE(state().hovered->bases.empty());
  EXPECT_FALSE(state().chosen);
  move_to(middle_of(canvas_of(Side::reference)));
  frames(1);
  EXPECT_FALSE(state().hovered);
}

TEST_F(MatchMouse, AFileDroppedOnTheQueryReplacesIt)
{
  test::TemporaryFolder const folder;
  auto const file = test::write_pgm(folder / "map.pgm", pictures::make_builtin("map-1"));
  move_to(middle_of(canvas_of(Side::query)));
  app_->open(file);
  EXPECT_EQ(state().settings.sources[0], "map-1");
  EXPECT_EQ(state().settings.sources[1], file.string());
  move_to(middle_of(canvas_of(Side::reference)));
  app_->open(file);
  EXPECT_EQ(state().settings.sources[0], file.string());
  app_->open("/nowhere.png");
  EXPECT_EQ(app_->toasts().errors(), 1u);
  EXPECT_EQ(state().settings.sources[0], file.string());
}

}  // namespace
}  // namespace slotscape
