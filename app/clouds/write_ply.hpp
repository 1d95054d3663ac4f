#pragma once

#include "app/clouds/point_cloud.hpp"
#include "gpu/spatial/voxel_grid.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace slotscape::clouds {

struct Color {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(Color const&, Color const&) = default;
};

/// Columns of a point file, each as long as `positions`, or empty to be omitted.
struct PlyPoints {
  std::vector<Position> positions;    ///< double: x, y, z
  std::vector<Vector> normals;        ///< float: nx, ny, nz
  std::vector<Color> colors;          ///< uchar: red, green, blue
  std::vector<std::uint8_t> model;    ///< uchar: 0 is A, 1 is B
  std::vector<std::uint8_t> status;   ///< uchar: the voxel's spatial::VoxelStatus
  std::vector<std::uint32_t> points;  ///< uint: number of points in the voxel
  std::vector<spatial::Cell> cells;   ///< int: cell_x, cell_y, cell_z: the voxel's cell in the grid
  std::vector<std::int32_t> rows;     ///< int: row, the point's index in its file, from 0; -1: none
  std::vector<Vector> scene;          ///< float: scene_x, scene_y, scene_z, its position in the scene
  std::vector<Attribute> attributes;  ///< further columns
  std::vector<std::string> comments;  ///< one line each, in the header
};

/// The name of a column as a single word, as PLY headers require: blanks become _.
std::string ply_name(std::string name);

/// Writes little-endian binary PLY, which most programs open, with coordinates at full precision. The file is replaced
/// atomically. Throws Error that says why it could not be written.
void write_ply(std::filesystem::path const& file, PlyPoints const& points);

}  // namespace slotscape::clouds
