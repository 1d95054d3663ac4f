#include "app/clouds/load_cloud.hpp"

#include "app/base/text.hpp"
#include "tests/app/clouds/cloud_files.hpp"
#include "tests/support/paths.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <numbers>
#include <set>

namespace slotscape::clouds {
namespace {

using namespace test;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A sphere of quads and triangles whose sizes differ a lot.
std::string lopsided_sphere()
{
  constexpr int rings = 40;
  constexpr int sectors = 60;
  std::string obj;
  for (int ring = 0; ring <= rings; ++ring) {
    double const polar = std::numbers::pi * std::pow(static_cast<double>(ring) / rings, 2.0);
    for (int sector = 0; sector < sectors; ++sector) {
      double const angle = 2.0 * std::numbers::pi * sector / sectors;
      obj += fmt::format("v {} {} {}\n", std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle),
                         std::cos(polar));
    }
  }
  for (int ring = 0; ring < rings; ++ring) {
    for (int sector = 0; sector < sectors; ++sector) {
      int const next = (sector + 1) % sectors;
      int const above = ring * sectors;
      int const below = above + sectors;
      obj += fmt::format("f {} {} {} {}\n", 1 + above + sector, 1 + below + sector, 1 + below + next, 1 + above + next);
    }
  }
  return obj;
}

TEST(LoadCloud, MeshesAreSampledByAreaWhateverTheirTriangles)
{
  constexpr int bands = 20;
  constexpr int points = 40'000;
  PointCloud const cloud = load_content("sphere.obj", lopsided_sphere(), {.points = points});
  std::array<int, bands> counts{};
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    Vector const& p = cloud.positions[i];
    ++counts[static_cast<std::size_t>(std::clamp((p.z + 1.0f) / 2.0f * bands, 0.0f, bands - 0.01f))];
    ASSERT_GT(dot(p, cloud.normals[i]), 0.9f);
  }
  double chi_square = 0.0;
  constexpr double expected = double{points} / bands;
  for (int const count : counts) { chi_square += std::pow(count - expected, 2) / expected; }
  EXPECT_LT(chi_square, 20.0);
}

TEST(LoadCloud, TheSeedDecidesAboutTheSampling)
{
  std::string const mesh = files_of_meshes({}).front().content;
  auto const sampled = [&](std::uint64_t seed) {
    return load_content("a.ply", mesh, {.points = 100, .seed = seed}).positions;
  };
  EXPECT_EQ(sampled(1), sampled(1));
  EXPECT_NE(sampled(1), sampled(2));
}

TEST(LoadCloud, LargeCloudsAreThinnedEvenly)
{
  std::string rows;
  for (int i = 0; i <= 1000; ++i) { rows += fmt::format("{} 0 0\n", i); }
  PointCloud const cloud = load_content("a.xyz", rows, {.limit = 100});
  ASSERT_EQ(cloud.positions.size(), 100u);
  EXPECT_THAT(cloud.notes, ElementsAre(HasSubstr("Thinned evenly from 1,001 points to 100")));
  std::vector<Position> const kept = originals(cloud);
  for (std::size_t i = 0; i < kept.size(); ++i) { EXPECT_NEAR(kept[i].x, 10.01 * (static_cast<double>(i) + 0.5), 6.0); }
}

TEST(LoadCloud, OpenSurfacesStayAsTheyAreWound)
{
  for (auto const& [faces, z] : {std::pair("f 1 2 3 4\n", 1.0f), std::pair("f 4 3 2 1\n", -1.0f)}) {
    std::string const obj = std::string("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n") + faces;
    for (Vector const& n : load_content("a.obj", obj).normals) { ASSERT_EQ(n, (Vector{0.0f, 0.0f, z})); }
  }
}

TEST(LoadCloud, NormalsAreEstimatedWhereThereAreNone)
{
  PointCloud cloud = load_content("a.xyz", "0 0 0\n1 0 0\n0 1 0\n");
  add_missing_normals(cloud, [](std::span<Vector const> positions) {
    return std::vector<Vector>(positions.size(), Vector{0.0f, 0.0f, 1.0f});
  });
  EXPECT_THAT(cloud.normals, Each(Vector{0, 0, 1}));
  EXPECT_FALSE(cloud.normals_from_source);
  EXPECT_THAT(cloud.notes_on_sides, ElementsAre(HasSubstr("estimated")));
  add_missing_normals(cloud, [](std::span<Vector const>) -> std::vector<Vector> { throw Error("asked twice"); });
}

TEST(LoadCloud, OpensShapesAndFilesByName)
{
  Progress const progress = Progress::tracked();
  EXPECT_EQ(open_cloud("cube", {.points = 10}, progress).positions.size(), 10u);
  EXPECT_EQ(progress.share(), 1.0f);
  TemporaryFolder const folder;
  std::string const file = folder.write("cube", "0 0 0\n").string();
  Progress const other = Progress::tracked();
  EXPECT_EQ(open_cloud(file, {}, other).name, "cube");
  EXPECT_EQ(other.share(), 1.0f);
  EXPECT_THAT(message_of<Error>([&] { open_cloud("cubes", {}, other); }),
              AllOf(HasSubstr("'cubes'"), HasSubstr("did you mean 'cube'")));
  EXPECT_THAT(message_of<Error>([&] { open_cloud("none.ply", {}, other); }), HasSubstr("no such file"));
  EXPECT_THAT(message_of<Error>([&] { open_cloud("cube", {.points = 0}, other); }), HasSubstr("0 points"));
}

class Models : public ::testing::Test {
protected:
  void SetUp() override
  {
    if (!std::filesystem::is_directory(folder_)) { GTEST_SKIP() << "no folder " << folder_; }
  }
  std::filesystem::path const folder_ = slotscape::test::in_project().parent_path() / "shared" / "data";
};

TEST_F(Models, HaveTheirVerticesAndTriangles)
{
  struct Expected {
    std::string_view file;
    std::uint64_t vertices;
    std::uint64_t triangles;
    std::uint64_t vertices_of_faces;
  };
  for (auto const& [file, vertices, triangles, vertices_of_faces] :
       {Expected{"stanford-bunny.obj", 35'947, 69'451, 34'834},
        {"bunny.ply", 8'171, 16'301, 8'146},
        {"spot.obj", 2'930, 5'856, 2'930}}) {
    PointCloud const cloud = load(folder_ / file, {.points = 50'000});
    EXPECT_EQ(cloud.vertices, vertices) << file;
    EXPECT_EQ(cloud.triangles, triangles) << file;
    EXPECT_EQ(cloud.positions.size(), 50'000u) << file;
    if (vertices_of_faces == vertices) {
      EXPECT_THAT(cloud.notes, IsEmpty()) << file;
    } else {
      std::string const loose = grouped(vertices - vertices_of_faces);
      EXPECT_THAT(cloud.notes, Contains(AllOf(HasSubstr(loose), HasSubstr("belong to no face")))) << file;
      EXPECT_THAT(cloud.notes_on_sides, Contains(HasSubstr("has holes"))) << file << ": below";
    }
    double volume = 0.0;
    for (std::size_t i = 0; i < cloud.positions.size(); ++i) { volume += dot(cloud.positions[i], cloud.normals[i]); }
    EXPECT_GT(volume / 50'000, 0.1) << file;
  }
}

TEST_F(Models, SurveyPointsKeepTheirMillimetres)
{
  PointCloud const cloud = load(folder_ / "points.xyz");
  EXPECT_FALSE(cloud.has_normals());
  Position const first = cloud.frame.original(cloud.positions.front());
  EXPECT_LT(length(first - Position{665187.522077, 5648349.895035, 241.767693}), 0.001);
  std::vector<Position> positions;
  std::ifstream rows(folder_ / "points.xyz");
  for (std::string row; std::getline(rows, row);) {
    Position p;
    std::istringstream(row) >> p.x >> p.y >> p.z;
    positions.push_back(p);
  }
  EXPECT_GE(positions.size(), 100u);
  EXPECT_LT(furthest(originals(cloud), positions), 0.001);
}

TEST(LoadCloud, CropsPointsToABox)
{
  std::string const rows = "0 0 0\n1 0 0\n2 0 0\n3 0 0\n1 1 0\n";
  PointCloud const cloud = load_content("a.xyz", rows, {.crop = Box{{0.5, -1.0, -1.0}, {2.0, 1.0, 1.0}}});
  ASSERT_EQ(cloud.positions.size(), 3u);
  EXPECT_EQ(cloud.numbers, (std::vector<std::uint32_t>{1, 2, 4}));
  EXPECT_THAT(cloud.notes, Contains("Cropped to 3 of 5 points"));
  EXPECT_THAT(cloud.notes, Not(Contains(HasSubstr("Thinned"))));
}

TEST(LoadCloud, ConvertsCoordinatesToMetres)
{
  PointCloud const cloud = load_content("mm.xyz", "1234 0 0\n0 7 0\n0 0 -20\n", {.unit = FileUnit::millimetre});
  EXPECT_EQ(cloud.originals.front(), (Position{1.234, 0.0, 0.0}));
  EXPECT_EQ(cloud.system.unit, "m");
  EXPECT_TRUE(cloud.system.has_one_unit());
  PointCloud const as_is = load_content("mm.xyz", "1234 0 0\n0 7 0\n0 0 -20\n");
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    EXPECT_EQ(cloud.positions[i], as_is.positions[i]) << "in the unit sphere";
    Position const back = cloud.frame.original(cloud.positions[i]);
    EXPECT_LT(length(back - cloud.originals[i]), 1e-6);
  }
  EXPECT_DOUBLE_EQ(in_metres(FileUnit::survey_foot, 3937.0), 1200.0);
}

TEST(LoadCloud, SaysWhatCannotBeCropped)
{
  Box const far{{10.0, 10.0, 10.0}, {20.0, 20.0, 20.0}};
  auto const why = [&](std::string_view name, std::string_view content) {
    return message_of<Error>([&] { load_content(name, content, {.crop = far}); });
  };
  EXPECT_THAT(why("a.xyz", "0 0 0\n1 2 3\n"), HasSubstr("contains no points: they lie from 0 0 0 to 1 2 3"));
  EXPECT_THAT(why("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), HasSubstr("only point clouds can be cropped"));
  EXPECT_THROW(open_cloud("sphere", {.crop = far}, {}), Error);
}

}  // namespace
}  // namespace slotscape::clouds
