#include "app/clouds/colors.hpp"

#include "tests/app/clouds/cloud_files.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

namespace slotscape::clouds {
namespace {

using namespace test;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = Coloring::Kind;

constexpr std::uint32_t missing = spatial::AttributeView::missing;

std::string ply_with(std::string_view properties, std::string_view rows)
{
  return fmt::format(
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n{}"
      "end_header\n{}",
      properties, rows);
}

std::vector<std::string> names(PointCloud const& cloud)
{
  return names_to_color_by(std::array{&cloud});
}

std::vector<std::uint32_t> values(PointCloud const& cloud, std::string_view name)
{
  auto const coloring = coloring_of(std::array{&cloud}, name);
  return coloring ? values_to_show(cloud, *coloring) : std::vector<std::uint32_t>{};
}

TEST(CloudColors, EveryFilesOwnWayToNameColorsIsKnown)
{
  for (std::string_view const prefix :
       {"red green blue", "r g b", "diffuse_red diffuse_green diffuse_blue", "Red Green Blue"}) {
    std::string properties;
    std::string_view rest = prefix;
    while (!rest.empty()) {
      std::string_view const word = rest.substr(0, rest.find(' '));
      properties += fmt::format("property uchar {}\n", word);
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    }
    PointCloud const cloud = load_content("a.ply", ply_with(properties, "0 0 0 255 128 1\n1 0 0 0 2 3\n"));
    EXPECT_THAT(names(cloud), ElementsAre("colour")) << prefix;
    EXPECT_THAT(values(cloud, "colour"), ElementsAre(0xff8001u, 0x000203u)) << prefix;
  }
  std::string const pcd =
      "VERSION .7\nFIELDS x y z rgb\nSIZE 4 4 4 4\nTYPE F F F U\nCOUNT 1 1 1 1\nWIDTH 2\nHEIGHT 1\nPOINTS 2\n"
      "DATA ascii\n0 0 0 16744449\n1 0 0 515\n";
  for (std::string const& content : {pcd, std::string("0 0 0 255 128 1\n1 0 0 60 32 33\n"),
                                     std::string("x y z R G B\n0 0 0 255 128 1\n1 0 0 0 2 3\n")}) {
    PointCloud const cloud = load_content("a", content);
    EXPECT_THAT(names(cloud), ElementsAre("colour"));
    EXPECT_EQ(values(cloud, "colour").front(), 0xff8001u) << content;
  }
}

TEST(CloudColors, ColorsOfAnyTypeBecomeBytes)
{
  auto const red_of = [](std::string_view type, std::string_view numbers) {
    std::string const properties = fmt::format("property {0} red\nproperty {0} green\nproperty {0} blue\n", type);
    return values(load_content("a.ply", ply_with(properties, fmt::format("0 0 0 {} 0 0\n1 0 0 0 0 0\n", numbers))),
                  "colour")
               .front() >>
           16;
  };
  EXPECT_EQ(red_of("uchar", "1"), 1u);
  EXPECT_EQ(red_of("float", "0.5"), 128u);
  EXPECT_EQ(red_of("float", "200"), 200u);
  EXPECT_EQ(red_of("ushort", "25700"), 100u);
  EXPECT_EQ(red_of("ushort", "200"), 200u) << "bytes in a larger type";
  EXPECT_EQ(red_of("float", "-3"), 0u);
}

TEST(CloudColors, BytesAreFoundInSixteenBitsOfAnyFormat)
{
  for (int const factor : {256, 257}) {
    std::string rows;
    for (int byte = 0; byte < 256; ++byte) { rows += fmt::format("{0} 0 0 {1} 0 {1}\n", byte, byte * factor); }
    std::string const properties = "property ushort red\nproperty ushort green\nproperty ushort blue\n";
    std::string ply = ply_with(properties, rows);
    ply.replace(ply.find("vertex 2"), 8, "vertex 256");
    std::string const pcd =
        "VERSION .7\nFIELDS x y z r g b\nSIZE 4 4 4 2 2 2\nTYPE F F F U U U\nCOUNT 1 1 1 1 1 1\nWIDTH 256\nHEIGHT 1\n"
        "POINTS 256\nDATA ascii\n" +
        rows;
    for (std::string const& content : {ply, pcd, "x y z red green blue\n" + rows}) {
      std::vector<std::uint32_t> const found = values(load_content("a", content), "colour");
      ASSERT_EQ(found.size(), 256u);
      for (std::uint32_t byte = 0; byte < 256; ++byte) { ASSERT_EQ(found[byte], byte << 16 | byte) << factor; }
    }
  }
}

TEST(CloudColors, OpacityIsNoAttributeOfItsOwn)
{
  std::string const parts = "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n";
  EXPECT_THAT(names(load_content("a.ply", ply_with(parts, "0 0 0 1 2 3 255\n1 0 0 1 2 3 255\n"))),
              ElementsAre("colour"));
  EXPECT_THAT(names(load_content("a.ply",
                                 ply_with("property uchar red\nproperty float alpha\n", "0 0 0 1 2\n1 0 0 1 2\n"))),
              ElementsAre("red", "alpha"))
      << "without the others, they are numbers";
}

TEST(CloudColors, NumbersGoFromTheSecondToTheLastPercentileButTwo)
{
  std::string rows = "x y z intensity\n0 0 0 -1e6\n0 0 0 nan\n";
  for (int i = 0; i <= 1000; ++i) { rows += fmt::format("{} 0 0 {}\n", i, i); }
  rows += "0 0 0 1e9\n";
  PointCloud const cloud = load_content("a.xyz", rows);
  Coloring const coloring = coloring_of(std::array{&cloud}, "intensity").value();
  EXPECT_EQ(coloring.kind, Kind::numbers);
  EXPECT_NEAR(coloring.range.low, 20.0, 1.5);
  EXPECT_NEAR(coloring.range.high, 980.0, 1.5);
  std::vector<std::uint32_t> const shown = values_to_show(cloud, coloring);
  EXPECT_EQ(shown.front(), 0u);
  EXPECT_EQ(shown[1], missing);
  EXPECT_EQ(shown.back(), Coloring::scale_end);
  EXPECT_NEAR(shown[502], Coloring::scale_end / 2.0, 200.0);
}

TEST(CloudColors, AFewOtherValuesAreSeenWhereNearlyAllAreTheSame)
{
  std::string rows = "x y z return_number\n0 0 0 3\n";
  for (int i = 0; i < 500; ++i) { rows += fmt::format("{} 0 0 1\n", i); }
  PointCloud const cloud = load_content("a.xyz", rows);
  EXPECT_EQ(coloring_of(std::array{&cloud}, "return_number")->range, (ValueRange{1.0, 3.0}));
}

TEST(CloudColors, ClassesHaveTheColorsAndNamesOfAsprs)
{
  PointCloud const cloud = load_content("a.xyz", "x y z Classification\n0 0 0 2\n1 0 0 6\n0 1 0 2\n0 0 1 70\n");
  Coloring const coloring = coloring_of(std::array{&cloud}, "classification").value();
  EXPECT_EQ(coloring.kind, Kind::classes);
  EXPECT_THAT(coloring.classes, ElementsAre(2, 6, 70));
  EXPECT_THAT(values_to_show(cloud, coloring),
              ElementsAre(color_of_class(2), color_of_class(6), color_of_class(2), color_of_class(70)));
  EXPECT_EQ(blend_of(coloring.kind), spatial::Blend::first) << "the mean of two classes would be a third";
  EXPECT_EQ(name_of_class(2), "ground");
  EXPECT_EQ(name_of_class(9), "water");
  EXPECT_EQ(name_of_class(70), "class 70");
  std::set<std::uint32_t> colors;
  for (std::uint8_t number = 0; number <= 22; ++number) { colors.insert(color_of_class(number)); }
  EXPECT_EQ(colors.size(), 23u);
}

TEST(CloudColors, NumbersThatAreNoClassesAreShownAsNumbers)
{
  for (std::string_view const value : {"2.5", "256", "-1"}) {
    PointCloud const cloud = load_content("a.xyz", fmt::format("x y z classification\n0 0 0 2\n1 0 0 {}\n", value));
    EXPECT_EQ(coloring_of(std::array{&cloud}, "classification")->kind, Kind::numbers) << value;
  }
}

TEST(CloudColors, TwoCloudsShareOneScale)
{
  PointCloud const a = load_content("a.xyz", "x y z time\n0 0 0 0\n1 0 0 10\n");
  PointCloud const b = load_content("b.xyz", "x y z height time\n0 0 0 7 10\n1 0 0 8 20\n");
  PointCloud const none = load_content("c.xyz", "0 0 0\n1 0 0\n");
  EXPECT_THAT(names_to_color_by(std::array{&a, &b, &none}), ElementsAre("time", "height"));
  Coloring const coloring = coloring_of(std::array{&a, &b}, "time").value();
  EXPECT_EQ(coloring.range, (ValueRange{0.0, 20.0}));
  EXPECT_EQ(values_to_show(a, coloring).back(), values_to_show(b, coloring).front());
  EXPECT_TRUE(can_color(a, coloring));
  EXPECT_FALSE(can_color(none, coloring));
  EXPECT_THAT(values_to_show(none, coloring), IsEmpty());
  EXPECT_FALSE(coloring_of(std::array{&a, &b}, "pace"));
  EXPECT_FALSE(coloring_of(std::array{&a, &b}, "colour"));
}

}  // namespace
}  // namespace slotscape::clouds
