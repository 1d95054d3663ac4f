#pragma once

#include "app/base/npy.hpp"
#include "app/clouds/geometry.hpp"
#include "app/clouds/point_cloud.hpp"
#include "gpu/base/progress.hpp"
#include "gpu/spatial/engine.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::clouds {

/// Limits for the side of a voxel, in the units of a file.
inline constexpr double min_voxel = 1e-9;
inline constexpr double max_voxel = 1e9;

struct LoadSettings {
  std::uint64_t points = 160'000;             ///< sampled on a mesh or a built-in shape
  std::uint64_t seed = 1;                     ///< for sampling
  std::uint64_t limit = spatial::max_points;  ///< larger clouds are thinned to this many points
  bool ignore_outliers = false;               ///< leave out points far outside all others; not for meshes
  std::optional<Box> crop = {};     ///< keep only points in this box, in the file's coordinates; not for meshes
  FileUnit unit = FileUnit::as_is;  ///< of the file's coordinates, which are then converted to metres
};

/// Loads a file, recognised by its content rather than its extension: PLY, OBJ, STL, OFF, PCD, LAS, LAZ, a NumPy array,
/// or text with x y z on each line. Meshes are sampled evenly over their area. Unusable points and triangles without
/// area are skipped, and `notes` says so. Intended for a background thread. Throws Error that names the file and says
/// what to do, and Cancelled.
PointCloud load_cloud(std::filesystem::path const& file, LoadSettings const& settings, Progress const& progress);

/// Opens a built-in shape by name, or else a file.
PointCloud open_cloud(std::string const& name_or_file, LoadSettings const& settings, Progress const& progress);

/// The file extensions that load_cloud knows, in lower case with the dot.
std::vector<std::string_view> cloud_file_extensions();

/// What a .npy file may contain, for those who must choose how to open it.
enum class ArrayUse : std::uint8_t {
  none,          ///< not a .npy file, or unreadable
  column,        ///< one column: keys
  sites,         ///< whole numbers in three or four columns, or in fields named x, y and z, and batch
  points,        ///< floating-point numbers in three columns or more, or in fields named x, y and z
  whole_points,  ///< as `points`, but without decimals or with other fields: may be sites
  other,
};
ArrayUse use_of_array(std::filesystem::path const& file);
/// The coordinates of sites in an array with fields: batch, if present, x, y and z.
struct SiteFields {
  NpyRows table;
  std::vector<std::string> skipped;  ///< the names of other fields
};
/// Nullopt if the array has no fields named x, y and z. Throws Error that names the file and what to do.
std::optional<SiteFields> read_site_fields(std::filesystem::path const& file);
/// Whether the array holds sites or points rather than keys.
bool is_array_of_coordinates(std::filesystem::path const& file);

/// Makes a cloud from a file without faces. `name` is the file's name, for messages. Throws Error if no usable point is
/// left, and Cancelled.
PointCloud cloud_of_points(Geometry const& geometry, std::string const& name, LoadSettings const& settings,
                           Progress const& progress);

/// Samples points evenly over the faces of a file. Normals are the file's if it has them, otherwise those of the
/// triangles; on closed surfaces they are oriented outwards. Throws as `cloud_of_points` does.
PointCloud cloud_of_mesh(Geometry const& geometry, std::string const& name, LoadSettings const& settings,
                         Progress const& progress);

}  // namespace slotscape::clouds
