#pragma once

#include "app/base/setting.hpp"
#include "app/simulation/names.hpp"
#include "app/table_map/settings.hpp"
#include "gpu/neighbours/engine.hpp"

#include <cstdint>
#include <string>

namespace slotscape {

/// Where the points come from.
struct PointSource {
  std::string name = "torus_knot";  ///< a built-in shape, or the path of a model or a point cloud
  std::uint64_t points = 30000;     ///< sampled on a shape or mesh
  std::uint64_t seed = 1;
  bool ignore_outliers = false;  ///< leave out points of a cloud that lie far outside all others
  friend bool operator==(PointSource const&, PointSource const&) = default;
};

inline constexpr std::uint64_t max_k = 1'000'000;

/// How neighbours are searched for.
struct NeighbourSearchSettings {
  double radius = 0.0;  ///< in the units of the file; 0: so that a point has about `usual_neighbours`
  std::uint32_t k = 0;  ///< only the nearest so many; 0: all
  neighbours::Method method = neighbours::Method::table;
  int divisor = 1;  ///< cells that a radius spans
  std::string family = "linear_probing";
  HashChoice hash = {};
  double load_factor = 0.5;
  friend bool operator==(NeighbourSearchSettings const&, NeighbourSearchSettings const&) = default;
};
inline constexpr double usual_neighbours = 30.0;

/// What the engine is asked for.
neighbours::NeighbourSettings engine_settings(NeighbourSearchSettings const& search, double radius);
/// Throws Error that says what to do, if nobody can search so.
void validate(NeighbourSearchSettings const& search);

struct NeighbourSceneSettings {
  PointSource source;
  NeighbourSearchSettings search;
  std::uint32_t point = 0;  ///< whose neighbours are shown
  bool moves = false;       ///< each point circles around its place
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
/// All of these.
template <>
std::span<Setting<NeighbourSetup> const> settings_of();

template <>
std::span<EnumName<neighbours::Method> const> enum_names();

}  // namespace slotscape
