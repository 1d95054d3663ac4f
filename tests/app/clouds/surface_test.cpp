#include "app/clouds/builtin.hpp"
#include "gpu/spatial/engine.hpp"
#include "tests/app/clouds/cloud_files.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>

namespace slotscape::clouds {
namespace {

using namespace test;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Hills that rise along y or z: faces after the points if `prefix` makes vertices of them.
std::string terrain(char up, std::string_view prefix, Position at = {})
{
  constexpr int side = 40;
  std::string text;
  for (int j = 0; j <= side; ++j) {
    for (int i = 0; i <= side; ++i) {
      double const height = 2.0 * std::sin(0.3 * i) * std::sin(0.2 * j);
      Position const p = up == 'z' ? Position{double(i), double(j), height} : Position{double(i), height, double(-j)};
      text += fmt::format("{}{} {} {}\n", prefix, at.x + p.x, at.y + p.y, at.z + p.z);
    }
  }
  if (prefix.empty()) { return text; }
  for (int j = 0; j < side; ++j) {
    for (int i = 0; i < side; ++i) {
      int const first = j * (side + 1) + i + 1;
      text += fmt::format("f {} {} {} {}\n", first, first + 1, first + side + 2, first + side + 1);
    }
  }
  return text;
}

std::string ball(std::string_view prefix)
{
  constexpr int rings = 30;
  std::string text;
  for (int ring = 0; ring <= rings; ++ring) {
    for (int sector = 0; sector < 2 * rings; ++sector) {
      double const polar = std::numbers::pi * ring / rings;
      double const angle = std::numbers::pi * sector / rings;
      text += fmt::format("{}{} {} {}\n", prefix, std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle),
                          std::cos(polar));
    }
  }
  if (prefix.empty()) { return text; }
  for (int ring = 0; ring < rings; ++ring) {
    for (int sector = 0; sector < 2 * rings; ++sector) {
      int const above = ring * 2 * rings + 1;
      int const below = above + 2 * rings;
      int const next = (sector + 1) % (2 * rings);
      text += fmt::format("f {} {} {} {}\n", above + sector, below + sector, below + next, above + next);
    }
  }
  return text;
}

PointCloud judged(std::string_view name, std::string const& content)
{
  PointCloud cloud = load_content(name, content, {.points = 20'000});
  auto const engine = spatial::make_spatial_engine(Backend::cpu);
  add_missing_normals(cloud, [&](auto positions) { return engine->estimate_normals(positions); });
  judge_surface(cloud);
  return cloud;
}

TEST(CloudSurface, TerrainsAndScansAreOpen)
{
  for (std::string_view const prefix : {"v ", ""}) {
    PointCloud const open = judged("terrain", terrain('z', prefix));
    EXPECT_TRUE(open.open) << prefix;
    EXPECT_THAT(open.notes, Contains(HasSubstr("open")));
    EXPECT_FALSE(judged("ball", ball(prefix)).open) << prefix;
  }
}

TEST(CloudSurface, BuiltInShapesAndSolidsAreClosed)
{
  for (Builtin const& builtin : builtins()) {
    Progress const progress = Progress::tracked();
    PointCloud cloud = make_builtin(builtin.name, 20'000, 1, progress);
    judge_surface(cloud);
    EXPECT_FALSE(cloud.open) << builtin.name;
    EXPECT_EQ(cloud.up, UpAxis::z) << builtin.name;
  }
  for (auto const& [name, content] : files_of_meshes({})) { EXPECT_FALSE(judged(name, content).open) << name; }
}

/// Points of balls on the x-axis, with normals: outwards, or inwards.
std::string balls_with_normals(std::vector<std::array<double, 3>> const& balls)
{
  std::string text = "x y z nx ny nz\n";
  for (auto const& [middle, radius, facing] : balls) {
    for (int i = 0; i < 6000; ++i) {
      double const z = (2.0 * i + 1.0) / 6000.0 - 1.0;
      double const around = 2.399963 * i;
      double const out = std::sqrt(1.0 - z * z);
      double const x = out * std::cos(around);
      double const y = out * std::sin(around);
      text += fmt::format("{} {} {} {} {} {}\n", middle + radius * x, radius * y, radius * z, facing * x, facing * y,
                          facing * z);
    }
  }
  return text;
}

TEST(CloudSurface, NormalsOfPointsFaceOutwardsPartByPart)
{
  PointCloud const inwards = judged("ball.xyz", balls_with_normals({{0.0, 1.0, -1.0}}));
  EXPECT_FALSE(inwards.open);
  EXPECT_THAT(inwards.notes, Contains(HasSubstr("flipped to point outwards")));
  PointCloud const two = judged("two.xyz", balls_with_normals({{0.0, 1.0, 1.0}, {3.0, 0.9, -1.0}}));
  PointCloud const shell = judged("shell.xyz", balls_with_normals({{0.0, 1.0, 1.0}, {0.0, 0.5, -1.0}}));
  EXPECT_THAT(shell.notes, Not(Contains(HasSubstr("flipped")))) << "a cavity";
  auto const wrong = [](PointCloud const& cloud, auto const& middle_of, auto const& facing_of) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
      Position const at = cloud.original(i);
      double const along = dot(to_position(cloud.normals[i]), at - Position{middle_of(at), 0.0, 0.0});
      count += along * facing_of(at) > 0.0 ? 0 : 1;
    }
    return count;
  };
  auto const origin = [](Position const&) { return 0.0; };
  auto const outwards = [](Position const&) { return 1.0; };
  EXPECT_EQ(wrong(inwards, origin, outwards), 0u);
  EXPECT_EQ(wrong(
                two, [](Position const& at) { return at.x < 1.5 ? 0.0 : 3.0; }, outwards),
            0u);
  EXPECT_EQ(wrong(shell, origin, [](Position const& at) { return length(at) < 0.75 ? -1.0 : 1.0; }), 0u);
}

/// A square of points with normal noise in height, thicker than what a plane is fitted to.
std::string noisy_ground(double noise)
{
  std::mt19937 random(1);
  std::normal_distribution<double> jitter(0.0, noise);
  std::string text;
  for (int i = 0; i < 40'000; ++i) {
    int const row = i / 200;
    text += fmt::format("{} {} {}\n", 0.5 * (i % 200), 0.5 * row, jitter(random));
  }
  return text;
}

double share_facing_up(PointCloud const& cloud, UpAxis up)
{
  auto const faces = [=](Vector const& normal) { return (up == UpAxis::z ? normal.z : normal.y) >= 0.0f; };
  return static_cast<double>(std::ranges::count_if(cloud.normals, faces)) / static_cast<double>(cloud.normals.size());
}

TEST(CloudSurface, NoiseTurnsNoNormalsOfATerrain)
{
  for (double const noise : {0.1, 1.0, 4.0, 8.0}) {
    PointCloud const cloud = judged("ground.xyz", noisy_ground(noise));
    EXPECT_TRUE(cloud.open) << noise;
    EXPECT_GT(share_facing_up(cloud, UpAxis::z), 0.99) << noise;
  }
  // A closed plate has two layers, and keeps its normals.
  std::string plate;
  for (int i = 0; i < 20'000; ++i) {
    int const row = i / 200;
    for (double const z : {0.0, 8.0}) { plate += fmt::format("{} {} {}\n", 0.5 * (i % 200), row, z); }
  }
  for (int i = 0; i < 200 * 16; ++i) {
    double const along = 0.5 * (i % 200);
    int const row = i / 200;
    double const z = 0.5 * row;
    for (double const side : {0.0, 99.5}) {
      plate += fmt::format("{} {} {}\n{} {} {}\n", along, side, z, side, along, z);
    }
  }
  EXPECT_FALSE(judged("plate.xyz", plate).open);
}

TEST(CloudSurface, AMeshThatIsWoundDownwardsIsTurnedAndSaysSo)
{
  for (auto const& [name, up] : {std::pair{"z.stl.obj", 'z'}, std::pair{"y.obj", 'y'}}) {
    std::string wound = terrain(up, "v ");
    std::string upside_down;
    for (std::size_t at = 0; at < wound.size();) {
      std::size_t const end = wound.find('\n', at);
      std::string const line = wound.substr(at, end - at);
      std::array<int, 4> c{};
      bool const face = std::sscanf(line.c_str(), "f %d %d %d %d", &c[0], &c[1], &c[2], &c[3]) == 4;
      upside_down += (face ? fmt::format("f {} {} {} {}", c[3], c[2], c[1], c[0]) : line) + "\n";
      at = end + 1;
    }
    UpAxis const axis = up == 'z' ? UpAxis::z : UpAxis::y;
    PointCloud const turned = judged(name, upside_down);
    EXPECT_GT(share_facing_up(turned, axis), 0.99) << up;
    EXPECT_THAT(turned.notes, Contains(HasSubstr("downwards"))) << up;
    PointCloud const right = judged(name, wound);
    EXPECT_GT(share_facing_up(right, axis), 0.99) << up;
    EXPECT_THAT(right.notes, Not(Contains(HasSubstr("downwards")))) << up;
  }
}

TEST(CloudSurface, UpIsGuessedFromFormatCoordinatesAndShape)
{
  EXPECT_EQ(judged("ball.obj", ball("v ")).up, UpAxis::y) << "graphics";
  EXPECT_EQ(judged("points.xyz", ball("")).up, UpAxis::z) << "measured";
  for (auto const& [name, content] : files_of_meshes({})) {
    EXPECT_EQ(judged(name, content).up, name.ends_with(".stl") ? UpAxis::z : UpAxis::y) << name;
  }
  for (auto const& [name, content] : files_of_meshes(survey_place)) {
    EXPECT_EQ(judged(name, content).up, UpAxis::z) << name << ", at a surveyor's coordinates";
  }
  EXPECT_EQ(judged("terrain.obj", terrain('z', "v ")).up, UpAxis::z) << "lies in x and y";
  EXPECT_EQ(judged("terrain.obj", terrain('y', "v ")).up, UpAxis::y) << "lies in x and z";
}

TEST(Surface, OnePointAndALineAreNone)
{
  auto const judged = [](std::vector<Vector> positions) {
    PointCloud cloud;
    cloud.positions = std::move(positions);
    add_missing_normals(cloud, [](auto at) { return std::vector<Vector>(at.size(), Vector{0.0f, 0.0f, 1.0f}); });
    judge_surface(cloud);
    return cloud;
  };
  EXPECT_THAT(judged({{}}).notes, ElementsAre("A single point is not a surface: nothing can be inside it"));
  for (std::vector<Vector> const& line :
       {std::vector<Vector>(5), std::vector<Vector>{{-1.0f, 0.5f, 0.2f}, {0.0f, 0.0f, 0.0f}, {1.0f, -0.5f, -0.2f}}}) {
    EXPECT_THAT(judged(line).notes, ElementsAre(HasSubstr("in one place or on a line, which is not a surface")));
    EXPECT_FALSE(judged(line).is_surface);
  }
  PointCloud const triangle = judged({{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {-1.0f, 0.0f, 0.0f}});
  EXPECT_THAT(triangle.notes, ElementsAre(HasSubstr("were estimated"), HasSubstr("surface is open")));
}

}  // namespace
}  // namespace slotscape::clouds
