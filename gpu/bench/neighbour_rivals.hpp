#pragma once

#include "gpu/neighbours/points.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotscape::bench {

/// The times and results of a search by another library: like `neighbours::Neighbours`, without the points themselves.
struct RivalNeighbours {
  double build_seconds = 0.0;
  double search_seconds = 0.0;
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> indices;
  std::vector<float> squared;
};

/// Why nanoflann cannot be measured; empty if it was found when the program was built.
std::string why_no_nanoflann();
/// All points within a radius of each point, nearest first, by a k-d tree (nanoflann; Blanco & Rai 2014) with leaves of
/// 10 points, on all cores. Throws Error if nanoflann is not compiled in.
RivalNeighbours neighbours_by_nanoflann(std::span<neighbours::Point const> points, float radius);

}  // namespace slotscape::bench
