#pragma once

#include "gpu/spatial/voxel_grid.hpp"

#include <span>

namespace slotscape::spatial {

/// A piece of surface whose normal may point to either side; none where the normal is zero.
struct Patch {
  Cell cell;  ///< each patch has its own
  Vector normal;
};

/// Turns normals so that neighbours agree and closed surfaces have them outwards (Hoppe et al. 1992, 'Surface
/// Reconstruction from Unorganized Points', 3.3): along a minimum spanning tree over the neighbours among the 26, where
/// an edge is the shorter the more parallel the normals are, from the highest patch of each component, which looks up.
void orient(std::span<Patch> patches);

}  // namespace slotscape::spatial
