#pragma once

#include "app/clouds/point_cloud.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slotscape::clouds::test {

struct LasPoint {
  Position at;
  std::uint16_t intensity = 0;
  std::uint8_t classification = 0;
  std::uint8_t return_number = 1;
  std::array<std::uint16_t, 3> color{};
};

struct LasScale {
  double scale = 0.001;
  Position offset;
};

/// A LAS file, byte by byte as ASPRS has it: point formats 0 to 3 as LAS 1.2, 6 to 8 as LAS 1.4.
std::string las_file(int format, std::vector<LasPoint> const& points, LasScale const& scale = {});
/// A LAZ file, as LASzip writes it. `sizes_differ`: its table has the number of points of each chunk, here of one.
std::string laz_file(int format, std::vector<LasPoint> const& points, LasScale const& scale = {},
                     bool sizes_differ = false);

/// A COPC file of these levels, each split into nodes of at most `node` points, which are as many chunks. The octree
/// has a page for the first level, and one for all others.
std::string copc_file(std::vector<std::vector<LasPoint>> const& levels, std::uint32_t node);

/// The LAS file, of LAS 1.2, with a record of this id that says something of its coordinate system.
std::string with_projection(std::string las, std::uint16_t id, std::string_view content);
/// The same in GeoTIFF keys, each with a short number as its value.
std::string with_keys(std::string las, std::vector<std::pair<std::uint16_t, std::uint16_t>> const& keys);
/// The same in well-known text.
std::string with_text(std::string las, std::string_view text);

/// Points without attributes.
std::vector<LasPoint> las_points(std::vector<Position> const& positions);

}  // namespace slotscape::clouds::test
