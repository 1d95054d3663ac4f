#pragma once

#include "app/clouds/attribute.hpp"
#include "gpu/spatial/vector.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Sources and destinations of points: built-in shapes, point and mesh files, exported results.
namespace slotscape::clouds {

using spatial::Vector;

/// A position in a file's own coordinates: survey coordinates in the millions need double precision.
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
/// Leaves the zero vector unchanged.
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

/// The transform from a file's coordinates into the unit sphere around the origin.
struct Frame {
  Position center;
  double scale = 1.0;

  constexpr Position local(Position original) const { return scale * (original - center); }
  constexpr Position original(Position local) const { return center + (1.0 / scale) * local; }
  constexpr Position original(Vector position) const { return original(to_position(position)); }
  friend bool operator==(Frame const&, Frame const&) = default;
};

/// Whether coordinates are usable: finite, with finite squares.
constexpr bool usable(Position p)
{
  constexpr double largest = 1e150;
  auto const within = [](double x) { return x >= -largest && x <= largest; };
  return within(p.x) && within(p.y) && within(p.z);
}

/// The frame that centres the bounding box of these points on the origin and scales it into the unit sphere. The scale
/// is 1 if all points coincide. All must be usable.
Frame frame_of(std::span<Position const> positions);

/// Whether a model is so far from the origin, relative to its size, that its coordinates must be those of a survey.
bool has_survey_coordinates(Frame const& frame);
/// Whether a model is so far from the origin that it must be part of something larger: a site, a town, a scene.
bool is_part_of_a_site(Frame const& frame);

/// The largest share of a closed surface's area that its area vectors may sum to: scans leave gaps.
inline constexpr double opening_of_closed = 0.2;

/// An axis-aligned box.
struct Box {
  Position low;
  Position high;
  friend bool operator==(Box const&, Box const&) = default;

  constexpr bool contains(Position const& p) const
  {
    return p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y && p.z <= high.z;
  }
};
Box box_around(std::span<Position const> positions);  ///< of one or more
double diagonal_of(Box const& box);
/// The length of the box's longest side.
double width_of(Box const& box);
/// The distance between two boxes; 0 if they overlap.
double distance_between(Box const& a, Box const& b);
/// Whether two boxes overlap, or are no farther apart than a tenth of the smaller one's diagonal.
bool adjoin(Box const& a, Box const& b);

/// The axis of a file that points upwards.
enum class UpAxis : std::uint8_t { y, z };

/// The coordinate system of a file's points, as far as the file specifies it; empty where it does not.
struct CoordinateSystem {
  std::string horizontal;  ///< of x and y, or of all three: "EPSG:25832" or a name
  std::string vertical;    ///< of z, if it has a system of its own
  std::string unit;        ///< of x and y: "m", "ft", "US survey ft", "degrees" …
  std::string unit_of_z;

  bool has_one_unit() const { return unit == unit_of_z; }
  std::string const& unit_along(std::size_t axis) const { return axis == 2 ? unit_of_z : unit; }
  friend bool operator==(CoordinateSystem const&, CoordinateSystem const&) = default;
};
/// "EPSG:25832+7837".
std::string name_of(CoordinateSystem const& system);
/// "m", "US survey ft, z in m", or `otherwise` if the file names no unit.
std::string units_text(CoordinateSystem const& system, std::string const& otherwise = {});
/// A number with the file's units: "0.5 m", "0.5 degrees in x and y, 0.5 m in z", or "0.5" if the file names no unit.
std::string with_units(std::string const& number, CoordinateSystem const& system);
/// Advice if x and y have another unit than z; otherwise empty.
std::string note_of_units(CoordinateSystem const& system);

/// The unit of length that a file's coordinates are in. `as_is`: whatever the file says; they are not converted.
enum class FileUnit : std::uint8_t { as_is, metre, centimetre, millimetre, foot, survey_foot, inch };
/// As in `CoordinateSystem::unit`: "US survey ft"; empty for `as_is`.
std::string_view short_name_of(FileUnit unit);
/// A length in metres; unchanged for `as_is`.
double in_metres(FileUnit unit, double length);

/// Points inside the unit sphere around the origin, as the engine needs them.
struct PointCloud {
  std::string name;
  std::vector<Vector> positions;
  std::vector<Vector> normals;       ///< one unit normal per position, pointing outwards; or empty
  bool normals_from_source = false;  ///< from the file, not estimated
  std::optional<Position> scanner;   ///< in the file's coordinates: estimated normals point towards it
  Frame frame;
  std::vector<Attribute> attributes;        ///< one value per position; of a mesh, those of the nearest corner
  UpAxis up = UpAxis::z;                    ///< a guess, see `judge_surface`
  bool open = false;                        ///< the surface encloses nothing, see `judge_surface`
  bool is_surface = true;                   ///< false: the points coincide or lie on a line, see `judge_surface`
  std::uint64_t vertices = 0;               ///< in the file
  std::uint64_t triangles = 0;              ///< in the file, after triangulation; 0: not a mesh
  std::vector<std::string> notes;           ///< for the user: what was skipped or changed
  std::vector<std::string> notes_on_sides;  ///< what is uncertain about inside and outside, for code that needs it
  CoordinateSystem system;
  std::uint64_t outliers = 0;     ///< points far outside, see `find_outliers`
  bool without_outliers = false;  ///< the outliers are left out
  Position steps;                 ///< all coordinates along an axis are multiples of this; 0: unknown

  /// The positions in the file's coordinates, unchanged; empty for a built-in shape. `positions` are single precision,
  /// and coarse if a model is much smaller than the models it is scaled together with.
  std::vector<Position> originals;

  /// The index of each position among the points of its file, from 0. Empty if positions are samples of a surface or a
  /// reader has thinned them.
  std::vector<std::uint32_t> numbers;

  /// Whether inside and outside of the surface may be swapped.
  bool guesses_sides() const { return !normals_from_source && !scanner; }
  bool has_normals() const { return !normals.empty(); }
  Position original(std::size_t index) const
  {
    return originals.empty() ? frame.original(positions[index]) : originals[index];
  }
};

/// The bounding box of the points, in the file's coordinates.
Box box_of(PointCloud const& cloud);

/// Converts a file's coordinates, all of which are in this unit, to metres.
void convert_to_metres(PointCloud& cloud, FileUnit unit);

/// Estimates unit normals for points, as SpatialEngine::estimate_normals does.
using NormalEstimator = std::function<std::vector<Vector>(std::span<Vector const>)>;
/// Whether the points neither coincide nor lie on a line, and so may belong to a surface, which has normals.
bool span_area(std::span<Vector const> positions);
/// Adds estimated normals, and a note if they are meaningful, to a cloud without normals; leaves other clouds
/// unchanged. If the file gives the position of its scanner, the normals point towards it; otherwise, their sign is a
/// guess.
void add_missing_normals(PointCloud& cloud, NormalEstimator const& estimate);

/// Where a cloud's normals come from, in English, for files: "estimated; which way they point is a guess".
std::string origin_of_normals(PointCloud const& cloud);

/// Judges from the normals of a cloud whether its surface is open, and which axis points upwards; adds a note if the
/// surface is open, or the points form no surface. Turns normals whose direction is arbitrary upwards: estimated
/// normals of an open surface that lies flat, if its sides are a guess; and those of a flat mesh that is wound
/// downwards.
///
/// The normals of a closed surface cancel each other out over its area. A surface, such as a terrain or a scan of one
/// side, is open if their sum is a fifth of the area or more.
///
/// Initially, `up` holds the convention of the format: y for meshes, which come from graphics, and for OBJ; z for
/// points, which are measured, and for STL, which is printed. y becomes z if the coordinates are a surveyor's (far from
/// the origin for the size of the model), or if the surface is open and faces along z more than along x and y.
void judge_surface(PointCloud& cloud);

}  // namespace slotscape::clouds
