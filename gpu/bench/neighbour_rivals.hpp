#pragma once

#include "gpu/neighbours/points.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotscape::bench {

/// What a search by another library took, and found: as `neighbours::Neighbours`, without the points themselves.
struct RivalNeighbours {
  double build_seconds = 0.0;
  double search_seconds = 0.0;
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> indices;
  std::vector<float> squared;
};

/// Why nanoflann cannot be measured; empty if it can: it was there when the program was built.
std::string why_no_nanoflann();
/// All points within a radius of each point, by a k-d tree (nanoflann; Blanco & Rai 2014) with leaves of 10 points, the
/// nearest first, by all cores. Throws Error where it is not built in.
RivalNeighbours neighbours_by_nanoflann(std::span<neighbours::Point const> points, float radius);

}  // namespace slotscape::bench
