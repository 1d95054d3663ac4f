#pragma once

#include "gpu/spatial/vector.hpp"

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

/// Surfaces whose signed distance is known, and points on them.
namespace slotscape::spatial {

struct Sample {
  Vector position;
  Vector normal;
};

struct Shape {
  std::function<float(Vector)> distance;  ///< negative inside
  std::function<Sample(std::mt19937&)> sample;
  float radius;  ///< of a ball around the origin that holds it
};

inline float uniform(std::mt19937& random, float low, float high)
{
  return low + (high - low) * static_cast<float>(random() >> 8) / 16777216.0f;
}
inline Vector random_direction(std::mt19937& random)
{
  float const z = uniform(random, -1.0f, 1.0f);
  float const angle = uniform(random, 0.0f, 2.0f * std::numbers::pi_v<float>);
  float const r = std::sqrt(1.0f - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}
inline Rotation random_rotation(std::mt19937& random)
{
  Vector const x = random_direction(random);
  Vector const y = normalized(cross(x, random_direction(random)));
  return {{x, y, cross(x, y)}};
}
inline Vector turned_back(Rotation const& rotation, Vector v)
{
  return v.x * rotation.rows[0] + v.y * rotation.rows[1] + v.z * rotation.rows[2];
}

inline Shape sphere(float radius)
{
  return {[=](Vector p) { return length(p) - radius; },
          [=](std::mt19937& random) {
            Vector const n = random_direction(random);
            return Sample{radius * n, n};
          },
          radius};
}

inline Shape torus(float large, float small)
{
  return {[=](Vector p) {
            float const across = std::hypot(p.x, p.y) - large;
            return std::hypot(across, p.z) - small;
          },
          [=](std::mt19937& random) {
            float const turn = 2.0f * std::numbers::pi_v<float>;
            float v = 0.0f;
            do {
              v = uniform(random, 0.0f, turn);
            } while (uniform(random, 0.0f, large + small) > large + small * std::cos(v));
            float const u = uniform(random, 0.0f, turn);
            Vector const n{std::cos(v) * std::cos(u), std::cos(v) * std::sin(u), std::sin(v)};
            return Sample{small * n + large * Vector{std::cos(u), std::sin(u), 0.0f}, n};
          },
          large + small};
}

inline Shape cube(float half)
{
  return {[=](Vector p) {
            Vector const q{std::abs(p.x) - half, std::abs(p.y) - half, std::abs(p.z) - half};
            Vector const beyond{std::max(q.x, 0.0f), std::max(q.y, 0.0f), std::max(q.z, 0.0f)};
            return length(beyond) + std::min(std::max(q.x, std::max(q.y, q.z)), 0.0f);
          },
          [=](std::mt19937& random) {
            float const u = uniform(random, -half, half);
            float const v = uniform(random, -half, half);
            auto const face = random() % 6;
            float const sign = face % 2 == 0 ? -1.0f : 1.0f;
            switch (face / 2) {
              case 0: return Sample{{sign * half, u, v}, {sign, 0.0f, 0.0f}};
              case 1: return Sample{{u, sign * half, v}, {0.0f, sign, 0.0f}};
              default: return Sample{{u, v, sign * half}, {0.0f, 0.0f, sign}};
            }
          },
          half * std::sqrt(3.0f)};
}

/// A shape where it is in the world.
struct Placed {
  Shape shape;
  Pose pose;

  float distance(Vector world) const { return shape.distance(turned_back(pose.rotation, world - pose.translation)); }
  std::vector<Sample> samples(std::size_t count, std::mt19937& random) const
  {
    std::vector<Sample> samples(count);
    for (Sample& sample : samples) {
      Sample const own = shape.sample(random);
      sample = {pose.point(own.position), pose.direction(own.normal)};
    }
    return samples;
  }
};

}  // namespace slotscape::spatial
