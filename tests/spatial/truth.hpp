#pragma once

#include "tests/spatial/voxel_scene.hpp"

namespace slotscape::spatial {

/// How a classification compares with the truth. Bands are by the distance from the other surface, in voxels.
struct Errors {
  static constexpr int bands = 3;  ///< up to 0.5, up to 1, beyond
  std::uint64_t voxels[bands] = {};
  std::uint64_t wrong[bands] = {};
  std::uint64_t largest_region = 0;  ///< connected wrong voxels beyond one voxel
  double largest_share = 0.0;        ///< of the voxels of its model

  double share(int band) const;
  Errors& operator+=(Errors const& other);
};

/// Of the voxels more than one voxel away from the other surface, the share that may be wrong.
inline constexpr double max_wrong = 0.005;

Errors errors(VoxelScene const& scene, Classified const& found, Placed const& a, Placed const& b);

}  // namespace slotscape::spatial
