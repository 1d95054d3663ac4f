#pragma once

#include "gpu/spatial/vector.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

/// Where points come from and where they go to: built-in shapes, files of points and meshes, results.
namespace slotscape::clouds {

using spatial::Vector;

/// A place in the coordinates of a file: survey coordinates in the millions need more than a float.
struct Position {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;

  friend bool operator==(Position const&, Position const&) = default;
};

constexpr Position operator+(Position a, Position b)
{
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
constexpr Position operator-(Position a, Position b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
constexpr Position operator*(double s, Position a)
{
  return {s * a.x, s * a.y, s * a.z};
}
constexpr double dot(Position a, Position b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr Position cross(Position a, Position b)
{
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(Position a)
{
  return std::hypot(a.x, a.y, a.z);
}
/// The zero vector stays what it is.
inline Position normalized(Position a)
{
  double const l = length(a);
  return l > 0.0 ? (1.0 / l) * a : a;
}
constexpr Vector to_vector(Position a)
{
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
constexpr Position to_position(Vector a)
{
  return {a.x, a.y, a.z};
}

/// How points came from the coordinates of a file into a sphere of radius 1 about the origin.
struct Frame {
  Position center;
  double scale = 1.0;

  constexpr Position local(Position original) const { return scale * (original - center); }
  constexpr Position original(Vector position) const { return center + (1.0 / scale) * to_position(position); }
  friend bool operator==(Frame const&, Frame const&) = default;
};

/// Coordinates that can be worked with: finite, and with squares that are.
constexpr bool usable(Position p)
{
  constexpr double largest = 1e150;
  auto const within = [](double x) { return x >= -largest && x <= largest; };
  return within(p.x) && within(p.y) && within(p.z);
}

/// The frame that brings the box about these points to the origin and all of them into the sphere. The scale is 1 where
/// they are all the same. All must be usable.
Frame frame_of(std::span<Position const> positions);

/// Points about the origin within a sphere of radius 1, as they are given to the engine.
struct PointCloud {
  std::string name;
  std::vector<Vector> positions;
  std::vector<Vector> normals;       ///< one for each position, of length 1, pointing outwards; or none at all
  bool normals_from_source = false;  ///< rather than estimated
  Frame frame;
  std::uint64_t vertices = 0;      ///< in the file
  std::uint64_t triangles = 0;     ///< in the file, polygons counted as what they are cut into; 0: no mesh
  std::vector<std::string> notes;  ///< for the user: what was left out or changed

  bool has_normals() const { return !normals.empty(); }
};

/// Unit normals for points without any; SpatialEngine::estimate_normals is one.
using NormalEstimator = std::function<std::vector<Vector>(std::span<Vector const>)>;
/// Gives a cloud without normals those that `estimate` finds, and notes it; leaves others as they are.
void complete_normals(PointCloud& cloud, NormalEstimator const& estimate);

}  // namespace slotscape::clouds
