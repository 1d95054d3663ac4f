#include "app/clouds/point_cloud.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Judges a surface from its normals: whether it is open, and where it faces.
namespace slotscape::clouds {
namespace {

constexpr double facing_of_terrain = 0.8;  ///< an upward-opening bowl, whose outside is below, has a smaller share

/// Normals are averaged in the cells of a grid, so that the density of points does not matter.
constexpr std::size_t side = 32;

std::size_t along(float x)
{
  return static_cast<std::size_t>(std::clamp((x + 1.0f) * 0.5f * side, 0.0f, side - 1.0f));
}

std::size_t cell_of(Vector const& p)
{
  return (along(p.z) * side + along(p.y)) * side + along(p.x);
}

/// The surface area in a cell, from its normal: the number of cells that a plane meets per unit of area is inversely
/// proportional to it. 0 if there is no normal.
double area_in_cell(Position const& normal)
{
  double const cells_of_area = std::abs(normal.x) + std::abs(normal.y) + std::abs(normal.z);
  return cells_of_area > 0.0 ? 1.0 / cells_of_area : 0.0;
}

/// The sum of a cloud's unit normals over its area, as a share of the area: length 0 for a closed surface, 1 for a
/// plane.
Position facing(PointCloud const& cloud)
{
  std::vector<Vector> cells(side * side * side);
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    Vector& cell = cells[cell_of(cloud.positions[i])];
    cell = cell + cloud.normals[i];
  }
  Position sum;
  double area = 0.0;
  for (Vector const& cell : cells) {
    Position const normal = normalized(to_position(cell));
    double const in_cell = area_in_cell(normal);
    sum = sum + in_cell * normal;
    area += in_cell;
  }
  return area > 0.0 ? (1.0 / area) * sum : sum;
}

/// The parts of a point cloud with its own normals; neighbouring cells belong to the same part. As with meshes, files
/// contain parts whose normals point inwards.
class CloudParts {
public:
  explicit CloudParts(PointCloud const& cloud) : cells_(side * side * side)
  {
    for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
      Cell& cell = cells_[cell_of(cloud.positions[i])];
      cell.normal = cell.normal + to_position(cloud.normals[i]);
      cell.used = true;
    }
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (cells_[i].used && cells_[i].part == nothing) { spread(i); }
    }
  }

  /// Turns closed parts that face inwards, together with the parts inside them, which may be cavities. Returns whether
  /// there were any.
  bool turn_outwards(PointCloud& cloud) const
  {
    std::vector<bool> turns(parts_.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      auto const outer = std::ranges::find_if(parts_, [&](Part const& other) {
        return &other != &parts_[i] && other.box.contains(parts_[i].box);
      });
      turns[i] = (outer == parts_.end() ? parts_[i] : *outer).faces_inwards();
    }
    if (std::ranges::find(turns, true) == turns.end()) { return false; }
    for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
      if (turns[cells_[cell_of(cloud.positions[i])].part]) { cloud.normals[i] = -1.0f * cloud.normals[i]; }
    }
    return true;
  }

private:
  static constexpr std::uint32_t nothing = ~0u;

  struct Cell {
    Position normal;
    std::uint32_t part = nothing;
    bool used = false;
  };
  struct Box {
    std::array<std::size_t, 3> low{side, side, side};
    std::array<std::size_t, 3> high{};

    void add(std::array<std::size_t, 3> const& at)
    {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], at[axis]);
        high[axis] = std::max(high[axis], at[axis]);
      }
    }
    bool contains(Box const& other) const
    {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (other.low[axis] < low[axis] || other.high[axis] > high[axis]) { return false; }
      }
      return true;
    }
  };
  struct Part {
    Position opening;
    double area = 0.0;
    double volume = 0.0;  ///< three times
    double spread = 0.0;  ///< distances from the middle, summed by area
    Box box;

    bool faces_inwards() const
    {
      constexpr double least = 0.2;  // the share is 1 for a ball
      return length(opening) < opening_of_closed * area && volume < -least * spread;
    }
  };

  static std::array<std::size_t, 3> place_of(std::size_t cell)
  {
    return {cell % side, cell / side % side, cell / (side * side)};
  }
  static Position middle_of(std::size_t cell)
  {
    auto const [x, y, z] = place_of(cell);
    auto const at = [](std::size_t i) { return (static_cast<double>(i) + 0.5) * 2.0 / side - 1.0; };
    return {at(x), at(y), at(z)};
  }

  /// Collects one part, starting from one of its cells.
  void spread(std::size_t first)
  {
    auto const number = static_cast<std::uint32_t>(parts_.size());
    std::vector<std::size_t> all{first};
    cells_[first].part = number;
    for (std::size_t next = 0; next < all.size(); ++next) {
      auto const [x, y, z] = place_of(all[next]);
      for (std::size_t cz = z - std::min<std::size_t>(z, 1); cz <= std::min(z + 1, side - 1); ++cz) {
        for (std::size_t cy = y - std::min<std::size_t>(y, 1); cy <= std::min(y + 1, side - 1); ++cy) {
          for (std::size_t cx = x - std::min<std::size_t>(x, 1); cx <= std::min(x + 1, side - 1); ++cx) {
            Cell& cell = cells_[(cz * side + cy) * side + cx];
            if (!cell.used || cell.part != nothing) { continue; }
            cell.part = number;
            all.push_back((cz * side + cy) * side + cx);
          }
        }
      }
    }
    parts_.push_back(measured(all));
  }

  Part measured(std::vector<std::size_t> const& cells) const
  {
    Position sum;
    for (std::size_t const cell : cells) { sum = sum + middle_of(cell); }
    Position const middle = (1.0 / static_cast<double>(cells.size())) * sum;
    Part part;
    for (std::size_t const cell : cells) {
      Position const normal = normalized(cells_[cell].normal);
      double const area = area_in_cell(normal);
      part.box.add(place_of(cell));
      Position const from_middle = middle_of(cell) - middle;
      part.area += area;
      part.opening = part.opening + area * normal;
      part.volume += area * dot(normal, from_middle);
      part.spread += area * length(from_middle);
    }
    return part;
  }

  std::vector<Cell> cells_;
  std::vector<Part> parts_;
};

double along(Position const& of, UpAxis up)
{
  return up == UpAxis::z ? of.z : of.y;
}

/// Turns a terrain's normals upwards, as it is seen from above. A mesh may be wound either way, and the sign of
/// estimated normals is arbitrary.
void turn_upwards(PointCloud& cloud, Position const& left)
{
  double const upwards = along(left, cloud.up);
  bool const flat = std::abs(upwards) >= 0.999 * std::max({std::abs(left.x), std::abs(left.y), std::abs(left.z)});
  bool const wound = cloud.normals_from_source && cloud.triangles > 0 && length(left) >= facing_of_terrain;
  if (!flat || upwards >= 0.0 || (cloud.normals_from_source && !wound)) { return; }
  for (Vector& normal : cloud.normals) { normal = -1.0f * normal; }
  if (wound) { cloud.notes.emplace_back(tr("Normals pointed downwards and were flipped, so that the front is above")); }
}

}  // namespace

void judge_surface(PointCloud& cloud)
{
  bool const has_own_normals = cloud.normals_from_source && cloud.triangles == 0;
  if (has_own_normals && CloudParts(cloud).turn_outwards(cloud)) {
    cloud.notes.emplace_back(tr("Normals were flipped to point outwards"));
  }
  Position const left = facing(cloud);
  cloud.open = length(left) >= opening_of_closed;
  bool const lies_flat = cloud.open && std::abs(left.z) > std::max(std::abs(left.x), std::abs(left.y));
  if (lies_flat || has_survey_coordinates(cloud.frame)) { cloud.up = UpAxis::z; }
  cloud.is_surface = span_area(cloud.positions);
  if (!cloud.is_surface) {
    cloud.notes_on_sides.emplace_back(
        cloud.positions.size() == 1
            ? tr("A single point is not a surface: nothing can be inside it")
            : tr("Its points coincide or lie on a line, so they are not a surface: nothing can be inside it"));
    return;
  }
  if (!cloud.open) { return; }
  if (!cloud.scanner) { turn_upwards(cloud, left); }
  cloud.notes_on_sides.emplace_back(
      tr("The surface is open, so it encloses nothing: the space behind it counts as inside; beside its rim and in "
         "holes, the side is unknown"));
}

}  // namespace slotscape::clouds
