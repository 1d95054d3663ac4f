#pragma once

#include "gpu/spatial/voxel_sets.hpp"

namespace slotscape::spatial::passes {

/// Compares two surveys: gives each voxel a status according to `Changes`.
template <TableFamily Family, class View>
struct FindChanges {
  VoxelSets<Family, View> sets;
  Changes changes;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const item = sets.locate(i);
    if (!item.exists) { return; }
    auto const& voxels = sets.of[item.model].voxels;
    VoxelStatus& status = voxels.status[item.index];
    if (status == VoxelStatus::intersection) { return; }
    if (changes.neighbours && has_neighbour(1 - item.model, cell_of_key(voxels.keys[item.index]))) {
      status = VoxelStatus::intersection;
    } else if (voxels.points[item.index] < changes.min_points) {
      status = VoxelStatus::unknown;
    } else {
      status = item.model == 0 ? VoxelStatus::inside : VoxelStatus::outside;
    }
  }

private:
  SLOTSCAPE_HOST_DEVICE bool has_neighbour(int model, Cell cell) const
  {
    for (int number = 0; number < stencil_size; ++number) {
      if (sets.voxel_at(model, cell + stencil_step(number)) != no_voxel) { return true; }
    }
    return false;
  }
};

}  // namespace slotscape::spatial::passes
