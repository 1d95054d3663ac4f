#include "app/export/slide.hpp"
#include "app/base/files.hpp"
#include "app/gl/image.hpp"
#include "app/table_map/slide_legend.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

using test::scene_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::Not;

/// Big-endian, at this place of a PNG's header.
int png_number(std::string const& content, std::size_t at)
{
  int number = 0;
  for (std::size_t i = 0; i < 4; ++i) { number = number * 256 + static_cast<unsigned char>(content[at + i]); }
  return number;
}

/// What a key's text looks like in SVG.
std::string as_text(Key key)
{
  return fmt::format(">{}</text>", key);
}

class SlideTest : public testing::Test {
protected:
  void open(TableSettings const& table)
  {
    app_ = test::offscreen_app({1280, 720}, test::slots_scenario(table));
    test::paint();
    for (Key key = 1; key <= 9; ++key) { scene().simulation().submit(OnKey{Operation::insert, key * 111, key}); }
    scene().finish_steps({});
    app_->frame(0.1);
  }
  SlotsScene& scene() { return scene_of<SlotsScene>(*app_); }
  std::string saved(std::string const& name, SlideSettings const& settings = {})
  {
    app_->pictures().save_slide(folder_ / name, settings);
    return read_text_file(folder_ / name);
  }

  TemporaryFolder folder_;
  std::unique_ptr<App> app_;
};

TEST_F(SlideTest, APngHasTheSizeThatWasChosen)
{
  open({.slots = 16});
  for (gl::Size const size : {gl::Size{1920, 1080}, gl::Size{3840, 2160}, gl::Size{300, 500}}) {
    std::string const content = saved("slide.png", {.width = size.width, .height = size.height});
    EXPECT_EQ(png_number(content, 16), size.width);
    EXPECT_EQ(png_number(content, 20), size.height);
  }
}

/// Where the arrows begin, in the colour of ink: each once.
std::set<std::pair<std::string, std::string>> arrow_starts(std::string const& svg)
{
  std::set<std::pair<std::string, std::string>> starts;
  std::regex const arrow("<polyline points=\"([0-9.]+),([0-9.]+) ");
  for (std::sregex_iterator match(svg.begin(), svg.end(), arrow); match != std::sregex_iterator(); ++match) {
    starts.emplace((*match)[1], (*match)[2]);
  }
  return starts;
}

TEST_F(SlideTest, EachArrowHasAStartOfItsOwn)
{
  app_ = test::offscreen_app({1280, 720}, test::slots_scenario({.slots = 16, .hash = HashKind::identity}));
  test::paint();
  for (Key const key : {0, 16, 32, 48, 1, 2}) { scene().simulation().submit(OnKey{Operation::insert, key, 5}); }
  scene().finish_steps({});
  app_->frame(0.1);
  auto const starts = arrow_starts(saved("slide.svg"));
  EXPECT_EQ(starts.size(), 5u) << "to all keys but the one at home";
}

TEST_F(SlideTest, TheWindowStaysAsItIs)
{
  open({.slots = 1u << 12});
  app_->frame(0.0);
  gl::Image const before = app_->screen().picture();
  Framing const framing = scene().view().framing();
  saved("slide.png", {.width = 400, .height = 900});
  app_->frame(0.0);
  EXPECT_EQ(scene().view().framing(), framing);
  gl::Image const after = app_->screen().picture();
  std::size_t different = 0;
  for (std::size_t i = 0; i < before.pixels.size(); ++i) { different += before.pixels[i] != after.pixels[i] ? 1 : 0; }
  EXPECT_LT(different, before.pixels.size() / 50) << "only measured times may differ";
}

TEST_F(SlideTest, AnSvgHoldsKeysAsTextAndArrowsAsLinesBelowThem)
{
  open({.slots = 16});
  scene().state().ask(EnterSteps{StepRequest{{Operation::insert, 77, 5}, 2}});
  app_->frame(0.1);
  ASSERT_TRUE(scene().state().steps.player);
  std::string const svg = saved("slide.svg");
  EXPECT_THAT(svg, HasSubstr("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1920\" height=\"1080\""));
  for (Key key = 1; key <= 9; ++key) { EXPECT_THAT(svg, HasSubstr(as_text(key * 111))); }
  EXPECT_THAT(svg, HasSubstr(scene().state().steps.player->present()->text.substr(0, 12)));
  std::size_t const last_line = svg.rfind("<polyline");
  ASSERT_NE(last_line, std::string::npos);
  for (Key key = 1; key <= 9; ++key) { EXPECT_GT(svg.find(as_text(key * 111)), last_line) << "an arrow covers a key"; }
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST_F(SlideTest, LabelsSayWhatNumbersAreAndCanBeHidden)
{
  open({.slots = 16});
  std::string const labelled = saved("slide.svg");
  EXPECT_THAT(labelled, HasSubstr(">home "));
  EXPECT_THAT(labelled, HasSubstr(">value 9<"));
  EXPECT_THAT(labelled, HasSubstr(">probe length "));
  EXPECT_THAT(labelled, HasSubstr(">key<"));
  ViewSettings& view = scene().state().settings.view;
  view.write_homes = view.write_values = view.write_measures = false;
  std::string const bare = saved("bare.svg");
  EXPECT_THAT(bare, HasSubstr(as_text(999)));
  EXPECT_THAT(bare, Not(HasSubstr(">home ")));
  EXPECT_THAT(bare, Not(HasSubstr(">value ")));
  EXPECT_THAT(bare, Not(HasSubstr(">probe length ")));
}

/// Of a tombstone, nothing is said as if its key were alive, whatever the table keeps of it.
TEST_F(SlideTest, ATombstoneIsCalledOneInEveryDeletion)
{
  for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse}) {
    for (bool const alone : {false, true}) {
      app_.reset();
      open({.slots = 16, .deletion = deletion});
      for (Key key = 1; key <= 8; ++key) { scene().simulation().submit(OnKey{Operation::erase, key * 111, 0}); }
      scene().finish_steps({});
      ViewSettings& view = scene().state().settings.view;
      view.color_by = ColorBy::state;
      if (alone) { view.write_homes = view.write_values = view.write_measures = false; }
      app_->frame(0.1);
      std::string const svg = saved("dead.svg");
      auto const count = [&](std::string const& text) {
        std::size_t found = 0;
        for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) { ++found; }
        return found;
      };
      EXPECT_EQ(count(">tombstone<"), 8u + 1u) << "and in the legend";
      EXPECT_EQ(count(">home "), alone ? 0u : 1u);
      EXPECT_EQ(count(">erased<"), 0u);
    }
  }
}

TEST_F(SlideTest, HasALegendAndTheLoad)
{
  open({.slots = 16});
  ViewSettings& view = scene().state().settings.view;
  view.color_by = ColorBy::state;
  std::string const by_state = saved("slide.svg");
  EXPECT_THAT(by_state, AllOf(HasSubstr(">live<"), HasSubstr(">empty<"), HasSubstr("α 0.")));
  view.color_by = ColorBy::probe_length;
  view.scale_max = 8.0;
  view.log_scale = true;
  EXPECT_THAT(saved("slide.svg"), AllOf(HasSubstr(">Probe length (log)<"), HasSubstr(">1<"), HasSubstr(">8<"),
                                        HasSubstr(">empty<"), Not(HasSubstr(">live<"))));
  view.log_scale = false;
  EXPECT_THAT(saved("slide.svg"), AllOf(HasSubstr(">Probe length<"), HasSubstr(">2<"), HasSubstr(">6<")));
}

TEST(ScaleMarks, AreRoundNumbersFromZeroToTheEnd)
{
  std::vector<std::tuple<double, bool, std::vector<double>>> const scales{
      {0.5, false, {0.0, 0.1, 0.2, 0.3, 0.4, 0.5}},
      {0.5, true, {0.0, 0.1, 0.2, 0.3, 0.4, 0.5}},
      {0.02, false, {0.0, 0.005, 0.01, 0.015, 0.02}},
      {1.0, false, {0.0, 1.0}},
      {1.1, false, {0.0, 0.2, 0.4, 0.6, 0.8, 1.1}},
      {2.5, true, {0.0, 0.5, 1.0, 1.5, 2.0, 2.5}},
      {3.0, true, {0.0, 1.0, 2.0, 3.0}},
      {8.0, false, {0.0, 2.0, 4.0, 6.0, 8.0}},
      {8.0, true, {0.0, 1.0, 4.0, 8.0}},
      {10.0, false, {0.0, 2.0, 4.0, 6.0, 8.0, 10.0}},
      {50.5, false, {0.0, 10.0, 20.0, 30.0, 40.0, 50.5}},
      {1024.0, false, {0.0, 256.0, 512.0, 768.0, 1024.0}},
      {1024.0, true, {0.0, 1.0, 8.0, 64.0, 1024.0}}};
  for (auto const& [end, log_scale, marks] : scales) {
    EXPECT_THAT(scale_marks(end, log_scale), testing::Pointwise(testing::DoubleNear(1e-12), marks)) << end;
  }
}

TEST_F(SlideTest, TheBackgroundIsLightOrDark)
{
  open({.slots = 16});
  EXPECT_THAT(saved("light.svg", {.background = Background::light}), HasSubstr("fill=\"#ffffff\""));
  EXPECT_THAT(saved("dark.svg", {.background = Background::dark}), HasSubstr("fill=\"#080a0e\""));
}

TEST_F(SlideTest, ALargeTableIsNoVectorPictureAndTheMessageSaysWhatToDo)
{
  open({.slots = 1u << 16});
  try {
    saved("slide.svg");
    FAIL() << "nothing was thrown";
  } catch (Error const& error) {
    EXPECT_THAT(error.what(), HasSubstr("PNG"));
  }
  EXPECT_EQ(png_number(saved("slide.png"), 16), 1920);
}

TEST_F(SlideTest, ComparedTablesAndModelsAreDrawnToo)
{
  CompareSetup compared;
  compared.tables = {{.slots = 16}, {.family = "robin_hood", .slots = 16}};
  compared.shared.steps = {FillTo{0.5}};
  app_ = test::offscreen_app({1280, 720}, test::compare_scenario(compared));
  test::paint();
  app_->current_scene().finish_steps({});
  std::string const svg = saved("compared.svg");
  EXPECT_THAT(svg, HasSubstr("Linear probing"));
  EXPECT_THAT(svg, HasSubstr("Robin Hood"));
  app_.reset();  // one OpenGL context at a time
  app_ = test::offscreen_app({1280, 720}, Scenario{&test::entry("spatial"), test::entry("spatial").first()});
  test::paint();
  EXPECT_EQ(png_number(saved("models.png", {.width = 640, .height = 480}), 16), 640);
  EXPECT_THROW(saved("models.svg"), Error);
}

}  // namespace
}  // namespace slotscape
