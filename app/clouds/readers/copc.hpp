#pragma once

#include "app/clouds/readers/readers.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace slotscape::clouds::las {

/// Consecutive points of a file.
struct Run {
  std::uint64_t first;
  std::uint64_t count;
  std::int32_t level = 0;  ///< level of the octree node that holds the run
};

/// A representative part of a COPC file (copc.io, 1.0): the coarsest levels of its octree, in each of which the points
/// are spread evenly over the cloud.
struct CoarseLevels {
  std::vector<Run> runs;  ///< in the order of the file
  std::uint64_t points;   ///< number of points in all runs
  std::int32_t levels;    ///< number of levels in the runs
  std::int32_t of;        ///< number of levels in the file
};

/// The fewest levels with at least `wanted` points, or all. points: number of points in the file. Nothing if the file
/// is not COPC. Throws Error if its octree does not contain all points of the file.
std::optional<CoarseLevels> coarse_levels(Source const& source, std::uint64_t points, std::uint64_t wanted);
/// The nodes of all levels that meet a box.
std::optional<CoarseLevels> levels_in(Box const& box, Source const& source, std::uint64_t points);

}  // namespace slotscape::clouds::las
