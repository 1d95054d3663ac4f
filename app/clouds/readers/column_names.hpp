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
  bool has_normal() const { return normal[0] && normal[1] && normal[2]; }
};
/// By the plain forms of their names.
ColumnRoles roles_of(std::vector<std::string> const& names);

/// What a file calls a column, without the blanks, quotes and signs of comments around it: "X coordinate [m]".
std::string given_name(std::string_view field);
/// Its plain form, to recognise it by: in small letters, without units, and with _ for what is neither a letter of
/// ASCII nor a digit, as in "x_coordinate".
std::string plain_name(std::string_view field);

}  // namespace slotscape::clouds
