#pragma once

#include "gpu/spatial/voxel_grid.hpp"

#include <span>

namespace slotscape::spatial {

/// A piece of surface whose normal may point to either side. A zero normal means that it is unknown.
struct Patch {
  Cell cell;  ///< distinct for each patch
  Vector normal;
  Vector place;            ///< the mean of its points, in units of the grid
  float roughness = 1.0f;  ///< how thick its points are, as a share of how wide, both squared
};

/// Below this, a patch is flat: its normal is right to a few degrees.
inline constexpr float max_flat_roughness = 0.12f;

/// Flips normals so that neighbours agree, along a minimum spanning forest over the 26-neighbourhoods (Hoppe et al.
/// 1992, 'Surface Reconstruction from Unorganized Points', 3.3). Two patches agree if mirroring one normal in the line
/// between them gives about the other one (Xie et al. 2003, 'Piecewise C1 continuous surface reconstruction of noisy
/// point clouds'), which holds around edges, too. Flat patches come first.
///
/// Components that are closed point outwards. The others are joined to them and to each other in the same way, from
/// near to far. If none is closed, the whole points up, or else away from its middle.
void orient(std::span<Patch> patches);

}  // namespace slotscape::spatial
