#include "app/tuning/plots.hpp"
#include "app/gui/gui.hpp"
#include "app/tuning/candidates.hpp"
#include "gpu/engine/engine.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <regex>

namespace slotscape::tuning {
namespace {

/// A text of a drawing, and where it is.
struct Text {
  std::string text;
  double left;
  double baseline;
  double width;

  double right() const { return left + width; }
};

std::vector<Text> texts_of(std::string const& svg)
{
  std::vector<Text> texts;
  std::regex const each(R"r(<text x="([^"]*)" y="([^"]*)"[^>]*textLength="([^"]*)"[^>]*>([^<]*)<)r");
  for (std::sregex_iterator match(svg.begin(), svg.end(), each); match != std::sregex_iterator(); ++match) {
    texts.push_back({(*match)[4], std::stod((*match)[1]), std::stod((*match)[2]), std::stod((*match)[3])});
  }
  return texts;
}

Measured measured(std::string const& family, double load, double rate, double batch_seconds)
{
  constexpr std::uint64_t keys = 4'000'000;
  Measured result;
  result.candidate = candidate_of({.family = family}, load, keys);
  result.stage = Stage::checked;
  result.keys = keys;
  result.throughput = rate;
  result.uncertainty = 0.01;
  result.bytes_per_key = 8.0 / result.candidate.load;
  result.batch_seconds = batch_seconds;
  result.worst_batch_seconds = 1.9 * batch_seconds;
  return result;
}

class TuningPlots : public ::testing::Test {
protected:
  TuningPlots() : context_(gl::open_offscreen({320, 240})), gui_(*context_) { gui_.begin_frame(0.02); }
  ~TuningPlots() override { gui_.end_frame(); }

  std::string drawn(Plot plot, Results const& results, ImVec2 size)
  {
    SvgDrawing drawing(size.x, size.y, IM_COL32_WHITE, gui_.look().font);
    PlotOptions options;
    options.size = size;
    marks_ = draw_plot(gui_.look(), drawing, plot, results, choose(results), options);
    return drawing.finished();
  }

  std::unique_ptr<gl::Context> context_;
  Gui gui_;
  std::vector<PlotMark> marks_;
};

TEST_F(TuningPlots, TheLastTickOfATimeIsNotCut)
{
  Results all;
  all.measured = {measured("linear_probing", 0.5, 100e6, 0.1)};
  for (float const width : {300.0f, 420.0f, 880.0f}) {
    bool is_there = false;
    std::vector<Text> const texts = texts_of(drawn(Plot::latency, all, {width, 300.0f}));
    for (Text const& text : texts) {
      is_there = is_there || text.text == "200.0 ms";
      EXPECT_LE(text.right(), width) << text.text;
      auto const beside = [&](Text const& other) {
        return &other != &text && other.baseline == text.baseline && other.left >= text.left;
      };
      for (Text const& other : texts) {
        if (beside(other)) { EXPECT_LE(text.right(), other.left) << text.text << " and " << other.text; }
      }
    }
    EXPECT_TRUE(is_there) << width;
  }
}

TEST_F(TuningPlots, LabelsCoverNeitherMarksNorOneAnother)
{
  Results all;
  all.measured = {measured("linear_probing", 0.5, 100e6, 0.1), measured("cuckoo", 0.88, 190e6, 0.1)};
  for (double const load : {0.80, 0.82, 0.84, 0.86}) {  // right above the winner
    all.measured.push_back(measured("robin_hood", load, 193e6 + 30e6 * (0.88 - load), 0.1));
    all.measured.back().stage = Stage::refined;
  }
  all.present = 0;
  std::string const svg = drawn(Plot::tradeoff, all, {700.0f, 420.0f});
  std::vector<Text> labels;
  for (Text const& text : texts_of(svg)) {
    if (text.text == "present" || text.text.find("chosen") != std::string::npos) { labels.push_back(text); }
  }
  ASSERT_EQ(labels.size(), 2u);
  for (Text const& label : labels) {
    for (PlotMark const& mark : marks_) {
      bool const beside = mark.at.x + 3.0 < label.left || mark.at.x - 3.0 > label.right();
      bool const apart = mark.at.y - 3.0 > label.baseline || mark.at.y + 3.0 < label.baseline - 8.0;
      EXPECT_TRUE(beside || apart) << label.text << " over mark " << mark.measured;
    }
  }
}

}  // namespace
}  // namespace slotscape::tuning
