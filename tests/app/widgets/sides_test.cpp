#include "app/widgets/sides.hpp"
#include "app/gui/gui.hpp"

#include <gtest/gtest.h>

namespace slotscape {
namespace {

constexpr float min_canvas = 420.0f;

SideLayout layout_in(int window_width, SideWidths const& widths = {})
{
  return lay_out_sides(Look{}, widths, {0, 20, window_width, 700}, true, true, min_canvas);
}

TEST(Sides, AreAsWideAsAskedFor)
{
  SideLayout const sides = layout_in(1600, {400.0f, 600.0f});
  EXPECT_FALSE(sides.tabs);
  EXPECT_EQ(sides.left.width, 400);
  EXPECT_EQ(sides.right.width, 600);
  EXPECT_EQ(sides.right.x, 1000);
}

TEST(Sides, GiveWayToTheCanvasDownToTheirFirstWidths)
{
  SideWidths const first;
  SideLayout const some = layout_in(1280, {306.0f, 900.0f});
  EXPECT_FALSE(some.tabs);
  EXPECT_EQ(some.left.width, 306);
  EXPECT_EQ(some.right.width, 1280 - 306 - 420);
  SideLayout const both = layout_in(1080, {500.0f, 900.0f});
  EXPECT_EQ(both.right.width, static_cast<int>(first.right));
  EXPECT_EQ(both.left.width, 1080 - static_cast<int>(first.right) - 420);
  SideLayout const tabs = layout_in(1000, {500.0f, 900.0f});
  EXPECT_TRUE(tabs.tabs);
  EXPECT_EQ(tabs.left.width, static_cast<int>(first.left));
  EXPECT_EQ(tabs.right.width, 0);
}

/// Both panels, drawn offscreen and used with the mouse.
class SidesOnScreen : public ::testing::Test {
protected:
  void frames(int count)
  {
    for (int i = 0; i < count; ++i) {
      gui_.begin_frame(0.02);
      auto const nothing = [] { ImGui::TextUnformatted("panel"); };
      draw_sides(gui_.look(), widths_, lay_out_sides(gui_.look(), widths_, {0, 0, 1600, 700}, true, true, min_canvas),
                 nothing, nothing);
      gui_.end_frame();
    }
  }
  void drag(float from, float to)
  {
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(from, 300.0f);
    frames(3);
    io.AddMouseButtonEvent(ImGuiMouseButton_Left, true);
    frames(2);
    io.AddMousePosEvent(to, 300.0f);
    frames(2);
    io.AddMouseButtonEvent(ImGuiMouseButton_Left, false);
    frames(30);
  }

  std::unique_ptr<gl::Context> context_ = gl::open_offscreen({1600, 700});
  Gui gui_{*context_};
  SideWidths widths_;
};

TEST_F(SidesOnScreen, AreDraggedByTheirInnerEdges)
{
  drag(304.0f, 450.0f);
  EXPECT_FLOAT_EQ(widths_.left, 450.0f);
  drag(1600.0f - 336.0f, 1000.0f);
  EXPECT_FLOAT_EQ(widths_.right, 600.0f);
  drag(448.0f, 10.0f);
  EXPECT_FLOAT_EQ(widths_.left, min_side_widths.left);
}

TEST_F(SidesOnScreen, GetTheirFirstWidthByADoubleClick)
{
  drag(304.0f, 450.0f);
  ImGui::GetIO().AddMousePosEvent(448.0f, 300.0f);
  for (bool const down : {true, false, true, false}) {
    ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, down);
  }
  frames(8);
  EXPECT_FLOAT_EQ(widths_.left, SideWidths{}.left);
}

}  // namespace
}  // namespace slotscape
