#include "app/clouds/write_ply.hpp"

#include "app/base/files.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

namespace slotscape::clouds {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written in the byte order of memory");

template <class Number>
void append(std::string& content, Number number)
{
  std::array<char, sizeof(Number)> raw;
  std::memcpy(raw.data(), &number, sizeof(Number));
  content.append(raw.data(), raw.size());
}

void append(std::string& content, Vector const& vector)
{
  for (float const number : {vector.x, vector.y, vector.z}) { append(content, number); }
}

/// The text on a single line.
std::string one_line(std::string text)
{
  std::ranges::replace_if(
      text, [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
  return text;
}

void check_columns(std::filesystem::path const& file, PlyPoints const& points)
{
  std::size_t const rows = points.positions.size();
  std::vector<std::size_t> sizes{points.normals.size(), points.colors.size(), points.model.size(), points.status.size(),
                                 points.points.size(),  points.scene.size(),  points.cells.size(), points.rows.size()};
  for (Attribute const& attribute : points.attributes) { sizes.push_back(attribute.count()); }
  for (std::size_t const size : sizes) {
    if (size != 0 && size != rows) {
      throw Error(tr("{}: {} values were given for {} points; nothing was written", file.string(), size, rows));
    }
  }
}

std::string header_of(PlyPoints const& points)
{
  std::string header = "ply\nformat binary_little_endian 1.0\n";
  for (std::string const& comment : points.comments) { header += fmt::format("comment {}\n", one_line(comment)); }
  header += fmt::format("element vertex {}\n", points.positions.size());
  auto const add = [&](bool included, std::string_view type, std::initializer_list<std::string_view> names) {
    if (!included) { return; }
    for (std::string_view const name : names) { header += fmt::format("property {} {}\n", type, name); }
  };
  add(true, "double", {"x", "y", "z"});
  add(!points.normals.empty(), "float", {"nx", "ny", "nz"});
  add(!points.colors.empty(), "uchar", {"red", "green", "blue"});
  add(!points.model.empty(), "uchar", {"model"});
  add(!points.status.empty(), "uchar", {"status"});
  add(!points.points.empty(), "uint", {"points"});
  add(!points.cells.empty(), "int", {"cell_x", "cell_y", "cell_z"});
  add(!points.rows.empty(), "int", {"row"});
  add(!points.scene.empty(), "float", {"scene_x", "scene_y", "scene_z"});
  for (Attribute const& attribute : points.attributes) {
    add(true, name_of(attribute.type()), {ply_name(attribute.name())});
  }
  return header + "end_header\n";
}

void append_row(std::string& content, PlyPoints const& points, std::size_t row)
{
  Position const& place = points.positions[row];
  for (double const number : {place.x, place.y, place.z}) { append(content, number); }
  if (!points.normals.empty()) { append(content, points.normals[row]); }
  if (!points.colors.empty()) {
    Color const& color = points.colors[row];
    for (std::uint8_t const number : {color.red, color.green, color.blue}) { append(content, number); }
  }
  if (!points.model.empty()) { append(content, points.model[row]); }
  if (!points.status.empty()) { append(content, points.status[row]); }
  if (!points.points.empty()) { append(content, points.points[row]); }
  if (!points.cells.empty()) {
    spatial::Cell const& cell = points.cells[row];
    for (std::int32_t const number : {cell.x, cell.y, cell.z}) { append(content, number); }
  }
  if (!points.rows.empty()) { append(content, points.rows[row]); }
  if (!points.scene.empty()) { append(content, points.scene[row]); }
  for (Attribute const& attribute : points.attributes) { append_number(content, attribute.type(), attribute[row]); }
}

}  // namespace

std::string ply_name(std::string name)
{
  std::ranges::replace_if(
      name, [](unsigned char letter) { return letter <= ' ' || letter == 0x7f; }, '_');
  return name;
}

void write_ply(std::filesystem::path const& file, PlyPoints const& points)
{
  check_columns(file, points);
  std::string content = header_of(points);
  constexpr std::size_t largest_row = 73;
  std::size_t row_bytes = largest_row;
  for (Attribute const& attribute : points.attributes) { row_bytes += bytes_of(attribute.type()); }
  content.reserve(content.size() + row_bytes * points.positions.size());
  for (std::size_t row = 0; row < points.positions.size(); ++row) { append_row(content, points, row); }
  write_text_file(file, content);
}

}  // namespace slotscape::clouds
