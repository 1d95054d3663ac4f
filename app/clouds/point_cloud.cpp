#include "app/clouds/point_cloud.hpp"

#include <algorithm>

namespace slotscape::clouds {

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

}  // namespace slotscape::clouds
