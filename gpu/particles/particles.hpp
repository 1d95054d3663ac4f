#pragma once

#include "gpu/neighbours/points.hpp"

#include <cmath>
#include <cstdint>

/// Particles in a box: gravity, collisions, and a position-based fluid (Macklin & Müller 2013) whose cells are in a
/// hash table.
namespace slotscape::particles {

using neighbours::Point;

SLOTSCAPE_HOST_DEVICE inline Point operator+(Point a, Point b)
{
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
SLOTSCAPE_HOST_DEVICE inline Point operator-(Point a, Point b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
SLOTSCAPE_HOST_DEVICE inline Point operator*(float factor, Point a)
{
  return {factor * a.x, factor * a.y, factor * a.z};
}
SLOTSCAPE_HOST_DEVICE inline float squared_length(Point a)
{
  return a.x * a.x + a.y * a.y + a.z * a.z;
}

/// Side of the box in metres, like the radius. The box begins at the origin; z is up.
inline constexpr float box_side = 4.0f;
inline constexpr std::uint64_t max_particles = std::uint64_t{1} << 20;
inline constexpr float min_radius = 0.01f;
inline constexpr float max_radius = 1.0f;
/// Particles at rest per radius along an axis, which gives each about 24 neighbours.
inline constexpr float spacings_per_radius = 1.8f;

/// A position or a velocity, with a number that belongs to it: one read of 16 bytes.
struct alignas(16) Body {
  Point at;
  float number = 0.0f;
};

/// Cubes slightly wider than the radius, so that rounding cannot separate neighbours by two cells. Keys are packed: x
/// in the lowest 10 bits, then y and z, as formulas read them.
struct CellSpace {
  static constexpr std::uint32_t bits = 10;
  static constexpr float margin = 1.0f / 2048.0f;  ///< exceeds the rounding errors of coordinates of up to 2^10 cells

  float per_width = 1.0f;
  std::uint32_t side = 1;  ///< cells along each axis of the box

  static CellSpace of(float radius)
  {
    float const per_width = 1.0f / (radius * (1.0f + margin));
    return {per_width, static_cast<std::uint32_t>(box_side * per_width) + 1};
  }
  SLOTSCAPE_HOST_DEVICE std::uint32_t along(float coordinate) const
  {
    auto const cell = static_cast<std::uint32_t>(coordinate * per_width);
    return cell < side ? cell : side - 1;
  }
  SLOTSCAPE_HOST_DEVICE static std::uint32_t pack(std::uint32_t x, std::uint32_t y, std::uint32_t z)
  {
    return x | y << bits | z << 2 * bits;
  }
  /// The key of a point in the box.
  SLOTSCAPE_HOST_DEVICE std::uint32_t key_of(Point at) const { return pack(along(at.x), along(at.y), along(at.z)); }
};

/// A ball that pushes particles away. Radius 0: no ball.
struct Stirrer {
  Point center = {};
  float radius = 0.0f;
  friend bool operator==(Stirrer const&, Stirrer const&) = default;
};

/// How particles move without collisions.
struct Motion {
  float seconds = 0.0f;  ///< of a step
  float gravity = 0.0f;
  float max_speed = 0.0f;  ///< one radius per step: faster particles would pass through each other
  Stirrer stirrer = {};

  SLOTSCAPE_HOST_DEVICE Point accelerated(Point velocity) const
  {
    velocity.z -= gravity * seconds;
    return limited(velocity);
  }
  SLOTSCAPE_HOST_DEVICE Point limited(Point velocity) const
  {
    float const squared = squared_length(velocity);
    return squared > max_speed * max_speed ? max_speed / sqrtf(squared) * velocity : velocity;
  }
  /// The nearest place inside the box and outside the ball.
  SLOTSCAPE_HOST_DEVICE Point allowed(Point at) const
  {
    Point const off = at - stirrer.center;
    float const squared = squared_length(off);
    if (squared < stirrer.radius * stirrer.radius && squared > 0.0f) {
      at = stirrer.center + stirrer.radius / sqrtf(squared) * off;
    }
    return {within(at.x), within(at.y), within(at.z)};
  }

private:
  SLOTSCAPE_HOST_DEVICE static float within(float x) { return x < 0.0f ? 0.0f : x < box_side ? x : box_side; }
};

}  // namespace slotscape::particles
