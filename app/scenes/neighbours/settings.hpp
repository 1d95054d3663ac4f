#pragma once

#include "app/base/setting.hpp"
#include "app/simulation/names.hpp"
#include "app/table_map/settings.hpp"
#include "gpu/neighbours/engine.hpp"

#include <cstdint>
#include <string>

namespace slotscape {

/// The source of the points.
struct PointSource {
  std::string name = "torus_knot";  ///< a built-in shape, or the path of a model or a point cloud
  std::uint64_t points = 30000;     ///< number of samples on a shape or mesh
  std::uint64_t seed = 1;
  bool ignore_outliers = false;  ///< ignore points of a cloud far outside all others
  friend bool operator==(PointSource const&, PointSource const&) = default;
};

inline constexpr std::uint64_t max_k = 1'000'000;

/// Search settings.
struct NeighbourSearchSettings {
  double radius = 0.0;  ///< in the file's units; 0: chosen so that a point has about `usual_neighbours`
  std::uint32_t k = 0;  ///< only the k nearest; 0: all
  neighbours::Method method = neighbours::Method::table;
  int divisor = 1;  ///< cells per radius
  std::string family = "linear_probing";
  HashChoice hash = {};
  double load_factor = 0.5;
  friend bool operator==(NeighbourSearchSettings const&, NeighbourSearchSettings const&) = default;
};
inline constexpr double usual_neighbours = 30.0;

/// The settings for the engine.
neighbours::NeighbourSettings engine_settings(NeighbourSearchSettings const& search, double radius);
/// Throws Error that says what to do, if the settings are invalid.
void validate(NeighbourSearchSettings const& search);

struct NeighbourSceneSettings {
  PointSource source;
  NeighbourSearchSettings search;
  std::uint32_t point = 0;  ///< the point whose neighbours are shown
  bool moves = false;       ///< each point circles around its initial position
  bool eye_dome = true;     ///< darkens what lies behind a point's neighbours on the screen
  bool show_map = true;
  ViewSettings map{.color_by = ColorBy::probe_length};
  friend bool operator==(NeighbourSceneSettings const&, NeighbourSceneSettings const&) = default;
};

struct NeighbourSetup {
  NeighbourSceneSettings settings = {};
  friend bool operator==(NeighbourSetup const&, NeighbourSetup const&) = default;
};

template <>
std::span<Setting<PointSource> const> settings_of();
template <>
std::span<Setting<NeighbourSearchSettings> const> settings_of();
template <>
std::span<Setting<NeighbourSceneSettings> const> settings_of();
/// All settings.
template <>
std::span<Setting<NeighbourSetup> const> settings_of();

template <>
std::span<EnumName<neighbours::Method> const> enum_names();

}  // namespace slotscape
