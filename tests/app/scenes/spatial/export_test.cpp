#include "app/scenes/spatial/export.hpp"

#include "app/scenes/spatial/coordinates.hpp"
#include "tests/app/clouds/cloud_files.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

namespace slotscape {
namespace {

using clouds::Position;
using clouds::test::survey_place;
using spatial::Model;
using spatial::Vector;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// Hills of 200 m, as surveyors have them: with an intensity, a colour and a class for each point.
constexpr int columns = 60;
Position hill(int x, int y)
{
  double const step = 200.0 / columns;
  return survey_place + Position{step * x, step * y, 10.0 * std::sin(0.1 * x) * std::cos(0.1 * y)};
}
std::string survey_file()
{
  std::string text = "X Y Z Intensity red green blue class\n";
  for (int y = 0; y < columns; ++y) {
    for (int x = 0; x < columns; ++x) {
      Position const p = hill(x, y);
      text += fmt::format("{:.3f} {:.3f} {:.3f} {:.2f} {} 20 30 {}\n", p.x, p.y, p.z, 0.25 * x, 2 * x, 300 + y);
    }
  }
  return text;
}

/// A surveyor's file as A, turned, moved and made smaller by hand.
class SpatialExport : public test::SpatialSceneTest {
protected:
  void SetUp() override { open_beside("sphere"); }

  void open_beside(std::string const& b)
  {
    SpatialSceneSettings settings = test::small_settings();
    ModelSettings& model = settings.models[Model::a];
    model.source = folder_.write("survey.txt", survey_file()).string();
    model.turned = true;
    model.place = {{{Vector{0.0f, -1.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}}, {0.2f, -0.1f, 0.3f}, 0.6f};
    settings.models[Model::b].source = b;
    settings.boolean = spatial::Boolean::both;
    open(settings);
  }
  clouds::PlyPoints result() { return result_points(scene().engine(), state()); }

  test::TemporaryFolder folder_;
};

constexpr std::size_t points_of_cloud = std::size_t{columns} * columns;

TEST_F(SpatialExport, PutsPointsWhereTheirFileHasThem)
{
  clouds::PlyPoints const ply = result();
  ASSERT_GT(ply.positions.size(), points_of_cloud) << "with the points of the sphere";
  for (std::size_t i = 0; i < points_of_cloud; ++i) {
    Position const expected = hill(static_cast<int>(i) % columns, static_cast<int>(i) / columns);
    ASSERT_LT(length(ply.positions[i] - expected), 1e-3) << i;
  }
  EXPECT_GT(std::abs(ply.normals[0].z), 0.5f) << "the file's normals, not the turned model's";
}

TEST_F(SpatialExport, PutsBuiltInShapesBesideThem)
{
  clouds::PlyPoints const ply = result();
  Similarity const to_scene = scene_of_file(state(), Model::a);
  spatial::Pose const& sphere = state().poses[Model::b];
  double const radius = static_cast<double>(sphere.scale);
  ASSERT_EQ(ply.scene.size(), ply.positions.size());
  for (std::size_t i = 0; i < ply.positions.size(); ++i) {
    Position const shown = to_scene(ply.positions[i]);
    ASSERT_LT(length(shown - clouds::to_position(ply.scene[i])), 1e-4) << i;
    if (i >= points_of_cloud) { ASSERT_NEAR(length(shown - clouds::to_position(sphere.translation)), radius, 1e-4); }
  }
}

TEST_F(SpatialExport, KeepsTheAttributesOfTheFile)
{
  scene().save_result(folder_ / "result.ply");
  clouds::PointCloud const cloud = clouds::test::load(folder_ / "result.ply");
  auto const value = [&](std::string_view name, std::size_t point) {
    auto const found = std::ranges::find(cloud.attributes, name, &clouds::Attribute::name);
    return found == cloud.attributes.end() ? -1.0 : (*found)[point];
  };
  std::size_t const point = std::size_t{7} * columns + 9;
  EXPECT_EQ(value("Intensity", point), 2.25);
  EXPECT_EQ(value("class", point), 307.0);
  EXPECT_EQ(value("red", point), 18.0);
  EXPECT_EQ(value("blue", point), 30.0);
  EXPECT_EQ(value("model", point), 0.0);
  EXPECT_TRUE(std::isnan(value("Intensity", points_of_cloud))) << "the sphere has none";
  EXPECT_EQ(value("model", points_of_cloud), 1.0);
}

/// The same four points in the three ways of writing colours without names.
TEST_F(SpatialExport, KeepsColorsThatOnlyTheirNumbersTell)
{
  for (std::string const text :
       {"0 0 0 255 0 64\n4 0 0 12 200 33\n0 4 0 0 0 40\n0 0 4 9 9 9\n",
        "0 0 0 900 255 0 64\n4 0 0 7 12 200 33\n0 4 0 7 0 0 40\n0 0 4 7 9 9 9\n",
        "0 0 0 1 0 0.251\n4 0 0 0.0471 0.784 0.129\n0 4 0 0 0 0.157\n0 0 4 0.0353 0.0353 0.0353\n"}) {
    open_beside(folder_.write("other.xyz", text).string());
    clouds::PlyPoints const ply = result();
    std::size_t const first = ply.positions.size() - 4;
    EXPECT_EQ(ply.colors[first], (clouds::Color{255, 0, 64})) << text;
    EXPECT_EQ(ply.colors[first + 1], (clouds::Color{12, 200, 33})) << text;
    auto const value = [&](std::string_view name) {
      auto const found = std::ranges::find(ply.attributes, name, &clouds::Attribute::name);
      return found == ply.attributes.end() ? -1.0 : (*found)[first];
    };
    if (text.find("900") != text.npos) { EXPECT_EQ(value("Intensity"), 900.0) << "as A calls it"; }
    if (text.find('.') != text.npos) { EXPECT_EQ(value("file_blue"), 0.251) << "not rounded to a byte"; }
  }
}

/// Whatever the window shows as a colour is one in the result, too.
TEST_F(SpatialExport, KeepsColorsOfAllNames)
{
  for (std::string const names : {"red green blue", "R G B", "r g b", "diffuse_red diffuse_green diffuse_blue"}) {
    open_beside(folder_
                    .write("other.xyz",
                           "x y z " + names + "\n0 0 0 255 0 64\n4 0 0 12 200 33\n0 4 0 0 0 40\n" + "0 0 4 9 9 9\n")
                    .string());
    clouds::PlyPoints const ply = result();
    std::size_t const first = ply.positions.size() - 4;
    EXPECT_EQ(ply.colors[first], (clouds::Color{255, 0, 64})) << names;
    EXPECT_EQ(ply.colors[first + 1], (clouds::Color{12, 200, 33})) << names;
    for (clouds::Attribute const& attribute : ply.attributes) {
      EXPECT_THAT(attribute.name(), ::testing::AnyOf("Intensity", "class")) << "colours are not written twice";
    }
  }
}

TEST_F(SpatialExport, MakesBytesOfColorsOf16Bits)
{
  open_beside(
      folder_.write("other.xyz", "x y z r g b\n0 0 0 65535 0 257\n4 0 0 0 514 0\n0 4 0 0 0 0\n0 0 4 0 0 0\n").string());
  clouds::PlyPoints const ply = result();
  std::size_t const first = ply.positions.size() - 4;
  EXPECT_EQ(ply.colors[first], (clouds::Color{255, 0, 1}));
  EXPECT_EQ(ply.colors[first + 1], (clouds::Color{0, 2, 0}));
  auto const r = std::ranges::find(ply.attributes, "r", &clouds::Attribute::name);
  ASSERT_NE(r, ply.attributes.end());
  EXPECT_EQ((*r)[first], 65535.0) << "not rounded to a byte";
}

TEST_F(SpatialExport, VoxelsAreTheExactMeansOfTheirPoints)
{
  state().settings.hashing.grid.side = 256;
  frames(2);
  clouds::PlyPoints const ply = all_voxels(scene().engine(), state());
  std::size_t alone = 0;
  std::size_t next = 0;
  std::vector<Position> points_of_a;
  for (std::size_t i = 0; i < points_of_cloud; ++i) {
    points_of_a.push_back(hill(static_cast<int>(i) % columns, static_cast<int>(i) / columns));
  }
  for (std::size_t i = 0; i < ply.positions.size() && ply.model[i] == 0; ++i, ++next) {
    if (ply.points[i] != 1) { continue; }
    ++alone;
    double nearest = 1e9;
    for (Position const& point : points_of_a) { nearest = std::min(nearest, length(ply.positions[i] - point)); }
    ASSERT_LT(nearest, 1e-3) << "a voxel is " << 200.0 / 256.0 << " m wide or wider";
  }
  EXPECT_GT(alone, 1000u);
  double x = 0.0;
  double all = 0.0;
  for (std::size_t i = 0; i < next; ++i) {
    x += ply.points[i] * (ply.positions[i].x - survey_place.x);
    all += ply.points[i];
  }
  EXPECT_EQ(all, static_cast<double>(points_of_cloud));
  EXPECT_NEAR(x / all, 200.0 * (columns - 1) / columns / 2.0, 1e-4);
}

TEST_F(SpatialExport, PutsVoxelsThereToo)
{
  clouds::PlyPoints const ply = all_voxels(scene().engine(), state());
  double const voxel = 0.075 / (0.6 * state().clouds[Model::a].frame.scale);
  std::size_t const of_a = state().snapshot.models[Model::a].voxels;
  for (std::size_t i = 0; i < of_a; ++i) {
    Position const from_corner = ply.positions[i] - survey_place;
    ASSERT_GT(std::min(from_corner.x, from_corner.y), -voxel);
    ASSERT_LT(std::max(from_corner.x, from_corner.y), 200.0 + voxel);
    ASSERT_LT(std::abs(from_corner.z), 10.0 + voxel);
  }
  EXPECT_THAT(ply.comments, Contains(HasSubstr("x y z of A are in the coordinates of its file")));
  EXPECT_THAT(ply.comments, Contains(HasSubstr("B is a built-in shape")));
}

TEST_F(SpatialExport, TheHeaderHasTheTransformOfEachFile)
{
  open_beside(folder_.write("other.xyz", "0 0 0\n4 0 0\n0 4 0\n0 0 4\n").string());
  clouds::PlyPoints const ply = result();
  EXPECT_LT(clouds::test::furthest({ply.positions.end() - 4, ply.positions.end()},
                                   {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}}),
            1e-5)
      << "each in the coordinates of its own file";
  auto const rows = std::ranges::find_if(ply.comments, [](std::string const& comment) {
    return comment.starts_with("scene_x scene_y scene_z of B");
  });
  ASSERT_NE(rows, ply.comments.end());
  std::array<double, 12> numbers{};
  std::string const text = rows->substr(rows->find(": ") + 2);
  int read = 0;
  ASSERT_EQ(std::sscanf(text.c_str(), "%lf %lf %lf %lf, %lf %lf %lf %lf, %lf %lf %lf %lf%n", &numbers[0], &numbers[1],
                        &numbers[2], &numbers[3], &numbers[4], &numbers[5], &numbers[6], &numbers[7], &numbers[8],
                        &numbers[9], &numbers[10], &numbers[11], &read),
            12);
  Position const& last = ply.positions.back();
  EXPECT_NEAR(numbers[0] * last.x + numbers[1] * last.y + numbers[2] * last.z + numbers[3], ply.scene.back().x, 1e-5);
  EXPECT_NEAR(numbers[8] * last.x + numbers[9] * last.y + numbers[10] * last.z + numbers[11], ply.scene.back().z, 1e-5);
}

TEST_F(SpatialExport, TheVoxelCardSpeaksInUnitsOfTheFile)
{
  for (spatial::VoxelInfo const& voxel : scene().engine().voxels(Model::a)) {
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;
    ASSERT_EQ(std::sscanf(position_text(state(), voxel).c_str(), "%lf, %lf, %lf", &x, &y, &z), 3);
    ASSERT_GT(x, survey_place.x - 10.0);
    ASSERT_LT(x, survey_place.x + 210.0);
    ASSERT_GT(y, survey_place.y - 10.0);
    ASSERT_LT(y, survey_place.y + 210.0);
    ASSERT_NEAR(z, survey_place.z, 20.0);
  }
}

TEST(SpatialExportOfShapes, IsInTheCoordinatesOfTheScene)
{
  auto const app = test::offscreen_app({640, 480}, test::spatial_scenario({test::small_settings()}));
  app->frame(0.1);
  auto& scene = test::scene_of<SpatialScene>(*app);
  clouds::PlyPoints const ply = all_voxels(scene.engine(), scene.state());
  EXPECT_TRUE(ply.scene.empty());
  EXPECT_THAT(ply.comments, Not(Contains(HasSubstr("file"))));
  for (Position const& position : ply.positions) { ASSERT_LT(length(position), 1.3); }
}

}  // namespace
}  // namespace slotscape
