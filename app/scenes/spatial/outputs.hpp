#pragma once

#include "app/scene/scene.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/state.hpp"

namespace slotscape {

/// How a model's numbers in the scene are related to those in its file.
struct ModelScale {
  std::optional<double> scene_units_per_unit;  ///< nothing for a built-in shape
  std::optional<double> voxel_in_file;
  clouds::CoordinateSystem system;
  bool open = false;
  std::string normals = {};       ///< where they come from
  std::uint64_t outliers = 0;     ///< points far outside all others
  bool without_outliers = false;  ///< these are left out
  bool ignores_outliers = false;  ///< they were to be left out, if there are any
  std::optional<CellsInFile> cells = {};
};

/// Everything that `--stats` writes for the spatial scene.
struct SpatialReport {
  std::string backend;
  std::string device;
  std::string present;
  spatial::PerModel<std::string> sources;
  spatial::PerModel<ModelScale> scales;
  std::optional<PlacedAs> placement;  ///< nothing if not both models are files
  spatial::SpatialSettings hashing;
  spatial::ShownParts parts;
  spatial::SpatialSnapshot snapshot;
  spatial::PerModel<Statistics> tables;  ///< with complete histograms
  StageTimes stages;
  FrameTimes frames;
};

/// The CSV files are models.csv and stages.csv.
SceneStatistics statistics_of(SpatialReport const& report);

}  // namespace slotscape
