#pragma once

#include "gpu/spatial/voxel_sets.hpp"

namespace slotscape::spatial {

/// The role of a voxel in the classification. Far voxels and seeds, even refuted ones, are passable; the others are
/// walls.
enum class VoxelRole : std::uint8_t {
  far,  ///< not next to the other surface
  inside_seed,
  outside_seed,
  refuted_seed,   ///< certainly on the other side
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
  return role == VoxelRole::far || is_seed(role) || role == VoxelRole::refuted_seed;
}
/// Whether two neighbours belong to one component. Two seeds never do: next to the other surface, seeds on opposite
/// sides may touch, and one of them may be wrong.
SLOTSCAPE_HOST_DEVICE constexpr bool are_joined(VoxelRole a, VoxelRole b)
{
  return is_passable(a) && is_passable(b) && (a == VoxelRole::far || b == VoxelRole::far);
}

/// The signed distance of a point from a surface, in voxels, negative inside: a weighted mean of the distances from the
/// tangent planes of the surfels around the point, in which near surfels count most.
class SignedDistance {
public:
  SLOTSCAPE_HOST_DEVICE explicit SignedDistance(Vector place) : place_(place) {}

  SLOTSCAPE_HOST_DEVICE void add(Surfel const& surfel)
  {
    any_ = true;
    Vector const to_place = place_ - surfel.position;
    float const squared = dot(surfel.normal, surfel.normal);
    float const nearness = 1.0f / (dot(to_place, to_place) + softening);
    float const weight = nearness * nearness;
    if (squared == 0.0f) {  // both sides of a thin wall: the point may be on either
      absolute_ += weight * length(to_place);
      return;
    }
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
    bool const sure = agreed >= min_agreement * absolute_;
    if (distance < 0.0f) { return sure && distance < inside_below ? VoxelRole::inside_seed : VoxelRole::unsure_inside; }
    return sure && distance > outside_above ? VoxelRole::outside_seed : VoxelRole::unsure_outside;
  }

private:
  static constexpr float softening = 0.1f;
  static constexpr float min_agreement = 0.6f;  ///< of the surfels about the side, from 0 to 1

  Vector place_;
  float weights_ = 0.0f;
  float sum_ = 0.0f;
  float absolute_ = 0.0f;
  bool any_ = false;
};

}  // namespace slotscape::spatial
