#include "app/gl/image.hpp"
#include "app/gui/gui.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/toasts.hpp"

#include <glad/gl.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace slotscape {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

std::vector<std::uint32_t> random_counts(std::size_t bins)
{
  std::mt19937 random(7);
  std::vector<std::uint32_t> counts(bins);
  for (std::uint32_t& count : counts) { count = random() % 1000 == 0 ? random() % 100000 : 0; }
  return counts;
}

TEST(ColumnHeights, AreTheLargestCountsOfTheirColumns)
{
  std::vector<std::uint32_t> const counts = random_counts(100'000);
  Axis const axis{-0.5, 99'999.5};
  std::vector<std::uint32_t> const heights = column_heights({counts}, axis, 250, false);
  ASSERT_EQ(heights.size(), 250U);
  for (std::size_t column = 0; column < heights.size(); ++column) {
    auto const first = counts.begin() + static_cast<std::ptrdiff_t>(column * 400);
    EXPECT_EQ(heights[column], *std::max_element(first, first + 400)) << column;
  }
}

TEST(ColumnHeights, OfAZoomedPartHaveNothingFromOutside)
{
  std::vector<std::uint32_t> counts(1000, 5);
  counts[3] = 100;
  counts[900] = 200;
  EXPECT_THAT(column_heights({counts}, {99.5, 199.5}, 100, false), Each(5U));
  EXPECT_THAT(column_heights({counts}, {100.0, 200.0, true}, 50, false), Each(5U));
}

TEST(ColumnHeights, LeaveAGapBetweenWideBars)
{
  std::vector<std::uint32_t> const counts{1, 2};
  EXPECT_THAT(column_heights({counts}, {-0.5, 1.5}, 8, true), ElementsAre(1, 1, 1, 0, 2, 2, 2, 0));
  EXPECT_THAT(column_heights({counts}, {-0.5, 1.5}, 8, false), ElementsAre(1, 1, 1, 1, 2, 2, 2, 2));
  EXPECT_THAT(column_heights({counts, 1}, {-0.5, 1.5}, 4, false), ElementsAre(0, 0, 2, 2));
}

TEST(ColumnHeights, ShowWhatLiesPastTheEndOfTheHistogram)
{
  Distribution seen{4, 0.0, 81'261, std::vector<std::uint32_t>(1000, 0), 1};
  seen.histogram[5] = 3;
  Axis const axis{1.0, 100'000.0, true};
  std::vector<std::uint32_t> const heights = column_heights(bars_of(seen, 1), axis, 250, true);
  auto const column = static_cast<std::size_t>(250.0 * axis.share(81'261.5));
  EXPECT_EQ(heights[column], 1u) << "one cluster of 81,261 slots";
  EXPECT_EQ(std::ranges::count_if(heights, [](auto height) { return height != 0; }), 1 + 3);
  EXPECT_EQ((ChartCursor{81'000.0, {80'000.0, 82'000.0, true}}.sum(bars_of(seen))), 1u);
  EXPECT_EQ((ChartCursor{70'000.0, {69'000.0, 71'000.0, true}}.sum(bars_of(seen))), 0u);
  seen.beyond = 7;  // their sizes are not known: one wide bar
  EXPECT_EQ(highest_bar(bars_of(seen, 1)), 7u);
  EXPECT_EQ(column_heights(bars_of(seen, 1), axis, 250, true)[200], 7u);
  EXPECT_EQ((ChartCursor{70'000.0, {69'000.0, 71'000.0, true}}.sum(bars_of(seen))), 7u);
  Chart chart{.id = "clusters", .title = "", .x = {"length", axis}, .y = {"clusters", {}}};
  chart.series.push_back({"measured", 0, bars_of(seen, 1)});
  EXPECT_THAT(to_csv(chart), testing::HasSubstr("measured,1000,7\n"));
}

TEST(ColumnHeights, AreWidenedWhereABarWouldHardlyBeSeen)
{
  std::vector<std::uint32_t> heights{0, 0, 0, 7, 0, 0, 0};
  widen_thin_bars(heights, 3);
  EXPECT_THAT(heights, ElementsAre(0, 0, 0, 7, 7, 7, 0));
  heights = {0, 0, 0, 0, 2};
  widen_thin_bars(heights, 3);
  EXPECT_THAT(heights, ElementsAre(0, 0, 2, 2, 2));
  heights = {1, 0, 2, 0, 0, 3, 3, 3, 3};
  widen_thin_bars(heights, 3);
  EXPECT_THAT(heights, ElementsAre(1, 0, 2, 2, 0, 3, 3, 3, 3)) << "a column stays free before the next bar";
}

TEST(ChartCursor, KnowsItsBins)
{
  EXPECT_THAT((ChartCursor{3.0, {2.9, 3.1}}.bins()), testing::Pair(3, 3));
  EXPECT_THAT((ChartCursor{10.0, {8.6, 11.4}}.bins()), testing::Pair(9, 11));
  EXPECT_THAT((ChartCursor{10.0, {8.0, 12.0, true}}.bins()), testing::Pair(8, 11));
}

Chart example(std::vector<std::uint32_t> const& counts)
{
  Chart chart{.id = "example",
              .title = "Length, slots",
              .x = {"length, slots", {-0.5, 3.5}, 0.5},
              .y = {"keys", {0.7, 10.0, true}, 0.0}};
  chart.series.push_back({"keys", IM_COL32(0, 0, 255, 255), Bars{counts}});
  chart.series.push_back({"line", IM_COL32(255, 0, 0, 255), Line{{{0.0, 1.0}, {1.0, 2.5}}}});
  return chart;
}

TEST(Charts, AreWrittenAsCsv)
{
  std::vector<std::uint32_t> const counts{4, 0, 2};
  EXPECT_EQ(to_csv(example(counts)), "series,\"length, slots\",keys\nkeys,0,4\nkeys,2,2\nline,0,1\nline,1,2.5\n");
}

TEST(Charts, SharesOfCountsAreWrittenAsSuch)
{
  std::vector<std::uint32_t> const counts{4, 0, 1};
  Chart chart = example(counts);
  std::get<Bars>(chart.series.front().shape).each = 20.0;
  chart.series.pop_back();
  EXPECT_EQ(to_csv(chart), "series,\"length, slots\",keys\nkeys,0,80\nkeys,2,20\n");
}

TEST(CountAxis, IsLinearWhereEachOneIsToBeSeen)
{
  EXPECT_FALSE(count_axis("keys", 9.0).range.log);
  EXPECT_EQ(count_axis("keys", 9.0).range.high, 10.0);
  ChartAxis const many = count_axis("keys", 60'000.0);
  EXPECT_TRUE(many.range.log);
  EXPECT_EQ(many.range.high, 1e5);
  EXPECT_FALSE(share_axis("%", 100.0 / 9.0, 100.0).range.log);
  EXPECT_LE(share_axis("%", 100.0 / 9.0, 100.0).range.high, 110.0);
  EXPECT_TRUE(share_axis("%", 1e-3, 60.0).range.log);
  EXPECT_LT(share_axis("%", 1e-3, 60.0).range.low, 1e-3);
}

TEST(Toasts, ANoticeOfTheSceneFollowsTheOneBefore)
{
  Toasts toasts;
  toasts.notice("Saved.");
  toasts.scene_notice("22 was inserted.");
  toasts.scene_notice("24 was inserted.");
  EXPECT_EQ(toasts.latest(), "24 was inserted.");
  toasts.dismiss_scene_notice();
  EXPECT_EQ(toasts.latest(), "Saved.") << "the others stay";
}

/// One chart in a panel, drawn offscreen and used with the mouse.
class ChartInPanel : public ::testing::Test {
protected:
  static constexpr ImVec2 plot_middle{150.0f, 120.0f};
  static constexpr Rectangle canvas{300, 0, 340, 480};

  void frame()
  {
    gui_.begin_frame(0.02);
    charts_.begin_frame(canvas);
    ImGui::SetNextWindowPos({0.0f, 0.0f});
    ImGui::SetNextWindowSize({300.0f, 480.0f});
    ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
    charts_.draw(gui_.look(), example(counts_), {270.0f, 200.0f});
    if (more_below_) { ImGui::Dummy({10.0f, 800.0f}); }
    scrolled_ = ImGui::GetScrollY();
    ImGui::End();
    gui_.end_frame();
  }

  /// Frames until the interface rests, with the cursor here.
  void rest(ImVec2 cursor)
  {
    ImGui::GetIO().AddMousePosEvent(cursor.x, cursor.y);
    for (int i = 0; i < 40; ++i) { frame(); }  // longer than a double click
  }

  void click(ImVec2 at, int times = 1, ImGuiMouseButton button = ImGuiMouseButton_Left)
  {
    rest(at);
    for (int i = 0; i < times; ++i) {
      ImGui::GetIO().AddMouseButtonEvent(button, true);
      ImGui::GetIO().AddMouseButtonEvent(button, false);
    }
    for (int i = 0; i < 8; ++i) { frame(); }
  }

  /// What is drawn while the cursor is elsewhere.
  std::vector<std::uint8_t> picture()
  {
    rest({5.0f, 470.0f});
    glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
    glClear(GL_COLOR_BUFFER_BIT);
    gui_.draw();
    return gl::read_pixels(context_->framebuffer(), 0, 0, 640, 480).pixels;
  }

  /// Opens the chart's menu and clicks its n-th entry.
  void choose(int entry)
  {
    click(plot_middle, 1, ImGuiMouseButton_Right);
    float const line = ImGui::GetTextLineHeight() + ImGui::GetStyle().ItemSpacing.y;
    click({plot_middle.x + 40.0f,
           plot_middle.y + ImGui::GetStyle().WindowPadding.y + line * (static_cast<float>(entry) + 0.5f)});
  }

  std::unique_ptr<gl::Context> context_ = gl::open_offscreen({640, 480});
  Gui gui_{*context_};
  Charts charts_;
  std::vector<std::uint32_t> counts_{4, 9, 2, 1};
  bool more_below_ = false;
  float scrolled_ = 0.0f;
};

TEST_F(ChartInPanel, LeavesTheWheelToAPanelThatScrolls)
{
  more_below_ = true;
  auto const whole = picture();
  rest(plot_middle);
  ImGui::GetIO().AddMouseWheelEvent(0.0f, -1.0f);
  rest(plot_middle);
  EXPECT_GT(scrolled_, 0.0f);
  ImGui::GetIO().AddMouseWheelEvent(0.0f, 9.0f);
  EXPECT_EQ(picture(), whole) << "back at the top, and not zoomed";
  rest(plot_middle);
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_LeftCtrl, true);
  frame();
  ImGui::GetIO().AddMouseWheelEvent(0.0f, 3.0f);
  rest(plot_middle);
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_LeftCtrl, false);
  EXPECT_NE(picture(), whole);
  EXPECT_EQ(scrolled_, 0.0f);
}

TEST_F(ChartInPanel, ZoomsWithTheWheelAndFitsWithADoubleClick)
{
  auto const whole = picture();
  rest(plot_middle);
  ImGui::GetIO().AddMouseWheelEvent(0.0f, 3.0f);
  auto const zoomed = picture();
  EXPECT_NE(zoomed, whole);
  counts_[3] = 3;  // further data do not undo it
  EXPECT_NE(picture(), whole);
  counts_[3] = 1;
  EXPECT_EQ(picture(), zoomed);
  click(plot_middle, 2);
  EXPECT_EQ(picture(), whole);
}

TEST_F(ChartInPanel, HidesASeriesByItsNameInTheLegend)
{
  auto const both = picture();
  ImVec2 const last_name{300.0f - ImGui::GetStyle().WindowPadding.x - 6.0f, 20.0f};
  click(last_name);
  auto const one = picture();
  EXPECT_NE(one, both);
  click(last_name);
  EXPECT_EQ(picture(), both);
}

TEST_F(ChartInPanel, FillsTheCanvasAndComesBack)
{
  auto const small = picture();
  EXPECT_FALSE(charts_.enlarged());
  choose(0);
  EXPECT_TRUE(charts_.enlarged());
  auto const large = picture();
  EXPECT_NE(large, small);
  charts_.shrink();
  EXPECT_EQ(picture(), small);
  click({ImGui::GetStyle().WindowPadding.x + 4.0f, 20.0f});  // the arrows before the title
  EXPECT_EQ(picture(), large);
}

TEST_F(ChartInPanel, IsCopiedAndSaved)
{
  choose(4);
  EXPECT_STREQ(ImGui::GetClipboardText(), to_csv(example(counts_)).c_str());
  EXPECT_FALSE(charts_.take_request());
  choose(5);
  auto const data = charts_.take_request();
  ASSERT_TRUE(data);
  EXPECT_EQ(data->as, ChartToSave::As::csv);
  EXPECT_EQ(data->csv, to_csv(example(counts_)));
  choose(6);
  auto const shown = charts_.take_request();
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->as, ChartToSave::As::png);
  EXPECT_TRUE(charts_.enlarged()) << "to be pictured";
}

TEST_F(ChartInPanel, ClosesItsMenuWithEsc)
{
  auto const before = picture();
  click(plot_middle, 1, ImGuiMouseButton_Right);
  EXPECT_NE(picture(), before);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Escape, true);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Escape, false);
  EXPECT_EQ(picture(), before);
}

TEST_F(ChartInPanel, SwitchesToALinearAxis)
{
  auto const logarithmic = picture();
  choose(3);
  auto const linear = picture();
  EXPECT_NE(linear, logarithmic);
  choose(3);
  EXPECT_EQ(picture(), logarithmic);
}

}  // namespace
}  // namespace slotscape
