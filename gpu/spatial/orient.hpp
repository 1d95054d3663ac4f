#pragma once

#include "gpu/spatial/voxel_grid.hpp"

#include <span>

namespace slotscape::spatial {

/// A piece of surface whose normal may point to either side. A zero normal means that it is unknown.
struct Patch {
  Cell cell;  ///< distinct for each patch
  Vector normal;
};

/// Flips normals so that neighbours agree, and those of closed surfaces point outwards (Hoppe et al. 1992, 'Surface
/// Reconstruction from Unorganized Points', 3.3). Orientation propagates from the highest patch of each component,
/// whose normal points up, along a minimum spanning tree over the 26-neighbourhoods. An edge is shorter the more
/// parallel its two normals are.
void orient(std::span<Patch> patches);

}  // namespace slotscape::spatial
