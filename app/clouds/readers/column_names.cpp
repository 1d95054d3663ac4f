#include "app/clouds/readers/column_names.hpp"

#include "app/base/alike.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <span>

namespace slotscape::clouds {

namespace {

using Spellings = std::span<std::string_view const>;

// Common names of coordinates, the most certain first: survey instruments, geographic programs, ParaView ("Points:0"),
// pandas ("0").
constexpr std::string_view x_names[] = {"x",          "x_coordinate", "xcoordinate", "x_coord",       "xcoord",
                                        "coord_x",    "coordx",       "pos_x",       "posx",          "px",
                                        "position_x", "point_x",      "pointx",      "x_m",           "x_mm",
                                        "x_cm",       "points_0",     "point_0",     "coordinates_0", "easting",
                                        "eastings",   "east",         "e",           "rechtswert",    "rechts",
                                        "ostwert",    "ost",          "longitude",   "lon",           "long",
                                        "0"};
constexpr std::string_view y_names[] = {"y",          "y_coordinate", "ycoordinate", "y_coord",       "ycoord",
                                        "coord_y",    "coordy",       "pos_y",       "posy",          "py",
                                        "position_y", "point_y",      "pointy",      "y_m",           "y_mm",
                                        "y_cm",       "points_1",     "point_1",     "coordinates_1", "northing",
                                        "northings",  "north",        "n",           "hochwert",      "hoch",
                                        "nordwert",   "nord",         "latitude",    "lat",           "1"};
constexpr std::string_view z_names[] = {
    "z",        "z_coordinate", "zcoordinate", "z_coord", "zcoord",        "coord_z", "coordz",    "pos_z",
    "posz",     "pz",           "position_z",  "point_z", "pointz",        "z_m",     "z_mm",      "z_cm",
    "points_2", "point_2",      "height",      "heights", "coordinates_2", "elev",    "elevation", "h",
    "altitude", "alt",          "hoehe",       "h__he",   "h_he",          "up",      "u",         "2"};
constexpr std::string_view nx_names[] = {"nx", "normal_x", "normalx", "n_x", "normals_0", "normal_0"};
constexpr std::string_view ny_names[] = {"ny", "normal_y", "normaly", "n_y", "normals_1", "normal_1"};
constexpr std::string_view nz_names[] = {"nz", "normal_z", "normalz", "n_z", "normals_2", "normal_2"};

std::optional<std::size_t> column_of(std::vector<std::string> const& names, Spellings wanted)
{
  for (std::string_view const name : wanted) {
    auto const found = std::ranges::find(names, name);
    if (found != names.end()) { return static_cast<std::size_t>(found - names.begin()); }
  }
  return std::nullopt;
}

std::string without(std::string_view text, std::string_view in_front, std::string_view behind)
{
  std::size_t const begin = std::min(text.find_first_not_of(in_front), text.size());
  std::size_t const end = text.find_last_not_of(behind) + 1;
  return std::string(text.substr(begin, std::max(end, begin) - begin));
}

bool is_of_degrees(std::string_view name)
{
  return name.starts_with("lon") || name.starts_with("lat");
}

}  // namespace

ColumnRoles roles_of(std::vector<std::string> const& given)
{
  std::vector<std::string> names;
  std::ranges::transform(given, std::back_inserter(names), [](std::string const& name) { return plain_name(name); });
  ColumnRoles roles;
  roles.place = {column_of(names, x_names), column_of(names, y_names), column_of(names, z_names)};
  roles.normal = {column_of(names, nx_names), column_of(names, ny_names), column_of(names, nz_names)};
  roles.in_degrees = roles.place[0] && is_of_degrees(names[*roles.place[0]]);
  return roles;
}

std::string given_name(std::string_view field)
{
  return without(field, " \t\r\v\f\"'#%/!", " \t\r\v\f\"':");
}

std::string plain_name(std::string_view field)
{
  constexpr std::string_view around = " \t\r\v\f\"'#%/!:.";
  std::string name = look_of(without(field.substr(0, field.find_first_of("[(")), around, around));
  std::ranges::replace_if(
      name, [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  return name;
}

}  // namespace slotscape::clouds
