#include "tests/app/clouds/cloud_files.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace slotscape::clouds {
namespace {

using namespace test;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> attributes_of(PointCloud const& cloud)
{
  std::vector<std::string> list;
  for (Attribute const& attribute : cloud.attributes) {
    list.push_back(attribute.name());
    for (std::size_t i = 0; i < attribute.count(); ++i) { list.back() += fmt::format(" {}", attribute[i]); }
  }
  return list;
}

/// What all of the tests below have in their rows, in one order or another.
std::vector<Position> const expected{{694386.936, 5155485.65, 400.936}, {694383.117, 5155489.039, 400.736}};

TEST(RowsOfNumbers, DecimalCommasStandBesideSemicolonsTabsBlanksAndInQuotes)
{
  for (std::string_view const text :
       {"X;Y;Z\n694386,936;5155485,650;400,936\n694383,117;5155489,039;400,736\n",
        "694386,936; 5155485,650; 400,936\n694383,117; 5155489,039; 400,736\n",
        "694386,936\t5155485,650\t400,936\n694383,117\t5155489,039\t400,736\n",
        "x y z\n694386,936 5155485,650  400,936\n694383,117 5155489,039  400,736\n",
        "694386,936|5155485,650|400,936\n694383,117|5155489,039|400,736\n",
        "\"694386,936\",\"5155485,650\",\"400,936\"\n\"694383,117\",\"5155489,039\",\"400,736\"\n"}) {
    SCOPED_TRACE(text);
    PointCloud const cloud = load_content("a.csv", text);
    EXPECT_LT(furthest(originals(cloud), expected), 1e-3);
    EXPECT_THAT(cloud.notes, ElementsAre(HasSubstr("decimal points")));
  }
  PointCloud const further = load_content("a.csv", "x;y;z;time\n0;0;0;1,5\n1;0;0;2,25\n");
  EXPECT_THAT(attributes_of(further), ElementsAre("time 1.5 2.25"));
}

TEST(RowsOfNumbers, CommasThatMayMeanTwoThingsAreRefused)
{
  EXPECT_THAT(wrong_in("a.csv", "694386,936,5155485,050,400,936\n694383,117,5155489,039,400,736\n"),
              AllOf(HasSubstr("line 1"), HasSubstr("commas"), HasSubstr("';'")));
  EXPECT_THAT(wrong_in("a.csv", "x,y,z\n694386,936,5155485,650,400,936\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("';'")));
  EXPECT_THAT(wrong_in("a.csv", "1.234,5;2,5;3\n"), AllOf(HasSubstr("line 1"), HasSubstr("'1.234,5'")));
  EXPECT_THAT(wrong_in("a.csv", "0;0;0\n1,234,567;2;3\n"),
              AllOf(HasSubstr("line 2: unexpected comma in"), HasSubstr("thousands"), Not(HasSubstr("?"))));
  EXPECT_THAT(wrong_in("a.csv", "1,5;2;3\n4;5.5;6\n"), AllOf(HasSubstr("line 1"), HasSubstr("line 2")));
  EXPECT_LT(furthest(originals(load_content("a.csv", "1,2,3,10,20,30\n4,5,6,7,8,9\n")), {{1, 2, 3}, {4, 5, 6}}), 1e-6)
      << "whole numbers between commas";
}

/// Each would be read from the wrong column.
TEST(RowsOfNumbers, MoreFieldsThanColumnsAreRefused)
{
  EXPECT_THAT(wrong_in("a.csv", "x,y,z,i\n1,2,3,4\n1,5,2,3,4\n"),
              AllOf(HasSubstr("line 3: there are 5 fields for 4 columns"),
                    HasSubstr("If '1,5' or '5,2' or '2,3' is one number"), HasSubstr("double quotes"),
                    HasSubstr("';'")));
  EXPECT_THAT(wrong_in("a.csv", "1,2,3\n1,5,2,3\n"), HasSubstr("line 2: there are 4 fields for 3 columns"));
  EXPECT_THAT(wrong_in("a.csv", "name;x;y;z\na;1;2;3\nb;c;4;5;6\n"),
              AllOf(HasSubstr("line 3"), HasSubstr("separate the columns by tabs")));
  EXPECT_EQ(load_content("a.csv", "x;y;z\n1;2;3;\n4;5;6,5;\n").positions.size(), 2u);
  EXPECT_EQ(load_content("a.csv", "x,y,z\n\"1,5\",2,3\n4,5,6\n").positions.size(), 2u);
}

TEST(RowsOfNumbers, NamesSayWhichColumnsAreTheCoordinates)
{
  std::vector<Position> const places{{1, 2, 3}, {4, 5, 6.5}};
  for (std::string_view const text :
       {"id,intensity,z,y,x\n7,55,3,2,1\n8,66,6.5,5,4\n", "# z y x\n3 2 1\n6.5 5 4\n",
        "//Z X Y I\n3 1 2 9\n6.5 4 5 9\n", "\"label\",\"x\",\"y\",\"z\"\n\"a, b\",1,2,3\n\"c\",4,5,6.5\n",
        "Northing;Easting;Height\n2;1;3\n5;4;6,5\n", ",x,y,z\n0,1,2,3\n1,4,5,6.5\n", ",0,1,2\n0,1,2,3\n1,4,5,6.5\n",
        "\tx\ty\tz\n0\t1\t2\t3\n1\t4\t5\t6.5\n2\t\t\t\n", "\"x\" \"y\" \"z\"\n\"1\" 1 2 3\n\"2\" 4 5 6.5\n",
        "x [m] y [m] z [m]\n1 2 3\n4 5 6.5\n", "Z (m),X (m),Y (m)\n3,1,2\n6.5,4,5\n",
        "T,Points:0,Points:1,Points:2\n9,1,2,3\n9,4,5,6.5\n",
        "# made by a test\n# fields: t, x, y, z\n9,1,2,3\n9,4,5,6.5\n", "sep=;\nz;x;y\n3;1;2\n6,5;4;5\n",
        "POINT_Z|POINT_Y|POINT_X\n3|2|1\n6.5|5|4\n", "Point E N H\nP1 1 2 3\nP2 4 5 6.5\n"}) {
    SCOPED_TRACE(text);
    EXPECT_LT(furthest(originals(load_content("a.csv", text)), places), 1e-6);
  }
}

TEST(RowsOfNumbers, OtherColumnsKeepTheirNames)
{
  EXPECT_THAT(attributes_of(load_content("a.txt", "//X Y Z R G B Intensity\n0 0 0 255 0 1 0.5\n1 0 0 7 8 9 0.25\n")),
              ElementsAre("R 255 7", "G 0 8", "B 1 9", "Intensity 0.5 0.25"));
  EXPECT_THAT(attributes_of(load_content("a.csv", "r,x,y,z,Class ID\n9,0,0,0,2\n8,1,0,0,6\n")),
              ElementsAre("r 9 8", "Class ID 2 6"));
  PointCloud const normals = load_content("a.csv", "nz,ny,nx,z,y,x\n1,0,0,0,0,0\n0,2,0,0,0,1\n");
  EXPECT_THAT(normals.normals, ElementsAre(Vector{0, 0, 1}, Vector{0, 1, 0}));
  EXPECT_FALSE(load_content("a.csv", "x,y,z,vx,vy,vz\n0,0,0,1,0,0\n1,0,0,0,1,0\n").has_normals()) << "speeds";
}

/// Letters of any alphabet, large and small.
TEST(RowsOfNumbers, NamesThatAreAlikeStayApart)
{
  PointCloud const cloud =
      load_content("a.csv", "x,y,z,Dist,dist,强度,分类,Größe [m²],Dist\n0,0,0,1,2,3,4,5,6\n1,0,0,7,8,9,10,11,12\n");
  EXPECT_THAT(attributes_of(cloud),
              ElementsAre("Dist 1 7", "dist 2 8", "强度 3 9", "分类 4 10", "Größe [m²] 5 11", "Dist_2 6 12"));
  EXPECT_THAT(cloud.notes, Contains(HasSubstr("Several columns are called 'Dist': one is renamed 'Dist_2' here")));
  EXPECT_THAT(attributes_of(load_content("a.csv",
                                         "x;y;z;Gr\xf6\xdf"
                                         "e\n0;0;0;1\n1;0;0;2\n")),
              ElementsAre("Größe 1 2"))
      << "in Windows-1252";
  std::string const pcd =
      "# .PCD v0.7\nVERSION 0.7\nFIELDS x y z Dist dist\nSIZE 4 4 4 4 4\nTYPE F F F F F\nCOUNT 1 1 1 1 1\nWIDTH 2\n"
      "HEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 2\nDATA ascii\n0 0 0 1 2\n1 0 0 3 4\n";
  EXPECT_THAT(attributes_of(load_content("a.pcd", pcd)), ElementsAre("Dist 1 3", "dist 2 4"));
}

TEST(RowsOfNumbers, NamesThatDoNotTellTheCoordinatesAreRefused)
{
  EXPECT_THAT(wrong_in("a.csv", "time,temperature,pressure\n1,2,3\n"),
              AllOf(HasSubstr("time, temperature, pressure"), HasSubstr("x, y and z")));
  EXPECT_THAT(wrong_in("a.csv", "x,y,intensity\n1,2,3\n"), HasSubstr("x, y, intensity"));
  EXPECT_THAT(wrong_in("a.txt", "P1 1 2 3\nP2 4 5 6\n"), AllOf(HasSubstr("'P1'"), HasSubstr("name the columns")));
  std::string numbered;
  for (int i = 0; i < 20; ++i) { numbered += fmt::format("{} {} {} 1.5\n", 100 + i, 0.5 * i, 0.25 * i * i); }
  EXPECT_THAT(wrong_in("a.txt", numbered), HasSubstr("numbers the rows"));
  EXPECT_EQ(load_content("a.txt", "id x y z\n" + numbered).positions.size(), 20u);
  EXPECT_LT(furthest(originals(load_content("a.txt", "Scan of the hall, 2 May\n1 2 3\n4 5 6\n")),
                     {{1, 2, 3}, {4, 5, 6}}),
            1e-6)
      << "a title";
  EXPECT_LT(furthest(originals(load_content("a.csv", "0,1,2\n0.5,2.5,3.5\n4.5,5.5,6.5\n1.5,1.5,0.5\n")),
                     {{0.5, 2.5, 3.5}, {4.5, 5.5, 6.5}, {1.5, 1.5, 0.5}}),
            1e-6)
      << "numbers of the columns";
}

TEST(RowsOfNumbers, EmptyCellsAreMissingAndDoNotShiftOthers)
{
  for (std::string_view const text :
       {"1,,3,255\n1,2,3,4\n", "1;;3;255\n1;2;3;4\n", "1\t2\t3\t4\n1\t\t3\t255\n", "x,y,z,i\n,,,\n1,2,3,4\n",
        "NA NA NA 4\n1 2 3 4\n", "1.#QNAN 2 3\n1 2 3\n", "-nan(ind) 1 2\n1 2 3\n", "1,null,3,255\n1,2,3,4\n"}) {
    SCOPED_TRACE(text);
    PointCloud const cloud = load_content("a.csv", text);
    EXPECT_LT(furthest(originals(cloud), {{1, 2, 3}}), 1e-6);
    EXPECT_THAT(cloud.notes, ElementsAre(HasSubstr("Skipped 1 of 2 points")));
  }
}

TEST(RowsOfNumbers, WhatIsLeftOutIsNoted)
{
  EXPECT_THAT(load_content("a.csv", "x,y,z,label\n0,0,0,a\n1,0,0,b\n").notes,
              ElementsAre(AllOf(HasSubstr("'label'"), HasSubstr("2 of 2 rows"))));
  EXPECT_THAT(load_content("a.txt", "0 0 0\n1 0 0 5\n").notes, ElementsAre(HasSubstr("1 row")));
  EXPECT_THAT(load_content("a.txt", "0 0 0\n1 0 0\n0 0 0\n-0 0 0\n").notes, ElementsAre(HasSubstr("2 of 4 points")));
  EXPECT_THAT(load_content("a.csv", "lon,lat,alt\n8.1,47.2,400\n8.2,47.3,401\n").notes, Contains(HasSubstr("degrees")));
  EXPECT_THAT(load_content("a.csv", "x,y,z\n0,0,0\n1,0,0\n").notes, IsEmpty());
}

TEST(RowsOfNumbers, TextOfTwoBytesALetterIsRead)
{
  std::string text;
  for (char const letter : std::string_view("x,y,z\n1,2,3\n4,5,6\n")) { text += {letter, '\0'}; }
  EXPECT_LT(furthest(originals(load_content("a.csv", "\xff\xfe" + text)), {{1, 2, 3}, {4, 5, 6}}), 1e-6);
}

}  // namespace
}  // namespace slotscape::clouds
