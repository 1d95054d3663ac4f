#include "app/scenes/spatial/watching.hpp"

namespace slotscape {
namespace {

using spatial::Model;

void highlight(VoxelMaps& maps, std::optional<WatchedVoxel> const& voxel, VoxelMaps::Highlight kind)
{
  for (Model const model : both_models) {
    bool const here = voxel && voxel->model == model && voxel->info;
    maps.highlight(model, here ? std::optional(voxel->info->slot) : std::nullopt, kind);
  }
}

std::vector<VoxelLookup> neighbour_lookups(InspectedTable& table, spatial::VoxelGrid const& grid, spatial::Cell cell)
{
  std::vector<VoxelLookup> lookups;
  for (int face = 0; face < spatial::face_count; ++face) {
    spatial::Cell const neighbour = cell + spatial::face_step(face);
    if (!grid.contains(neighbour)) { continue; }
    lookups.push_back(neighbour_lookup(face, table.probe_path(key_of(grid, neighbour))));
  }
  return lookups;
}

}  // namespace

Key key_of(spatial::VoxelGrid const& grid, spatial::Cell cell)
{
  bool const wide = grid.side > spatial::max_narrow_grid_side;
  return wide ? spatial::key_of_cell<std::uint64_t>(cell) : spatial::key_of_cell<std::uint32_t>(cell);
}

WatchedVoxel watch(spatial::SpatialEngine& engine, Model model, Key key)
{
  ProbePath const path = engine.table(model).probe_path(key);
  if (!path.value) { return {model, key, std::nullopt, 0}; }
  return watch_index(engine, model, static_cast<std::uint32_t>(*path.value));
}

WatchedVoxel watch_index(spatial::SpatialEngine& engine, Model model, std::uint32_t index)
{
  spatial::VoxelInfo const info = engine.voxel(model, index);
  return {model, info.key, info, engine.table(model).slot(info.slot).probe_length};
}

void show_on_maps(VoxelMaps& maps, spatial::SpatialEngine& engine, SpatialState const& state)
{
  highlight(maps, state.hovered, VoxelMaps::Highlight::hovered);
  highlight(maps, state.selected, VoxelMaps::Highlight::selected);
  for (Model const model : both_models) { maps.show_lookups(model, {}); }
  if (!state.selected || !state.selected->info) { return; }
  auto const& [model, key, info, probe_length] = *state.selected;
  maps.show_lookups(model, neighbour_lookups(engine.table(model), state.settings.hashing.grid, info->cell));
  Model const other = spatial::other(model);
  maps.show_lookups(other, {voxel_lookup(model, engine.table(other).probe_path(key))});
}

}  // namespace slotscape
