#pragma once

#include "app/clouds/write_ply.hpp"
#include "app/scenes/spatial/state.hpp"

namespace slotscape {

/// The points of both models, where they are seen, whose voxels belong to the result of the Boolean.
clouds::PlyPoints result_points(spatial::SpatialEngine& engine, SpatialState const& state);
/// All voxels of both models: the mean of the points in each.
clouds::PlyPoints all_voxels(spatial::SpatialEngine& engine, SpatialState const& state);

}  // namespace slotscape
