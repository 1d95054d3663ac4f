#pragma once

#include "app/files/report.hpp"
#include "app/scenes/spatial/state.hpp"

#include <filesystem>

namespace slotscape {

/// All that `--stats` writes of the spatial scene.
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

/// Throw Error where the file or folder cannot be written.
void write_spatial_json(std::filesystem::path const& file, SpatialReport const& report);
/// models.csv and stages.csv, in a folder that is made.
void write_spatial_csv(std::filesystem::path const& folder, SpatialReport const& report);

}  // namespace slotscape
