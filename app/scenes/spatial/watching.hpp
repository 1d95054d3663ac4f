#pragma once

#include "app/scenes/spatial/map/voxel_maps.hpp"
#include "app/scenes/spatial/state.hpp"

namespace slotscape {

/// The key of a voxel, by the width that the grid's keys have.
Key key_of(spatial::VoxelGrid const& grid, spatial::Cell cell);

/// The voxel with this key as the engine has it now.
WatchedVoxel watch(spatial::SpatialEngine& engine, spatial::Model model, Key key);
/// The same by its index.
WatchedVoxel watch_index(spatial::SpatialEngine& engine, spatial::Model model, std::uint32_t index);

/// Shows on the maps where the voxels are, and for the selected one the lookups of its neighbours and of itself in the
/// other model's table.
void show_on_maps(VoxelMaps& maps, spatial::SpatialEngine& engine, SpatialState const& state);

}  // namespace slotscape
