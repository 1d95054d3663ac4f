#pragma once

#include "app/base/findings.hpp"
#include "app/clouds/point_cloud.hpp"
#include "app/scene/file_question.hpp"
#include "app/scenes/sparse/settings.hpp"
#include "gpu/base/progress.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// A flat drawing, small enough that every number is legible.
inline constexpr std::string_view spiral_name = "spiral";

/// Whether a source is built in rather than a file.
bool is_builtin_source(std::string const& name);
std::vector<std::string_view> builtin_sources();
/// The display name of a source.
std::string label_of_sites(std::string const& name);
/// The kinds of files that contain sites.
std::vector<FileKind> sites_kinds();

/// Marks a point without a site.
inline constexpr std::uint32_t no_site = 0xffffffffu;

/// The sites of a tensor, possibly with duplicates, and their origin.
struct Sites {
  std::vector<sparse::Site> sites;
  sparse::Extents extents;
  Findings findings = {};
  std::uint64_t points = 0;  ///< number of points in the sites' cells; 0: the input consists of sites
  /// For each point of the file, row of the array or sample of a surface: its index in `sites`, or `no_site` if it was
  /// left out.
  std::vector<std::uint32_t> site_of_point = {};
  std::vector<clouds::Position> samples = {};  ///< in the file's coordinates; empty if the points are the file's own
  clouds::Position origin = {};                ///< the lowest corner of the site (0, 0, 0), in the file's coordinates
  double voxel_size = 1.0;                     ///< the side of a cell, in the file's units
  clouds::CoordinateSystem system = {};        ///< the file's coordinate system
  std::uint64_t outliers = 0;                  ///< points far outside all others, left out or not
};

/// Loads sites. Points and samples of a shape or a model fall into the cells of a grid around it, or of the requested
/// size. Each row of a .npy file is a site: batch, x, y and z, or x, y and z, or x and y. Meant for a background
/// thread. Throws Cancelled, or an Error that names the file and says what to do.
Sites load_sites(SiteSource const& source, Progress const& progress);

}  // namespace slotscape
