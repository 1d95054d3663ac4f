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

/// A flat drawing, small enough to read every number.
inline constexpr std::string_view spiral_name = "spiral";

/// Whether a source is built in, and not a file.
bool is_builtin_source(std::string const& name);
std::vector<std::string_view> builtin_sources();
/// The display name of a source.
std::string label_of_sites(std::string const& name);
/// The files that sites can be read from.
std::vector<FileKind> sites_kinds();

/// Of a point that has no site.
inline constexpr std::uint32_t no_site = 0xffffffffu;

/// The sites of a tensor, each once or more often, and where they come from.
struct Sites {
  std::vector<sparse::Site> sites;
  sparse::Extents extents;
  Findings findings = {};
  std::uint64_t points = 0;  ///< that fall into the sites' cells; 0: these are the sites themselves
  /// Which of `sites` each point of the file, row of the array or sample of a surface is in; `no_site`: it was left
  /// out.
  std::vector<std::uint32_t> site_of_point = {};
  std::vector<clouds::Position> samples = {};  ///< in the file's coordinates, where points are not those of the file
  clouds::Position origin = {};                ///< the lowest corner of the cell of site 0, in the file's coordinates
  double voxel_size = 1.0;                     ///< the side of a cell, in the file's units
  clouds::CoordinateSystem system = {};        ///< of the file
  std::uint64_t outliers = 0;                  ///< points far outside all others, left out or not
};

/// Points and samples of a shape or a model fall into the cells of a grid around it, or of the size asked for; a .npy
/// file has the coordinates of a site in each row: batch, x, y and z, or x, y and z, or x and y. Meant to run on a
/// thread of its own. Throws Error that names the file and says what to do, and Cancelled.
Sites load_sites(SiteSource const& source, Progress const& progress);

}  // namespace slotscape
