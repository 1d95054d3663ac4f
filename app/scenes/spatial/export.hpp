#pragma once

#include "app/clouds/write_ply.hpp"
#include "app/scenes/spatial/state.hpp"

namespace slotscape {

/// Points for other programs. Each is in the coordinates of its model's file, where it was before the model was moved,
/// so that maps place it where it belongs, and so are the normals. Built-in shapes, which have no file, are exported in
/// the coordinates of the other model's file, where they are seen beside it. The columns scene_x, scene_y and scene_z
/// hold what the scene shows, and comments in the header the transform from each file to the scene.

/// The points of both models whose voxels belong to the result of the Boolean, with the attributes of their files.
/// Colours are the file's or, if it has none, those of the status.
clouds::PlyPoints result_points(spatial::SpatialEngine& engine, SpatialState const& state);
/// All voxels of both models, each as the mean of its points.
clouds::PlyPoints all_voxels(spatial::SpatialEngine& engine, SpatialState const& state);

}  // namespace slotscape
