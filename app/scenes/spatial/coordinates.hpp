#pragma once

#include "app/scenes/spatial/state.hpp"

namespace slotscape {

/// Turns, scales and moves positions, in double precision: survey coordinates in the millions need it.
struct Similarity {
  std::array<clouds::Position, 3> rows{clouds::Position{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  clouds::Position offset;

  clouds::Position operator()(clouds::Position const& p) const
  {
    return clouds::Position{dot(rows[0], p), dot(rows[1], p), dot(rows[2], p)} + offset;
  }
};

/// How far single precision may move a point in the grid, in voxels along an axis.
double rounding_in_voxels(spatial::VoxelGrid const& grid);

/// From the coordinates of a model's file to those of the scene, where the model stands in this pose.
Similarity scene_of_file(clouds::Frame const& file, spatial::Pose const& pose);
/// The same, where the model is seen now, to the last digit. Where both are seen in the coordinates of their files, it
/// is one and the same for both, and stays that of either while the other one is moved. Where the program has placed a
/// model and nothing has moved it, the model gives way by up to half a voxel, so that cells begin at multiples of their
/// width in the file, and a little lower (`lowering`), so that a point on a border belongs to the cell above, along
/// each axis of the file, however it is turned.
Similarity scene_of_file(SpatialState const& state, spatial::Model model);
/// And back.
Similarity file_of_scene(SpatialState const& state, spatial::Model model);

/// The corners of the box around a model, where it is seen now.
std::vector<spatial::Vector> corners_in_scene(SpatialState const& state, spatial::Model model);

/// The poses in which the engine is to have the models, whose points are in `frames` there.
spatial::PerModel<spatial::Pose> engine_poses(SpatialState const& state, spatial::PerModel<spatial::Pose> const& seen);
/// A point in this frame, as the engine has it.
spatial::Vector engine_point(clouds::PointCloud const& cloud, clouds::Frame const& frame, std::size_t index);

/// How much of the scene's length a unit of a model's file takes where the model is seen now; nothing for a built-in
/// shape, which has no file.
std::optional<double> scene_units_per_unit(SpatialState const& state, spatial::Model model);
/// Where the cells of the grid are in the coordinates of a model's file.
struct CellsInFile {
  clouds::Position origin;                ///< the corner of cell (0, 0, 0) from which cells are counted
  std::array<clouds::Position, 3> steps;  ///< from a cell to the next one along x, y and z of the grid
};
/// Nothing for a built-in shape.
std::optional<CellsInFile> cells_in_file(SpatialState const& state, spatial::Model model);
/// How wide a voxel is in the units of a model's file.
std::optional<double> voxel_in_file(SpatialState const& state, spatial::Model model);

/// The same in words: "0.47 m", or "0.47 of the file's units" if that does not name them.
std::string length_in_file(SpatialState const& state, spatial::Model model, double length);
/// The sides of the grid along x, y and z of the scene in the units of the files, if they are the same in both; else
/// empty.
std::array<std::string, 3> sides_of_grid_in_files(SpatialState const& state);
/// Sets the grid so that a voxel is so wide in the units of this model's file; by default that of A or, if A is a
/// built-in shape, of B. Voxels keep that width, see `AskedVoxel`. Throws Error if no grid can have it, or neither
/// model is a file.
void set_voxel_in_file(SpatialState& state, double width, std::optional<spatial::Model> model = std::nullopt);

/// Has the grid follow the scale of the model whose voxels were asked for, unless somebody has chosen another grid
/// since. Returns what to say if no grid can have them any more; else nothing.
std::string keep_asked_voxel(SpatialState& state);

/// The model in whose file's coordinates a model is exported: its own, if it comes from a file. A built-in shape has
/// none and takes the other model's. Nothing if both are built in: then the coordinates are those of the scene.
std::optional<spatial::Model> home_of(SpatialState const& state, spatial::Model model);

/// Where a voxel's points are in the mean, in the coordinates in which they are exported, as finely as a hundredth of a
/// voxel: "665187.25, 5648349.50, 241.75".
std::string position_text(SpatialState const& state, spatial::VoxelInfo const& voxel);

}  // namespace slotscape
