#pragma once

#include "gpu/spatial/sides.hpp"

namespace slotscape::spatial {

/// What a voxel does in the search for inside and outside. Seeds and what is far are passable; the others are walls.
enum class VoxelRole : std::uint8_t {
  far,  ///< from the other surface
  inside_seed,
  outside_seed,
  unsure_inside,  ///< near the other surface, with an unreliable distance
  unsure_outside,
  intersection,
};
SLOTSCAPE_HOST_DEVICE constexpr bool is_seed(VoxelRole role)
{
  return role == VoxelRole::inside_seed || role == VoxelRole::outside_seed;
}
SLOTSCAPE_HOST_DEVICE constexpr bool is_passable(VoxelRole role)
{
  return role == VoxelRole::far || is_seed(role);
}
/// Whether the search goes on from one of two neighbours to the other. Not from seed to seed: next to the other
/// surface, two that are on different sides may touch, and one may be wrong.
SLOTSCAPE_HOST_DEVICE constexpr bool are_joined(VoxelRole a, VoxelRole b)
{
  return is_passable(a) && is_passable(b) && (a == VoxelRole::far || b == VoxelRole::far);
}

/// The distance of a place from a surface, negative inside, in units of the grid: by the tangent planes of the surfels
/// around, those nearby counting most.
class SignedDistance {
public:
  SLOTSCAPE_HOST_DEVICE explicit SignedDistance(Vector place) : place_(place) {}

  SLOTSCAPE_HOST_DEVICE void add(Surfel const& surfel)
  {
    any_ = true;
    Vector const to_place = place_ - surfel.position;
    float const squared = dot(surfel.normal, surfel.normal);
    if (squared == 0.0f) { return; }
    float const nearness = 1.0f / (dot(to_place, to_place) + softening);
    float const weight = nearness * nearness;
    float const distance = dot(to_place, surfel.normal);
    weights_ += weight;
    sum_ += weight * distance;
    absolute_ += weight * (distance < 0.0f ? -distance : distance);
  }

  SLOTSCAPE_HOST_DEVICE VoxelRole role(float inside_below, float outside_above) const
  {
    if (!any_) { return VoxelRole::far; }
    float const distance = weights_ > 0.0f ? sum_ / weights_ : 0.0f;
    float const agreed = sum_ < 0.0f ? -sum_ : sum_;
    bool const sure = agreed >= least_agreement * absolute_;
    if (distance < 0.0f) { return sure && distance < inside_below ? VoxelRole::inside_seed : VoxelRole::unsure_inside; }
    return sure && distance > outside_above ? VoxelRole::outside_seed : VoxelRole::unsure_outside;
  }

private:
  static constexpr float softening = 0.1f;
  static constexpr float least_agreement = 0.6f;  ///< of surfels about the side, 0 to 1

  Vector place_;
  float weights_ = 0.0f;
  float sum_ = 0.0f;
  float absolute_ = 0.0f;
  bool any_ = false;
};

/// The cells around a cell: 0 to 26 without 13, which is the cell itself.
inline constexpr int around_count = 27;
inline constexpr int around_itself = 13;
SLOTSCAPE_HOST_DEVICE constexpr Cell around_step(int number)
{
  return {number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1};
}

}  // namespace slotscape::spatial
