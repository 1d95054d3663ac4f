#include "app/scenes/spatial/shown_voxels.hpp"

#include "app/base/text.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/scenes/spatial/state.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace slotscape {
namespace {

using spatial::Cell;
using spatial::Model;

/// The keys of cells in ascending order, so that neighbours along the first of these axes follow each other.
std::vector<std::uint64_t> ordered_keys(std::vector<Cell> const& cells, std::int32_t Cell::*first,
                                        std::int32_t Cell::*second, std::int32_t Cell::*third)
{
  std::vector<std::uint64_t> keys;
  keys.reserve(cells.size());
  for (Cell const& cell : cells) {
    keys.push_back(spatial::key_of_cell<std::uint64_t>({cell.*first, cell.*second, cell.*third}));
  }
  std::ranges::sort(keys);
  return keys;
}

}  // namespace

ShownVoxels body_of(std::vector<Cell> const& cells)
{
  ShownVoxels body{.voxels = cells.size(), .faces = spatial::face_count * cells.size()};
  for (auto const& [first, second, third] :
       {std::tuple{&Cell::x, &Cell::y, &Cell::z}, {&Cell::y, &Cell::z, &Cell::x}, {&Cell::z, &Cell::x, &Cell::y}}) {
    bool const upwards = first == &Cell::z;
    std::vector<std::uint64_t> const keys = ordered_keys(cells, first, second, third);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i > 0 && keys[i] == keys[i - 1] + 1) { body.faces -= 2; }
      auto const column = [&](std::size_t at) { return keys[at] >> spatial::axis_bits<std::uint64_t>; };
      if (upwards && (i == 0 || column(i) != column(i - 1))) { ++body.columns; }
    }
  }
  return body;
}

ShownVoxels shown_voxels(spatial::SpatialEngine& engine, SpatialState const& state, Model model)
{
  spatial::VoxelGrid const& grid = state.settings.hashing.grid;
  spatial::ShownParts const parts = shown_parts(state.settings);
  std::vector<Cell> cells;
  if (state.snapshot.models[model].shown > 0) {
    for (spatial::VoxelInfo const& voxel : engine.voxels(model)) {
      if (belongs(parts, model, voxel.status, grid.middle(voxel.cell))) { cells.push_back(voxel.cell); }
    }
  }
  ShownVoxels body = body_of(cells);
  LengthUnit const unit = length_unit_between(state, model, model);
  body.model = model;
  body.width = static_cast<double>(grid.extent) / static_cast<double>(grid.side) / unit.in_scene;
  body.unit = unit.name;
  return body;
}

std::string volume_text(double volume, std::string const& unit)
{
  std::string const number = fmt::format("{:.6g}", volume);
  if (unit == "scene") { return tr("{} cubic units of the scene", number); }
  return unit == "file" ? tr("{} cubic units", number) : fmt::format("{} {}³", number, unit);
}

std::string area_text(double area, std::string const& unit)
{
  std::string const number = fmt::format("{:.6g}", area);
  if (unit == "scene") { return tr("{} square units of the scene", number); }
  return unit == "file" ? tr("{} square units", number) : fmt::format("{} {}²", number, unit);
}

std::string csv_rows(ShownVoxels const& body)
{
  std::string rows;
  for (auto const& [measure, value, power] :
       {std::tuple{"volume", body.volume(), 3}, {"surface", body.surface(), 2}, {"footprint", body.footprint(), 2}}) {
    rows += fmt::format("{},{:.7g},{},{},{} voxels,,,,,,,,,,,,,\n", measure, value,
                        in_csv(fmt::format("{}^{}", body.unit, power)), letter_of(body.model), body.voxels);
  }
  return rows;
}

}  // namespace slotscape
