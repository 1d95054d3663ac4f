#pragma once

#include "gpu/spatial/engine.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace slotscape::spatial::testing {

/// A test body that runs on every backend, and is skipped, visibly, where there is no device for one.
class SpatialTest : public ::testing::TestWithParam<Backend> {
protected:
  void SetUp() override
  {
    if (GetParam() == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }
  static std::unique_ptr<SpatialEngine> make() { return make_spatial_engine(GetParam()); }
};

inline std::string backend_name(::testing::TestParamInfo<Backend> const& info)
{
  return info.param == Backend::cpu ? "cpu" : "cuda";
}

#define SLOTSCAPE_SPATIAL_ON_EVERY_BACKEND(Suite)                                                               \
  INSTANTIATE_TEST_SUITE_P(On, Suite, ::testing::Values(::slotscape::Backend::cpu, ::slotscape::Backend::cuda), \
                           ::slotscape::spatial::testing::backend_name)

/// Points with their normals.
struct Samples {
  std::vector<Vector> positions;
  std::vector<Vector> normals;

  PointsView view() const { return {positions, normals}; }
};

inline Samples sphere(std::size_t count, float radius, unsigned seed = 1)
{
  std::mt19937 random(seed);
  std::normal_distribution<float> gauss;
  Samples samples;
  while (samples.positions.size() < count) {
    Vector const v{gauss(random), gauss(random), gauss(random)};
    if (length(v) < 1e-3f) { continue; }
    samples.normals.push_back(normalized(v));
    samples.positions.push_back(radius * normalized(v));
  }
  return samples;
}

/// About the z axis.
inline Samples torus(std::size_t count, float ring, float tube, unsigned seed = 2)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> turn(0.0f, 2.0f * std::numbers::pi_v<float>);
  std::uniform_real_distribution<float> share(0.0f, 1.0f);
  Samples samples;
  while (samples.positions.size() < count) {
    float const around = turn(random);
    float const along = turn(random);
    if (share(random) > (ring + tube * std::cos(along)) / (ring + tube)) { continue; }
    Vector const normal{std::cos(along) * std::cos(around), std::cos(along) * std::sin(around), std::sin(along)};
    samples.normals.push_back(normal);
    samples.positions.push_back(Vector{ring * std::cos(around), ring * std::sin(around), 0.0f} + tube * normal);
  }
  return samples;
}

inline Rotation turned(Vector axis, float angle)
{
  Vector const a = normalized(axis);
  float const c = std::cos(angle);
  float const s = std::sin(angle);
  auto const row = [&](Vector unit, Vector side) { return c * unit + (1.0f - c) * dot(a, unit) * a + s * side; };
  return Rotation{{row({1.0f, 0.0f, 0.0f}, {0.0f, -a.z, a.y}), row({0.0f, 1.0f, 0.0f}, {a.z, 0.0f, -a.x}),
                   row({0.0f, 0.0f, 1.0f}, {-a.y, a.x, 0.0f})}};
}

inline Pose random_pose(std::mt19937& random, float distance)
{
  std::uniform_real_distribution<float> share(-1.0f, 1.0f);
  Pose pose;
  pose.rotation = turned({share(random), share(random), share(random) + 1.5f}, 3.0f * share(random));
  pose.translation = distance * normalized(Vector{share(random), share(random), share(random)});
  return pose;
}

}  // namespace slotscape::spatial::testing
