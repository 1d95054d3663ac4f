#pragma once

#include "app/clouds/write_ply.hpp"
#include "app/scene/scene.hpp"
#include "app/scenes/spatial/state.hpp"

namespace slotscape {

/// Everything that `--stats` writes for the spatial scene.
struct SpatialReport {
  std::string backend;
  std::string device;
  std::string present;
  spatial::PerModel<std::string> sources;
  spatial::SpatialSettings hashing;
  spatial::Boolean boolean;
  spatial::SpatialSnapshot snapshot;
  spatial::PerModel<Statistics> tables;  ///< with complete histograms
  StageTimes stages;
  FrameTimes frames;
};

/// The CSV files are models.csv and stages.csv.
SceneStatistics statistics_of(SpatialReport const& report);

/// The points of both models, as posed, whose voxels belong to the result of the Boolean.
clouds::PlyPoints result_points(spatial::SpatialEngine& engine, SpatialState const& state);
/// All voxels of both models, each as the mean of its points.
clouds::PlyPoints all_voxels(spatial::SpatialEngine& engine, SpatialState const& state);

}  // namespace slotscape
