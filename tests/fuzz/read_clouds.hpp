#pragma once

#include "app/clouds/load_cloud.hpp"
#include "app/clouds/readers/readers.hpp"
#include "app/clouds/write_ply.hpp"
#include "tests/fuzz/scratch.hpp"

#include <bit>
#include <cmath>

namespace slotscape::fuzz {

inline constexpr clouds::LoadSettings few_points{.points = 50, .limit = 1000};

inline void check_geometry(clouds::Geometry const& geometry)
{
  clouds::Polygons const& polygons = geometry.polygons;
  for (clouds::Attribute const& attribute : geometry.attributes) {
    require(attribute.count() == geometry.positions.size(), "an attribute has a value for each point");
  }
  for (clouds::Attribute const& attribute : geometry.face_attributes) {
    require(attribute.count() == polygons.count(), "an attribute has a value for each face");
  }
  require(std::ranges::is_sorted(polygons.ends), "polygons follow each other");
  require(polygons.corners.size() == (polygons.ends.empty() ? 0 : polygons.ends.back()), "all corners are of polygons");
  require(polygons.normals.empty() || polygons.normals.size() == polygons.corners.size(), "normals are of corners");
  bool const of_points = polygons.normals.empty() && !geometry.normals.empty();
  require(!of_points || geometry.normals.size() == geometry.positions.size(), "a normal for each point");
}

inline bool same_bits(clouds::Position const& a, clouds::Position const& b)
{
  auto const bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
  return bits(a.x) == bits(b.x) && bits(a.y) == bits(b.y) && bits(a.z) == bits(b.z);
}

/// What is written is read again.
inline void check_written(clouds::PointCloud const& cloud)
{
  clouds::PlyPoints written;
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) { written.positions.push_back(cloud.original(i)); }
  for (std::size_t i = 0; i < cloud.attributes.size(); ++i) {
    written.attributes.push_back(cloud.attributes[i].named(fmt::format("attribute_{}", i)));
  }
  std::filesystem::path const file = scratch() / "again.ply";
  clouds::write_ply(file, written);
  std::string const content = content_of(file);
  Progress const progress;
  clouds::Geometry const again = clouds::read_ply({"again.ply", content, progress, {}});
  require(std::ranges::equal(again.positions, written.positions, same_bits), "points that were written are read again");
  require(again.attributes.size() == written.attributes.size(), "attributes that were written are read again");
  for (std::size_t i = 0; i < again.attributes.size(); ++i) {
    for (std::size_t point = 0; point < again.positions.size(); ++point) {
      double const before = written.attributes[i][point];
      double const after = again.attributes[i][point];
      require(before == after || (std::isnan(before) && std::isnan(after)), "values that were written are read again");
    }
  }
}

inline void check_cloud(clouds::PointCloud const& cloud)
{
  constexpr float just_above_one = 1.001f;
  require(!cloud.positions.empty() && cloud.positions.size() <= few_points.limit, "as many points as were asked for");
  require(cloud.normals.empty() || cloud.normals.size() == cloud.positions.size(), "a normal for each point");
  for (clouds::Vector const& position : cloud.positions) {
    require(spatial::length(position) <= just_above_one, "points are in the unit sphere");
  }
  for (clouds::Attribute const& attribute : cloud.attributes) {
    require(attribute.count() == cloud.positions.size(), "an attribute has a value for each point");
  }
  check_written(cloud);
}

template <clouds::Geometry (*read)(clouds::Source const&)>
void read_cloud(std::string_view bytes)
{
  Progress const progress;
  clouds::Source const source{"file", bytes, progress, {.limit = few_points.limit}};
  clouds::Geometry const geometry = read(source);
  check_geometry(geometry);
  bool const mesh = geometry.polygons.count_of_faces() > 0;
  auto const make = mesh ? clouds::cloud_of_mesh : clouds::cloud_of_points;
  check_cloud(make(geometry, source.name, few_points, progress));
}

/// A file whose format is to be found out, as the program opens it.
inline void read_any_cloud(std::string_view bytes)
{
  std::filesystem::path const file = in_file("cloud", bytes);
  clouds::use_of_array(file);
  check_cloud(clouds::load_cloud(file, few_points, {}));
}

}  // namespace slotscape::fuzz
