#include "app/scenes/sparse/site_source.hpp"
#include "app/base/npy.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>

namespace slotscape {
namespace {

using sparse::Extents;
using sparse::Site;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Sites load(SiteSource const& source)
{
  Progress const progress = Progress::tracked();
  return load_sites(source, progress);
}

class SiteArrayTest : public testing::Test {
protected:
  std::string write(std::vector<std::int32_t> const& numbers, std::uint64_t columns) const
  {
    return folder_.write("sites.npy", npy_of(numbers, {numbers.size() / columns, columns})).string();
  }
  TemporaryFolder folder_;
};

TEST(SiteSource, PointsFallIntoTheCellsOfTheGrid)
{
  Sites const sites = load({.name = "sphere", .points = 20000, .grid = 16});
  EXPECT_EQ(sites.extents, (Extents{1, 16, 16, 16}));
  EXPECT_EQ(sites.points, 20000u);
  EXPECT_EQ(sites.site_of_point.size(), 20000u);
  EXPECT_EQ(sites.samples.size(), 20000u);
  for (Site const& site : sites.sites) {
    ASSERT_TRUE(sites.extents.contain(site));
    double const x = (site.x + 0.5) / 8.0 - 1.0;
    double const y = (site.y + 0.5) / 8.0 - 1.0;
    double const z = (site.z + 0.5) / 8.0 - 1.0;
    ASSERT_NEAR(std::sqrt(x * x + y * y + z * z), 1.0, 0.13) << "on the unit sphere";
  }
}

/// A structured array of NumPy, with room between its fields.
TEST(SiteSource, FieldsOfWholeNumbersAreSites)
{
  TemporaryFolder const folder;
  auto const file_of = [&](std::string const& descr, std::size_t rows, std::string const& data) {
    std::string header = fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({},), }}", descr, rows);
    header.resize(246, ' ');
    header += '\n';
    return folder.write("fields.npy", std::string("\x93NUMPY\x01\x00\xf7\x00", 10) + header + data).string();
  };
  auto const put = [](std::string& data, auto... numbers) {
    (data.append(reinterpret_cast<char const*>(&numbers), sizeof(numbers)), ...);
  };
  std::string padded;
  std::string other_order;
  std::string of_floats;
  for (std::int32_t i = 0; i < 4000; ++i) {
    std::int32_t const x = i % 20 * 7;
    std::int32_t const y = i / 20 % 20;
    std::int32_t const z = i / 400 - 5;
    put(padded, static_cast<std::int16_t>(x), std::int16_t{-1}, y, z);
    put(other_order, std::uint8_t{3}, z, y, x, 0.5f * static_cast<float>(i));
    put(of_floats, static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
  }
  Sites const sites =
      load({.name = file_of("[('x', '<i2'), ('', '|V2'), ('y', '<i4'), ('z', '<i4')]", 4000, padded), .grid = 16});
  EXPECT_EQ(sites.sites.size(), 4000u);
  EXPECT_THAT(sites.findings, IsEmpty());
  EXPECT_EQ(sites.sites[21], (Site{0, 7, 1, -5}));
  Sites const in_batch =
      load({.name = file_of("[('batch', '|u1'), ('z', '<i4'), ('y', '<i4'), ('x', '<i4'), ('feature', '<f4')]", 4000,
                            other_order),
            .grid = 16});
  EXPECT_EQ(in_batch.sites.size(), 4000u);
  EXPECT_EQ(in_batch.sites[21], (Site{3, 7, 1, -5}));
  EXPECT_THAT(in_batch.findings, ElementsAre(HasSubstr("Skipped feature")));
  std::string const floats = file_of("[('x', '<f8'), ('y', '<f8'), ('z', '<f8')]", 4000, of_floats);
  EXPECT_EQ(load({.name = floats, .grid = 16}).sites.size(), 4000u);
  EXPECT_EQ(load({.name = floats, .voxel = 1000.0}).sites.size(), 2u)
      << "points, as voxels have a size: below and above 0";
}

TEST(SiteSource, StrayPointsCanBeLeftOut)
{
  TemporaryFolder const folder;
  std::string text = "1000000 0 0\n";
  for (int i = 0; i < 400; ++i) { text += std::to_string(i % 20) + " " + std::to_string(i / 20) + " 0\n"; }
  std::string const file = folder.write("stray.xyz", text).string();
  Sites const with = load({.name = file, .grid = 64});
  EXPECT_EQ(with.outliers, 1u);
  EXPECT_GT(with.voxel_size, 10'000.0);
  EXPECT_THAT(with.findings, ::testing::Contains(HasSubstr("1 of 401 points lie far outside")));
  Sites const without = load({.name = file, .grid = 64, .ignore_outliers = true});
  EXPECT_LT(without.voxel_size, 1.0);
  EXPECT_EQ(without.points, 400u);
  EXPECT_THAT(without.findings, ::testing::Contains(HasSubstr("Left out 1 of 401 points")));
}

TEST(SiteSource, StrayPointsAreTheReasonWhyVoxelsAreTooMany)
{
  TemporaryFolder const folder;
  std::string text = "1000000 0 0\n";
  for (int i = 0; i < 400; ++i) { text += std::to_string(i % 20) + " " + std::to_string(i / 20) + " 0\n"; }
  SiteSource source{.name = folder.write("a.xyz", text).string(), .voxel = 1e-4};
  EXPECT_THAT(message_of<Error>([&] { load(source); }),
              AllOf(HasSubstr("along x"), HasSubstr("It has a point far outside: use --ignore-outliers")));
  source.ignore_outliers = true;
  EXPECT_EQ(load(source).sites.size(), 400u);
}

TEST(SiteSource, VoxelsHaveTheSizeThatIsAskedFor)
{
  TemporaryFolder const folder;
  std::string text;
  std::vector<clouds::Position> points;
  for (int i = 0; i < 500; ++i) {
    points.push_back({412'345.6 + 0.211 * i, 5'678'901.2 + 0.017 * (i * i % 977), 187.3 + 0.003 * i});
    text += fmt::format("{:.3f} {:.3f} {:.3f}\n", points.back().x, points.back().y, points.back().z);
  }
  std::string const file = folder.write("tile.xyz", text).string();
  Sites const sites = load({.name = file, .voxel = 0.05});
  EXPECT_EQ(sites.voxel_size, 0.05);
  EXPECT_GT(sites.extents.x, 2000) << "as many as it takes";
  EXPECT_LT(sites.extents.z, 40);
  for (double const at : {sites.origin.x, sites.origin.y, sites.origin.z}) {
    EXPECT_NEAR(at / 0.05, std::round(at / 0.05), 1e-6) << "of the coordinates, so that files agree";
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    Site const site = sites.sites.at(sites.site_of_point[i]);
    auto const cell = [&](double point, double origin) {
      return std::floor((std::round(point * 1000.0) / 1000.0 - origin) / 0.05);
    };
    ASSERT_EQ(site.x, cell(points[i].x, sites.origin.x));
    ASSERT_EQ(site.y, cell(points[i].y, sites.origin.y));
    ASSERT_EQ(site.z, cell(points[i].z, sites.origin.z));
  }
  Sites const of_grid = load({.name = file, .grid = 64});
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(of_grid.sites.at(of_grid.site_of_point[i]).x,
              std::floor((std::round(points[i].x * 1000.0) / 1000.0 - of_grid.origin.x) / of_grid.voxel_size));
  }
  EXPECT_THAT(message_of<Error>([&] { load({.name = file, .voxel = 1e-9}); }), HasSubstr("choose larger ones"));
  EXPECT_THAT(message_of<Error>([] { load({.name = "spiral", .voxel = 1.0}); }), HasSubstr("cells already"));
}

TEST(SiteSource, WholeNumbersArePointsIfVoxelsHaveASize)
{
  TemporaryFolder const folder;
  std::vector<double> const numbers{0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
  std::string const points = folder.write("points.npy", npy_of(numbers, {4, 3}));
  EXPECT_EQ(load({.name = points}).sites.size(), 4u);
  EXPECT_EQ(load({.name = points, .voxel = 2.0}).sites.size(), 2u);
  std::vector<std::int32_t> const cells{0, 0, 0, 1, 0, 0};
  std::string const sites = folder.write("sites.npy", npy_of(cells, {2, 3}));
  EXPECT_THAT(message_of<Error>([&] { load({.name = sites, .voxel = 2.0}); }), HasSubstr("astype('float64')"));
}

/// The formula that docs/manual/sparse.md gives to users of the exported arrays.
TEST(SiteSource, CellsOfAGridAreThoseOfTheFormulaUpToTheLastPoint)
{
  TemporaryFolder const folder;
  for (auto const& [start, step] : {std::array{0.0, 0.25}, std::array{-3.0, 0.1}, std::array{5'678'901.2, 0.05}}) {
    std::string text;
    for (int i = 0; i < 1001; ++i) { text += fmt::format("{:.3f} {:.3f} 7\n", start + step * i, start); }
    Sites const sites = load({.name = folder.write("line.xyz", text).string(), .grid = 16});
    std::set<double> cells;
    for (int i = 0; i < 1001; ++i) {
      double const x = std::round((start + step * i) * 1000.0) / 1000.0;
      double const cell = std::floor((x - sites.origin.x) / sites.voxel_size);
      ASSERT_EQ(sites.sites.at(sites.site_of_point[static_cast<std::size_t>(i)]).x, cell) << "of point " << i;
      cells.insert(cell);
    }
    EXPECT_EQ(cells.size(), 16u);
    EXPECT_EQ(*cells.rbegin(), 15.0);
  }
}

TEST(SiteSource, TheSpiralIsFlat)
{
  Sites const sites = load({.name = "spiral", .grid = 24});
  EXPECT_EQ(sites.extents, (Extents{1, 24, 24, 1, {}, true}));
  EXPECT_TRUE(std::ranges::all_of(sites.sites, [&](Site const& site) { return sites.extents.contain(site); }));
  EXPECT_GT(sites.sites.size(), 100u);
}

TEST_F(SiteArrayTest, PointsWithDecimalsFallIntoTheGridAndWholeOnesAreSites)
{
  auto const array = [&](std::array<float, 6> const& numbers) {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";
    std::string content("\x93NUMPY\x01\x00", 8);
    content += {static_cast<char>(header.size()), '\0'};
    content += header;
    content.append(reinterpret_cast<char const*>(numbers.data()), sizeof(numbers));
    return folder_.write("points.npy", content).string();
  };
  Sites const points = load({.name = array({0.5f, 0.f, 0.f, 1.5f, 0.f, 0.f}), .grid = 16});
  EXPECT_EQ(points.extents, (Extents{1, 16, 16, 16}));
  EXPECT_THAT(points.sites, ElementsAre(Site{0, 0, 8, 8}, Site{0, 15, 8, 8}));
  EXPECT_EQ(points.points, 2u);
  Sites const whole = load({.name = array({1.f, 2.f, 3.f, 4.f, 5.f, 6.f})});
  EXPECT_THAT(whole.sites, ElementsAre(Site{0, 1, 2, 3}, Site{0, 4, 5, 6}));
}

TEST_F(SiteArrayTest, RowsAreBatchAndCoordinates)
{
  Sites const four = load({.name = write({1, 2, 3, 4, 0, 5, 6, 7}, 4)});
  EXPECT_EQ(four.extents, (Extents{2, 4, 4, 4, {0, 2, 3, 4}}));
  EXPECT_THAT(four.sites, ElementsAre(Site{1, 2, 3, 4}, Site{0, 5, 6, 7}));
  EXPECT_EQ(four.points, 0u);
  Sites const three = load({.name = write({2, 3, 4}, 3)});
  EXPECT_THAT(three.sites, ElementsAre(Site{0, 2, 3, 4}));
  Sites const two = load({.name = write({2, 3}, 2)});
  EXPECT_THAT(two.sites, ElementsAre(Site{0, 2, 3, 0}));
  EXPECT_EQ(two.extents, (Extents{1, 1, 1, 1, {0, 2, 3, 0}, true})) << "a drawing";
  EXPECT_THAT(two.findings, IsEmpty());
}

TEST_F(SiteArrayTest, CoordinatesBelowZeroStayAsTheyAre)
{
  Sites const sites = load({.name = write({-2, 3, 0, 1, -1, 5}, 3)});
  EXPECT_THAT(sites.sites, ElementsAre(Site{0, -2, 3, 0}, Site{0, 1, -1, 5}));
  EXPECT_EQ(sites.extents, (Extents{1, 4, 5, 6, {0, -2, -1, 0}}));
  EXPECT_THAT(sites.findings, IsEmpty());
  Sites const batches = load({.name = write({-1, -3, -3, -4, 1, -3, -2, -1}, 4)});
  EXPECT_EQ(batches.extents, (Extents{3, 1, 2, 4, {-1, -3, -3, -4}}));
}

TEST_F(SiteArrayTest, OneLayerInSpaceIsTold)
{
  Sites const sites = load({.name = write({1, 2, -3, 4, 5, -3}, 3)});
  EXPECT_FALSE(sites.extents.flat);
  EXPECT_THAT(sites.findings, ElementsAre(HasSubstr("All sites have z = -3.")));
}

TEST(SiteSource, PointsKnowTheirSites)
{
  TemporaryFolder const folder;
  std::string const points = "1000 2000 30\n1001 2000 30\nnan 2000 30\n1000 2001 30\n1000 2000 31\n1000.01 2000 30\n";
  Sites const sites = load({.name = folder.write("points.xyz", points).string(), .grid = 10});
  ASSERT_EQ(sites.site_of_point.size(), 6u);
  EXPECT_EQ(sites.site_of_point[2], no_site) << "it is not a number";
  EXPECT_THAT(sites.findings, ElementsAre(HasSubstr("points.xyz: Skipped 1 of 6 points")));
  EXPECT_THAT(sites.samples, IsEmpty()) << "points are those of the file";
  double const places[6][3] = {{1000, 2000, 30}, {1001, 2000, 30}, {},
                               {1000, 2001, 30}, {1000, 2000, 31}, {1000.01, 2000, 30}};
  for (std::size_t i = 0; i < 6; ++i) {
    if (i == 2) { continue; }
    Site const site = sites.sites.at(sites.site_of_point[i]);
    double const size = sites.voxel_size;
    EXPECT_NEAR(sites.origin.x + size * (site.x + 0.5), places[i][0], 0.5001 * size);
    EXPECT_NEAR(sites.origin.y + size * (site.y + 0.5), places[i][1], 0.5001 * size);
    EXPECT_NEAR(sites.origin.z + size * (site.z + 0.5), places[i][2], 0.5001 * size);
  }
  EXPECT_EQ(sites.sites.at(sites.site_of_point[0]), sites.sites.at(sites.site_of_point[5])) << "close to each other";
}

TEST_F(SiteArrayTest, WhatAreNoSitesIsRefused)
{
  EXPECT_THAT(message_of<Error>([&] {
                load({.name = write({1, 2, 3, 4, 5}, 5)});
              }),
              HasSubstr("sites.npy: its rows have 5 numbers"));
  EXPECT_THAT(message_of<Error>([&] { load({.name = write({}, 4)}); }), HasSubstr("no rows"));
  std::vector<std::int64_t> const far{0, 0, 0, 1, 1, 1ll << 40};
  std::string const file = folder_.write("far.npy", npy_of(far, {2, 3})).string();
  EXPECT_THAT(message_of<Error>([&] { load({.name = file}); }),
              AllOf(HasSubstr("far.npy"), HasSubstr("1099511627776"), HasSubstr("Subtract")));
  EXPECT_THAT(message_of<Error>([&] { load({.name = (folder_ / "none.npy").string()}); }), HasSubstr("none.npy"));
}

}  // namespace
}  // namespace slotscape
