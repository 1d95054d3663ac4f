// Which side of a terrain the voxels of a ball are on, against the height that the terrain is made of.

#include "gpu/execution/cpu.hpp"
#include "tests/spatial/terrain.hpp"
#include "tests/spatial/truth.hpp"
#include "tests/support/sanitized.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape::spatial {
namespace {

constexpr double max_unknown = 0.05;
constexpr VoxelGrid grid{.side = 128, .extent = 2.4f};

Pose tilted(float angle, Vector translation = {})
{
  float const c = std::cos(angle);
  float const s = std::sin(angle);
  return {{{{{1.0f, 0.0f, 0.0f}, {0.0f, c, -s}, {0.0f, s, c}}}}, translation};
}

float hills(float x, float y)
{
  return 0.15f * std::sin(9.0f * x) * std::sin(7.0f * y);
}

/// Balls that are wider than the terrain, within it, over a corner of it, and above it; all around it; a terrain that
/// none of them meets.
std::vector<Placed> balls()
{
  std::vector<Placed> balls;
  auto const add = [&](float radius, Vector at) { balls.push_back({sphere(radius), {{}, at}}); };
  add(0.75f, {});
  add(0.45f, {0.1f, -0.05f, 0.1f});
  add(0.5f, {0.3f, 0.2f, 0.2f});
  add(0.4f, {0.0f, 0.0f, 0.65f});
  add(1.1f, {});
  return balls;
}

class OpenSurface : public ::testing::Test {
protected:
  Sides sides(Terrain const& terrain, Placed const& ball, std::size_t points, VoxelGrid const& of = grid)
  {
    std::mt19937 random(1);
    VoxelScene scene(of, terrain.samples(points, random), ball.samples(100'000, random));
    scene.open[0] = true;
    return sides_of(scene, classified(exec_, classifier_, scene), terrain);
  }
  void expect_truth(Terrain const& terrain, std::size_t points = 160'000)
  {
    for (Placed const& ball : test::first_of(balls())) {
      Sides const found = sides(terrain, ball, points);
      fmt::print("{}, {} points, ball of {}: {}\n", terrain.name, points, ball.shape.radius, found.text());
      EXPECT_GT(found.voxels + found.at_edges, 1000u) << terrain.name;
      EXPECT_LE(found.wrong_share(), max_wrong) << terrain.name << ", ball of " << ball.shape.radius;
      EXPECT_LE(found.unknown_share(), max_unknown) << terrain.name << ", ball of " << ball.shape.radius;
    }
  }

  exec::Cpu exec_;
  Classifier<exec::Cpu> classifier_;
};

TEST_F(OpenSurface, Planes)
{
  auto const flat = [](float, float) { return 0.013f; };
  expect_truth({"plane", flat});
  for (float const angle : {0.4f, 1.3f, 3.0f}) {
    expect_truth({fmt::format("plane turned by {}", angle), flat, tilted(angle, {0.0f, 0.0f, 0.05f})});
  }
  expect_truth({"slope", [](float x, float) { return 0.8f * x; }});
}

TEST_F(OpenSurface, Hills)
{
  expect_truth({"hills", hills});
  expect_truth({"hills turned", hills, tilted(0.7f)});
  expect_truth({"steep hills", [](float x, float y) { return 0.35f * std::sin(9.0f * x) * std::sin(7.0f * y); }});
  expect_truth({"fine hills", [](float x, float y) { return 0.05f * std::sin(30.0f * x) * std::sin(25.0f * y); }});
}

TEST_F(OpenSurface, TallOnes)
{
  auto const peak = [](float x, float y) { return 0.7f * std::exp(-8.0f * (x * x + y * y)) - 0.2f; };
  expect_truth({"mountain", peak});
  expect_truth({"pit", [=](float x, float y) { return -peak(x, y); }});
  expect_truth({"cliff", [](float x, float y) { return 0.3f * std::tanh(20.0f * (x + 0.2f * y)); }});
}

TEST_F(OpenSurface, SparseOnes)
{
  for (std::size_t const points : {20'000u, 5'000u}) { expect_truth({"hills", hills}, points); }
}

TEST_F(OpenSurface, NoisyOnes)
{
  for (float const voxels : {0.5f, 1.0f, 2.0f}) {
    Terrain terrain{fmt::format("hills with noise of {} voxels", voxels), hills};
    terrain.noise = voxels * grid.voxel();
    expect_truth(terrain);
  }
}

TEST_F(OpenSurface, Holes)
{
  Terrain terrain{"a hole", hills};
  terrain.hole = [](float x, float y) { return std::hypot(x - 0.1f, y) < 0.2f; };
  expect_truth(terrain);
  terrain.name = "many holes";
  terrain.hole = [](float x, float y) { return std::hypot(std::remainder(x, 0.3f), std::remainder(y, 0.3f)) < 0.06f; };
  expect_truth(terrain);
}

struct Hole {
  std::string name;
  std::vector<Sample> rest;            ///< of the surface, without what was in the hole
  std::vector<Sample> whole;           ///< the same surface, measured once more
  std::function<bool(Vector)> within;  ///< in the hole, and not at its rim
};

constexpr VoxelGrid fine_grid{.side = 256, .extent = 2.4f};
constexpr std::size_t points_of_survey = 60'000;

/// A round hole at (x, 0).
Hole hole_in(Terrain const& ground, float radius, float x)
{
  auto const except = [&](auto const& is_hole) {
    Terrain rest = ground;
    rest.hole = is_hole;
    return rest;
  };
  constexpr float margin = 2.0f * grid.voxel();
  Terrain const rest = except([=](float px, float py) { return std::hypot(px - x, py) < radius; });
  Terrain const inner = except([=](float px, float py) { return std::hypot(px - x, py) > radius - margin; });
  std::mt19937 random(1);
  return {fmt::format("{}, hole of {} at {}", ground.name, radius, x), rest.samples(points_of_survey, random),
          ground.samples(points_of_survey, random), [=](Vector place) { return inner.covers(place, 0.0f); }};
}

/// The lower half of a sphere, open at the top, with a hole as wide as this angle around the direction (1, 0, -1).
Hole hole_in_bowl(float angle)
{
  constexpr float radius = 0.6f;
  constexpr float margin = 2.0f * grid.voxel() / radius;
  auto const from_middle = [](Vector place) {
    return std::acos(dot(normalized(place), normalized({1.0f, 0.0f, -1.0f})));
  };
  std::mt19937 random(1);
  Hole hole{fmt::format("bowl, hole of {}", angle), {}, {}, [=](Vector place) {
              return from_middle(place) < angle - margin;
            }};
  while (hole.whole.size() < points_of_survey) {
    Vector const outwards = random_direction(random);
    if (outwards.z > 0.0f) { continue; }
    Sample const sample{radius * outwards, outwards};
    hole.whole.push_back(sample);
    if (from_middle(sample.position) > angle) { hole.rest.push_back(sample); }
  }
  return hole;
}

/// The unchanged ground itself, where it bends, in a hole of the other survey.
TEST_F(OpenSurface, WhatIsInAHoleIsOnNeitherSide)
{
  auto const hill = [](float x, float y) { return 0.17f * std::exp(-13.0f * (x * x + y * y)); };
  std::vector<Hole> holes{hole_in_bowl(0.3f), hole_in_bowl(0.5f)};
  for (Terrain const &ground : {Terrain{"foot of a hill", hill}, Terrain{"hill on its side", hill, tilted(1.3f)},
                                Terrain{"foot of a mountain", [=](float x, float y) { return 3.0f * hill(x, y); }},
                                Terrain{"rim of a pit", [=](float x, float y) { return -3.0f * hill(x, y); }},
                                Terrain{"slope", [](float x, float) { return 0.8f * x; }}}) {
    for (float const x : {0.0f, 0.15f, 0.3f}) { holes.push_back(hole_in(ground, 0.12f, x)); }
  }
  for (Hole const& hole : test::first_of(holes)) {
    for (VoxelGrid const& of : {grid, fine_grid}) {
      VoxelScene scene(of, hole.rest, hole.whole);
      scene.open[0] = scene.open[1] = true;
      Classified const found = classified(exec_, classifier_, scene);
      std::uint64_t voxels = 0;
      std::uint64_t on_a_side = 0;
      for (std::size_t i = 0; i < scene.of[1].keys.size(); ++i) {
        if (!hole.within(of.to_world(scene.of[1].surfels[i].position))) { continue; }
        ++voxels;
        on_a_side += found.of[1].status[i] != VoxelStatus::unknown ? 1 : 0;
      }
      EXPECT_GT(voxels, 60u) << hole.name;
      EXPECT_LE(on_a_side, voxels / 100) << hole.name << ", grid of " << of.side << ", " << voxels << " voxels";
    }
  }
}

/// What is beside a hill and beyond the rim is on neither side; what is far above is, however little of it is seen.
TEST_F(OpenSurface, UnknownIsBesideTheRimAndNotFarAbove)
{
  Terrain const terrain{"steep hills",
                        [](float x, float y) { return 0.35f * std::sin(9.0f * x) * std::sin(7.0f * y); }};
  std::mt19937 random(1);
  auto const statuses = [&](Vector at) {
    VoxelScene scene(grid, terrain.samples(160'000, random), Placed{sphere(0.1f), {{}, at}}.samples(20'000, random));
    scene.open[0] = true;
    return classified(exec_, classifier_, scene).of[1].status;
  };
  std::vector<VoxelStatus> const beside = statuses({1.05f, 0.0f, 0.0f});
  EXPECT_GT(std::ranges::count(beside, VoxelStatus::unknown), static_cast<std::ptrdiff_t>(beside.size() / 2));
  std::vector<VoxelStatus> const above = statuses({0.0f, 0.0f, 1.05f});
  EXPECT_EQ(std::ranges::count(above, VoxelStatus::outside), static_cast<std::ptrdiff_t>(above.size()));
}

/// A closed surface beside an open one is judged as ever, and both may be open.
TEST_F(OpenSurface, EachModelIsJudgedByTheOther)
{
  std::mt19937 random(1);
  Terrain const terrain{"plane", [](float, float) { return 0.0f; }};
  Placed const ball{sphere(0.4f), {}};
  VoxelScene scene(grid, terrain.samples(160'000, random), ball.samples(160'000, random));
  scene.open[0] = true;
  Classified const found = classified(exec_, classifier_, scene);
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < scene.of[0].keys.size(); ++i) {
    float const distance = ball.distance(grid.to_world(scene.of[0].surfels[i].position));
    if (std::abs(distance) < grid.voxel() || scene.of[0].status[i] == VoxelStatus::intersection) { continue; }
    wrong += (found.of[0].status[i] == VoxelStatus::inside) != (distance < 0.0f) ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0u) << "the terrain in the ball";
  Terrain const upper{"upper plane", [](float, float) { return 0.2f; }};
  VoxelScene planes(grid, terrain.samples(160'000, random), upper.samples(160'000, random));
  planes.open[0] = planes.open[1] = true;
  Classified const both = classified(exec_, classifier_, planes);
  auto const all = [&](int model, VoxelStatus status) {
    auto const& of = both.of[model].status;
    return static_cast<double>(std::ranges::count(of, status)) / static_cast<double>(of.size());
  };
  EXPECT_EQ(all(0, VoxelStatus::inside), 1.0) << "all of the lower one is behind the upper one";
  EXPECT_EQ(all(1, VoxelStatus::outside), 1.0);
}

/// In a fine grid, where blocks have patches.
TEST_F(OpenSurface, FineOnes)
{
  for (std::uint32_t const side : test::first_of(std::vector{512u, 1024u})) {
    VoxelGrid const of{.side = side, .extent = 2.4f};
    Terrain terrain{fmt::format("noisy hills in a grid of {}", side), hills};
    terrain.noise = of.voxel();
    Sides const found = sides(terrain, balls()[1], 800'000, of);
    fmt::print("{}: {}\n", terrain.name, found.text());
    EXPECT_GT(found.voxels, 50'000u) << terrain.name;
    EXPECT_LE(found.wrong_share(), max_wrong) << terrain.name;
    EXPECT_LE(found.unknown_share(), max_unknown) << terrain.name;
  }
}

/// Counts what is seen of a surface from a place.
struct Looks {
  std::uint64_t count = 0;
  void add(Surfel const&) { ++count; }
  void add(Dipole const&) { ++count; }
  void add_in_any_order(Dipole const&) { ++count; }
};

/// Two surveys of one ground, a little apart. What a voxel costs does not grow with the grid.
TEST_F(OpenSurface, AVoxelTakesAFewHundredLooksInAnyGrid)
{
  for (std::uint32_t const side : {256u, 1024u}) {
    VoxelGrid const of{.side = side, .extent = 2.4f};
    std::mt19937 random(1);
    Terrain lower{"lower", hills};
    lower.half = 0.2f;
    lower.noise = of.voxel();
    Terrain upper = lower;
    upper.height = [&](float x, float y) { return hills(x, y) + 3.0f * of.voxel(); };
    VoxelScene scene(of, lower.samples(100'000, random), upper.samples(100'000, random));
    scene.open[0] = scene.open[1] = true;
    SceneOnDevice<exec::Cpu> const device(exec_, scene);
    classifier_.run(exec_, device.sets(), {}, device.counts());
    auto const& surface = device.sets().of[0].voxels;
    std::uint64_t looks = 0;
    std::uint64_t voxels = 0;
    for (std::size_t i = 0; i < scene.of[1].keys.size(); i += 100) {
      Looks from_here;
      classify::Sight const sight(from_here, classifier_.dipoles(0), surface.surfels, surface.keys);
      sight.from(cell_of_key(scene.of[1].keys[i]));
      looks += from_here.count;
      ++voxels;
    }
    fmt::print("{}: {} looks a voxel\n", side, looks / voxels);
    EXPECT_LT(looks / voxels, 1500u) << side << ": blocks alone would take thousands";
  }
}

/// An update that is cancelled leaves nothing behind.
TEST_F(OpenSurface, CanBeCancelledAndDoneAgain)
{
  std::mt19937 random(1);
  VoxelScene scene(grid, Terrain{"hills", hills}.samples(100'000, random), balls().front().samples(100'000, random));
  scene.open[0] = true;
  SceneOnDevice<exec::Cpu> device(exec_, scene);
  double share = 0.0;
  Progress const until_half([&](Progress const& now) {
    share = now.share();
    return share < 0.5;
  });
  EXPECT_THROW(classifier_.run(exec_, device.sets(), {}, device.counts(), until_half), Cancelled);
  EXPECT_GE(share, 0.5);
  EXPECT_LT(share, 0.9) << "it ends soon";
  VoxelScene elsewhere(grid, balls()[1].samples(50'000, random), balls()[2].samples(50'000, random));
  Classifier<exec::Cpu> fresh;
  Classified const again = classified(exec_, classifier_, elsewhere);
  Classified const right = classified(exec_, fresh, elsewhere);
  for (int m = 0; m < model_count; ++m) { EXPECT_EQ(again.of[m].status, right.of[m].status); }
}

/// By key: indices change with every frame's races. In finer grids, blocks are larger.
TEST_F(OpenSurface, TheOrderOfTheVoxelsDoesNotMatter)
{
  Terrain terrain{"hills with noise", hills};
  terrain.noise = grid.voxel();
  for (std::uint32_t const side : {32u, 33u, 128u, 515u}) {
    VoxelGrid const of{.side = side, .extent = 2.4f};
    std::mt19937 random(1);
    auto const tile = terrain.samples(40'000, random);
    auto const ball = balls().front().samples(40'000, random);
    auto const by_key = [&](std::uint32_t order) {
      VoxelScene scene(of, tile, ball, order);
      scene.open[0] = true;
      Classified const found = classified(exec_, classifier_, scene);
      std::vector<std::pair<std::uint32_t, VoxelStatus>> result;
      for (std::size_t i = 0; i < scene.of[1].keys.size(); ++i) {
        result.emplace_back(scene.of[1].keys[i], found.of[1].status[i]);
      }
      std::ranges::sort(result);
      return result;
    };
    EXPECT_TRUE(by_key(1) == by_key(30)) << side;
  }
}

}  // namespace
}  // namespace slotscape::spatial
