#pragma once

#include "app/clouds/point_cloud.hpp"
#include "app/clouds/progress.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace slotscape::clouds {

/// An index that leads nowhere, in place of one that a file gives and that cannot be.
inline constexpr std::uint32_t impossible_index = std::numeric_limits<std::uint32_t>::max();

/// Polygons as lists of corners, one after the other.
struct Polygons {
  std::vector<std::uint32_t> corners;  ///< indices of positions
  std::vector<std::uint32_t> normals;  ///< of each corner, an index of `Geometry::normals`; empty: that of its position
  std::vector<std::uint64_t> ends;     ///< of each polygon, the end of its corners

  std::uint64_t count() const { return ends.size(); }
  std::uint64_t begin_of(std::uint64_t polygon) const { return polygon == 0 ? 0 : ends[polygon - 1]; }
};

/// What stands in a file: points, and the surface between them where there is one. Nothing of it is checked yet:
/// coordinates may be infinite and indices out of range.
struct Geometry {
  std::vector<Position> positions;
  std::vector<Vector> normals;  ///< one for each position, unless corners have their own; or none
  Polygons polygons;
};

struct Triangle {
  std::array<std::uint32_t, 3> corners;
  std::array<std::uint32_t, 3> normals;  ///< the same as corners where these have none of their own
};

/// Cuts all polygons into triangles, concave ones too. Throws Error that begins with `name` where an index is out of
/// range, Cancelled.
std::vector<Triangle> triangulated(Geometry const& geometry, std::string const& name, Progress& progress);

}  // namespace slotscape::clouds
