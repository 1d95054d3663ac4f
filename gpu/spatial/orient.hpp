#pragma once

#include "gpu/spatial/voxel_grid.hpp"

#include <span>

namespace slotscape::spatial {

/// A piece of surface whose normal may point to either side. A zero normal means unknown.
struct Patch {
  Cell cell;  ///< distinct for each patch
  Vector normal;
  Vector place;            ///< the mean of its points, in units of the grid
  float roughness = 1.0f;  ///< thickness / width of its points, squared
};

/// Below this, a patch counts as flat: its normal is accurate to a few degrees.
inline constexpr float max_flat_roughness = 0.12f;

/// Flips normals so that neighbours agree, along a minimum spanning forest over the 26-neighbourhoods (Hoppe et al.
/// 1992, 'Surface Reconstruction from Unorganized Points', 3.3). Two patches agree if mirroring one normal in the line
/// between them approximately gives the other one (Xie et al. 2003, 'Piecewise C1 continuous surface reconstruction of
/// noisy point clouds'), which also holds around edges. Flat patches are joined first.
///
/// Closed components point outwards. The others are joined to them and to each other in the same way, nearest first. If
/// none is closed, the whole surface points up, or otherwise away from its middle.
void orient(std::span<Patch> patches);

}  // namespace slotscape::spatial
