#pragma once

#include "gpu/base/types.hpp"

#include <array>
#include <cmath>

namespace slotscape::spatial {

/// A point or a direction in space. Spatial code is compiled without fused multiply-add, so that both backends compute
/// the same numbers.
struct Vector {
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;

  friend bool operator==(Vector const&, Vector const&) = default;
};

SLOTSCAPE_HOST_DEVICE constexpr Vector operator+(Vector a, Vector b)
{
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
SLOTSCAPE_HOST_DEVICE constexpr Vector operator-(Vector a, Vector b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
SLOTSCAPE_HOST_DEVICE constexpr Vector operator*(float s, Vector a)
{
  return {s * a.x, s * a.y, s * a.z};
}
SLOTSCAPE_HOST_DEVICE constexpr float dot(Vector a, Vector b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
SLOTSCAPE_HOST_DEVICE constexpr Vector cross(Vector a, Vector b)
{
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
SLOTSCAPE_HOST_DEVICE inline float length(Vector a)
{
  return sqrtf(dot(a, a));
}
/// The zero vector is returned unchanged.
SLOTSCAPE_HOST_DEVICE inline Vector normalized(Vector a)
{
  float const l = length(a);
  return l > 0.0f ? (1.0f / l) * a : a;
}

/// A rotation, as the rows of its matrix.
struct Rotation {
  std::array<Vector, 3> rows{Vector{1.0f, 0.0f, 0.0f}, Vector{0.0f, 1.0f, 0.0f}, Vector{0.0f, 0.0f, 1.0f}};

  SLOTSCAPE_HOST_DEVICE Vector operator()(Vector v) const
  {
    return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)};
  }
  friend bool operator==(Rotation const&, Rotation const&) = default;
};

/// A model's placement in the world: scaled, then rotated, then translated.
struct Pose {
  Rotation rotation;
  Vector translation;
  float scale = 1.0f;

  SLOTSCAPE_HOST_DEVICE Vector point(Vector p) const { return rotation(scale * p) + translation; }
  SLOTSCAPE_HOST_DEVICE Vector direction(Vector n) const { return rotation(n); }
  friend bool operator==(Pose const&, Pose const&) = default;
};

}  // namespace slotscape::spatial
