#pragma once

#include "app/bench/measurement.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace slotscape {

/// A torus and a ball that passes through its hole, in a grid around them.
struct SpatialCase {
  std::string family;
  std::uint64_t points = 0;  ///< number of points of each model
  std::uint32_t side = 0;    ///< voxels along each axis
};

/// The parts of a row: the stages, and their sum.
inline constexpr std::array<std::string_view, 6> spatial_parts{"voxelise", "build",  "intersect",
                                                               "classify", "select", "all"};

/// Moves the ball in each repeat. Its facts are `voxels`, `rounds` of the flood fill, and `misjudged`: the share of
/// voxels classified as inside but outside, or vice versa, among sampled voxels that are more than a voxel away from
/// the other surface.
std::unique_ptr<CaseBench> make_spatial_bench(Backend backend, SpatialCase const& subject);

/// Frames of the whole program offscreen, with drawing and panels: one part, the median frame.
std::unique_ptr<CaseBench> make_whole_frames(Backend backend, SpatialCase const& subject,
                                             TimeFrames const& time_frames);
/// Why whole frames cannot be measured on this machine; empty if they can.
std::string why_no_whole_frames();

}  // namespace slotscape
