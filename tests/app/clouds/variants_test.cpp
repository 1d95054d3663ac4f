#include "tests/app/clouds/cloud_files.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

namespace slotscape::clouds {
namespace {

using namespace test;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The only values of a cloud's attributes, by name; -1 where they differ.
std::map<std::string, double> values_of(PointCloud const& cloud)
{
  std::map<std::string, double> values;
  for (Attribute const& attribute : cloud.attributes) {
    double const first = attribute[0];
    bool same = true;
    for (std::size_t i = 0; i < attribute.count(); ++i) { same = same && attribute[i] == first; }
    values[attribute.name()] = same ? first : -1.0;
  }
  return values;
}

using Values = std::map<std::string, double>;

/// A square in z = 0 and a triangle, of four vertices with `further` behind their coordinates.
std::string off_body(std::string_view further = "", std::string_view of_faces = "")
{
  return fmt::format("0 0 0{0}\n1 0 0{0}\n1 1 0{0}\n0 1 0{0}\n4 0 1 2 3{1}\n3 2 1 0{1}\n", further, of_faces);
}

TEST(OffVariants, HeadersMayBeWrittenInAnyWay)
{
  for (std::string const head :
       {"OFF\n4 2 0\n", "OFF4 2 0\n", "OFF 4 2 0\n", "off4 2 0\r\n", "# a comment\n\n# another\nOFF\n# third\n4 2 0\n",
        "OFF # here\n4 2\n", "4 2 0\n", "# none at all\n4 2 0\n", "nOFF\n3\n4 2 0\n", "nOFF 3\n4 2 0\n"}) {
    SCOPED_TRACE(head);
    PointCloud const cloud = load_content("a.off", head + off_body());
    EXPECT_EQ(cloud.vertices, 4u);
    EXPECT_EQ(cloud.triangles, 3u);
    EXPECT_THAT(cloud.notes, IsEmpty());
  }
  EXPECT_EQ(load_content("a.txt", "4 2 0\n" + off_body()).triangles, 3u) << "all lines are what the first declares";
  EXPECT_EQ(load_content("a.txt", "4 2 0\n1 1 1\n").triangles, 0u) << "points";
}

TEST(OffVariants, CountsThatDoNotFitAreRefused)
{
  EXPECT_THAT(wrong_in("a.off", "4 9 0\n" + off_body()), HasSubstr("before face 3 of 9"));
  EXPECT_THAT(wrong_in("a.off", "9 2 0\n" + off_body()), HasSubstr("before vertex 7 of 9"));
  EXPECT_THAT(wrong_in("a.off", "nOFF\n5\n4 2 0\n"), HasSubstr("'5'"));
  EXPECT_THAT(load_content("a.off", "OFF\n4 1 0\n" + off_body()).notes,
              ElementsAre(HasSubstr("1 line after the 1 face")));
}

TEST(OffVariants, VerticesHaveColorsNormalsAndTextureCoordinates)
{
  Values const bytes{{"red", 10}, {"green", 20}, {"blue", 30}};
  auto const read = [](std::string_view keyword, std::string_view further) {
    return load_content("a.off", fmt::format("{}\n4 2 0\n{}", keyword, off_body(further)));
  };
  EXPECT_EQ(values_of(read("COFF", " 10 20 30")), bytes);
  EXPECT_EQ(values_of(read("OFF", " 10 20 30")), bytes) << "though its keyword does not say so";
  EXPECT_EQ(values_of(read("CNOFF", " 0 0 1 10 20 30")), bytes);
  EXPECT_EQ(values_of(read("NOFF", " 0 0 1 10 20 30")), bytes);
  EXPECT_EQ(values_of(read("STCNOFF", " 0 0 1 10 20 30 0.25 0.75")), bytes);
  EXPECT_EQ(values_of(load_content("a.off", "COFF4 2 0\n" + off_body(" 10 20 30 40"))).at("alpha"), 40.0);
  Values const shares{{"red", 1}, {"green", 0}, {"blue", 0.5}, {"alpha", 1}};
  EXPECT_EQ(values_of(read("COFF", " 1 0 0.5 1")), shares);
  EXPECT_EQ(read("COFF", " 1 0 0 1").attributes.front().type(), NumberType::float32) << "from 0 to 1, though whole";
  EXPECT_THAT(read("STOFF", " 0.25 0.75").notes, ElementsAre(HasSubstr("texture")));
  EXPECT_THAT(read("COFF", " 7").notes, ElementsAre(HasSubstr("colours of the vertices")));
  EXPECT_THAT(read("OFF", " -700 5 9").notes, ElementsAre(HasSubstr("neither colours nor normals")));
}

TEST(OffVariants, FacesHaveColors)
{
  Values const bytes{{"red", 255}, {"green", 0}, {"blue", 7}};
  EXPECT_EQ(values_of(load_content("a.off", "OFF\n4 2 0\n" + off_body("", " 255 0 7"))), bytes);
  PointCloud const both = load_content("a.off", "COFF\n4 2 0\n" + off_body(" 1 2 3", " 255 0 7"));
  EXPECT_EQ(values_of(both), (Values{{"red", 1}, {"green", 2}, {"blue", 3}}));
  EXPECT_THAT(both.notes, ElementsAre(HasSubstr("of the faces")));
  EXPECT_THAT(load_content("a.off", "OFF\n4 2 0\n" + off_body("", " 3")).notes,
              ElementsAre(HasSubstr("colours of the faces")));
}

TEST(OffVariants, HomogeneousCoordinatesAreDivided)
{
  PointCloud const cloud = load_content("a.off", "4OFF\n3 0 0\n2 4 6 2\n3 3 3 3\n1 1 1 0\n");
  EXPECT_LT(furthest(originals(cloud), {{1, 2, 3}, {1, 1, 1}}), 1e-6);
  EXPECT_THAT(cloud.notes, ElementsAre(HasSubstr("Skipped 1 of 3 points")));
}

std::string ply_file(std::string_view elements, std::string_view body,
                     std::string_view vertices = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n")
{
  return fmt::format(
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float "
      "z\n{}end_header\n{}{}",
      elements, vertices, body);
}

TEST(PlyVariants, StripsOfTrianglesAreRead)
{
  for (std::string_view const name : {"tristrips", "tristrip", "triangle_strips"}) {
    PointCloud const cloud =
        load_content("a.ply", ply_file(fmt::format("element {} 1\nproperty list int int vertex_indices\n", name),
                                       "9 0 1 2 3 -1 1 3 2 -1\n"));
    EXPECT_EQ(cloud.triangles, 3u) << name;
    for (Vector const& normal : cloud.normals) { ASSERT_EQ(normal, (Vector{0, 0, 1})) << name; }
  }
  PointCloud const linked =
      load_content("a.ply", ply_file("element tristrips 2\nproperty list int int vertex_indices\n",
                                     "6 0 1 2 2 1 1\n4 0 1 2 3\n"));
  EXPECT_EQ(linked.triangles, 3u) << "corners that repeat make no triangle";
  EXPECT_THAT(wrong_in("a.ply", ply_file("element tristrips 1\nproperty list int int vertex_indices\n", "3 0 1 9\n")),
              HasSubstr("number 10"));
}

TEST(PlyVariants, FacesMayHaveOtherNames)
{
  for (std::string_view const list : {"vertex_index", "vertex_indices", "Vertices", "verts", "indices"}) {
    for (std::string_view const element : {"face", "polygon", "Faces", "triangles"}) {
      std::string const content =
          ply_file(fmt::format("element {} 1\nproperty list uchar int {}\n", element, list), "4 0 1 3 2\n");
      EXPECT_EQ(load_content("a.ply", content).triangles, 2u) << element << " " << list;
    }
  }
  std::string textured =
      ply_file("element face 1\nproperty list uchar float texcoord\nproperty list uchar int vertex_indices\n",
               "2 0.5 0.5 3 0 1 2\n");
  PointCloud const cloud = load_content("a.ply", textured);
  EXPECT_EQ(cloud.triangles, 1u);
  EXPECT_THAT(cloud.notes, Contains(HasSubstr("'texcoord'")));
  std::string renamed = ply_file("", "");
  renamed.replace(renamed.find("vertex 4"), 8, "points 4");
  EXPECT_EQ(load_content("a.ply", renamed).positions.size(), 4u);
}

TEST(PlyVariants, ColorsOfFacesAreKept)
{
  std::string const content = ply_file(
      "element face 1\nproperty list uchar int vertex_indices\nproperty uchar red\nproperty uchar green\nproperty "
      "uchar "
      "blue\n",
      "4 0 1 3 2 9 8 7\n");
  EXPECT_EQ(values_of(load_content("a.ply", content)), (Values{{"red", 9}, {"green", 8}, {"blue", 7}}));
}

TEST(PlyVariants, WhatIsSkippedIsNotedAndWhatDoesNotFitIsRefused)
{
  PointCloud const cloud =
      load_content("a.ply", ply_file("element edge 2\nproperty int vertex1\nproperty int vertex2\n", "0 1\n1 2\n"));
  EXPECT_EQ(cloud.positions.size(), 4u);
  EXPECT_THAT(cloud.notes, ElementsAre(AllOf(HasSubstr("'edge'"), HasSubstr("2 items"))));
  EXPECT_THAT(wrong_in("a.ply", ply_file("", "", "0 0 0 7 7 7\n1 0 0 7 7 7\n0 1 0 7 7 7\n1 1 0 7 7 7\n")),
              HasSubstr("does not match"))
      << "rows have more numbers than the header declares";
  for (auto const& [name, content] : files_of_meshes({})) {
    if (name != "little.ply") { continue; }
    EXPECT_THAT(wrong_in(name, content + std::string(200, '\1')), HasSubstr("200 bytes are left over"));
  }
  PointCloud const loose =
      load_content("a.ply", ply_file("element face 1\nproperty list uchar int vertex_indices\n", "3 0 1 2\n"));
  EXPECT_THAT(loose.notes, ElementsAre(HasSubstr("1 of 4 vertices")));
}

TEST(ObjVariants, ColorsStandBehindTheCoordinates)
{
  PointCloud const cloud =
      load_content("a.obj", "v 0 0 0 1 0.5 0\nv 1 0 0 1 0.5 0\nv 0 1 0 1 0.5 0\nf -3 -2 \\\n -1\n");
  EXPECT_EQ(cloud.triangles, 1u);
  EXPECT_EQ(values_of(cloud), (Values{{"red", 1}, {"green", 0.5}, {"blue", 0}}));
  EXPECT_THAT(load_content("a.obj", "v 0 0 0 1 0 0\nv 1 0 0\n").notes, ElementsAre(HasSubstr("1 of 2 vertices")));
  EXPECT_THAT(load_content("a.obj", "v 0 0 0 1\nv 1 0 0 1\n").attributes, IsEmpty()) << "weights";
}

TEST(ObjVariants, WhatIsSkippedIsNoted)
{
  std::string const triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_THAT(load_content("a.obj", triangle + "l 1 2\nl 2 3\nf 1 2 3\n").notes, ElementsAre(HasSubstr("2 polylines")));
  EXPECT_THAT(load_content("a.obj", triangle + "usemtl red\nf 1 2 3\n").notes, ElementsAre(HasSubstr("materials")));
  EXPECT_THAT(load_content("a.obj", triangle + "vn 0 0 1\nf 1//1 2//1 3\n").notes, ElementsAre(HasSubstr("normals")));
}

TEST(StlVariants, TitlesEndsAndAttributes)
{
  std::string const facet =
      "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
  EXPECT_EQ(load_content("a.stl", "solid a\n" + facet + "endsolid a\nsolid b\n" + facet + "end solid b\n").triangles,
            2u);
  EXPECT_EQ(load_content("a", facet + "endsolid\n").triangles, 1u) << "without a title";
  std::string title = "solid made by a program";
  title.resize(80, ' ');
  std::string const coordinates = raw(0.f) + raw(0.f) + raw(1.f) + raw(0.f) + raw(0.f) + raw(0.f) + raw(1.f) +
                                  raw(0.f) + raw(0.f) + raw(0.f) + raw(1.f) + raw(0.f);
  std::string const one = title + raw(std::uint32_t{1}) + coordinates;
  EXPECT_THAT(load_content("a.stl", one + raw(std::uint16_t{0})).notes, IsEmpty());
  PointCloud const cloud = load_content("a.stl", one + raw(std::uint16_t{0x801f}) + "tail");
  EXPECT_EQ(cloud.triangles, 1u);
  EXPECT_THAT(cloud.notes, ElementsAre(HasSubstr("1 triangle"), HasSubstr("4 bytes after")));
  EXPECT_THAT(wrong_in("a.stl", title + raw(std::uint32_t{0}) + coordinates + raw(std::uint16_t{0})),
              HasSubstr("declares 0 triangles"));
}

std::string pcd(std::string_view fields, std::string_view more, std::string_view rows)
{
  return fmt::format("# .PCD v.7\nVERSION .7\n{}\nWIDTH 2\nHEIGHT 2\n{}POINTS 4\nDATA ascii\n{}", fields, more, rows);
}

TEST(PcdVariants, PointsThatAreNoNumbersAreCounted)
{
  std::string const xyz = "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1";
  PointCloud const cloud =
      load_content("a.pcd", pcd(xyz, "VIEWPOINT 0 0 0 1 0 0 0\n", "nan nan nan\n0 0 0\n1 0 0\n-nan 1 2\n"));
  EXPECT_EQ(cloud.positions.size(), 2u);
  EXPECT_THAT(cloud.notes, ElementsAre(HasSubstr("Skipped 2 of 4 points")));
}

TEST(PcdVariants, WhatIsSkippedIsNotedAndWhatDoesNotFitIsRefused)
{
  std::string const xyz = "FIELDS X Y Z\nSIZE 4 4 4\nTYPE f f f\nCOUNT 1 1 1";
  std::string const rows = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n";
  EXPECT_THAT(load_content("a.pcd", pcd(xyz, "VIEWPOINT 1 2 3 1 0 0 0\n", rows)).notes,
              ElementsAre(HasSubstr("viewpoint")));
  EXPECT_THAT(load_content("a.pcd", pcd(xyz, "", rows + "5 5 5\n")).notes,
              ElementsAre(HasSubstr("1 line after the 4 points")));
  EXPECT_THAT(wrong_in("a.pcd", pcd(xyz, "", "0 0 0 9\n1 0 0 9\n0 1 0 9\n0 0 1 9\n")), HasSubstr("4 numbers"));
  std::string const more = "FIELDS x y z fpfh\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 2";
  EXPECT_THAT(load_content("a.pcd", pcd(more, "", "0 0 0 1 2\n1 0 0 1 2\n0 1 0 1 2\n0 0 1 1 2\n")).notes,
              ElementsAre(HasSubstr("'fpfh'")));
}

}  // namespace
}  // namespace slotscape::clouds
