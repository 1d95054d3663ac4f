#include "app/clouds/point_cloud.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape::clouds {

namespace {

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

/// Whether a model is as far from the origin, for its size, as maps place it.
bool has_survey_coordinates(Frame const& frame)
{
  constexpr double farthest_of_graphics = 100.0;  // of the model's radius
  return length(frame.center) * frame.scale > farthest_of_graphics;
}

}  // namespace

Frame frame_of(std::span<Position const> positions)
{
  if (positions.empty()) { return {}; }
  Position low = positions.front();
  Position high = low;
  for (Position const& p : positions) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  Position const center = 0.5 * (low + high);
  double radius = 0.0;
  for (Position const& p : positions) { radius = std::max(radius, length(p - center)); }
  constexpr double smallest = 1e-150;
  return {center, radius > smallest ? 1.0 / radius : 1.0};
}

void add_missing_normals(PointCloud& cloud, NormalEstimator const& estimate)
{
  if (cloud.has_normals()) { return; }
  cloud.normals = estimate(cloud.positions);
  cloud.normals_from_source = false;
  cloud.notes.emplace_back("Normals were estimated from neighbouring points");
}

void judge_surface(PointCloud& cloud)
{
  constexpr double opening_of_closed = 0.2;
  Position const left = facing(cloud);
  cloud.open = length(left) >= opening_of_closed;
  bool const lies_flat = cloud.open && std::abs(left.z) > std::max(std::abs(left.x), std::abs(left.y));
  if (lies_flat || has_survey_coordinates(cloud.frame)) { cloud.up = UpAxis::z; }
  if (cloud.open) {
    cloud.notes.emplace_back("The surface is open, so nothing is inside of it: what is behind it counts as inside");
  }
}

}  // namespace slotscape::clouds
