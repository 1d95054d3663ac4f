#include "app/clouds/point_cloud.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

/// Judges a surface from its normals: whether it is open, and where it faces.
namespace slotscape::clouds {
namespace {

constexpr double opening_of_closed = 0.2;
constexpr double facing_of_terrain = 0.8;  ///< a bowl, whose outside is below, faces less in one direction

/// The sum of a cloud's unit normals over its area, as a share of the area: length 0 for a closed surface, 1 for a
/// plane. Points are counted by cell, so that where they are denser does not matter.
Position facing(PointCloud const& cloud)
{
  constexpr std::size_t side = 32;
  std::vector<Vector> cells(side * side * side);
  auto const along = [](float x) {
    return static_cast<std::size_t>(std::clamp((x + 1.0f) * 0.5f * side, 0.0f, side - 1.0f));
  };
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    Vector const& p = cloud.positions[i];
    Vector& cell = cells[(along(p.z) * side + along(p.y)) * side + along(p.x)];
    cell = cell + cloud.normals[i];
  }
  Position sum;
  double area = 0.0;
  for (Vector const& cell : cells) {
    Position const normal = normalized(to_position(cell));
    // A plane meets cells in proportion to this for each unit of its area.
    double const cells_of_area = std::abs(normal.x) + std::abs(normal.y) + std::abs(normal.z);
    if (cells_of_area == 0.0) { continue; }
    sum = sum + (1.0 / cells_of_area) * normal;
    area += 1.0 / cells_of_area;
  }
  return area > 0.0 ? (1.0 / area) * sum : sum;
}

/// Two directions at right angles to an axis of length 1, and to each other.
std::array<Position, 2> across(Position axis)
{
  Position const least = std::abs(axis.x) <= std::min(std::abs(axis.y), std::abs(axis.z)) ? Position{1.0, 0.0, 0.0}
                         : std::abs(axis.y) <= std::abs(axis.z)                           ? Position{0.0, 1.0, 0.0}
                                                                                          : Position{0.0, 0.0, 1.0};
  Position const first = normalized(cross(axis, least));
  return {first, cross(axis, first)};
}

/// The heights of points over a plane, by the square of the plane that they are over.
class Columns {
public:
  Columns(PointCloud const& cloud, Position axis)
  {
    double const points_each = 16.0;
    double const wanted = std::sqrt(static_cast<double>(cloud.positions.size()) / points_each);
    side_ = static_cast<std::size_t>(std::clamp(wanted, 4.0, 32.0));
    heights_.resize(side_ * side_);
    auto const [u, v] = across(axis);
    auto const along = [&](double x) {
      double const last = static_cast<double>(side_) - 1.0;
      return static_cast<std::size_t>(std::clamp((x + 1.0) * 0.5 * static_cast<double>(side_), 0.0, last));
    };
    constexpr std::size_t max_points = 200'000;
    std::size_t const step = std::max<std::size_t>(1, cloud.positions.size() / max_points);
    for (std::size_t i = 0; i < cloud.positions.size(); i += step) {
      Position const p = to_position(cloud.positions[i]);
      heights_[along(dot(p, u)) * side_ + along(dot(p, v))].push_back(dot(p, axis));
    }
    for (std::vector<double>& column : heights_) { std::ranges::sort(column); }
  }

  /// Whether the surface has one layer, as seen along the axis: heights may spread, but leave no wide gap.
  bool has_one_layer() const
  {
    std::size_t judged = 0;
    std::size_t layered = 0;
    for (std::vector<double> const& column : heights_) {
      if (column.size() < min_points) { continue; }
      ++judged;
      layered += is_layered(column) ? 1 : 0;
    }
    return judged > 0 && layered * 5 <= judged;
  }
  /// How thick it is in the median.
  double thickness() const
  {
    std::vector<double> all;
    for (std::vector<double> const& column : heights_) {
      if (column.size() >= min_points) { all.push_back(column.back() - column.front()); }
    }
    if (all.empty()) { return 0.0; }
    std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
    return all[all.size() / 2];
  }

  static constexpr double thin = 0.03;  ///< for a model of radius 1

private:
  static constexpr std::size_t min_points = 8;

  static bool is_layered(std::vector<double> const& column)
  {
    double const range = column.back() - column.front();
    double gap = 0.0;
    for (std::size_t i = 1; i < column.size(); ++i) { gap = std::max(gap, column[i] - column[i - 1]); }
    return range >= thin && gap > 0.5 * range;
  }

  std::size_t side_ = 0;
  std::vector<std::vector<double>> heights_;
};

double along(Position const& of, UpAxis up)
{
  return up == UpAxis::z ? of.z : of.y;
}

void flip(PointCloud& cloud, Position const& against)
{
  for (Vector& normal : cloud.normals) {
    if (dot(to_position(normal), against) < 0.0) { normal = -1.0f * normal; }
  }
}

/// Makes estimated normals agree where the surface has one layer. Neighbours that agree with each other say little in a
/// layer that noise has made thick: there, normals go either way, and the layer may even look closed.
Position settle_estimated(PointCloud& cloud, Position const& left)
{
  bool const open = length(left) >= opening_of_closed;
  Position const up = cloud.up == UpAxis::z ? Position{0.0, 0.0, 1.0} : Position{0.0, 1.0, 0.0};
  bool const lies_flat = std::abs(dot(left, up)) >= 0.7 * length(left);
  Position const axis = open && !lies_flat ? normalized(left) : up;
  Columns const columns(cloud, axis);
  if (!columns.has_one_layer() || (!open && columns.thickness() < Columns::thin)) { return left; }
  flip(cloud, axis);
  return facing(cloud);
}

/// Terrains are seen from above. A mesh may be wound either way, and estimated normals have no front.
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
  Position left = facing(cloud);
  if (!cloud.normals_from_source) { left = settle_estimated(cloud, left); }
  cloud.open = length(left) >= opening_of_closed;
  bool const lies_flat = cloud.open && std::abs(left.z) > std::max(std::abs(left.x), std::abs(left.y));
  if (lies_flat || has_survey_coordinates(cloud.frame)) { cloud.up = UpAxis::z; }
  cloud.is_surface = span_area(cloud.positions);
  if (!cloud.is_surface) {
    cloud.notes.emplace_back(
        cloud.positions.size() == 1
            ? tr("A single point is not a surface: nothing can be inside it")
            : tr("Its points lie in one place or on a line, which is not a surface: nothing can be inside it"));
    return;
  }
  if (!cloud.open) { return; }
  turn_upwards(cloud, left);
  cloud.notes.emplace_back(
      tr("The surface is open, so nothing is inside of it: what is behind it counts as inside, and what is "
         "beside its rim or in a hole is unknown"));
}

}  // namespace slotscape::clouds
