#pragma once

#include "app/scene/commands.hpp"
#include "app/scenes/spatial/canvas.hpp"
#include "app/scenes/spatial/map/voxel_maps.hpp"
#include "app/scenes/spatial/state.hpp"

#include <vector>

namespace slotscape {

/// The spatial scene's commands, by topic. They modify their arguments, which must outlive them.
std::vector<Command> model_commands(SpatialState& state);
std::vector<Command> boolean_commands(SpatialState& state);
std::vector<Command> hiding_commands(SpatialState& state);  ///< in legend order
std::vector<Command> hashing_commands(SpatialState& state);
std::vector<Command> view_commands(SpatialState& state, SpatialCanvas& canvas, VoxelMaps& maps);
std::vector<Command> camera_commands(SpatialCanvas& canvas);

void show_all(SpatialCanvas& canvas, VoxelMaps& maps);
/// Flies to the selected voxel, or to the one whose slot the mouse is on, in space and on the map. Without either,
/// flies to where both models fill the view, or the chosen one if both already do.
void focus_on_selection(SpatialState const& state, SpatialCanvas& canvas, VoxelMaps& maps);

}  // namespace slotscape
