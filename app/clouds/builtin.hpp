#pragma once

#include "app/clouds/point_cloud.hpp"
#include "app/clouds/sampling.hpp"
#include "gpu/base/progress.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace slotscape::clouds {

/// A closed shape that the program generates, inside the unit sphere around the origin.
struct Builtin {
  std::string_view name;   ///< on the command line and in files
  std::string_view label;  ///< in panels
  std::string_view what;   ///< description in a tooltip
};

std::span<Builtin const> builtins();
std::vector<std::string_view> builtin_names();
/// Whether a shape has this name; ignores case, and '-' and '_' are interchangeable.
bool is_builtin(std::string_view name);

/// Samples exactly `points` points (1 to spatial::max_points) evenly over the surface, with exact normals. The same
/// seed gives the same points. Throws Error if there is no such shape or the number is out of range, and Cancelled.
PointCloud make_builtin(std::string_view name, std::uint64_t points, std::uint64_t seed, Progress const& progress);

/// Signed distance to the surface, negative inside; nullopt for shapes without a formula.
std::optional<double> distance_to_builtin(std::string_view name, Position place);

inline constexpr double torus_radius = 0.7;
inline constexpr double torus_tube_radius = 0.3;
inline constexpr double cube_half_side = 0.57;

/// The surfaces of the parametric built-in shapes, as roughly square patches.
std::vector<Patch> sphere_patches();
std::vector<Patch> torus_patches();
/// A tube around the (2, 3) torus knot.
std::vector<Patch> torus_knot_patches();
std::vector<Patch> cube_patches();
/// Two interlocking tori.
std::vector<Patch> ring_patches();
/// Hills on a block with four walls and a floor.
std::vector<Patch> terrain_patches();

/// Samples one of the two labyrinths that a gyroid divides space into, clipped to the unit ball: points on the gyroid,
/// and on the parts of the sphere that close the labyrinth.
void sample_gyroid(PointCloud& cloud, std::uint64_t points, std::uint64_t seed, Progress const& progress);

}  // namespace slotscape::clouds
