#include "app/clouds/builtin.hpp"
#include "tests/app/clouds/cloud_files.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <random>

#include <unistd.h>

namespace slotscape::clouds {
namespace {

using namespace test;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string ply(std::string_view vertices, std::string_view rest)
{
  return "ply\nformat ascii 1.0\nelement vertex " + std::string(vertices) +
         "\nproperty float x\nproperty float y\nproperty float z\n" + std::string(rest);
}

TEST(BadCloudFiles, FormatsOfOthersAreNamed)
{
  for (auto const& [start, name] :
       {NamedContent{"ASTM-E57", "an E57 file"}, NamedContent{"glTF", "a binary glTF file"},
        NamedContent{"Kaydara FBX Binary  ", "an FBX file"}, NamedContent{"CCB2", "a CloudCompare BIN file"},
        NamedContent{"BLENDER-v306", "a Blender file"}}) {
    EXPECT_THAT(wrong_in("cloud.ply", start + std::string(100, '\0')),
                AllOf(HasSubstr("cloud.ply"), HasSubstr(name), HasSubstr("save it as LAZ or PLY")));
  }
}

TEST(BadCloudFiles, WhatIsNoFileIsNamed)
{
  TemporaryFolder const folder;
  auto const wrong = [](std::filesystem::path const& file) { return message_of<Error>([&] { load(file); }); };
  EXPECT_THAT(wrong(folder.path()), AllOf(StartsWith(folder.path().string()), HasSubstr("folder")));
  EXPECT_THAT(wrong(folder / "none.ply"), AllOf(HasSubstr("none.ply"), HasSubstr("no such file")));
  EXPECT_THAT(wrong("/dev/zero"), HasSubstr("not a regular file"));
  EXPECT_THAT(wrong_in("empty.obj", ""), AllOf(HasSubstr("empty.obj"), HasSubstr("empty")));
  std::filesystem::path const secret = folder.write("secret.ply", "ply\n");
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  if (::access(secret.c_str(), R_OK) == 0) { GTEST_SKIP() << "this user may read everything"; }
  EXPECT_THAT(wrong(secret), AllOf(HasSubstr("secret.ply"), HasSubstr("cannot be read")));
}

TEST(BadCloudFiles, UnknownFormatsSayWhichAreKnown)
{
  using namespace std::string_view_literals;
  for (std::string_view const content :
       {"PK\3\4\0\0\0\0 a zip"sv, "{ \"keys\": [1, 2] }\nmore words\nand more\n"sv, "IFCB\2\0\0\0"sv, "\0\0\0"sv}) {
    EXPECT_THAT(wrong_in("thing.dat", content), AllOf(HasSubstr("thing.dat"), HasSubstr("PLY, OBJ, STL, OFF, PCD")));
  }
  EXPECT_THAT(wrong_in("thing.ply", "hello\nworld\n"), HasSubstr("does not begin with 'ply'"));
}

TEST(BadCloudFiles, RastersAndColumnsOfUnknownNamesSayWhatTheyAre)
{
  EXPECT_THAT(wrong_in("dem.asc", "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n4 5 6\n"),
              AllOf(HasSubstr("raster of heights"), HasSubstr("gdal_translate")));
  EXPECT_THAT(wrong_in("a.csv", "Nr;Süd;West;Höhe\n1;2.5;3.5;4.5\n2;2.5;3.5;4.5\n"), HasSubstr("Nr, Süd, West, Höhe"));
  EXPECT_THAT(wrong_in("a.csv",
                       "Nr;S\xfc"
                       "d;West;H\xf6he\n1;2.5;3.5;4.5\n2;2.5;3.5;4.5\n"),
              HasSubstr("Nr, Süd, West, Höhe"));
  for (std::string const name : {"H\xc3\xb6he", "H\xf6he", "Ho\u0308he"}) {
    PointCloud const cloud = load_content("a.csv", "Punkt;Rechts;Hoch;" + name + "\n7;2.5;3.5;4.5\n8;2.5;3.25;4.5\n");
    EXPECT_EQ(cloud.originals.front(), (Position{2.5, 3.5, 4.5}));
  }
}

TEST(BadCloudFiles, LostEndsSayWhere)
{
  EXPECT_THAT(wrong_in("a.ply", ply("3", "end_header\n0 0 0\n1 0 0\n1")), HasSubstr("ends in vertex 3 of 3"));
  EXPECT_THAT(wrong_in("a.ply", ply("4", "end_header\n0 0 0\n10 10\n20 20 20 99\n30 30 30\n")),
              HasSubstr("lines 9 and 10 do not have as many numbers"));
  EXPECT_THAT(wrong_in("a.ply", ply("2", "property float x\nend_header\n0 0 0 1\n1 0 0 2\n")),
              HasSubstr("the property 'x' twice"));
  EXPECT_THAT(wrong_in("a.ply", "ply\nformat ascii 1.0\nelement vert"), HasSubstr("line 3"));
  EXPECT_THAT(wrong_in("a.ply", "ply\nformat ascii 1.0\n"), HasSubstr("before 'end_header'"));
  EXPECT_THAT(wrong_in("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n"), HasSubstr("ends before face 1 of 1"));
  EXPECT_THAT(wrong_in("a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"), HasSubstr("endsolid"));
  EXPECT_THAT(wrong_in("a.xyz", "0 0 0\n1 0"), AllOf(HasSubstr("line 2"), HasSubstr("2 of 3")));
  EXPECT_THAT(wrong_in("a.xyz", "0 0 0\n1 0 zero\n"), AllOf(HasSubstr("line 2"), HasSubstr("'zero'")));
  EXPECT_THAT(wrong_in("a.pts", "3\n0 0 0\n1 0 0\n"), AllOf(HasSubstr("declares 3"), HasSubstr("2 follow")));
  EXPECT_THAT(wrong_in("a.obj", "v 0 0 0\nv 1 0\n"), AllOf(HasSubstr("line 2"), HasSubstr("three numbers")));
  for (auto const& [name, content] : files_of_meshes({})) {
    if (name != "binary.stl") { continue; }
    EXPECT_THAT(wrong_in(name, content.substr(0, 84 + 150)), HasSubstr("ends in triangle 4 of 4"));
  }
}

TEST(BadCloudFiles, HugeCountsInTinyFilesAskForNoMemory)
{
  auto const begin = std::chrono::steady_clock::now();
  std::string const stl = std::string(80, ' ') + raw(std::uint32_t{0xfffffff0u}) + std::string(50, '\1');
  std::string const pcd =
      "# .PCD v0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 4000000000\nHEIGHT 1\nDATA ";
  std::string const packed = raw(std::uint32_t{4}) + raw(std::uint32_t{0xffffffffu}) + "abcd";
  EXPECT_THAT(wrong_in("a.ply", ply("18446744073709551615", "end_header\n0 0 0\n")),
              HasSubstr("ends in vertex 2 of 18446744073709551615"));
  EXPECT_THAT(wrong_in("a.ply", ply("1",
                                    "element face 4000000000\nproperty list uchar int vertex_indices\n"
                                    "end_header\n0 0 0\n")),
              HasSubstr("4000000000"));
  EXPECT_THAT(wrong_in("a.ply",
                       "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty uchar x\n"
                       "property uchar y\nproperty uchar z\nproperty list uint double more\nend_header\nabc" +
                           raw(std::uint32_t{0xffffffffu})),
              AnyOf(HasSubstr("entries"), HasSubstr("ends in vertex 1")));
  EXPECT_THAT(wrong_in("a.off", "OFF\n4000000000 1 0\n0 0 0\n"), HasSubstr("4000000000"));
  EXPECT_THAT(wrong_in("a.stl", stl), HasSubstr("ends in triangle 2 of 4294967280"));
  EXPECT_THAT(wrong_in("a.pcd", pcd + "ascii\n0 0 0\n"), HasSubstr("point 2 of 4000000000"));
  EXPECT_THAT(wrong_in("a.pcd", pcd + "binary\n0 0 0 0 0 0\n"), HasSubstr("4000000000"));
  EXPECT_THAT(wrong_in("a.pcd", pcd + "binary_compressed\n" + packed), HasSubstr("4000000000"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(BadCloudFiles, WrongCountsAreFound)
{
  EXPECT_THAT(wrong_in("a.pcd", "# .PCD v0.7\nFIELDS x y z\nWIDTH 2\nHEIGHT 2\nPOINTS 3\nDATA ascii\n0 0 0\n"),
              HasSubstr("3 points, but 2 x 2"));
  EXPECT_THAT(wrong_in("a.pcd", "# .PCD v0.7\nFIELDS x y\nWIDTH 1\nPOINTS 1\nDATA ascii\n0 0\n"), HasSubstr("'z'"));
  EXPECT_THAT(wrong_in("a.pcd", "# .PCD v0.7\nFIELDS x y z\nPOINTS 1\nDATA zip\n0 0 0\n"), HasSubstr("'zip'"));
  EXPECT_THAT(wrong_in("a.ply", ply("many", "end_header\n")), AllOf(HasSubstr("line 3"), HasSubstr("'many'")));
  EXPECT_THAT(wrong_in("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n"),
              HasSubstr("x, y and z"));
  EXPECT_THAT(wrong_in("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4 0 1 2\n"), HasSubstr("declares 4 corners"));
  EXPECT_THAT(wrong_in("a.off", "OFF BINARY\n3 1 0\n"), HasSubstr("binary OFF"));
}

TEST(BadCloudFiles, FacesWithoutTheirVerticesAreRefused)
{
  EXPECT_THAT(wrong_in("a.ply", ply("3",
                                    "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
                                    "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n")),
              AllOf(HasSubstr("face 1"), HasSubstr("number 4")));
  EXPECT_THAT(wrong_in("a.ply", ply("3",
                                    "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
                                    "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n")),
              AllOf(HasSubstr("face 1"), HasSubstr("invalid index")));
  EXPECT_THAT(wrong_in("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"), HasSubstr("number 4"));
  EXPECT_THAT(wrong_in("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n"), AllOf(HasSubstr("line 4"), HasSubstr("'0'")));
  EXPECT_THAT(wrong_in("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -4\n"), HasSubstr("line 4"));
  EXPECT_THAT(wrong_in("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//1 2//1 3//1\n"), HasSubstr("normal"));
  EXPECT_THAT(wrong_in("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 9\n"), HasSubstr("number 10"));
}

TEST(BadCloudFiles, CoordinatesThatAreNotFiniteAreLeftOutAndCounted)
{
  PointCloud const cloud = load_content("a.xyz", "0 0 0\nnan 0 0\n1 0 0\n0 -inf 0\n0 0 1e999\n");
  EXPECT_LT(furthest(originals(cloud), {{0, 0, 0}, {1, 0, 0}}), 1e-6);
  EXPECT_THAT(cloud.notes, ElementsAre(HasSubstr("Skipped 3 of 5 points")));
  EXPECT_THAT(wrong_in("a.xyz", "nan nan nan\ninf 0 0\n"), AllOf(HasSubstr("a.xyz"), HasSubstr("none of its 2")));
  PointCloud const mesh = load_content("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 nan 1\nf 1 2 3\nf 1 2 4\n");
  EXPECT_THAT(mesh.notes, ElementsAre(HasSubstr("1 of 2 triangles")));
  EXPECT_THAT(wrong_in("a.obj", "v 0 0 0\nv 1 0 0\nv 0 nan 1\nf 1 2 3\n"), HasSubstr("none of its 1 triangles"));
}

TEST(BadCloudFiles, FewPointsAreFineAndNoneAreNot)
{
  EXPECT_THAT(wrong_in("a.ply", ply("0", "end_header\n")), HasSubstr("no points"));
  EXPECT_THAT(wrong_in("a.obj", "# v\no nothing\n"), AnyOf(HasSubstr("no points"), HasSubstr("unknown format")));
  EXPECT_THAT(wrong_in("a.xyz", "# only words\n\n"), HasSubstr("no points"));
  for (std::string_view const same : {"5 6 7\n", "5 6 7\n5 6 7\n5 6 7\n"}) {
    PointCloud const cloud = load_content("a.xyz", same);
    EXPECT_EQ(cloud.frame, (Frame{{5, 6, 7}, 1.0}));
    EXPECT_THAT(cloud.positions, ::testing::Each(Vector{}));
  }
  EXPECT_EQ(load_content("a.xyz", "1e300 0 0\n1e140 0 0\n-1e140 0 0\n").positions.size(), 2u);
}

TEST(BadCloudFiles, TrianglesWithoutAreaAreLeftOut)
{
  PointCloud const cloud = load_content("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nf 1 2 3\nf 1 2 4\nf 1 1 2\n");
  EXPECT_THAT(cloud.notes, ElementsAre(HasSubstr("Skipped 2 of 3 triangles: no area")));
  EXPECT_THAT(wrong_in("a.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"), HasSubstr("none of its 1 triangles"));
  EXPECT_THAT(wrong_in("a.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n"), HasSubstr("none of its 1 triangles"));
}

/// What reading this comes to: a cloud that can be worked with, or Error. All else ends the test.
void expect_cloud_or_error(TemporaryFolder const& folder, std::string const& name, std::string_view content)
{
  try {
    PointCloud const cloud = load(folder.write(name, content), {.points = 20});
    EXPECT_GE(cloud.positions.size(), 1u);
    for (Vector const& p : cloud.positions) { ASSERT_LT(spatial::length(p), 1.0001f) << name; }
    for (Vector const& n : cloud.normals) { ASSERT_NEAR(spatial::length(n), 1.0f, 1e-3f) << name; }
  } catch (Error const& error) {
    EXPECT_THAT(error.what(), HasSubstr(name));
  }
}

std::vector<NamedContent> all_files()
{
  std::vector<NamedContent> files = files_of_points({});
  for (NamedContent const& mesh : files_of_meshes({})) { files.push_back({"mesh-" + mesh.name, mesh.content}); }
  std::string const triangle = "0 0 0 9 8 7\n1 0 0 9 8 7\n0 1 0 9 8 7\n3 0 1 2 255 0 0\n";
  std::string const header =
      "{'descr': [('z', '<f4'), ('y', '>i2'), ('x', '<f8')], 'fortran_order': False, 'shape': (2,), }\n";
  files.push_back({"glued.off", "# a\nCOFF3 1 0\n" + triangle});
  files.push_back({"bare.off", "3 1 0\n" + triangle});
  files.push_back({"strips.ply", ply("4",
                                     "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
                                     "0 0 0\n1 0 0\n0 1 0\n1 1 0\n6 0 1 2 -1 3 2\n")});
  files.push_back({"names.csv", "\"id\";\"z\";\"y [m]\";\"x\"\nP1;1,5;;3\nP2;4;5;6\nP3;7;8;9\n"});
  files.push_back({"comment.txt", "// X Y Z I\n1 2 3 4\n5 6 7 8\n"});
  files.push_back({"fields.npy", std::string("\x93NUMPY\x01\x00", 8) + raw(static_cast<std::uint16_t>(header.size())) +
                                     header + std::string(28, '\1')});
  return files;
}

TEST(BadCloudFiles, EveryTruncationIsACloudOrAnError)
{
  TemporaryFolder const folder;
  for (auto const& [name, content] : all_files()) {
    for (std::size_t size = 0; size < content.size(); ++size) {
      expect_cloud_or_error(folder, name, std::string_view(content).substr(0, size));
    }
  }
}

TEST(BadCloudFiles, AnyChangedBytesAreACloudOrAnError)
{
  TemporaryFolder const folder;
  std::mt19937 random(4);
  for (auto const& [name, content] : all_files()) {
    for (int trial = 0; trial < 300; ++trial) {
      std::string changed = content;
      for (unsigned change = 0; change <= random() % 4; ++change) {
        std::size_t const at = random() % changed.size();
        constexpr std::string_view telling = "0123456789-+./ \n\\efnv";
        switch (random() % 3) {
          case 0: changed[at] = static_cast<char>(random()); break;
          case 1: changed[at] = telling[random() % telling.size()]; break;
          default: changed.insert(at, changed.substr(random() % changed.size(), random() % 12)); break;
        }
      }
      expect_cloud_or_error(folder, name, changed);
    }
  }
}

TEST(BadCloudFiles, CancellingStopsTheReading)
{
  TemporaryFolder const folder;
  std::string rows;
  for (int i = 0; i < 10000; ++i) { rows += "1 2 3\n"; }
  Progress const progress = Progress::tracked();
  progress.cancel();
  EXPECT_THROW(load_cloud(folder.write("a.xyz", rows), {}, progress), Cancelled);
  for (std::string_view const name : builtin_names()) { EXPECT_THROW(make_builtin(name, 100, 1, progress), Cancelled); }
}

}  // namespace
}  // namespace slotscape::clouds
