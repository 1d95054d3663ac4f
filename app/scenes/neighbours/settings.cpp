#include "app/scenes/neighbours/settings.hpp"

#include "app/base/files.hpp"
#include "app/clouds/builtin.hpp"
#include "app/simulation/family_setting.hpp"
#include "app/simulation/hash_choice.hpp"
#include "gpu/engine/families.hpp"
#include "gpu/spatial/engine.hpp"

#include <array>
#include <filesystem>
#include <vector>

namespace slotscape {

namespace fs = std::filesystem;

using CellMethod = neighbours::Method;

namespace {

std::string read_points(JsonNode const& node)
{
  std::string source = node.text();
  if (source.empty()) { node.fail("it must be the name of a built-in shape or a file"); }
  return clouds::is_builtin(source) ? source : node.file().string();
}

/// Any family can hold cells.
std::span<std::string_view const> families_of_cells()
{
  static auto const names = [] {
    std::vector<std::string_view> all;
    for (FamilyEntry const& family : family_entries()) { all.push_back(family.info->name); }
    return all;
  }();
  return names;
}

/// Without a radius, the program chooses one.
Setting<NeighbourSearchSettings> radius_setting()
{
  constexpr double smallest = 1e-15;  // the engine's limits
  constexpr double largest = 1e15;
  Setting<NeighbourSearchSettings> setting = saved_only_if(
      [](NeighbourSearchSettings const& search) { return search.radius > 0.0; },
      number_setting({.name = "radius",
                      .label = "Radius",
                      .what = "how far a neighbour may be, in the units of the file",
                      .argument = "R",
                      .hint = "How far a neighbour may be, in the units of the file: type a number and press Enter.",
                      .standard = "a point has about 30 neighbours"},
                     &NeighbourSearchSettings::radius, smallest, largest));
  setting.type = [](std::string_view option, std::string const& typed, NeighbourSearchSettings& search) {
    read_decimal(option, typed, smallest, largest, search.radius);
  };
  return setting;
}

/// Without k, all points within the radius are neighbours.
Setting<NeighbourSearchSettings> k_setting()
{
  return saved_only_if([](NeighbourSearchSettings const& search) { return search.k != 0; },
                       whole_setting({.name = "k",
                                      .label = "Nearest",
                                      .what = "only the nearest so many within the radius",
                                      .argument = "K",
                                      .hint = "At most this many of the nearest neighbours within the radius.",
                                      .standard = "all"},
                                     &NeighbourSearchSettings::k, 1, max_k));
}

std::vector<Setting<NeighbourSetup>> make_settings_of_neighbours()
{
  std::vector<Setting<NeighbourSetup>> settings;
  add_settings_of_part<PointSource>(
      settings, [](auto& set_up) -> auto& { return set_up.settings.source; });
  add_settings_of_part<NeighbourSearchSettings>(
      settings, [](auto& set_up) -> auto& { return set_up.settings.search; });
  add_settings_of_part<NeighbourSceneSettings>(
      settings, [](auto& set_up) -> auto& { return set_up.settings; });
  return settings;
}

}  // namespace

neighbours::NeighbourSettings engine_settings(NeighbourSearchSettings const& search, double radius)
{
  return {.radius = static_cast<float>(radius),
          .divisor = search.divisor,
          .method = search.method,
          .family = search.family,
          .load_factor = search.load_factor,
          .hash = search.hash};
}

void validate(NeighbourSearchSettings const& search)
{
  neighbours::validate(engine_settings(search, search.radius > 0.0 ? search.radius : 1.0));
}

template <>
std::span<Setting<PointSource> const> settings_of()
{
  static auto const settings = std::to_array<Setting<PointSource>>({
      other_setting<PointSource>(
          "a [built-in shape](manual/files.md#models), or a model or point cloud relative to the scenario",
          {"source", [](JsonNode const& node, PointSource& source) { source.name = read_points(node); },
           [](PointSource const& source, fs::path const& folder) -> Json {
             return clouds::is_builtin(source.name) ? source.name : relative_name(source.name, folder);
           }}),
      whole_setting({.name = "points",
                     .label = "Points",
                     .what = "points sampled on a shape or mesh",
                     .argument = "N",
                     .hint = "Points sampled on a shape or mesh. A point cloud has its own points.",
                     .less = {"Comma", "Half the points"},
                     .more = {"Period", "Twice the points"}},
                    &PointSource::points, 1, spatial::max_points, Scale::log),
      whole_setting({.name = "seed", .what = "of the sampled points"}, &PointSource::seed),
      flag_setting({.name = "ignore_outliers",
                    .what = "leave out points that lie far outside all others",
                    .option = "ignore-outliers"},
                   &PointSource::ignore_outliers),
  });
  return settings;
}

template <>
std::span<Setting<NeighbourSearchSettings> const> settings_of()
{
  using Settings = NeighbourSearchSettings;
  static auto const settings = std::to_array<Setting<Settings>>({
      radius_setting(),
      k_setting(),
      choice_setting({.name = "method",
                      .label = "Cells",
                      .what = "how cells are found",
                      .argument = "METHOD",
                      .hint = "Sorted: points in the order of their cells, and where each cell begins. Table: the "
                              "keys of cells that have points are in a hash table.",
                      .more = {"X", "Cells sorted, or in a table"}},
                     &Settings::method, "method"),
      whole_setting(
          {.name = "divisor",
           .label = "Divisor",
           .what = "cells that a radius spans",
           .argument = "D",
           .hint = "How many cells a radius spans. Smaller cells hold fewer candidates, but more of them are read.",
           .less = {"J", "Larger cells"},
           .more = {"K", "Smaller cells"}},
          &Settings::divisor, 1, neighbours::max_divisor),
      family_setting(
          {.name = "family", .label = "Family", .what = "table family", .argument = "FAMILY", .option = "table"},
          &Settings::family, families_of_cells(), "table family"),
      hash_setting({.name = "hash",
                    .label = "Hash",
                    .what = "hash of the table",
                    .argument = "HASH",
                    .hint = "identity puts the cells of a row next to each other.",
                    .note = "see [hash functions](hash-functions.md)"},
                   &Settings::hash),
      number_setting({.name = "load_factor",
                      .label = "Load α",
                      .what = "cells with points / slots",
                      .argument = "X",
                      .hint = "Cells with points / slots.",
                      .note = "as far as the family is safe"},
                     &Settings::load_factor, neighbours::min_load_factor, neighbours::max_load_factor),
  });
  return settings;
}

template <>
std::span<Setting<NeighbourSceneSettings> const> settings_of()
{
  using Settings = NeighbourSceneSettings;
  static auto const settings = std::to_array<Setting<Settings>>({
      whole_setting({.name = "point", .what = "number of the point whose neighbours are shown", .argument = "I"},
                    &Settings::point, 0, spatial::max_points - 1),
      flag_setting({.name = "moves",
                    .label = "Move",
                    .what = "each point circles around its place",
                    .option = "move",
                    .hint = "Each point circles around its place, and the grid is rebuilt in every frame.",
                    .more = {"Space", "Move the points, or stop them"}},
                   &Settings::moves),
      flag_setting({.name = "eye_dome",
                    .label = "Eye-dome lighting",
                    .what = "darken what lies behind its neighbours on the screen, so that shapes stand out",
                    .hint = "Darken what lies behind its neighbours on the screen, so that shapes stand out."},
                   &Settings::eye_dome),
      flag_setting({.name = "show_map"}, &Settings::show_map),
      map_setting("map", &Settings::map),
  });
  return settings;
}

template <>
std::span<Setting<NeighbourSetup> const> settings_of()
{
  static std::vector<Setting<NeighbourSetup>> const settings = make_settings_of_neighbours();
  return settings;
}

template <>
std::span<EnumName<CellMethod> const> enum_names()
{
  static constexpr std::array<EnumName<CellMethod>, 2> names{
      {{CellMethod::sorted, "sorted", "Sorted"}, {CellMethod::table, "table", "In a table"}}};
  return names;
}

}  // namespace slotscape
