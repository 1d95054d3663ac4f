#include "app/clouds/readers/readers.hpp"
#include "tests/app/clouds/cloud_files.hpp"
#include "tests/app/clouds/las_files.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <future>
#include <random>

namespace slotscape::clouds {
namespace {

using namespace test;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<LasPoint> few_points()
{
  return {{{0.0, 0.0, 0.0}, 100, 2, 1, {0x0101, 0x0202, 0x0303}},
          {{1.0, 0.0, 0.0}, 65535, 5, 2, {0xffff, 0x8080, 0}},
          {{0.0, 1.0, 0.0}, 0, 6, 3, {0, 0xffff, 0x1010}},
          {{0.0, 0.0, 1.0}, 700, 31, 5, {0x4040, 0, 0xffff}}};
}

/// A terrain that compresses into several chunks.
std::vector<LasPoint> many_points(std::size_t count)
{
  std::mt19937 random(5);
  std::vector<LasPoint> points;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t const column = i % 1000;
    std::size_t const row = i / 1000;
    auto const word = [&] { return static_cast<std::uint16_t>(random() & 0xffffu); };
    points.push_back(
        {{static_cast<double>(column), static_cast<double>(row), 0.001 * static_cast<double>(random() % 1000)},
         static_cast<std::uint16_t>(i & 0xffffu),
         static_cast<std::uint8_t>(i % 7),
         1,
         {word(), word(), word()}});
  }
  return points;
}

std::string with_bytes(std::string content, std::size_t at, std::string const& bytes)
{
  return content.replace(at, bytes.size(), bytes);
}

TEST(LasFiles, EveryPointFormatKeepsWhatItHolds)
{
  for (int const format : {0, 1, 2, 3, 6, 7, 8}) {
    for (auto const& [name, content] : {NamedContent{"a.las", las_file(format, few_points())},
                                        NamedContent{"a.laz", laz_file(format, few_points())}}) {
      SCOPED_TRACE(name + " in format " + std::to_string(format));
      PointCloud const cloud = load_content(name, content);
      EXPECT_LT(furthest(originals(cloud), tetrahedron()), 1e-6);
      EXPECT_EQ(cloud.vertices, 4u);
      EXPECT_THAT(values_of(cloud, "intensity"), ElementsAre(100.0, 65535.0, 0.0, 700.0));
      EXPECT_THAT(values_of(cloud, "classification"), ElementsAre(2.0, 5.0, 6.0, 31.0));
      EXPECT_THAT(values_of(cloud, "return_number"), ElementsAre(1.0, 2.0, 3.0, 5.0));
      if (format == 2 || format == 3 || format >= 7) {
        EXPECT_THAT(values_of(cloud, "red"), ElementsAre(1.0, 255.0, 0.0, 64.0));
        EXPECT_THAT(values_of(cloud, "green"), ElementsAre(2.0, 128.0, 255.0, 0.0));
        EXPECT_THAT(values_of(cloud, "blue"), ElementsAre(3.0, 0.0, 16.0, 255.0));
      } else {
        EXPECT_THAT(values_of(cloud, "red"), IsEmpty());
      }
    }
  }
}

TEST(LasFiles, ClassesFrom32OnAreReadWhereTheFormatHasThem)
{
  std::vector<LasPoint> points = few_points();
  points[0].classification = 200;
  points[0].return_number = 12;
  for (std::string const& content : {las_file(6, points), laz_file(6, points)}) {
    PointCloud const cloud = load_content("a", content);
    EXPECT_EQ(values_of(cloud, "classification").front(), 200.0);
    EXPECT_EQ(values_of(cloud, "return_number").front(), 12.0);
  }
}

TEST(LasFiles, ScaleAndOffsetKeepMillimetresFarFromTheOrigin)
{
  LasScale const scale{0.001, {600000.0, 5600000.0, 200.0}};
  std::vector<Position> const places = tetrahedron(survey_place, 0.002);
  for (std::string const& content : {las_file(0, las_points(places), scale), laz_file(6, las_points(places), scale)}) {
    EXPECT_LT(furthest(originals(load_content("a", content)), places), 1e-8);
  }
}

TEST(LasFiles, ColorsOfEightBitsAreNotTakenForDark)
{
  std::vector<LasPoint> points = few_points();
  points[0].color = {200, 100, 50};
  points[1].color = {255, 1, 0};
  points[2].color = points[3].color = {};
  PointCloud const cloud = load_content("a.las", las_file(2, points));
  EXPECT_THAT(values_of(cloud, "red"), ElementsAre(200.0, 255.0, 0.0, 0.0));
  EXPECT_THAT(values_of(cloud, "green"), ElementsAre(100.0, 1.0, 0.0, 0.0));
}

/// As the specification makes 16 bits of 8, and as others do.
TEST(LasFiles, BytesAreFoundInSixteenBitsHoweverTheyGotThere)
{
  for (std::uint32_t const factor : {256u, 257u, 1u}) {
    std::vector<LasPoint> points;
    std::vector<double> bytes;
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      auto const part = static_cast<std::uint16_t>(byte * factor);
      std::uint32_t const row = byte / 16;
      points.push_back({{byte % 16 + 0.0, row + 0.0, 0.0}, 0, 0, 1, {part, 0, part}});
      bytes.push_back(byte);
    }
    PointCloud const cloud = load_content("a.las", las_file(2, points));
    EXPECT_EQ(values_of(cloud, "red"), bytes) << factor;
    EXPECT_EQ(values_of(cloud, "blue"), bytes) << factor;
  }
  std::vector<LasPoint> white = few_points();
  for (LasPoint& point : white) { point.color = {65280, 65280, 65280}; }
  EXPECT_THAT(values_of(load_content("a.las", las_file(2, white)), "green"), ElementsAre(255.0, 255.0, 255.0, 255.0));
}

TEST(LasFiles, FieldsThatHoldNothingAreLeftOut)
{
  EXPECT_THAT(load_content("a.las", las_file(3, las_points(tetrahedron()))).attributes, IsEmpty());
}

TEST(LasFiles, LargeFilesAreThinnedEvenlyWhileTheyAreRead)
{
  for (std::string const& content : {las_file(7, many_points(120'000)), laz_file(7, many_points(120'000))}) {
    PointCloud const cloud = load_content("a", content, {.limit = 1200});
    ASSERT_EQ(cloud.positions.size(), 1200u);
    EXPECT_EQ(cloud.vertices, 120'000u);
    EXPECT_THAT(cloud.notes, ElementsAre(HasSubstr("Thinned evenly from 120,000 points to 1,200")));
    std::vector<Position> const kept = originals(cloud);
    std::vector<double> const classes = values_of(cloud, "classification");
    for (std::size_t i = 0; i < kept.size(); ++i) {
      double const number = std::round(kept[i].y) * 1000.0 + std::round(kept[i].x);
      ASSERT_NEAR(number, 100.0 * (static_cast<double>(i) + 0.5), 51.0);
      ASSERT_EQ(classes[i], static_cast<double>(static_cast<std::uint64_t>(number) % 7)) << "of the same point";
    }
  }
}

TEST(LasFiles, AllPointsOfSeveralChunksComeBack)
{
  std::vector<LasPoint> const points = many_points(120'000);
  for (int const format : {3, 7}) {
    PointCloud const cloud = load_content("a.laz", laz_file(format, points));
    std::vector<double> const intensities = values_of(cloud, "intensity");
    ASSERT_EQ(intensities.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) { ASSERT_EQ(intensities[i], points[i].intensity) << i; }
  }
}

TEST(LasFiles, DamageIsToldWithWhatToDo)
{
  std::string const las = las_file(0, few_points());
  std::string const laz = laz_file(7, few_points());
  constexpr std::size_t of_minor = 25;
  constexpr std::size_t of_begin = 96;
  constexpr std::size_t of_records = 100;
  constexpr std::size_t of_format = 104;
  constexpr std::size_t of_length = 105;
  constexpr std::size_t of_count = 107;
  constexpr std::size_t of_scale = 131;
  constexpr std::size_t of_offset = 155;
  auto const wrong = [](std::string const& content) { return wrong_in("a.las", content); };
  EXPECT_THAT(wrong(las.substr(0, 100)), AllOf(HasSubstr("ends inside its header"), HasSubstr("complete copy")));
  EXPECT_THAT(wrong(las.substr(0, las.size() - 1)),
              AllOf(HasSubstr("4 points"), HasSubstr("only 3"), HasSubstr("copy")));
  EXPECT_THAT(wrong(with_bytes(las, of_minor, "\7")), AllOf(HasSubstr("LAS 1.7"), HasSubstr("LAS 1.4")));
  EXPECT_THAT(wrong(with_bytes(las, of_begin, raw(0xfffffff0u))), HasSubstr("damaged"));
  EXPECT_THAT(wrong(with_bytes(las, of_begin, raw(100'000u))), HasSubstr("begin at byte 100000"));
  EXPECT_THAT(wrong(with_bytes(las, of_begin, raw(3u))), HasSubstr("header is damaged"));
  EXPECT_THAT(wrong(with_bytes(las, of_records, raw(0xffffffffu))), HasSubstr("list of records is damaged"));
  EXPECT_THAT(wrong(with_bytes(las, of_format, "\13")), HasSubstr("point format 11"));
  EXPECT_THAT(wrong(with_bytes(las, of_length, raw(std::uint16_t{0}))), HasSubstr("0 bytes, too few"));
  EXPECT_THAT(wrong(with_bytes(las, of_count, raw(0xffffffffu))), HasSubstr("4294967295 points"));
  EXPECT_THAT(wrong(with_bytes(las, of_count, raw(0u))), HasSubstr("no points"));
  EXPECT_THAT(wrong(with_bytes(las, of_scale, raw(0.0))), AllOf(HasSubstr("x coordinates"), HasSubstr("scale 0")));
  EXPECT_THAT(wrong(with_bytes(las, of_offset + 16, raw(1.0 / 0.0))),
              AllOf(HasSubstr("z coordinates"), HasSubstr("inf")));
  EXPECT_THAT(wrong(with_bytes(las, of_format, "\x80")), HasSubstr("how its points are compressed is damaged"));
  EXPECT_THAT(wrong(laz.substr(0, laz.size() - 20)), AllOf(HasSubstr("truncated"), HasSubstr("copy")));
}

/// Where the points of a file begin.
std::size_t begin_of(std::string const& content)
{
  return number_at<std::uint32_t>(content.data() + 96);
}

TEST(LasFiles, WhatLaszipWouldTrustIsCheckedBeforehand)
{
  std::string const laz = laz_file(7, few_points());
  std::size_t const begin = begin_of(laz);
  std::size_t const table = static_cast<std::size_t>(number_at<std::int64_t>(laz.data() + begin));
  auto const start = std::chrono::steady_clock::now();
  EXPECT_THAT(wrong_in("a.laz", with_bytes(laz, table + 4, raw(0xffffffffu))), HasSubstr("table"));
  EXPECT_THAT(wrong_in("a.laz", with_bytes(laz, table + 4, raw(0u))), HasSubstr("table"));
  EXPECT_THAT(wrong_in("a.laz", with_bytes(laz, begin, raw(std::int64_t{1} << 60))), HasSubstr("truncated"));
  EXPECT_THAT(wrong_in("a.laz", with_bytes(laz, begin, raw(std::int64_t{5}))), HasSubstr("truncated"));
  // The sizes of two layers add up to little in 32 bits, but not in 64.
  std::size_t const sizes = begin + 8 + 36 + 4;
  std::string const wraps = with_bytes(laz, sizes, raw(0xfffffff0u) + raw(0x20u));
  EXPECT_THAT(wrong_in("a.laz", wraps), HasSubstr("compressed points are truncated or damaged"));
  std::string later = laz_file(7, many_points(60'000));
  std::size_t const first = begin_of(later) + 8;
  std::uint64_t length = 36 + 4 + 4 * 10;
  for (std::size_t i = 0; i < 10; ++i) { length += number_at<std::uint32_t>(later.data() + first + 40 + 4 * i); }
  later = with_bytes(later, first + length + 40, raw(0xfffffff0u) + raw(0x20u));
  EXPECT_THAT(wrong_in("a.laz", later), HasSubstr("point 50001 of 60000")) << "the second chunk";
  // No arithmetic code begins with the largest number; the decoder would leave its tables.
  std::string const largest(4, '\xff');
  EXPECT_THAT(wrong_in("a.laz", with_bytes(laz, sizes + 40, largest)), HasSubstr("compressed points are truncated"));
  EXPECT_THAT(wrong_in("a.laz", with_bytes(laz, table + 8, largest)), HasSubstr("table"));
  std::string const in_one_layer = laz_file(3, few_points());
  EXPECT_THAT(wrong_in("a.laz", with_bytes(in_one_layer, begin_of(in_one_layer) + 8 + 34, largest)),
              HasSubstr("point 1 of 4"));
  std::uint64_t const most = ~std::uint64_t{0};
  EXPECT_THAT(wrong_in("a.laz", with_bytes(laz, 247, raw(most))), HasSubstr("do not fit in"));
  EXPECT_THAT(wrong_in("a.laz", with_bytes(laz, 247, raw(std::uint64_t{100'000}))), HasSubstr("cannot be read"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

/// LASzip reads such a record wherever there is one; where that ends early, it frees memory that nobody has allocated.
TEST(LasFiles, ThereIsOneRecordOfLaszipIfPointsAreCompressed)
{
  std::string const laz = laz_file(1, few_points());
  std::string const uncompressed = with_bytes(laz, 104, std::string(1, '\x01'));
  EXPECT_THAT(wrong_in("a.laz", uncompressed), HasSubstr("how its points are compressed is damaged"));
  std::string const record = laz.substr(227, begin_of(laz) - 227);
  std::string twice = laz;
  twice.insert(227, record);
  twice = with_bytes(twice, 96, raw(static_cast<std::uint32_t>(begin_of(laz) + record.size())) + raw(2u));
  EXPECT_THAT(wrong_in("a.laz", twice), HasSubstr("how its points are compressed is damaged"));
}

/// Without the check LASzip reads four bytes beyond its array of chunks, which AddressSanitizer sees.
TEST(LasFiles, ChunksOfDifferentSizesHaveAllPoints)
{
  std::vector<LasPoint> const points = few_points();
  for (int const format : {1, 7}) {
    std::string const laz = laz_file(format, points, {}, true);
    EXPECT_EQ(load_content("a.laz", laz).positions.size(), points.size());
    std::size_t const count = format == 1 ? 107 : 247;
    std::string const more = with_bytes(laz, count, raw(static_cast<std::uint32_t>(points.size()) + 3));
    EXPECT_THAT(wrong_in("a.laz", more), HasSubstr("the table of its compressed points is damaged"));
    std::size_t const table = static_cast<std::size_t>(number_at<std::int64_t>(laz.data() + begin_of(laz)));
    EXPECT_THAT(wrong_in("a.laz", laz.substr(0, table + 9)),
                HasSubstr("the table of its compressed points is damaged"));
  }
}

/// Levels of a COPC file, each with four times the points of the one before; their x tells the level.
std::vector<std::vector<LasPoint>> levels_of_points(std::size_t levels, std::size_t coarsest)
{
  std::vector<std::vector<LasPoint>> all;
  std::size_t count = coarsest;
  for (std::size_t level = 0; level != levels; ++level, count *= 4) {
    std::vector<LasPoint>& points = all.emplace_back();
    for (std::size_t i = 0; i != count; ++i) {
      points.push_back({{static_cast<double>(level), static_cast<double>(i), 0.5}});
    }
  }
  return all;
}

/// How many points of each level were read.
std::vector<std::size_t> read_of_levels(Geometry const& geometry, std::size_t levels)
{
  std::vector<std::size_t> counts(levels);
  for (Position const& at : geometry.positions) { ++counts.at(static_cast<std::size_t>(at.x)); }
  return counts;
}

TEST(LasFiles, OfACopcFileWithTooManyPointsTheCoarsestLevelsAreRead)
{
  std::string const file = copc_file(levels_of_points(4, 100), 100);  // 100, 400, 1600 and 6400 points
  auto const read = [&](std::uint64_t limit) { return read_las(Source{"a.copc.laz", file, {}, {limit, 1}}); };
  EXPECT_THAT(read_of_levels(read(8500), 4), ElementsAre(100, 400, 1600, 6400));
  EXPECT_THAT(read(8500).notes, IsEmpty());
  Geometry const exactly = read(500);
  EXPECT_THAT(read_of_levels(exactly, 4), ElementsAre(100, 400, 0, 0));
  EXPECT_THAT(exactly.notes,
              Contains("Of the 4 levels of its octree, the coarsest 2 were read, with 500 of 8,500 points"));
  EXPECT_EQ(exactly.points_in_file, 8500u);
  for (std::size_t i = 0; i != 400; ++i) { EXPECT_NEAR(exactly.positions[100 + i].y, static_cast<double>(i), 1e-9); }
  Geometry const thinned = read(700);
  EXPECT_EQ(thinned.positions.size(), 700u);
  std::vector<std::size_t> const of_levels = read_of_levels(thinned, 4);  // 700 of the 2100 in three of them
  for (std::size_t const level : {0, 1, 2}) { EXPECT_NEAR(of_levels[level], 100.0 * std::pow(4.0, level) / 3.0, 1.0); }
  EXPECT_EQ(of_levels[3], 0u);
}

TEST(LasFiles, FinerLevelsAreNotTouched)
{
  auto const levels = levels_of_points(4, 100);
  std::string file = copc_file(levels, 100);
  std::string const whole = file;
  auto const first_page = number_at<std::uint64_t>(file.data() + 375 + 54 + 40);
  ASSERT_LT(first_page, file.size());
  std::size_t const of_points = number_at<std::uint32_t>(file.data() + 96);
  std::size_t const damaged = of_points + (first_page - of_points) / 2;  // amid the finest level
  for (std::size_t i = damaged; i != damaged + 2000; ++i) { file[i] = static_cast<char>(i * 37); }
  auto const positions = [](std::string const& content) {
    return read_of_levels(read_las(Source{"a.copc.laz", content, {}, {500, 1}}), 4);
  };
  EXPECT_EQ(positions(file), positions(whole));
}

/// A COPC file with a cube of 80 from the origin on, whose nodes lie in a row along x: 2^level at each of four levels,
/// each with 50 points spread along it.
class CroppedCopc : public ::testing::Test {
protected:
  static constexpr int node = 50;
  static constexpr double side = 80.0;

  CroppedCopc()
  {
    std::vector<std::vector<LasPoint>> levels(4);
    for (std::size_t level = 0; level != levels.size(); ++level) {
      int const nodes = 1 << level;
      for (int i = 0; i != node * nodes; ++i) {
        double const x = side / nodes * (i + 0.5) / node;
        levels[level].push_back({{x, 0.5 + static_cast<double>(level), 1.0}});
        places_.push_back(levels[level].back().at);
      }
    }
    file_ = copc_file(levels, node);
    for (std::size_t i = 0; i != 4; ++i) { file_.replace(375 + 54 + 8 * i, 8, raw(side / 2.0)); }  // the middle; half
  }
  Geometry read(std::string const& file, std::uint64_t limit = 10'000) const
  {
    return read_las(Source{"a.copc.laz", file, {}, {limit, 1, box_}});
  }
  std::vector<Position> inside() const
  {
    std::vector<Position> inside;
    std::ranges::copy_if(places_, std::back_inserter(inside), [&](Position const& at) { return box_.contains(at); });
    return inside;
  }
  static void expect_same(std::vector<Position> const& read, std::vector<Position> const& expected)
  {
    ASSERT_EQ(read.size(), expected.size());
    for (std::size_t i = 0; i != read.size(); ++i) { EXPECT_LT(length(read[i] - expected[i]), 1e-2); }
  }

  Box box_{{-1.0, 0.0, 0.0}, {15.0, 4.0, 2.0}};
  std::vector<Position> places_;
  std::string file_;
};

TEST_F(CroppedCopc, HasThePointsInTheBox)
{
  Geometry const cropped = read(file_);
  EXPECT_GT(cropped.positions.size(), 100u);
  expect_same(cropped.positions, inside());
  EXPECT_EQ(cropped.points_in_file, cropped.positions.size());
  EXPECT_EQ(cropped.points_outside, places_.size() - cropped.positions.size());
}

TEST_F(CroppedCopc, NodesBesideTheBoxAreNotTouched)
{
  auto const end = number_at<std::uint64_t>(file_.data() + 375 + 54 + 40);
  std::size_t const begin = number_at<std::uint32_t>(file_.data() + 96);
  std::string damaged = file_;
  std::size_t const amid = begin + (end - begin) * 3 / 4;  // the finest level, where x is beyond 30
  for (std::size_t i = amid; i != amid + 200; ++i) { damaged[i] = static_cast<char>(i * 37); }
  expect_same(read(damaged).positions, inside());
}

TEST_F(CroppedCopc, IsThinnedWithinTheBox)
{
  Geometry const thinned = read(file_, 40);
  EXPECT_EQ(thinned.positions.size(), 40u);
  for (Position const& at : thinned.positions) { EXPECT_TRUE(box_.contains(at)); }
}

TEST_F(CroppedCopc, ABoxWithoutPointsIsAnError)
{
  box_ = {{200.0, 0.0, 0.0}, {300.0, 4.0, 2.0}};
  EXPECT_THROW(read(file_), Error);
}

TEST(LasFiles, DamagedOctreesAreTold)
{
  std::string const file = copc_file(levels_of_points(3, 50), 50);
  auto const page = static_cast<std::size_t>(number_at<std::uint64_t>(file.data() + 375 + 54 + 40));
  auto const message = [](std::string const& content) -> std::string {
    try {
      read_las(Source{"a.copc.laz", content, {}, {100, 1}});
    } catch (Error const& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(message(file), "");
  EXPECT_THAT(message(with_bytes(file, 375 + 54 + 40, raw(std::uint64_t{1} << 60))), HasSubstr("octree"));
  EXPECT_THAT(message(with_bytes(file, page + 28, raw(std::int32_t{49}))), HasSubstr("octree")) << "a point is missing";
  EXPECT_THAT(message(with_bytes(file, page + 28, raw(std::int32_t{-5}))), HasSubstr("octree"));
  EXPECT_THAT(message(with_bytes(file, page, raw(std::int32_t{-1}))), HasSubstr("octree"));
  EXPECT_THAT(message(with_bytes(file, page + 32 + 16, raw(std::uint64_t{page}))), HasSubstr("octree"))
      << "a page that leads to itself";
}

TEST(LasFiles, OtherPartsThanThoseOfTheFormatAreRefused)
{
  std::string const laz = laz_file(7, few_points());
  std::size_t const record = laz.find("laszip encoded") - 2 + 54;
  for (std::string const& changed :
       {with_bytes(laz, record, raw(std::uint16_t{2})), with_bytes(laz, record + 32, raw(std::uint16_t{0xffff})),
        with_bytes(laz, record + 34, raw(std::uint16_t{14})), with_bytes(laz, record + 36, raw(std::uint16_t{1})),
        with_bytes(laz, 104, "\x86")}) {
    EXPECT_THAT(wrong_in("a.laz", changed), HasSubstr("how its points are compressed is damaged"));
  }
  EXPECT_THAT(wrong_in("a.laz", with_bytes(laz, record + 38, raw(std::uint16_t{9}))),
              HasSubstr("uses compression version 9, which LASzip does not support: save it as LAS"));
}

TEST(LasFiles, CancellingStopsTheReading)
{
  for (std::string const& content : {las_file(0, few_points()), laz_file(7, few_points())}) {
    Progress const progress = Progress::tracked();
    progress.cancel();
    EXPECT_THROW(read_las(Source{"a.las", content, progress}), Cancelled);
  }
}

TEST(LasFiles, ProgressGoesOnWhileTheyAreRead)
{
  std::string const content = laz_file(7, many_points(150'000));
  Progress const progress = Progress::tracked();
  read_las(Source{"a.laz", content, progress});
  EXPECT_GT(progress.share(), 0.6f) << "when the last 65,536 points began";
}

TEST(LasFiles, SeveralThreadsMayReadAtOnce)
{
  std::string const content = laz_file(7, many_points(60'000));
  auto const read = [&content] {
    Progress const progress = Progress::tracked();
    return read_las(Source{"a.laz", content, progress}).positions;
  };
  auto other = std::async(std::launch::async, read);
  std::vector<Position> const positions = read();
  EXPECT_EQ(other.get(), positions);
  EXPECT_EQ(positions.size(), 60'000u);
}

// --- coordinate systems

CoordinateSystem system_in(std::string const& las)
{
  return load_content("a.las", las).system;
}

CoordinateSystem system_of(std::string_view text)
{
  return system_in(with_text(las_file(0, few_points()), text));
}

constexpr std::string_view utm =
    R"w(PROJCS["ETRS89 / UTM zone 32N",GEOGCS["ETRS89",DATUM["D",SPHEROID["GRS 1980",6378137,298.257222101]],)w"
    R"w(PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4258"]],)w"
    R"w(PROJECTION["Transverse_Mercator"],PARAMETER["false_easting",500000],UNIT["metre",1,AUTHORITY["EPSG","9001"]],)w"
    R"w(AXIS["Easting",EAST],AXIS["Northing",NORTH],AUTHORITY["EPSG","25832"]])w";
constexpr std::string_view navd88_in_feet =
    R"w(VERT_CS["NAVD88 height (ftUS)",VERT_DATUM["North American Vertical Datum 1988",2005,AUTHORITY["EPSG","5103"]],)w"
    R"w(UNIT["US survey foot",0.304800609601219,AUTHORITY["EPSG","9003"]],AXIS["Gravity-related height",UP],)w"
    R"w(AUTHORITY["EPSG","6360"]])w";
constexpr std::string_view wgs84_in_space =
    R"w(GEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563,)w"
    R"w(LENGTHUNIT["metre",1]]],PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]],CS[ellipsoidal,3],)w"
    R"w(AXIS["geodetic latitude (Lat)",north,ORDER[1],ANGLEUNIT["degree",0.0174532925199433]],)w"
    R"w(AXIS["geodetic longitude (Lon)",east,ORDER[2],ANGLEUNIT["degree",0.0174532925199433]],)w"
    R"w(AXIS["ellipsoidal height (h)",up,ORDER[3],LENGTHUNIT["metre",1]],ID["EPSG",4979]])w";

TEST(LasFiles, TextsNameTheSystemsAndUnitsOfPlaceAndHeight)
{
  EXPECT_EQ(system_of(utm), (CoordinateSystem{"EPSG:25832", "", "m", "m"}));
  std::string const compound = fmt::format(R"(COMPD_CS["both",{},{}])", utm, navd88_in_feet);
  EXPECT_EQ(system_of(compound), (CoordinateSystem{"EPSG:25832", "EPSG:6360", "m", "US survey ft"}));
  EXPECT_EQ(system_of(wgs84_in_space), (CoordinateSystem{"EPSG:4979", "", "degrees", "m"}));
  EXPECT_EQ(system_of(R"(COMPOUNDCRS["x",PROJCRS["NY",BASEGEOGCRS["NAD83",DATUM["d",ELLIPSOID["e",1,2]]],)"
                      R"(CS[Cartesian,2],AXIS["x",east],AXIS["y",north],LENGTHUNIT["US survey foot",0.3048006096],)"
                      R"(ID["EPSG",2263]],VERTCRS["NAVD88 height",VDATUM["v"],CS[vertical,1],AXIS["up",up],)"
                      R"(LENGTHUNIT["metre",1.0],ID["EPSG",5703]]])"),
            (CoordinateSystem{"EPSG:2263", "EPSG:5703", "US survey ft", "m"}));
  EXPECT_EQ(system_of(R"(GEOGCS["WGS 84",UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]])"),
            (CoordinateSystem{"EPSG:4326", "", "degrees", ""}))
      << "which says nothing of heights";
  EXPECT_EQ(system_of(R"(PROJCS["of [ours]",UNIT["yard",0.9144]])"),
            (CoordinateSystem{"of [ours]", "", "yard", "yard"}));
  for (std::string_view const damaged : {R"(PROJCS["a",UNIT["m",1])", R"(PROJCS["a)", "PROJCS", "", R"(X["y"])"}) {
    EXPECT_EQ(system_of(damaged), CoordinateSystem{}) << damaged;
  }
  std::string deep;
  for (int i = 0; i < 20'000; ++i) { deep += "A["; }
  EXPECT_EQ(system_of(deep), CoordinateSystem{});
}

TEST(LasFiles, KeysNameThemToo)
{
  std::string const las = las_file(0, few_points());
  auto const of = [&](std::vector<std::pair<std::uint16_t, std::uint16_t>> const& keys) {
    return system_in(with_keys(las, keys));
  };
  EXPECT_EQ(of({{3072, 25832}}), (CoordinateSystem{"EPSG:25832", "", "m", "m"})) << "UTM is in metres";
  EXPECT_EQ(of({{3072, 2263}, {3076, 9003}, {4096, 5703}}),
            (CoordinateSystem{"EPSG:2263", "EPSG:5703", "US survey ft", "m"}));
  EXPECT_EQ(of({{3072, 25832}, {3076, 9001}, {4099, 9002}}), (CoordinateSystem{"EPSG:25832", "", "m", "ft"}));
  EXPECT_EQ(of({{2048, 4326}, {4096, 5773}}), (CoordinateSystem{"EPSG:4326", "EPSG:5773", "degrees", "m"}));
  EXPECT_EQ(of({{2048, 4326}, {3072, 32767}, {3076, 9001}}), (CoordinateSystem{"", "", "m", "m"}))
      << "not the system that one without a code is based on";
}

TEST(LasFiles, XAndYThatAreNoLengthsAreTold)
{
  std::string const las = las_file(0, few_points());
  EXPECT_THAT(load_content("a.las", with_text(las, wgs84_in_space)).notes,
              Contains(HasSubstr("longitude and latitude in degrees: for true proportions")));
  EXPECT_THAT(
      load_content("a.las", with_text(las, fmt::format(R"(COMPD_CS["both",{},{}])", utm, navd88_in_feet))).notes,
      Contains(AllOf(HasSubstr("x and y are in m, but z is in US survey ft"), HasSubstr("convert z to m"))));
  EXPECT_THAT(load_content("a.las", with_text(las, utm)).notes, Not(Contains(HasSubstr("x and y are in"))));
}

TEST(LasFiles, CannotBeConvertedIfTheirHeightsHaveAnotherUnit)
{
  std::string const las =
      with_text(las_file(0, few_points()), fmt::format(R"(COMPD_CS["both",{},{}])", utm, navd88_in_feet));
  EXPECT_THAT(message_of<Error>([&] { load_content("a.las", las, {.unit = FileUnit::foot}); }),
              AllOf(HasSubstr("all axes have the same"), HasSubstr("convert z to m")));
}

/// LAS 1.4 has room for long texts behind the points.
TEST(LasFiles, TextsBehindThePointsAreRead)
{
  std::string las = las_file(6, few_points());
  std::string user = "LASF_Projection";
  user.resize(16, '\0');
  std::string const record = raw(std::uint16_t{0}) + user + raw(std::uint16_t{2112}) + raw(std::uint64_t{utm.size()}) +
                             std::string(32, '\0') + std::string(utm);
  las.replace(235, 8, raw(std::uint64_t{las.size()}));
  las.replace(243, 4, raw(std::uint32_t{1}));
  EXPECT_EQ(system_in(las + record).horizontal, "EPSG:25832");
  las.replace(235, 8, raw(std::uint64_t{0xfffffffffffffff0u}));
  EXPECT_EQ(system_in(las + record), CoordinateSystem{});
}

}  // namespace
}  // namespace slotscape::clouds
