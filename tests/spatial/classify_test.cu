// Inside and outside on a device are the same as on the host, voxel by voxel.

#include "gpu/execution/cpu.hpp"
#include "gpu/execution/cuda_rounds.cuh"
#include "tests/spatial/terrain.hpp"

#include <gtest/gtest.h>

namespace slotscape::spatial {
namespace {

class ClassifyOnCuda : public testing::Test {
protected:
  void SetUp() override
  {
    if (!why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }
};

void expect_same_on_both(std::vector<Sample> const& a, std::vector<Sample> const& b, VoxelGrid grid = {},
                         bool a_is_open = false)
{
  VoxelScene scene(grid, a, b);
  scene.open[0] = a_is_open;
  exec::Cpu cpu;
  Classifier<exec::Cpu> on_cpu;
  Classified const wanted = classified(cpu, on_cpu, scene);
  exec::Cuda cuda;
  Classifier<exec::Cuda> on_cuda;
  for (int run = 0; run < 3; ++run) {
    Classified const found = classified(cuda, on_cuda, scene);
    for (int m = 0; m < model_count; ++m) { EXPECT_TRUE(found.of[m] == wanted.of[m]) << m; }
    EXPECT_EQ(found.counts.rounds, wanted.counts.rounds);
    EXPECT_EQ(found.counts.restarts, wanted.counts.restarts);
    EXPECT_EQ(found.counts.cleared, wanted.counts.cleared);
  }
}

/// From one within the other to apart.
TEST_F(ClassifyOnCuda, Poses)
{
  for (std::uint32_t pose = 0; pose < 20; ++pose) {
    SCOPED_TRACE(pose);
    std::mt19937 random(pose);
    Vector const shift = uniform(random, 0.0f, 0.6f) * random_direction(random);
    Placed const a{sphere(0.6f), {random_rotation(random), shift}};
    Placed const b{torus(0.6f, 0.25f), {random_rotation(random), -1.0f * shift}};
    expect_same_on_both(a.samples(40'000, random), b.samples(160'000, random));
  }
}

TEST_F(ClassifyOnCuda, DisputedComponents)
{
  std::mt19937 random(1);
  Placed const a{sphere(0.7f), {{}, {0.0f, 0.0f, 0.4f}}};
  Placed const b{sphere(0.7f), {{}, {0.0f, 0.0f, -0.4f}}};
  std::vector<Sample> holed = b.samples(160'000, random);
  std::erase_if(holed, [](Sample const& sample) { return sample.position.z > 0.0f && sample.position.x > 0.2f; });
  expect_same_on_both(a.samples(160'000, random), holed);
}

TEST_F(ClassifyOnCuda, SparsePoints)
{
  std::mt19937 random(2);
  Placed const a{sphere(0.7f), {}};
  Placed const b{cube(0.2f), {}};
  expect_same_on_both(a.samples(5'000, random), b.samples(500, random));
  expect_same_on_both(a.samples(20'000, random), b.samples(20'000, random), {.side = 1024});
}

TEST_F(ClassifyOnCuda, FineGrid)
{
  std::mt19937 random(3);
  Placed const a{sphere(1.0f), {{}, {0.2f, 0.1f, 0.3f}}};
  Placed const b{torus(0.9f, 0.4f), {{}, {-0.2f, 0.0f, 0.0f}}};
  expect_same_on_both(a.samples(3'000'000, random), b.samples(3'000'000, random), {.side = 512});
}

TEST_F(ClassifyOnCuda, OpenSurfaces)
{
  std::mt19937 random(4);
  Terrain terrain{"hills", [](float x, float y) { return 0.15f * std::sin(9.0f * x) * std::sin(7.0f * y); }};
  terrain.hole = [](float x, float y) { return std::hypot(x - 0.1f, y) < 0.2f; };
  Placed const ball{sphere(0.75f), {}};
  for (float const noise : {0.0f, 0.02f}) {
    terrain.noise = noise;
    for (std::uint32_t const side : {33u, 128u, 515u}) {
      expect_same_on_both(terrain.samples(160'000, random), ball.samples(160'000, random), {.side = side}, true);
    }
  }
}

}  // namespace
}  // namespace slotscape::spatial
