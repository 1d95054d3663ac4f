#pragma once

#include "app/clouds/sampling.hpp"

#include <vector>

namespace slotscape::clouds {

inline constexpr double torus_radius = 0.7;
inline constexpr double torus_tube_radius = 0.3;
inline constexpr double cube_half_side = 0.57;

/// The surfaces of the built-in shapes that have parameters, as patches about as long as they are wide.
std::vector<Patch> sphere_patches();
std::vector<Patch> torus_patches();
/// A tube about the (2, 3) torus knot.
std::vector<Patch> torus_knot_patches();
std::vector<Patch> cube_patches();
/// Two tori, each through the hole of the other.
std::vector<Patch> ring_patches();
/// Hills on a block with four walls and a floor.
std::vector<Patch> terrain_patches();

/// One of the two labyrinths that a gyroid parts space into, as far as the ball of radius 1 reaches: points on the
/// gyroid, and on the parts of the sphere that close the labyrinth.
void sample_gyroid(PointCloud& cloud, std::uint64_t points, std::uint64_t seed, Progress& progress);

}  // namespace slotscape::clouds
