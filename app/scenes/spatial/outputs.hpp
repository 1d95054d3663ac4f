#pragma once

#include "app/scene/scene.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/state.hpp"

namespace slotscape {

/// How a model's numbers in the scene relate to those in its file.
struct ModelScale {
  std::optional<double> scene_units_per_unit;  ///< nothing for a built-in shape
  std::optional<double> voxel_in_file;
  clouds::CoordinateSystem system;
  bool open = false;
  std::string normals = {};       ///< their source
  std::uint64_t outliers = 0;     ///< points far outside all others
  bool without_outliers = false;  ///< whether these are left out
  bool ignores_outliers = false;  ///< whether outliers would be left out
  std::optional<CellsInFile> cells = {};
  clouds::FileUnit unit = clouds::FileUnit::as_is;  ///< of the file, if its coordinates are converted
};

/// Everything that `--stats` reports for the spatial scene.
struct SpatialReport {
  std::string backend;
  std::string device;
  std::string present;
  spatial::PerModel<std::string> sources;
  spatial::PerModel<ModelScale> scales;
  spatial::PerModel<std::optional<ShownVoxels>> shown;  ///< nothing before the first update
  std::optional<PlacedAs> placement;                    ///< nothing unless both models are files
  spatial::SpatialSettings hashing;
  spatial::ShownParts parts;
  spatial::SpatialSnapshot snapshot;
  std::optional<DistanceFacts> distances;
  double threshold = 0.0;                ///< threshold of the distances
  spatial::PerModel<Statistics> tables;  ///< with complete histograms
  StageTimes stages;
  FrameTimes frames;
};

/// Writes models.csv and stages.csv as CSV files.
SceneStatistics statistics_of(SpatialReport const& report);

}  // namespace slotscape
