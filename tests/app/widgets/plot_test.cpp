#include "app/widgets/plot.hpp"
#include "app/gui/gui.hpp"

#include <gmock/gmock.h>

#include <regex>

namespace slotscape {
namespace {

using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

TEST(Axis, TicksArePowersOfTenBetweenPowersOfTen)
{
  EXPECT_THAT(ticks_of({0.1, 100.0, true}, 10.0), ElementsAre(0.1, 1.0, 10.0, 100.0));
  EXPECT_THAT(ticks_of({1.0, 1e6, true}, 3.0), ElementsAre(1.0, 100.0, 1e4, 1e6)) << "every second one";
  EXPECT_THAT(ticks_of({1.0, 16.0, true}, 10.0), ElementsAre(1.0, 2.0, 4.0, 8.0, 16.0)) << "else it is cut evenly";
  EXPECT_THAT(ticks_of({0.0, 2.0}, 10.0), ElementsAre(0.0, 0.5, 1.0, 1.5, 2.0));
  EXPECT_THAT(ticks_of({0.0, 2.0}, 3.0), ElementsAre(0.0, 1.0, 2.0));
  EXPECT_THAT(ticks_of({0.0, 2.0}, 0.5), ElementsAre(0.0, 2.0)) << "its ends in any case";
}

TEST(Axis, EndsAtRoundNumbers)
{
  EXPECT_DOUBLE_EQ(axis_from_zero(19.0).high, 20.0);
  EXPECT_DOUBLE_EQ(axis_from_zero(30.0).high, 40.0) << "quarters are round, too";
  EXPECT_DOUBLE_EQ(axis_from_zero(0.0).high, 1.0);
  Axis const decades = decades_around(0.3, 20.0);
  EXPECT_DOUBLE_EQ(decades.low, 0.1);
  EXPECT_DOUBLE_EQ(decades.high, 100.0);
  EXPECT_TRUE(decades.log);
  EXPECT_DOUBLE_EQ(decades_around(10.0, 10.0).high, 100.0) << "one decade at least";
}

class PlotTest : public ::testing::Test {
protected:
  PlotTest() : context_(gl::open_offscreen({320, 240})), gui_(*context_) { gui_.begin_frame(0.02); }
  ~PlotTest() override { gui_.end_frame(); }

  /// The texts of what `draw` draws.
  template <class Draw>
  std::vector<std::string> texts(Draw const& draw)
  {
    SvgDrawing drawing(400.0f, 300.0f, IM_COL32_WHITE, gui_.look().font);
    draw(Paper{gui_.look(), drawing});
    std::string const svg = drawing.finished();
    std::regex const each(">([^<]+)</text>");
    std::vector<std::string> found;
    for (std::sregex_iterator match(svg.begin(), svg.end(), each); match != std::sregex_iterator(); ++match) {
      found.push_back((*match)[1]);
    }
    return found;
  }

  std::unique_ptr<gl::Context> context_;
  Gui gui_;
};

TEST_F(PlotTest, HasNumbersOrNamesUpwards)
{
  ImVec2 const high(380.0f, 280.0f);
  EXPECT_THAT(texts([&](Paper const& paper) {
                Axes(paper, {}, high, {{0.0, 1.0}, "load factor"}, {{0.0, 4e6}, "keys a second"}).draw("Rates");
              }),
              IsSupersetOf({"Rates", "load factor", "keys a second", "0", "0.5", "2 M", "4 M"}));
  std::vector<std::string> const with_names = texts([&](Paper const& paper) {
    Axes const axes(paper, {}, high, {{0.0, 1.0}, "seconds"}, PlotRows{{"swiss", "cuckoo"}, 80.0f, 30.0f});
    axes.draw("Times");
    EXPECT_FLOAT_EQ(axes.low().x, 80.0f);
    EXPECT_FLOAT_EQ(axes.high().y - axes.low().y, 60.0f) << "rows are no higher than they may be";
    EXPECT_FLOAT_EQ(axes.place({0.0, 0.5}).y, axes.low().y + 15.0f) << "the first row is on top";
    EXPECT_FLOAT_EQ(axes.place({1.0, 0.5}).x, axes.high().x);
  });
  EXPECT_THAT(with_names, IsSupersetOf({"Times", "seconds", "swiss", "cuckoo", "0.5"}));
}

TEST_F(PlotTest, ALegendSaysHowManyNamesAreMissing)
{
  std::vector<LegendLine> lines;
  for (char const* const name : {"a", "b", "c", "d", "e"}) { lines.push_back({name, LegendLine::Mark::line}); }
  auto const drawn = [&](float rows) {
    return texts([&](Paper const& paper) {
      float const height = rows * paper.look(Paper::row_height);
      draw_legend(paper, {10.0f, 0.0f}, {200.0f, height + 1.0f}, lines, {{"faint: coarse"}});
    });
  };
  EXPECT_THAT(drawn(6.0f), ElementsAre("a", "b", "c", "d", "e", "faint: coarse"));
  EXPECT_THAT(drawn(4.0f), ElementsAre("a", "b", "and 3 more", "faint: coarse"));
}

TEST(LabelPlaces, KeepTextsApart)
{
  LabelPlaces places({0.0f, 0.0f}, {200.0f, 100.0f});
  ImVec2 const size{60.0f, 10.0f};
  ImVec2 const first = places.place({100.0f, 50.0f}, 6.0f, size);
  EXPECT_FLOAT_EQ(first.x, 106.0f);
  EXPECT_FLOAT_EQ(first.y, 34.0f);
  ImVec2 const second = places.place({100.0f, 50.0f}, 6.0f, size);
  EXPECT_FLOAT_EQ(second.x, 34.0f) << "the other side";
  places.occupy({0.0f, 0.0f}, {200.0f, 50.0f});
  EXPECT_FLOAT_EQ(places.place({100.0f, 50.0f}, 6.0f, size).y, 56.0f);
  ImVec2 const at_the_edge = LabelPlaces({0.0f, 0.0f}, {200.0f, 100.0f}).place({195.0f, 5.0f}, 6.0f, size);
  EXPECT_LE(at_the_edge.x + size.x, 200.0f);
  EXPECT_GE(at_the_edge.y, 0.0f);
}

}  // namespace
}  // namespace slotscape
