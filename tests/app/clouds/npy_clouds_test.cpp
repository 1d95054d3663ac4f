#include "app/base/npy.hpp"
#include "tests/app/clouds/cloud_files.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace slotscape::clouds {
namespace {

using namespace test;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string array(std::string_view type, std::string_view shape, std::string_view data, bool columns_first = false)
{
  std::string const header = fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}\n", type,
                                         columns_first ? "True" : "False", shape);
  std::string content = "\x93NUMPY\x01";
  content += '\0';
  content += raw(static_cast<std::uint16_t>(header.size()));
  return content + header + std::string(data);
}

template <class Number>
std::string all_raw(std::initializer_list<Number> numbers, std::endian order = std::endian::little)
{
  std::string data;
  for (Number const number : numbers) { data += raw(number, order); }
  return data;
}

std::vector<Position> const places{{0.5, 1.0, 2.0}, {3.0, 4.25, 5.0}};

TEST(NumPyClouds, RowsArePointsInEveryTypeAndOrder)
{
  std::string const in_rows = all_raw({0.5, 1.0, 2.0, 3.0, 4.25, 5.0});
  std::string const in_columns = all_raw({0.5, 3.0, 1.0, 4.25, 2.0, 5.0});
  std::string const of_floats = all_raw({0.5f, 1.0f, 2.0f, 3.0f, 4.25f, 5.0f});
  std::string const halves("\x00\x38\x00\x3c\x00\x40\x00\x42\x40\x44\x00\x45", 12);
  for (std::string const& content :
       {array("'<f8'", "(2, 3)", in_rows), array("'<f8'", "(2, 3)", in_columns, true),
        array("'<f4'", "(2, 3)", of_floats), array("'<f2'", "(2, 3)", halves),
        array("'>f8'", "(2, 3)", all_raw({0.5, 1.0, 2.0, 3.0, 4.25, 5.0}, std::endian::big))}) {
    for (std::string_view const name : {"a.npy", "points"}) {
      EXPECT_LT(furthest(originals(load_content(name, content)), places), 1e-6);
    }
  }
  std::string const whole = array("'<i2'", "(2, 3)", all_raw<std::int16_t>({-1, 2, 3, 4, 5, 6}));
  EXPECT_LT(furthest(originals(load_content("a.npy", whole)), {{-1, 2, 3}, {4, 5, 6}}), 1e-6);
}

TEST(NumPyClouds, FurtherColumnsAreNormalsAndAttributes)
{
  PointCloud const colored =
      load_content("a.npy", array("'<f4'", "(2, 6)",
                                  all_raw({0.f, 0.f, 0.f, 255.f, 0.f, 64.f, 1.f, 0.f, 0.f, 12.f, 200.f, 33.f})));
  ASSERT_EQ(colored.attributes.size(), 3u);
  EXPECT_EQ(colored.attributes[2].name(), "blue");
  EXPECT_EQ(colored.attributes[2][1], 33.0);
  PointCloud const normals =
      load_content("a.npy",
                   array("'<f4'", "(2, 6)", all_raw({0.f, 0.f, 0.f, 0.f, 0.f, 1.f, 1.f, 0.f, 0.f, 0.f, -1.f, 0.f})));
  EXPECT_THAT(normals.normals, ElementsAre(Vector{0, 0, 1}, Vector{0, -1, 0}));
}

TEST(NumPyClouds, FieldsAreFoundByTheirNames)
{
  std::string const type = "[('intensity', '<f4'), ('z', '<f4'), ('y', '<f4'), ('x', '<f4')]";
  PointCloud const cloud =
      load_content("a.npy", array(type, "(2,)", all_raw({9.f, 2.f, 1.f, 0.5f, 8.f, 5.f, 4.25f, 3.f})));
  EXPECT_LT(furthest(originals(cloud), places), 1e-6);
  ASSERT_EQ(cloud.attributes.size(), 1u);
  EXPECT_EQ(cloud.attributes[0].name(), "intensity");
  PointCloud const packed =
      load_content("a.npy", array("[('xyz', '<f4', (3,)), ('name', '|S1')]", "(2,)",
                                  all_raw({0.5f, 1.f, 2.f}) + "a" + all_raw({3.f, 4.25f, 5.f}) + "b"));
  EXPECT_LT(furthest(originals(packed), places), 1e-6);
  EXPECT_THAT(packed.notes, ElementsAre(HasSubstr("name")));
  EXPECT_THAT(wrong_in("a.npy", array("[('a', '<f4'), ('b', '<f4'), ('c', '<f4')]", "(1,)", all_raw({1.f, 2.f, 3.f}))),
              AllOf(HasSubstr("a, b and c"), HasSubstr("x, y and z")));
}

TEST(NumPyClouds, RowsThatMayBeAxesAreAskedAbout)
{
  std::string numbers;
  for (int i = 0; i < 60; ++i) { numbers += raw(0.5f + static_cast<float>(i * i % 7)); }
  EXPECT_THAT(load_content("a.npy", array("'<f4'", "(3, 20)", numbers)).notes,
              ElementsAre(HasSubstr("x, y and z of 20 points")));
  EXPECT_THAT(load_content("a.npy", array("'<f4'", "(6, 10)", numbers)).notes, IsEmpty());
}

TEST(NumPyClouds, FieldsKeepTheirNames)
{
  std::string const fields =
      "[('x', '<f4'), ('y', '<f4'), ('z', '<f4'), ('Größe', '<f4'), ('Dist', '<f4'), ('dist', '<f4'), ('强度', '<f4'), "
      "('分类', '<f4')]";
  std::string content = array(fields, "(1,)", all_raw({0.f, 1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f}));
  content[6] = '\x03';  // the version of texts in UTF-8, with 32 bits for their length
  content.insert(10, 2, '\0');
  std::vector<std::string> names;
  for (Attribute const& attribute : load_content("a.npy", content).attributes) { names.push_back(attribute.name()); }
  EXPECT_THAT(names, ElementsAre("Größe", "Dist", "dist", "强度", "分类"));
}

TEST(NumPyClouds, WhatIsNoNumberIsCountedAndWhatAreNoPointsIsRefused)
{
  double const none = std::numeric_limits<double>::quiet_NaN();
  PointCloud const cloud =
      load_content("a.npy", array("'<f8'", "(3, 3)", all_raw({0., 0., 0., none, 1., 1., 1., 0., 0.})));
  EXPECT_EQ(cloud.positions.size(), 2u);
  EXPECT_THAT(cloud.notes, ElementsAre(HasSubstr("Skipped 1 of 3 points")));
  EXPECT_THAT(wrong_in("a.npy", array("'<f8'", "(3,)", all_raw({1., 2., 3.}))), HasSubstr("x, y and z"));
  EXPECT_THAT(wrong_in("a.npy", array("'<f8'", "(1, 2)", all_raw({1., 2.}))), HasSubstr("2 numbers"));
  EXPECT_THAT(wrong_in("a.npy", array("'<f8'", "(1, 1, 3)", all_raw({1., 2., 3.}))), HasSubstr("3 dimensions"));
  EXPECT_THAT(wrong_in("a.npy", array("'<f8'", "(9, 3)", all_raw({1., 2., 3.}))), HasSubstr("ends early"));
  EXPECT_THAT(wrong_in("a.npy", array("'<f8'", "(0, 3)", "")), HasSubstr("no points"));
}

TEST(NumPyClouds, TheirTypeSaysWhatTheyAreFor)
{
  TemporaryFolder const folder;
  auto const use = [&](std::string const& content) { return use_of_array(folder.write("a.npy", content)); };
  EXPECT_EQ(use(array("'<f8'", "(1, 3)", all_raw({1.5, 2., 3.}))), ArrayUse::points);
  EXPECT_EQ(use(array("'<f4'", "(1, 4)", all_raw({1.f, 2.f, 3.f, 4.f}))), ArrayUse::whole_points);
  EXPECT_EQ(use(array("'<i4'", "(1, 4)", all_raw<std::int32_t>({1, 2, 3, 4}))), ArrayUse::sites);
  EXPECT_EQ(use(array("'<i4'", "(4, 1)", all_raw<std::int32_t>({1, 2, 3, 4}))), ArrayUse::column);
  EXPECT_EQ(use(array("'<f8'", "(3,)", all_raw({1.5, 2., 3.}))), ArrayUse::column);
  EXPECT_EQ(use(array("[('x', '<i2'), ('y', '<i2'), ('z', '<i2')]", "(1,)", all_raw<std::int16_t>({1, 2, 3}))),
            ArrayUse::sites);
  EXPECT_EQ(use(array("[('x', '<f4'), ('y', '<f4'), ('z', '<f4')]", "(1,)", all_raw({1.5f, 2.f, 3.f}))),
            ArrayUse::points);
  EXPECT_EQ(use(array("'<i4'", "(1, 2)", all_raw<std::int32_t>({1, 2}))), ArrayUse::other);
  EXPECT_EQ(use("hello"), ArrayUse::none);
}

}  // namespace
}  // namespace slotscape::clouds
