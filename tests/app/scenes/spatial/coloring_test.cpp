#include "app/scenes/spatial/coloring.hpp"
#include "app/clouds/colors.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "tests/app/clouds/las_files.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>

namespace slotscape {
namespace {

using spatial::AttributeView;
using spatial::Instance;
using spatial::InstanceKind;
using spatial::Model;
using spatial::Paint;
using spatial::PaintBy;
using test::small_settings;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Points of a plane in one colour, which voxels have, too.
constexpr std::uint32_t color = 0xc86432;

std::string plane(std::string_view head, std::string_view end_of_rows)
{
  std::string content(head);
  for (int i = 0; i < 400; ++i) { content += fmt::format("{} {} 0 {}\n", i % 20, i / 20, end_of_rows); }
  return content;
}

class ColoringTest : public test::SpatialSceneTest {
protected:
  void open_file(std::string_view name, std::string_view content, Model model = Model::a)
  {
    state().chosen = model;
    app_->open(folder_.write(name, content));
    frames(1);
    wait_for_models();
  }
  void color_by(std::string_view attribute)
  {
    state().settings.view.paint_by = PaintBy::attribute;
    state().settings.view.attribute = attribute;
    frames(1);
  }
  /// The values of what is drawn, or `AttributeView::missing`.
  std::vector<std::uint32_t> drawn(InstanceKind kind, Model model = Model::a)
  {
    spatial::SpatialEngine& engine = scene().engine();
    std::vector<Instance> instances(engine.instances(model, kind));
    engine.write_instances(model, {kind, PaintBy::attribute, spatial::Boolean::both}, instances.data());
    std::vector<std::uint32_t> values;
    for (Instance const& instance : instances) {
      bool const missing = (instance.paint & Paint::no_value) != 0;
      values.push_back(missing ? AttributeView::missing : instance.paint & Paint::largest_value);
    }
    return values;
  }

  TemporaryFolder const folder_;
};

TEST_F(ColoringTest, ColorsOfEveryFormatReachPointsAndVoxels)
{
  std::vector<clouds::test::LasPoint> points;
  points.reserve(400);
  for (int i = 0; i < 400; ++i) {
    int const row = i / 20;
    int const column = i % 20;
    points.push_back({{column + 0.0, row + 0.0, 0.0}, 1, 2, 1, {0xc8 * 257, 0x64 * 257, 0x32 * 257}});
  }
  struct File {
    std::string name;
    std::string content;
  };
  for (File const& file :
       {File{"a.ply",
             plane("ply\nformat ascii 1.0\nelement vertex 400\nproperty float x\nproperty float y\nproperty float "
                   "z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n",
                   "200 100 50")},
        File{"a.pcd",
             plane("VERSION .7\nFIELDS x y z rgb\nSIZE 4 4 4 4\nTYPE F F F U\nCOUNT 1 1 1 1\nWIDTH 400\nHEIGHT 1\n"
                   "POINTS 400\nDATA ascii\n",
                   "13132850")},
        File{"a.xyz", plane("", "200 100 50")}, File{"a.las", clouds::test::las_file(2, points)},
        File{"a.laz", clouds::test::laz_file(7, points)}}) {
    SCOPED_TRACE(file.name);
    open_file(file.name, file.content);
    color_by("colour");
    EXPECT_EQ(drawn(InstanceKind::points).size(), 400u);
    EXPECT_THAT(drawn(InstanceKind::points), Each(color));
    EXPECT_THAT(drawn(InstanceKind::voxels), Each(color));
    EXPECT_THAT(drawn(InstanceKind::points, Model::b), Each(AttributeView::missing)) << "a built-in shape has none";
  }
}

TEST_F(ColoringTest, AModelAloneBeginsInTheColorsOfItsFile)
{
  SpatialSceneSettings first;
  first.hashing.grid.side = 32;
  for (ModelSettings& model : first.models.of) { model.points = 4000; }
  open(first);
  open_file("grey.xyz", plane("x y z intensity\n", "5"));
  EXPECT_EQ(state().settings.view.paint_by, PaintBy::model) << "an intensity is no colour";
  open(first);
  open_file("coloured.xyz", plane("x y z r g b\n", "200 100 50"));
  EXPECT_EQ(state().settings.view.paint_by, PaintBy::attribute);
  EXPECT_EQ(attribute_asked_for(state()), "colour");
  open(first);
  color_by("");
  state().settings.view.paint_by = PaintBy::model;
  open_file("chosen.xyz", plane("x y z r g b\n", "200 100 50"));
  EXPECT_EQ(state().settings.view.paint_by, PaintBy::model) << "what was chosen stays";
}

TEST_F(ColoringTest, WhatTheModelsHaveIsOffered)
{
  EXPECT_THAT(state().attributes, IsEmpty());
  open_file("a.xyz", plane("x y z intensity r g b\n", "5 200 100 50"));
  EXPECT_THAT(state().attributes, ElementsAre("colour", "intensity"));
  open_file("b.xyz", plane("x y z height intensity\n", "7 8"), Model::b);
  EXPECT_THAT(state().attributes, ElementsAre("colour", "intensity", "height"));
}

TEST_F(ColoringTest, TheKeyGoesThroughAllColorings)
{
  open_file("a.xyz", plane("x y z intensity r g b\n", "5 200 100 50"));
  std::vector<std::string> seen;
  for (int i = 0; i < 8; ++i) {
    press("C");
    ModelsViewSettings const& view = state().settings.view;
    seen.push_back(view.paint_by == PaintBy::attribute ? view.attribute : std::string(to_text(view.paint_by)));
  }
  EXPECT_THAT(seen, ElementsAre("model", "points", "probe_length", "slot", "colour", "intensity", "status", "model"));
}

TEST_F(ColoringTest, WithoutAChoiceTheFirstAttributeIsShown)
{
  open_file("a.xyz", plane("x y z intensity r g b\n", "5 200 100 50"));
  color_by("");
  EXPECT_EQ(state().coloring.value().name, "colour");
  EXPECT_EQ(why_no_attribute(state()), "");
}

TEST_F(ColoringTest, WhatNoModelHasIsSaidAndGrey)
{
  color_by("intensity");
  EXPECT_THAT(why_no_attribute(state()), HasSubstr("open a file"));
  EXPECT_THAT(drawn(InstanceKind::voxels), Each(AttributeView::missing));
  open_file("a.xyz", plane("", "200 100 50"));
  EXPECT_THAT(why_no_attribute(state()), AllOf(HasSubstr("'intensity'"), HasSubstr("choose colour")));
  EXPECT_THAT(drawn(InstanceKind::voxels), Each(AttributeView::missing));
}

TEST_F(ColoringTest, AnotherFileBringsItsOwnValues)
{
  open_file("a.xyz", plane("", "200 100 50"));
  color_by("colour");
  open_file("b.xyz", plane("", "255 128 64"));
  EXPECT_THAT(drawn(InstanceKind::points), Each(0xff8040u));
}

/// As the manual says: by the name that the file gives; in other capitals, too; and as older versions saved it.
TEST_F(ColoringTest, ANameMeansItsColumnHoweverItIsSpelled)
{
  std::string rows = "x,y,z,Punktdichte,Scan Angle,Dist,dist\n";
  for (int i = 0; i < 100; ++i) {
    rows += fmt::format("{},{},0,{},{},{},{}\n", i % 10, i / 10, i, 100 + i, 200 + i, 300 + i);
  }
  open_file("a.csv", rows);
  auto const low_of = [&](std::string_view name) {
    color_by(name);
    EXPECT_THAT(why_no_attribute(state()), IsEmpty()) << name;
    return state().coloring ? state().coloring->range.low : -1.0;
  };
  for (std::string_view const name : {"Punktdichte", "punktdichte", "PUNKTDICHTE"}) { EXPECT_EQ(low_of(name), 2.0); }
  EXPECT_EQ(low_of("scan_angle"), 102.0);
  EXPECT_EQ(low_of("Dist"), 202.0);
  EXPECT_EQ(low_of("dist"), 302.0);
  open_file("b.csv", "X,Y,Z,punktdichte\n0,0,0,1\n1,0,0,2\n0,1,0,3\n", Model::b);
  EXPECT_EQ(std::ranges::count(state().attributes, "punktdichte"), 0) << "one legend for both";
  color_by("Punktdichte");
  EXPECT_TRUE(has_attribute(state(), Model::b));
}

TEST_F(ColoringTest, NumbersKeepTheirScaleWhateverIsLogarithmicElsewhere)
{
  std::string rows = "x y z height\n";
  for (int i = 0; i <= 100; ++i) { rows += fmt::format("{} {} 0 {}\n", i % 10, i / 10, i - 50); }
  open_file("a.xyz", rows);
  color_by("height");
  EXPECT_FALSE(state().settings.view.is_log_scale(clouds::Coloring::scale_end));
  EXPECT_EQ(state().coloring.value().range, (clouds::ValueRange{-48.0, 48.0}));
  EXPECT_NEAR(drawn(InstanceKind::points)[50], clouds::Coloring::scale_end / 2.0, 1.0);
}

TEST_F(ColoringTest, AScenarioBringsTheAttributeBack)
{
  std::string const file = folder_.write("a.xyz", plane("x y z intensity r g b\n", "5 200 100 50")).string();
  SpatialSceneSettings settings = small_settings();
  settings.models[Model::a].source = file;
  settings.view.paint_by = PaintBy::attribute;
  settings.view.attribute = "intensity";
  auto const read = test::parse_setup<SpatialSetup>(format_scenario(test::spatial_scenario({settings})));
  open(read.settings);
  EXPECT_EQ(state().coloring.value().name, "intensity");
  EXPECT_THAT(drawn(InstanceKind::points), Contains(clouds::Coloring::scale_end / 2 + 1)) << "all are the same";
}

/// What the legend of a slide says. Ends the program.
class SlideOfAttribute : public ColoringTest {
protected:
  std::string legend(int height = 720)
  {
    SpatialState const copy = state();
    app_.reset();  // there can be one at a time
    std::string drawn;
    test::text_of_panel([&](Look const& look) {
      SvgDrawing drawing(1280.0f, static_cast<float>(height), 0, look.font);
      draw_models_slide_legend(look, drawing, copy, 1.0, {0, 0, 1280, height});
      drawn = drawing.finished();
    });
    return drawn;
  }
};

TEST_F(SlideOfAttribute, NamesEachClass)
{
  std::string rows = "x y z classification\n";
  for (int i = 0; i < 400; ++i) { rows += fmt::format("{} {} 0 {}\n", i % 20, i / 20, std::array{2, 5, 6, 9}[i % 4]); }
  open_file("a.xyz", rows);
  color_by("classification");
  std::string const drawn = legend();
  for (std::string_view const name : {"classification", "ground", "high vegetation", "building", "water"}) {
    EXPECT_THAT(drawn, HasSubstr(fmt::format(">{}<", name)));
  }
  EXPECT_THAT(drawn, HasSubstr("B has none"));
}

TEST_F(SlideOfAttribute, NamesWhatIsSeenAsAGhost)
{
  state().settings.view.paint_by = PaintBy::status;
  state().settings.hidden = parts_of_status(spatial::VoxelStatus::intersection);
  state().settings.view.ghosts = true;
  frames(2);
  EXPECT_THAT(legend(), HasSubstr(">intersection (hidden)<"));
}

TEST_F(SlideOfAttribute, LeavesOutWhatIsNotSeenAtAll)
{
  state().settings.view.paint_by = PaintBy::status;
  state().settings.hidden = parts_of_status(spatial::VoxelStatus::intersection);
  state().settings.view.ghosts = false;
  frames(2);
  EXPECT_THAT(legend(), Not(HasSubstr("intersection")));
}

TEST_F(SlideOfAttribute, HasTheScaleOfNumbers)
{
  std::string rows = "x y z intensity\n";
  for (int i = 0; i < 400; ++i) { rows += fmt::format("{} {} 0 {}\n", i % 20, i / 20, i < 200 ? 250 : 1750); }
  open_file("a.xyz", rows);
  color_by("intensity");
  EXPECT_THAT(legend(), AllOf(HasSubstr(">intensity<"), HasSubstr(">250<"), HasSubstr(">1750<")));
}

TEST_F(SlideOfAttribute, SaysHowManyClassesItLeavesOut)
{
  std::string rows = "x y z class\n";
  for (int i = 0; i < 400; ++i) { rows += fmt::format("{} {} 0 {}\n", i % 20, i / 20, i % 100); }
  open_file("a.xyz", rows);
  color_by("class");
  std::string const drawn = legend(300);
  EXPECT_THAT(drawn, AllOf(HasSubstr("more<"), HasSubstr(">class<")));
}

}  // namespace
}  // namespace slotscape
