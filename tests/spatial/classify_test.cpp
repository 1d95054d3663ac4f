// Inside and outside against analytic truth.

#include "gpu/execution/cpu.hpp"
#include "tests/engine/engine_fixture.hpp"
#include "tests/spatial/truth.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace slotscape::spatial {
namespace {

int const poses = slotscape::testing::rounds(100);
constexpr double leak_share = 0.001;  ///< of a model's voxels, in one wrong region

struct Pair {
  std::string name;
  std::function<Shape(std::mt19937&)> a;
  std::function<Shape(std::mt19937&)> b;
};

Pair const two_spheres{"two spheres", [](auto& random) { return sphere(uniform(random, 0.4f, 0.9f)); },
                       [](auto& random) { return sphere(uniform(random, 0.4f, 0.9f)); }};
Pair const sphere_and_torus{"sphere and torus", [](auto& random) { return sphere(uniform(random, 0.4f, 0.8f)); },
                            [](auto& random) {
                              return torus(uniform(random, 0.5f, 0.65f), uniform(random, 0.15f, 0.3f));
                            }};
Pair const cube_and_sphere{"cube and sphere", [](auto& random) { return cube(uniform(random, 0.3f, 0.55f)); },
                           [](auto& random) { return sphere(uniform(random, 0.4f, 0.9f)); }};

struct Poses {
  Errors errors;
  int leaks = 0;
  int disputed = 0;
  int apart = 0;  ///< without an intersection
  std::uint32_t rounds = 0;
};

/// From one in the middle of the other to just apart.
Poses run_poses(Pair const& pair, std::size_t points, VoxelGrid grid)
{
  exec::Cpu exec;
  Classifier<exec::Cpu> classifier;
  Poses result;
  for (int pose = 0; pose < poses; ++pose) {
    std::mt19937 random(static_cast<std::uint32_t>(pose) + 1);
    Shape const shape_a = pair.a(random);
    Shape const shape_b = pair.b(random);
    float const reach = std::min(shape_a.radius + shape_b.radius + 0.1f, 2.9f - shape_a.radius - shape_b.radius);
    Vector const shift = uniform(random, 0.0f, 0.5f * reach) * random_direction(random);
    Placed const a{shape_a, {random_rotation(random), -1.0f * shift}};
    Placed const b{shape_b, {random_rotation(random), shift}};
    VoxelScene const scene(grid, a.samples(points, random), b.samples(points, random));
    Classified const found = classified(exec, classifier, scene);
    Errors const of_pose = errors(scene, found, a, b);
    result.errors += of_pose;
    if (of_pose.largest_share > leak_share) {
      ++result.leaks;
      fmt::print("  pose {}: a region of {} wrong voxels, {} disputed, {} voxels\n", pose, of_pose.largest_region,
                 found.counts.disputed, scene.of[0].keys.size() + scene.of[1].keys.size());
    }
    result.disputed += found.counts.disputed != 0;
    result.rounds = std::max(result.rounds, found.counts.rounds);
    result.apart += std::ranges::count(scene.of[0].status, VoxelStatus::intersection) == 0;
  }
  return result;
}

void expect_truth(Pair const& pair, std::size_t points, VoxelGrid grid)
{
  Poses const found = run_poses(pair, points, grid);
  fmt::print(
      "{}, {} points, {}^3, {} poses ({} apart): wrong beyond 1 voxel {:.4f} %, 0.5 to 1 {:.3f} %, below {:.3f} "
      "%; leaks {}, largest wrong region {}; disputed {}, at most {} rounds\n",
      pair.name, points, grid.side, poses, found.apart, 100 * found.errors.share(2), 100 * found.errors.share(1),
      100 * found.errors.share(0), found.leaks, found.errors.largest_region, found.disputed, found.rounds);
  EXPECT_LE(found.errors.share(2), max_wrong);
  EXPECT_LE(found.leaks, poses / 100);
}

TEST(Classify, TwoSpheres)
{
  expect_truth(two_spheres, 160'000, {});
}
TEST(Classify, SphereAndTorus)
{
  expect_truth(sphere_and_torus, 160'000, {});
}
TEST(Classify, CubeAndSphere)
{
  expect_truth(cube_and_sphere, 160'000, {});
}
TEST(Classify, TwoSpheresOfFewPoints)
{
  expect_truth(two_spheres, 40'000, {});
}
TEST(Classify, SphereAndTorusOfFewPoints)
{
  expect_truth(sphere_and_torus, 40'000, {});
}
TEST(Classify, CubeAndSphereOfFewPoints)
{
  expect_truth(cube_and_sphere, 40'000, {});
}

}  // namespace
}  // namespace slotscape::spatial
