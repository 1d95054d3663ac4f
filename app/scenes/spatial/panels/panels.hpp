#pragma once

#include "app/gui.hpp"
#include "app/scenes/spatial/state.hpp"

namespace slotscape {

/// Where the models come from and where they stand.
void models_panel(Look const& look, SpatialState& state);
/// How they move by themselves.
void animation_panel(Look const& look, SpatialState& state);
/// The grid, and the tables that the voxels are hashed into.
void hashing_panel(Look const& look, SpatialState& state);
/// What the picture shows of them.
void picture_panel(Look const& look, SpatialState& state);

/// Points, voxels, tables and what is inside of what.
void voxel_numbers_panel(Look const& look, SpatialState const& state);
/// How long each stage takes: the latest frames, stacked.
void stages_panel(Look const& look, SpatialState const& state);

}  // namespace slotscape
