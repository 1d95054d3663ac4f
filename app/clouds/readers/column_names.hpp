#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::clouds {

/// The roles of columns according to their names. Columns count from 0.
struct ColumnRoles {
  std::array<std::optional<std::size_t>, 3> place;   ///< x, y and z; also called easting, northing and height
  std::array<std::optional<std::size_t>, 3> normal;  ///< nx, ny and nz
  bool in_degrees = false;                           ///< x and y are longitude and latitude

  bool has_place() const { return place[0] && place[1] && place[2]; }
  bool has_normal() const { return normal[0] && normal[1] && normal[2]; }
};
/// Recognises columns by the plain forms of their names.
ColumnRoles roles_of(std::vector<std::string> const& names);

/// A file's name for a column, without surrounding blanks, quotes and comment signs: "X coordinate [m]".
std::string given_name(std::string_view field);
/// The plain form of a name, for comparisons: in lower case, without units, and with _ for all characters other than
/// ASCII letters and digits, as in "x_coordinate".
std::string plain_name(std::string_view field);

}  // namespace slotscape::clouds
