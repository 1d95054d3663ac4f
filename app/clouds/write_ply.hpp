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

/// Columns of a point file, each as long as `positions`, or empty to omit it.
struct PlyPoints {
  std::vector<Position> positions;    ///< double: x, y, z
  std::vector<Vector> normals;        ///< float: nx, ny, nz
  std::vector<Color> colors;          ///< uchar: red, green, blue
  std::vector<std::uint8_t> model;    ///< uchar: 0 is A, 1 is B
  std::vector<std::uint8_t> status;   ///< uchar: the voxel's spatial::VoxelStatus
  std::vector<std::uint32_t> points;  ///< uint: number of points in the voxel
  std::vector<spatial::Cell> cells;   ///< int: cell_x, cell_y, cell_z, of the voxel in the grid
  std::vector<std::int32_t> rows;     ///< int: row, the point's number in its file from 0 on; -1: it has none
  std::vector<Vector> scene;          ///< float: scene_x, scene_y, scene_z, where the scene shows it
  std::vector<Attribute> attributes;  ///< further columns
  std::vector<std::string> comments;  ///< one line each, in the header
};

/// The name of a column as one word, as the header of a PLY needs it: with _ for blanks.
std::string ply_name(std::string name);

/// Writes little-endian binary PLY, which most programs open, with coordinates at full precision. Writes the whole file
/// or nothing. Throws Error that says why it could not be written.
void write_ply(std::filesystem::path const& file, PlyPoints const& points);

}  // namespace slotscape::clouds
