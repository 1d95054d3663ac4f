#include "app/clouds/write_ply.hpp"

#include "tests/app/clouds/cloud_files.hpp"

#include <gmock/gmock.h>

namespace slotscape::clouds {
namespace {

using namespace test;
using slotscape::test::content_of;
using ::testing::AllOf;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::StartsWith;

PlyPoints survey_points()
{
  PlyPoints points;
  points.positions = tetrahedron(survey_place);
  points.normals = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
  return points;
}

TEST(WritePly, WhatIsWrittenIsReadBack)
{
  TemporaryFolder const folder;
  PlyPoints points = survey_points();
  write_ply(folder / "plain.ply", points);
  points.colors.assign(4, {1, 2, 3});
  points.model = {0, 0, 1, 1};
  points.status = {0, 1, 2, 3};
  points.points = {1, 2, 3, 70'000};
  points.cells = {{0, 1, 2}, {3, 4, 5}, {-1, 0, 7}, {8, 9, 10}};
  points.rows = {5, -1, 7, 12};
  points.comments = {"made by a test\nend_header"};
  write_ply(folder / "all.ply", points);
  for (std::string_view const name : {"plain.ply", "all.ply"}) {
    PointCloud const cloud = load(folder / name);
    EXPECT_LT(furthest(originals(cloud), points.positions), 1e-6) << name;
    EXPECT_THAT(cloud.normals, ElementsAreArray(points.normals)) << name;
  }
  std::string const content = content_of(folder / "all.ply");
  EXPECT_THAT(content, AllOf(StartsWith("ply\nformat binary_little_endian 1.0\ncomment made by a test end_header\n"),
                             HasSubstr("property uchar status\nproperty uint points\nproperty int cell_x\nproperty int "
                                       "cell_y\nproperty int cell_z\nproperty int row\nend_header\n")));
  std::size_t const row = 3 * 8 + 3 * 4 + 3 + 1 + 1 + 4 + 3 * 4 + 4;
  EXPECT_EQ(content.size(), content.find("\nend_header\n") + 12 + 4 * row);
  EXPECT_EQ(content.substr(content.size() - 22), std::string("\1\3") + raw(std::uint32_t{70'000}) +
                                                     raw(std::int32_t{8}) + raw(std::int32_t{9}) +
                                                     raw(std::int32_t{10}) + raw(std::int32_t{12}));
}

TEST(WritePly, WhatCannotBeWrittenLeavesWhatWasThere)
{
  TemporaryFolder const folder;
  EXPECT_THAT(message_of<Error>([&] { write_ply(folder / "none" / "a.ply", survey_points()); }),
              AllOf(HasSubstr("a.ply"), HasSubstr("no folder")));
  EXPECT_THAT(message_of<Error>([&] { write_ply(folder.path(), survey_points()); }), HasSubstr("folder"));
  std::filesystem::path const file = folder.write("kept.ply", "kept");
  PlyPoints points = survey_points();
  points.status = {1};
  EXPECT_THAT(message_of<Error>([&] { write_ply(file, points); }), HasSubstr("1 values were given for 4 points"));
  EXPECT_EQ(content_of(file), "kept");
}

TEST(WritePly, NoPointsAreAFileToo)
{
  TemporaryFolder const folder;
  write_ply(folder / "empty.ply", {});
  EXPECT_THAT(content_of(folder / "empty.ply"), HasSubstr("element vertex 0\n"));
}

}  // namespace
}  // namespace slotscape::clouds
