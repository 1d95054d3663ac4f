#pragma once

#include "app/clouds/point_cloud.hpp"
#include "app/clouds/progress.hpp"
#include "gpu/spatial/engine.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::clouds {

struct LoadSettings {
  std::uint64_t points = 160'000;             ///< sampled on a mesh or a built-in shape
  std::uint64_t seed = 1;                     ///< of the sampling
  std::uint64_t limit = spatial::max_points;  ///< clouds with more points are thinned to so many
};

/// Points of a file, by what stands in it rather than by its ending: PLY, OBJ, STL, OFF, PCD, or text with x y z in
/// each line. Meshes are sampled evenly over their area. Points that cannot be and triangles without area are left out,
/// and `notes` says so. Meant for a thread of its own. Throws Error that names the file and says what to do, Cancelled.
PointCloud load_cloud(std::filesystem::path const& file, LoadSettings const& settings, Progress& progress);

/// A built-in shape by its name, or else a file.
PointCloud open_cloud(std::string const& name_or_file, LoadSettings const& settings, Progress& progress);

/// The endings of files that load_cloud knows, lower case, with the dot.
std::vector<std::string_view> cloud_file_endings();

}  // namespace slotscape::clouds
