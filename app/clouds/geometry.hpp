#pragma once

#include "app/clouds/point_cloud.hpp"
#include "gpu/base/progress.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace slotscape::clouds {

/// Replaces an index that is malformed or out of range in the file.
inline constexpr std::uint32_t impossible_index = std::numeric_limits<std::uint32_t>::max();

/// Polygons as concatenated lists of corners.
struct Polygons {
  std::vector<std::uint32_t> corners;  ///< indices into `Geometry::positions`
  std::vector<std::uint32_t> normals;  ///< per corner, an index into `Geometry::normals`; empty: the same as `corners`
  std::vector<std::uint64_t> ends;     ///< per polygon, one past its last corner

  std::uint64_t count() const { return ends.size(); }
  /// The number of polygons that enclose an area: those with three corners or more.
  std::uint64_t count_of_faces() const;
  std::uint64_t begin_of(std::uint64_t polygon) const { return polygon == 0 ? 0 : ends[polygon - 1]; }
};

/// The content of a file: points, and faces if it has any. Unchecked: coordinates may be infinite, indices out of
/// range.
struct Geometry {
  std::vector<Position> positions;
  std::vector<Vector> normals;  ///< one per position, unless corners have their own; may be empty
  Polygons polygons;
  std::vector<Attribute> attributes;            ///< with one value per position
  std::vector<Attribute> face_attributes = {};  ///< with one value per polygon
  CoordinateSystem system = {};
  std::optional<Position> scanner = {};  ///< the scanner's position, from which all points were seen
  std::uint64_t points_in_file = 0;      ///< set if the reader may have thinned the points; else 0
  std::uint64_t points_outside = 0;      ///< points that the reader left out because they are outside the crop box
  std::vector<std::string> notes = {};   ///< for the user: what the reader skipped or reinterpreted
};

struct Triangle {
  std::array<std::uint32_t, 3> corners;
  std::array<std::uint32_t, 3> normals;  ///< the same as `corners` if there are no separate normals
  std::uint32_t polygon;                 ///< the polygon that it belongs to
  std::uint32_t part = 0;                ///< of the mesh, as `MeshParts` numbers them
};

/// Triangulates all polygons, concave ones too. Throws Error that begins with `name` if an index is out of range, and
/// Cancelled.
std::vector<Triangle> triangulated(Geometry const& geometry, std::string const& name, Progress const& progress);

}  // namespace slotscape::clouds
