#include "gpu/particles/filling.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape::particles {
namespace {

/// Moves a place by up to a share of the spacing: particles on a perfect lattice would stay in their rows.
Point moved(Point at, float spacing, std::uint64_t seed, std::uint64_t number)
{
  constexpr float share = 0.02f;
  auto const along = [&](std::uint64_t axis) {
    return spacing * share * static_cast<float>(random64(seed, 3 * number + axis) >> 40) * 0x1p-24f;
  };
  return at + Point{along(0), along(1), along(2)};
}

}  // namespace

float usual_radius(std::uint64_t particles)
{
  constexpr float share_of_box = 0.2f;
  float const volume = share_of_box * box_side * box_side * box_side;
  float const radius =
      spacings_per_radius * std::cbrt(volume / static_cast<float>(std::max<std::uint64_t>(particles, 1)));
  return std::clamp(radius, min_radius, max_radius);
}

Filling dam(std::uint64_t particles, float radius, std::uint64_t seed)
{
  constexpr float usual_width = 0.35f;  // share of the box's width
  float const spacing = radius / spacings_per_radius;
  auto const side = static_cast<std::uint64_t>(box_side / spacing);
  if (particles > side * side * side) {
    throw Error(std::to_string(particles) +
                " particles of this radius do not fit into the box: choose fewer, or a smaller radius.");
  }
  auto const usual = static_cast<std::uint64_t>(usual_width * static_cast<float>(side));
  std::uint64_t const width =
      std::max((particles + side * side - 1) / (side * side), std::max<std::uint64_t>(usual, 1));
  Filling filling;
  filling.velocities.resize(particles);
  for (std::uint64_t i = 0; i < particles; ++i) {
    auto const along = [&](std::uint64_t place) { return spacing * (static_cast<float>(place) + 0.49f); };
    Point const at{along(i % width), along(i / width % side), along(i / width / side)};
    filling.bodies.push_back({moved(at, spacing, seed, i)});
  }
  return filling;
}

Filling Jet::pour(float radius)
{
  constexpr float speed = 4.0f;  // metres per second, downwards
  constexpr float width = 0.5f;
  float const spacing = radius / spacings_per_radius;
  due_ += static_cast<double>(speed) * step_seconds / static_cast<double>(spacing);
  Filling filling;
  for (; due_ >= 1.0; due_ -= 1.0) {
    auto const side = std::max<std::uint64_t>(static_cast<std::uint64_t>(width / spacing), 1);
    for (std::uint64_t i = 0; i < side * side; ++i) {
      auto const along = [&](std::uint64_t place) { return 0.6f * box_side + spacing * static_cast<float>(place); };
      float const height = 0.95f * box_side - spacing * static_cast<float>(due_ - 1.0);
      filling.bodies.push_back({moved({along(i % side), along(i / side), height}, spacing, 1, poured_++)});
      filling.velocities.push_back({{0.0f, 0.0f, -speed}});
    }
  }
  return filling;
}

}  // namespace slotscape::particles
