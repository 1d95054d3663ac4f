#pragma once

#include "app/scenes/spatial/state.hpp"

namespace slotscape {

/// A similarity transformation in double precision, which survey coordinates in the millions need.
struct Similarity {
  std::array<clouds::Position, 3> rows{clouds::Position{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  clouds::Position offset;

  clouds::Position operator()(clouds::Position const& p) const
  {
    return clouds::Position{dot(rows[0], p), dot(rows[1], p), dot(rows[2], p)} + offset;
  }
};

/// The largest error of a point in the grid due to single precision, in voxels along an axis.
double rounding_in_voxels(spatial::VoxelGrid const& grid);

/// The transformation from a model's file to the scene, for a model in this pose.
Similarity scene_of_file(clouds::Frame const& file, spatial::Pose const& pose);
/// The exact transformation for the model as currently seen. Two models seen in their files' coordinates share one
/// transformation, and one of them keeps it while the other is moved. If the program placed the model and nothing has
/// moved it since, the model is shifted by up to half a voxel. Cells then begin at multiples of their width along each
/// axis of the file, whatever its rotation, and slightly lower (`lowering`), so that a point on a border belongs to the
/// upper cell.
Similarity scene_of_file(SpatialState const& state, spatial::Model model);
/// The inverse of `scene_of_file`: the transformation from the scene to a model's file.
Similarity file_of_scene(SpatialState const& state, spatial::Model model);

/// The corners of the box around a model as currently seen.
std::vector<spatial::Vector> corners_in_scene(SpatialState const& state, spatial::Model model);

/// The corners of both models, without a stand-in.
std::vector<spatial::Vector> corners_of_models(SpatialState const& state);

/// The poses for the engine, which holds the models' points in `frames`.
spatial::PerModel<spatial::Pose> engine_poses(SpatialState const& state, spatial::PerModel<spatial::Pose> const& seen);
/// A point in this frame, as passed to the engine.
spatial::Vector engine_point(clouds::PointCloud const& cloud, clouds::Frame const& frame, std::size_t index);

/// The length in the scene of one unit of a model's file, for the model as currently seen; nothing for a built-in
/// shape, which has no file.
std::optional<double> scene_units_per_unit(SpatialState const& state, spatial::Model model);
/// The unit of lengths from one model to the other, or within one: a file's unit if both ends are in that file or both
/// models have the same scale, and if its axes have one unit; otherwise the scene's.
LengthUnit length_unit_between(SpatialState const& state, spatial::Model from, spatial::Model to);
/// The cells of the grid in the coordinates of a model's file.
struct CellsInFile {
  clouds::Position origin;                ///< corner of cell (0, 0, 0)
  std::array<clouds::Position, 3> steps;  ///< steps from a cell to its neighbours along x, y and z of the grid
};
/// The cells in the coordinates of the model's file; nothing for a built-in shape, which has no file.
std::optional<CellsInFile> cells_in_file(SpatialState const& state, spatial::Model model);
/// The width of a voxel in the units of a model's file.
std::optional<double> voxel_in_file(SpatialState const& state, spatial::Model model);

/// The length as text: "0.47 m", or "0.47 of the file's units" if the file does not name them.
std::string length_in_file(SpatialState const& state, spatial::Model model, double length);
/// The sides of the grid along x, y and z of the scene, in the units of the files if both have the same; otherwise
/// empty.
std::array<std::string, 3> sides_of_grid_in_files(SpatialState const& state);
/// Describes how to convert and label positions along an axis of the scene.
struct AxisScale {
  char name;                   ///< name of the axis: x, y or z
  double factor = 1.0;         ///< multiply the scene's coordinate by this
  double offset = 0.0;         ///< then add this
  bool is_of_file = false;     ///< true: coordinates of the file or of both files; false: of the scene
  std::string_view unit = {};  ///< unit of the file's coordinates; empty: unknown

  double told(double in_scene) const { return factor * in_scene + offset; }
  double in_scene(double told) const { return (told - offset) / factor; }
};
/// Uses a file's coordinates if both models are seen in them and the axis is parallel to one of theirs.
AxisScale axis_scale(SpatialState const& state, std::size_t axis);
/// Sets the grid so that a voxel has this width in the units of the model's file; by default the file of A or, if A is
/// a built-in shape, of B. Voxels keep that width (see `AskedVoxel`). Throws Error if no grid allows it, or if neither
/// model is a file.
void set_voxel_in_file(SpatialState& state, double width, std::optional<spatial::Model> model = std::nullopt);

/// Adapts the grid to the scale of the model whose voxel width was requested, unless the user has chosen another grid
/// since. Returns a message if no grid can have such voxels any more.
std::string keep_asked_voxel(SpatialState& state);

/// The model whose file's coordinates are used to export a model: itself, if it comes from a file. A built-in shape has
/// no file and uses the other model's. Nothing if both are built in: then coordinates are those of the scene.
std::optional<spatial::Model> home_of(SpatialState const& state, spatial::Model model);

/// The mean position of a voxel's points in the coordinates used for export, to a hundredth of a voxel: "665187.25,
/// 5648349.50, 241.75".
std::string position_text(SpatialState const& state, spatial::VoxelInfo const& voxel);

}  // namespace slotscape
