#pragma once

#include "app/scene/commands.hpp"
#include "app/scenes/spatial/canvas.hpp"
#include "app/scenes/spatial/map/voxel_maps.hpp"
#include "app/scenes/spatial/state.hpp"

#include <vector>

namespace slotscape {

/// The spatial scene's commands, by topic. They change what they are given, which outlives them.
std::vector<Command> model_commands(SpatialState& state);
std::vector<Command> boolean_commands(SpatialState& state);
std::vector<Command> hiding_commands(SpatialState& state);  ///< in the order of the legend
std::vector<Command> hashing_commands(SpatialState& state);
std::vector<Command> view_commands(SpatialState& state, SpatialCanvas& canvas, VoxelMaps& maps);
std::vector<Command> camera_commands(SpatialCanvas& canvas);

void show_all(SpatialCanvas& canvas, VoxelMaps& maps);
/// Flies to the selected voxel, or the one whose slot the mouse is on, in space and on the map; or else to where both
/// models fill the view, or the chosen one, if they do already.
void focus_on_selection(SpatialState const& state, SpatialCanvas& canvas, VoxelMaps& maps);

}  // namespace slotscape
