#pragma once

#include "app/clouds/load_cloud.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::clouds::test {

using slotscape::test::message_of;
using slotscape::test::TemporaryFolder;

inline PointCloud load(std::filesystem::path const& file, LoadSettings const& settings = {.points = 1000})
{
  Progress const progress = Progress::tracked();
  return load_cloud(file, settings, progress);
}

inline PointCloud load_content(std::string_view name, std::string_view content,
                               LoadSettings const& settings = {.points = 1000})
{
  TemporaryFolder const folder;
  return load(folder.write(name, content), settings);
}

/// What is wrong with a file of this content.
inline std::string wrong_in(std::string_view name, std::string_view content)
{
  return message_of<Error>([&] { load_content(name, content); });
}

template <class Number>
std::string raw(Number number, std::endian order = std::endian::little)
{
  std::array<char, sizeof(Number)> bytes;
  std::memcpy(bytes.data(), &number, sizeof(Number));
  if (order != std::endian::native) { std::ranges::reverse(bytes); }
  return {bytes.data(), bytes.size()};
}

/// Back in the coordinates of the file.
inline std::vector<Position> originals(PointCloud const& cloud)
{
  std::vector<Position> positions;
  for (Vector const& position : cloud.positions) { positions.push_back(cloud.frame.original(position)); }
  return positions;
}

/// Of the attribute of that name; empty if there is none.
inline std::vector<double> values_of(PointCloud const& cloud, std::string_view name)
{
  std::vector<double> values;
  for (Attribute const& attribute : cloud.attributes) {
    if (attribute.name() != name) { continue; }
    for (std::size_t i = 0; i < attribute.count(); ++i) { values.push_back(attribute[i]); }
  }
  return values;
}

inline double furthest(std::vector<Position> const& a, std::vector<Position> const& b)
{
  if (a.size() != b.size()) { return 1e300; }
  double furthest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) { furthest = std::max(furthest, length(a[i] - b[i])); }
  return furthest;
}

/// A tetrahedron with faces that look outwards, at a place as surveyors have them.
inline constexpr Position survey_place{665187.25, 5648349.5, 241.75};
inline std::vector<Position> tetrahedron(Position at = {}, double size = 1.0)
{
  return {at, at + Position{size, 0.0, 0.0}, at + Position{0.0, size, 0.0}, at + Position{0.0, 0.0, size}};
}
inline constexpr std::array<std::array<int, 3>, 4> tetrahedron_faces{{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};

/// An XYZ file: a line a position, after the prefix.
std::string lines_of(std::vector<Position> const& positions, std::string_view prefix = "");

struct NamedContent {
  std::string name;
  std::string content;
};
/// The tetrahedron in every format that holds faces, and its corners in every format that holds points.
std::vector<NamedContent> files_of_meshes(Position at, bool inwards = false);
std::vector<NamedContent> files_of_points(Position at);

}  // namespace slotscape::clouds::test
