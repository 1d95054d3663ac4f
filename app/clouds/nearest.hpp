#pragma once

#include "app/clouds/point_cloud.hpp"
#include "gpu/neighbours/engine.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotscape::clouds {

/// The nearest point of each place.
struct Nearest {
  std::vector<std::uint32_t> numbers;  ///< index of the nearest point for each place
  std::vector<float> distances;        ///< their distances, in single precision
};

/// Finds the nearest point of each place exactly; of equally near points, the one with the smaller number. Searches
/// hashed cells within a radius that doubles until each place has a point. Throws Error if there are no points or a
/// coordinate is infinite or not a number, and Cancelled.
Nearest nearest_points(neighbours::NeighbourEngine& engine, std::span<Vector const> points,
                       std::span<Vector const> places, Progress const& progress = {});

}  // namespace slotscape::clouds
