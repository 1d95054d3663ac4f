#pragma once

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

}  // namespace slotscape
