#pragma once

#include "app/clouds/point_cloud.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace slotscape::clouds {

struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(Colour const&, Colour const&) = default;
};

/// Columns of a file of points, each as long as `positions` or empty, which leaves it out.
struct PlyPoints {
  std::vector<Position> positions;    ///< double: x, y, z
  std::vector<Vector> normals;        ///< float: nx, ny, nz
  std::vector<Colour> colours;        ///< uchar: red, green, blue
  std::vector<std::uint8_t> model;    ///< uchar: 0 is A, 1 is B
  std::vector<std::uint8_t> status;   ///< uchar: of the voxel, as spatial::VoxelStatus counts
  std::vector<std::uint32_t> points;  ///< uint: in the voxel
  std::vector<std::string> comments;  ///< one line each, at the head of the file
};

/// Binary PLY, little-endian: what most programs open, with coordinates as exact as they came. The file is there whole
/// or not at all. Throws Error that says why it cannot be written.
void write_ply(std::filesystem::path const& file, PlyPoints const& points);

}  // namespace slotscape::clouds
