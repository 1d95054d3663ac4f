#pragma once

#include "app/clouds/write_ply.hpp"
#include "app/scenes/spatial/state.hpp"

namespace slotscape {

/// Exports points for other programs. Points and normals are in the coordinates of their model's file, as before the
/// model was moved, so that they are placed correctly on maps. Built-in shapes have no file and are exported in the
/// coordinates of the other model's file, in their position beside that model. The columns scene_x, scene_y and scene_z
/// hold the positions in the scene, and comments in the header the transformation from each file to the scene.

/// The points of both models whose voxels belong to the result of the Boolean, with the attributes of their files.
/// Colours come from the file or, if it has none, from the status.
clouds::PlyPoints result_points(spatial::SpatialEngine& engine, SpatialState const& state);
/// All voxels of both models, each as the mean of its points.
clouds::PlyPoints all_voxels(spatial::SpatialEngine& engine, SpatialState const& state);

}  // namespace slotscape
