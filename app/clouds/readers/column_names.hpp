#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::clouds {

/// What the names of columns say about them. Columns count from 0.
struct ColumnRoles {
  std::array<std::optional<std::size_t>, 3> place;   ///< x, y and z; by other names easting, northing and height
  std::array<std::optional<std::size_t>, 3> normal;  ///< nx, ny and nz
  bool in_degrees = false;                           ///< x and y are longitude and latitude

  bool has_place() const { return place[0] && place[1] && place[2]; }
  bool has_any_of_place() const { return place[0] || place[1] || place[2]; }
  bool has_normal() const { return normal[0] && normal[1] && normal[2]; }
};
ColumnRoles roles_of(std::vector<std::string> const& names);

/// A column's name in small letters, without quotes and units: "x_coordinate" of "X coordinate [m]".
std::string column_name(std::string_view field);

}  // namespace slotscape::clouds
