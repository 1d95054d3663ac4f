#include "app/clouds/builtin.hpp"
#include "gpu/spatial/engine.hpp"
#include "tests/app/clouds/cloud_files.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
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
    EXPECT_THAT(open.notes_on_sides, Contains(HasSubstr("open")));
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
    // In the thickest layer, planes are so steep that a few normals lean over, but none is turned.
    EXPECT_GT(share_facing_up(cloud, UpAxis::z), noise > 4.0 ? 0.98 : 0.99) << noise;
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

/// A part of a plane, with noise across it.
struct Wall {
  Position corner;
  Position along;
  Position up;
  Position inwards;  ///< the normal towards the middle of the room
};

struct Scan {
  std::string rows;
  std::vector<Position> inwards;
};

/// Points of all walls at random, as a scanner has them, of which `missing` says which it has not seen.
template <class Missing>
Scan scan_of(std::vector<Wall> const& walls, double noise, Missing const& missing)
{
  std::mt19937 random(1);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  std::normal_distribution<double> jitter(0.0, noise);
  Scan scan;
  while (scan.inwards.size() < 60'000) {
    Wall const& wall = walls[random() % walls.size()];
    Position const at = wall.corner + share(random) * wall.along + share(random) * wall.up;
    if (missing(at)) { continue; }
    Position const seen = at + jitter(random) * wall.inwards;
    scan.rows += fmt::format("{:.4f} {:.4f} {:.4f}\n", seen.x, seen.y, seen.z);
    scan.inwards.push_back(wall.inwards);
  }
  return scan;
}

std::vector<Wall> const room{{{0, 0, 0}, {8, 0, 0}, {0, 6, 0}, {0, 0, 1}},
                             {{0, 0, 0}, {8, 0, 0}, {0, 0, 3}, {0, 1, 0}},
                             {{0, 6, 0}, {8, 0, 0}, {0, 0, 3}, {0, -1, 0}},
                             {{0, 0, 0}, {0, 6, 0}, {0, 0, 3}, {1, 0, 0}},
                             {{8, 0, 0}, {0, 6, 0}, {0, 0, 3}, {-1, 0, 0}}};

/// The share of normals that point to the side that most of them point to, wall by wall and as a whole.
std::pair<double, double> agreement_of(PointCloud const& cloud, std::vector<Position> const& inwards)
{
  std::map<std::array<double, 3>, std::array<double, 2>> walls;
  double all = 0.0;
  for (std::size_t i = 0; i < cloud.normals.size(); ++i) {
    Position const& side = inwards[cloud.numbers[i]];
    bool const agrees = dot(to_position(cloud.normals[i]), side) > 0.0;
    walls[{side.x, side.y, side.z}][agrees ? 1 : 0] += 1.0;
    all += agrees ? 1.0 : 0.0;
  }
  double worst = 1.0;
  for (auto const& [side, counts] : walls) {
    worst = std::min(worst, std::max(counts[0], counts[1]) / (counts[0] + counts[1]));
  }
  double const share = all / static_cast<double>(cloud.normals.size());
  return {worst, std::max(share, 1.0 - share)};
}

TEST(CloudSurface, EstimatedNormalsOfWallsAgree)
{
  auto const whole = [](Position const&) { return false; };
  auto const behind_furniture = [](Position const& at) {
    return std::fmod(at.x, 2.0) < 0.4 || (at.z > 1.2 && at.z < 1.5) || std::fmod(at.y, 3.0) < 0.3;
  };
  std::vector<Wall> const facade{{{0, 0, 0}, {20, 0, 0}, {0, 0, 12}, {0, -1, 0}}};
  for (double const noise : {0.002, 0.02, 0.1}) {
    for (auto const& walls : {room, facade}) {
      SCOPED_TRACE(fmt::format("noise {}, {} walls", noise, walls.size()));
      Scan const seen = scan_of(walls, noise, whole);
      auto const [wall, all] = agreement_of(judged("scan.xyz", seen.rows), seen.inwards);
      EXPECT_GT(wall, 0.99);
      EXPECT_GT(all, 0.99);
    }
    Scan const parts = scan_of(room, noise, behind_furniture);
    auto const [wall, all] = agreement_of(judged("parts.xyz", parts.rows), parts.inwards);
    EXPECT_GT(wall, 0.98) << noise;
    EXPECT_GT(all, 0.98) << noise;
  }
  PointCloud const guessed = judged("scan.xyz", scan_of(room, 0.002, whole).rows);
  EXPECT_TRUE(guessed.guesses_sides());
  EXPECT_THAT(guessed.notes_on_sides, Contains(HasSubstr("which way they point is a guess")));
  EXPECT_GT(share_facing_up(guessed, UpAxis::z), 0.5);
}

TEST(CloudSurface, EstimatedNormalsPointTowardsAScannerThatTheFileTells)
{
  Scan const seen = scan_of(room, 0.002, [](Position const&) { return false; });
  std::string const header =
      "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH {}\nHEIGHT {}\nVIEWPOINT {} 1 0 0 0\n"
      "POINTS 60000\nDATA ascii\n";
  PointCloud const told = judged("a.pcd", fmt::format(fmt::runtime(header), 60'000, 1, "3 2 1.5") + seen.rows);
  EXPECT_FALSE(told.guesses_sides());
  EXPECT_THAT(told.notes_on_sides, Contains(HasSubstr("point towards the scanner")));
  std::size_t inwards = 0;
  for (std::size_t i = 0; i < told.normals.size(); ++i) {
    inwards += dot(to_position(told.normals[i]), seen.inwards[told.numbers[i]]) > 0.0 ? 1 : 0;
  }
  EXPECT_GT(inwards, 59'000u);
  EXPECT_TRUE(judged("b.pcd", fmt::format(fmt::runtime(header), 60'000, 1, "0 0 0") + seen.rows).guesses_sides());
  EXPECT_FALSE(judged("c.pcd", fmt::format(fmt::runtime(header), 300, 200, "0 0 0") + seen.rows).guesses_sides());
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
  EXPECT_THAT(judged({{}}).notes_on_sides, ElementsAre("A single point is not a surface: nothing can be inside it"));
  for (std::vector<Vector> const& line :
       {std::vector<Vector>(5), std::vector<Vector>{{-1.0f, 0.5f, 0.2f}, {0.0f, 0.0f, 0.0f}, {1.0f, -0.5f, -0.2f}}}) {
    EXPECT_THAT(judged(line).notes_on_sides,
                ElementsAre(HasSubstr("coincide or lie on a line, so they are not a surface")));
    EXPECT_FALSE(judged(line).is_surface);
  }
  PointCloud const triangle = judged({{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {-1.0f, 0.0f, 0.0f}});
  EXPECT_THAT(triangle.notes_on_sides, ElementsAre(HasSubstr("were estimated"), HasSubstr("surface is open")));
}

}  // namespace
}  // namespace slotscape::clouds
