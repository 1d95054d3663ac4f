#pragma once

#include "app/clouds/point_cloud.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotscape::clouds {

/// Points so far from all others that these would be hardly seen in one scale with them.
struct Outliers {
  std::vector<std::uint64_t> points;  ///< their numbers, ascending
  double share = 1.0;                 ///< of the width of all, that the others fill
};

/// Looks for them along each axis: beyond the middle 98 % of the points by more than the width of these, as long as the
/// others then fill less than a fifth of the width of all. All must be usable.
Outliers find_outliers(std::span<Position const> positions);

}  // namespace slotscape::clouds
