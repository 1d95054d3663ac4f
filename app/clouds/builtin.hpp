#pragma once

#include "app/clouds/point_cloud.hpp"
#include "app/clouds/progress.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace slotscape::clouds {

/// A closed body that the program makes itself, within a sphere of radius 1 about the origin.
struct Builtin {
  std::string_view name;   ///< on the command line and in files
  std::string_view label;  ///< in panels
  std::string_view what;   ///< in a tooltip
};

std::span<Builtin const> builtins();
std::vector<std::string_view> builtin_names();
/// Case does not matter, and '-' is as good as '_'.
bool is_builtin(std::string_view name);

/// Exactly `points` points (at least 1, at most spatial::max_points) evenly over the surface, with its own normals; the
/// same for the same seed. Throws Error where there is no such shape or the number is out of range, Cancelled.
PointCloud make_builtin(std::string_view name, std::uint64_t points, std::uint64_t seed, Progress& progress);

/// The distance from the surface, negative within the body; nothing for shapes without a formula for it.
std::optional<double> distance_to_builtin(std::string_view name, Position place);

}  // namespace slotscape::clouds
