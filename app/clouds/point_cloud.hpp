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
#include <vector>

/// Where points come from and go to: built-in shapes, files of points and meshes, exported results.
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

/// Whether a model is as far from the origin, for its size, as maps place it.
bool has_survey_coordinates(Frame const& frame);
/// Whether it is so far from the origin that its coordinates are those of something larger: a site, a town, a scene.
bool is_part_of_a_site(Frame const& frame);

/// The sum of a closed surface's area vectors is at most this share of its area: scans leave gaps.
inline constexpr double opening_of_closed = 0.2;

/// A box with sides along the axes.
struct Box {
  Position low;
  Position high;
};
double diagonal_of(Box const& box);
/// The length of its longest side.
double width_of(Box const& box);
/// How far two boxes are apart; 0 if they overlap.
double distance_between(Box const& a, Box const& b);
/// Whether two boxes overlap, or are no farther apart than a tenth of the smaller one's diagonal.
bool adjoin(Box const& a, Box const& b);

/// The axis of a file that points upwards.
enum class UpAxis : std::uint8_t { y, z };

/// What a file says of the coordinate system of its points. Empty: it does not say.
struct CoordinateSystem {
  std::string horizontal;  ///< of x and y, or of all three: "EPSG:25832", or a name
  std::string vertical;    ///< of z, if that has one of its own
  std::string unit;        ///< of x and y: "m", "ft", "US survey ft", "degrees" …
  std::string unit_of_z;

  bool has_one_unit() const { return unit == unit_of_z; }
  std::string const& unit_along(std::size_t axis) const { return axis == 2 ? unit_of_z : unit; }
  friend bool operator==(CoordinateSystem const&, CoordinateSystem const&) = default;
};
/// "EPSG:25832+7837".
std::string name_of(CoordinateSystem const& system);
/// "m", "US survey ft, z in m", or `otherwise` if the file names none.
std::string units_text(CoordinateSystem const& system, std::string const& otherwise = {});
/// A number of a file's units: "0.5 m", "0.5 degrees in x and y, 0.5 m in z", "0.5" if the file names none.
std::string with_units(std::string const& number, CoordinateSystem const& system);
/// What to do where x and y have another unit than z; empty where they have one.
std::string note_of_units(CoordinateSystem const& system);

/// Points inside the unit sphere around the origin, as the engine takes them.
struct PointCloud {
  std::string name;
  std::vector<Vector> positions;
  std::vector<Vector> normals;       ///< one unit normal per position, pointing outwards; or empty
  bool normals_from_source = false;  ///< rather than estimated
  std::optional<Position> scanner;   ///< in the coordinates of the file: estimated normals point towards it
  Frame frame;
  std::vector<Attribute> attributes;  ///< the file's, one value per position; of a mesh, those of the nearest corner
  UpAxis up = UpAxis::z;              ///< a guess, see `judge_surface`
  bool open = false;                  ///< it encloses nothing, see `judge_surface`
  bool is_surface = true;             ///< else its points are in one place or on a line, see `judge_surface`
  std::uint64_t vertices = 0;         ///< in the file
  std::uint64_t triangles = 0;        ///< in the file, after triangulation; 0: no mesh
  std::vector<std::string> notes;     ///< for the user: what was skipped or changed
  std::vector<std::string> notes_on_sides;  ///< what is not known of inside and outside, for those who tell them apart
  CoordinateSystem system;
  std::uint64_t outliers = 0;     ///< points far outside, see `find_outliers`
  bool without_outliers = false;  ///< these are left out
  Position steps;                 ///< of which all coordinates are multiples along each axis; 0: none is known

  /// The positions in the coordinates of their file, as it has them; empty for a built-in shape. `positions` are single
  /// precision, and coarse where a model is much smaller than what it is scaled together with.
  std::vector<Position> originals;

  /// Of each position: its number among the points of its file, from 0 on. Empty where positions are samples of a
  /// surface, or where a reader has thinned them.
  std::vector<std::uint32_t> numbers;

  /// Whether the sides of the surface may be the other way round.
  bool guesses_sides() const { return !normals_from_source && !scanner; }
  bool has_normals() const { return !normals.empty(); }
  Position original(std::size_t index) const
  {
    return originals.empty() ? frame.original(positions[index]) : originals[index];
  }
};

/// Around the points, in the coordinates of their file.
Box box_of(PointCloud const& cloud);

/// Estimates unit normals for points; SpatialEngine::estimate_normals is one.
using NormalEstimator = std::function<std::vector<Vector>(std::span<Vector const>)>;
/// Whether not all points are in one place or on a line: then they may be of a surface, which has normals.
bool span_area(std::span<Vector const> positions);
/// Adds estimated normals, and a note where they mean something, to a cloud without normals; leaves other clouds
/// unchanged. Where the file says where its scanner stood, they point towards it; else, their sign is a guess.
void add_missing_normals(PointCloud& cloud, NormalEstimator const& estimate);

/// Where a cloud's normals come from, in English, for files: "estimated; which way they point is a guess".
std::string origin_of_normals(PointCloud const& cloud);

/// Judges from the normals of a cloud whether its surface is open, and which axis points upwards; adds a note if it is
/// open, or no surface at all. Turns normals that have no reason to point where they do: estimated ones of an open
/// surface that lies flat upwards, if their sides are a guess; those of a flat mesh that is wound downwards, too.
///
/// The normals of a closed surface cancel each other out over its area. A surface is open, like a terrain or a scan of
/// one side, if a fifth of them or more is left.
///
/// Upwards, `up` holds what its format has by convention: y for meshes, which come from graphics, and for OBJ; z for
/// points, which are measured, and for STL, which is printed. y becomes z if the coordinates are a surveyor's (far from
/// the origin for the size of the model), or if the surface is open and faces along z more than along x and y.
void judge_surface(PointCloud& cloud);

}  // namespace slotscape::clouds
