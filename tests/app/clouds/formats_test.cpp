#include "tests/app/clouds/cloud_files.hpp"

#include <gmock/gmock.h>

namespace slotscape::clouds {
namespace {

using namespace test;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(CloudFormats, PointsKeepTheirPlacesInEveryFormat)
{
  for (Position const at : {Position{}, survey_place}) {
    for (auto const& [name, content] : files_of_points(at)) {
      SCOPED_TRACE(name);
      PointCloud const cloud = load_content(name, content);
      EXPECT_LT(furthest(originals(cloud), tetrahedron(at)), 1e-6);
      EXPECT_EQ(cloud.vertices, 4u);
      EXPECT_EQ(cloud.triangles, 0u);
      EXPECT_FALSE(cloud.has_normals());
      // The tests' files have a list, or two numbers in a field, for each point.
      bool const has_more = name.ends_with(".ply") || name.ends_with(".pcd");
      EXPECT_EQ(cloud.notes.size(), has_more ? 1u : 0u);
      for (std::string const& note : cloud.notes) {
        EXPECT_THAT(note, AnyOf(HasSubstr("'extra'"), HasSubstr("'rgb'")));
      }
    }
  }
}

TEST(CloudFormats, TheEndingOfAFileDoesNotMatter)
{
  for (auto const& [name, content] : files_of_points({})) {
    SCOPED_TRACE(name);
    for (std::string_view const other : {"cloud", "cloud.dat", "cloud.xyz", "cloud.stl"}) {
      EXPECT_LT(furthest(originals(load_content(other, content)), tetrahedron()), 1e-6) << other;
    }
  }
}

TEST(CloudFormats, MeshesAreSampledWhereTheyAreInEveryFormat)
{
  for (Position const at : {Position{}, survey_place}) {
    for (auto const& [name, content] : files_of_meshes(at)) {
      if (name == "binary.stl" && at != Position{}) { continue; }
      SCOPED_TRACE(name);
      PointCloud const cloud = load_content(name, content);
      EXPECT_EQ(cloud.positions.size(), 1000u);
      EXPECT_EQ(cloud.normals.size(), 1000u);
      EXPECT_EQ(cloud.triangles, 4u);
      for (Position const& p : originals(cloud)) {
        Position const q = p - at;
        EXPECT_GT(std::min({q.x, q.y, q.z}), -1e-6);
        EXPECT_LT(std::min({q.x, q.y, q.z, 1.0 - q.x - q.y - q.z}), 1e-6);
      }
    }
  }
}

TEST(CloudFormats, NormalsPointOutwardsHoweverTheFacesAreWound)
{
  for (bool const inwards : {false, true}) {
    for (auto const& [name, content] : files_of_meshes({}, inwards)) {
      SCOPED_TRACE(name);
      PointCloud const cloud = load_content(name, content);
      Vector const center = to_vector(cloud.frame.local({0.2, 0.2, 0.2}));
      for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
        ASSERT_GT(dot(cloud.positions[i] - center, cloud.normals[i]), 0.0f);
        ASSERT_NEAR(spatial::length(cloud.normals[i]), 1.0f, 1e-5f);
      }
      auto const flipped = std::ranges::count_if(cloud.notes, [](std::string const& note) {
        return note.find("flipped") != std::string::npos;
      });
      EXPECT_EQ(flipped, inwards ? 1 : 0);
    }
  }
}

TEST(CloudFormats, EveryCloudFitsTheUnitSphere)
{
  for (auto const& [name, content] : files_of_points(survey_place)) {
    float largest = 0.0f;
    for (Vector const& p : load_content(name, content).positions) { largest = std::max(largest, spatial::length(p)); }
    EXPECT_NEAR(largest, 1.0f, 1e-5f) << name;
  }
}

TEST(CloudFormats, RowsTakeAnySeparatorHeadingsAndComments)
{
  for (std::string_view const text :
       {"0 0 0\n1 0 0\n0 1 0\n0 0 1\n", "0\t0\t0\r\n1\t0\t0\r\n0\t1\t0\r\n0\t0\t1", "0,0,0\n1,0,0\n0,1,0\n0,0,1\n",
        "0; 0; 0\n1; 0; 0\n0; 1; 0\n0; 0; 1\n", "# points\n\nx,y,z\n0,0,0\n1,0,0 // b\n0,1,0 # c\n0,0,+1e0\n",
        "4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n", "\xef\xbb\xbfX Y Z\r0 0 0\r1 0 0\r0 1 0\r0 0 1\r",
        "0 0 0 label\n1 0 0 label\n0 1 0 label\n0 0 1 label\n"}) {
    EXPECT_LT(furthest(originals(load_content("rows.csv", text)), tetrahedron()), 1e-6) << text;
  }
}

TEST(CloudFormats, ColumnsFourToSixAreNormalsOnlyWhereAllAreUnitVectors)
{
  PointCloud const normals = load_content("n.xyz", "0 0 0 1 0 0\n1 0 0 0.6 0.8 0\n0 1 0 0 0 -1 200\n");
  EXPECT_TRUE(normals.normals_from_source);
  EXPECT_THAT(normals.normals, ElementsAre(Vector{1, 0, 0}, Vector{0.6f, 0.8f, 0}, Vector{0, 0, -1}));
  EXPECT_FALSE(load_content("c.xyz", "0 0 0 1 0 0\n1 0 0 255 0 7\n").has_normals());
  EXPECT_FALSE(load_content("c.xyz", "0 0 0 1 0 0\n1 0 0\n").has_normals());
}

TEST(CloudFormats, NormalsOfPointsAreRead)
{
  std::string const ply =
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty float nz\nproperty float ny\nproperty float nx\n"
      "property float z\nproperty float y\nproperty float x\nend_header\n2 0 0 0 0 0\n0 0 -3 0 0 1\n";
  std::string const pcd =
      "VERSION .7\nFIELDS x y z normal_x normal_y normal_z\nSIZE 4 4 4 4 4 4\nTYPE F F F F F F\nCOUNT 1 1 1 1 1 1\n"
      "WIDTH 2\nHEIGHT 1\nPOINTS 2\nDATA ascii\n0 0 0 0 0 1\n1 0 0 -1 0 0\n";
  std::string const obj = "v 0 0 0\nv 1 0 0\nvn 0 0 1\nvn -1 0 0\n";
  std::string const off = "NOFF\n2 0 0\n0 0 0 0 0 1\n1 0 0 -1 0 0\n";
  for (std::string const& content : {ply, pcd, obj, off}) {
    PointCloud const cloud = load_content("normals", content);
    EXPECT_THAT(cloud.normals, ElementsAre(Vector{0, 0, 1}, Vector{-1, 0, 0})) << content;
    EXPECT_LT(furthest(originals(cloud), {{0, 0, 0}, {1, 0, 0}}), 1e-6) << content;
  }
}

TEST(CloudFormats, AttributesOfPointsAreKept)
{
  std::string const ply =
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty uchar red\nproperty float x\nproperty float y\n"
      "property float z\nproperty double time\nend_header\n200 0 0 0 1e9\n7 1 0 0 1000000001.5\n";
  std::string const pcd =
      "VERSION .7\nFIELDS x y z rgb time\nSIZE 4 4 4 4 8\nTYPE F F F U F\nCOUNT 1 1 1 1 1\nWIDTH 2\nHEIGHT 1\n"
      "POINTS 2\nDATA ascii\n0 0 0 13107200 1e9\n1 0 0 458752 1000000001.5\n";
  std::string const rows = "X,Y,Z,red,time\n0,0,0,200,1e9\n1,0,0,7,1000000001.5\n";
  for (std::string const& content : {ply, pcd, rows}) {
    PointCloud const cloud = load_content("points", content);
    EXPECT_THAT(values_of(cloud, "red"), ElementsAre(200.0, 7.0)) << content;
    EXPECT_THAT(values_of(cloud, "time"), ElementsAre(1e9, 1000000001.5)) << content;
  }
  EXPECT_THAT(values_of(load_content("a.xyz", "0 0 0 5 6\n1 0 0 7\n"), "column_4"), ElementsAre(5.0, 7.0));
  EXPECT_EQ(load_content("a.xyz", "0 0 0 5 6\n1 0 0 7\n").attributes.size(), 1u) << "not every row has the other";
  EXPECT_EQ(load_content("a.xyz", "0 0 0 1 0 0 9\n1 0 0 0 1 0 9\n").attributes.size(), 1u) << "after the normal";
}

std::vector<std::string> names_in(std::string_view rows, std::string_view name = "a.xyz")
{
  std::vector<std::string> names;
  PointCloud const cloud = load_content(name, rows);
  for (Attribute const& attribute : cloud.attributes) { names.push_back(attribute.name()); }
  return names;
}

TEST(CloudFormats, ColumnsWithoutNamesAreColorsWhereTheirNumbersAreNothingElse)
{
  std::string const bytes = "0 0 0 255 0 64\n1 0 0 12 200 33\n";
  EXPECT_THAT(names_in(bytes), ElementsAre("red", "green", "blue"));
  EXPECT_THAT(names_in(bytes, "a.txt"), ElementsAre("red", "green", "blue"));
  EXPECT_THAT(values_of(load_content("a.xyz", bytes), "green"), ElementsAre(0.0, 200.0));
  EXPECT_EQ(load_content("a.xyz", bytes).attributes.front().type(), NumberType::uint8);
  std::string const shares = "0 0 0 1 0 0.251\n1 0 0 0.0471 0.784 0.129412\n";
  EXPECT_THAT(names_in(shares), ElementsAre("red", "green", "blue"));
  EXPECT_THAT(values_of(load_content("a.xyz", shares), "blue"), ElementsAre(0.251, 0.129412)) << "as they are";
  EXPECT_THAT(names_in("0 0 0 0 0 1 255 0 64\n1 0 0 0 1 0 12 200 33\n"), ElementsAre("red", "green", "blue"))
      << "after a normal";
  EXPECT_THAT(names_in("x y z a b c\n0 0 0 255 0 64\n1 0 0 12 200 33\n"), ElementsAre("a", "b", "c"));
}

TEST(CloudFormats, AConstantBehindColorsIsTheirOpacity)
{
  auto const color = ElementsAre("red", "green", "blue", "alpha");
  EXPECT_THAT(names_in("5 6 2 117.0 73.0 49.0 255.0\n4 6 2 91.0 87.0 74.0 255.0\n"), color);
  EXPECT_THAT(names_in("0 0 0 1 0 0.251 1\n1 0 0 0.0471 0.784 0.129412 1\n"), color);
  EXPECT_THAT(names_in("0 0 0 255 73 49 255\n1 0 0 255 87 74 255\n"), Not(color)) << "it may come first";
  EXPECT_THAT(names_in("0 0 0 117 73 49 254\n1 0 0 91 87 74 254\n"), Not(color));
}

TEST(CloudFormats, AnIntensityStandsBeforeTheColorsOrAlone)
{
  EXPECT_THAT(names_in("0 0 0 -1200 255 0 64\n1 0 0 300 12 200 33\n"),
              ElementsAre("intensity", "red", "green", "blue"));
  EXPECT_THAT(names_in("0 0 0 0.5 255 0 64\n1 0 0 0.25 12 200 33\n"), ElementsAre("intensity", "red", "green", "blue"));
  EXPECT_THAT(names_in("2\n0 0 0 90 255 0 64\n1 0 0 40 12 200 33\n"), ElementsAre("intensity", "red", "green", "blue"))
      << "a file that begins with its number of points has them in this order";
  EXPECT_THAT(names_in("0 0 0 4080\n1 0 0 212\n2 0 0 600\n"), ElementsAre("intensity"));
  EXPECT_THAT(names_in("0 0 0 0.25\n1 0 0 0.125\n"), ElementsAre("intensity"));
}

TEST(CloudFormats, ColumnsThatMayBeSomethingElseHaveNoNames)
{
  EXPECT_THAT(names_in("0 0 0 200 2 1\n1 0 0 90 5 1\n"), ElementsAre("column_4", "column_5", "column_6"))
      << "an intensity, a class and a number of returns";
  EXPECT_THAT(names_in("0 0 0 255 0 300\n1 0 0 12 200 33\n"), ElementsAre("column_4", "column_5", "column_6"));
  EXPECT_THAT(names_in("0 0 0 0.5713 0.1236 0.9047\n1 0 0 0.25 0.5 0.75\n"),
              ElementsAre("column_4", "column_5", "column_6"))
      << "no bytes";
  EXPECT_THAT(names_in("0 0 0 1 0 1\n1 0 0 1 1 0\n"), ElementsAre("column_4", "column_5", "column_6")) << "flags";
  EXPECT_THAT(names_in("0 0 0 90 255 0 64\n1 0 0 40 12 200 33\n"),
              ElementsAre("column_4", "column_5", "column_6", "column_7"))
      << "the colour may come first";
  EXPECT_THAT(names_in("0 0 0 2\n1 0 0 5\n"), ElementsAre("column_4")) << "a class";
  EXPECT_THAT(names_in("0 0 0 100\n1 0 0 101\n2 0 0 102\n"), ElementsAre("column_4")) << "a number of the point";
  EXPECT_THAT(names_in("0 0 0 -0.25\n1 0 0 0.125\n"), ElementsAre("column_4")) << "a distance";
}

TEST(CloudFormats, AttributesOfAMeshAreThoseOfTheNearestCorner)
{
  PointCloud const cloud =
      load_content("m.ply",
                   "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                   "property short class\nelement face 1\nproperty list uint8 uint32 vertex_index\nend_header\n"
                   "0 0 0 10\n1 0 0 20\n0 1 0 -30\n3 0 1 2\n");
  std::vector<double> const classes = values_of(cloud, "class");
  std::vector<Position> const places = originals(cloud);
  ASSERT_EQ(classes.size(), places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    double const first = 1.0 - places[i].x - places[i].y;
    double const largest = std::max({first, places[i].x, places[i].y});
    double const expected = largest == first ? 10.0 : largest == places[i].x ? 20.0 : -30.0;
    ASSERT_EQ(classes[i], expected) << places[i].x << " " << places[i].y;
  }
}

TEST(CloudFormats, NormalsOfCornersAreInterpolated)
{
  PointCloud const cloud = load_content("n.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 1 0 1\nvn 0 0 1\nf 1//1 2//2 3//2\n");
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    Position const p = cloud.frame.original(cloud.positions[i]);
    EXPECT_NEAR(cloud.normals[i].x / cloud.normals[i].z, (1.0 - p.x - p.y) / (1.0 - (1.0 - p.x - p.y) * 0.2929), 0.4);
    EXPECT_NEAR(cloud.normals[i].y, 0.0f, 1e-6f);
  }
}

TEST(CloudFormats, TextOfStlMayBeWrittenInAnyWay)
{
  PointCloud const cloud =
      load_content("loud.stl",
                   "\n  SOLID\r\n FACET NORMAL 0 0 1\r\n  OUTER LOOP\r\n VERTEX 0 0 0\r\n VERTEX 1 0 0\r\n"
                   " VERTEX 0 1 0\r\n ENDLOOP\r\n ENDFACET\r\nENDSOLID\r\n\r\n");
  EXPECT_EQ(cloud.triangles, 1u);
  EXPECT_EQ(cloud.normals.front(), (Vector{0, 0, 1}));
}

TEST(CloudFormats, PlyFacesMayStandBeforeTheirVertices)
{
  PointCloud const cloud = load_content(
      "f.ply",
      "ply\nformat ascii 1.0\nelement face 1\nproperty uchar flags\nproperty list uint8 uint32 vertex_index\n"
      "element nothing 3\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
      "9 3 0 1 2\n0 0 0\n1 0 0\n0 1 0\n");
  EXPECT_EQ(cloud.triangles, 1u);
}

TEST(CloudFormats, ConcavePolygonsAreCutInside)
{
  // An L: its notch is the square from (1, 1) to (2, 2).
  PointCloud const cloud =
      load_content("l.obj", "v 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 0\nv 2 0 0\nv 2 1 0\nf 1 2 3 4 5 \\\n6\n");
  EXPECT_EQ(cloud.triangles, 4u);
  for (Position const& p : originals(cloud)) { EXPECT_FALSE(p.x > 1.0001 && p.y > 1.0001) << p.x << " " << p.y; }
  for (Vector const& n : cloud.normals) { EXPECT_NEAR(n.z, 1.0f, 1e-6f); }
}

}  // namespace
}  // namespace slotscape::clouds
