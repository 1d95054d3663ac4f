#include "app/scenes/spatial/results.hpp"

#include "app/scenes/spatial/map/map_links.hpp"
#include "app/scenes/spatial/names.hpp"
#include "app/scenes/spatial/watching.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

namespace slotscape {
namespace {

using clouds::PlyPoints;
using spatial::Model;
using spatial::VoxelStatus;

clouds::Colour colour_of(SpatialState const& state, VoxelStatus status)
{
  Color const& color = status_colors(state.settings.view)[status];
  auto const byte = [](float channel) { return static_cast<std::uint8_t>(std::lround(channel * 255.0f)); };
  return {byte(color.red), byte(color.green), byte(color.blue)};
}

void add(PlyPoints& ply, SpatialState const& state, Model model, spatial::Vector position, spatial::Vector normal,
         VoxelStatus status)
{
  ply.positions.push_back(clouds::to_position(position));
  ply.normals.push_back(normal);
  ply.colours.push_back(colour_of(state, status));
  ply.model.push_back(static_cast<std::uint8_t>(model));
  ply.status.push_back(static_cast<std::uint8_t>(status));
}

std::vector<std::string> comments_of(SpatialState const& state, std::string const& what)
{
  spatial::VoxelGrid const& grid = state.settings.hashing.grid;
  return {"Slotscape: " + what, fmt::format("A: {}", state.clouds[Model::a].name),
          fmt::format("B: {}", state.clouds[Model::b].name),
          fmt::format("grid: {} voxels an axis, extent {}", grid.side, grid.extent),
          "model: 0 is A, 1 is B; status: 0 unknown, 1 inside, 2 outside, 3 intersection"};
}

}  // namespace

PlyPoints result_points(spatial::SpatialEngine& engine, SpatialState const& state)
{
  PlyPoints ply;
  spatial::Boolean const boolean = state.settings.boolean;
  ply.comments = comments_of(state, fmt::format("points of the result of the Boolean '{}'", to_text(boolean)));
  spatial::VoxelGrid const& grid = state.settings.hashing.grid;
  for (Model const model : both_models) {
    std::unordered_map<Key, VoxelStatus> statuses;
    for (spatial::VoxelInfo const& voxel : engine.voxels(model)) { statuses.emplace(voxel.key, voxel.status); }
    clouds::PointCloud const& cloud = state.clouds[model];
    spatial::Pose const& pose = state.poses[model];
    for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
      spatial::Vector const position = pose.point(cloud.positions[i]);
      spatial::Vector const place = grid.to_grid(position);
      if (!grid.contains(place)) { continue; }
      auto const voxel = statuses.find(key_of(grid, spatial::VoxelGrid::cell_of(place)));
      VoxelStatus const status = voxel != statuses.end() ? voxel->second : VoxelStatus::unknown;
      if (!belongs(boolean, model, status)) { continue; }
      add(ply, state, model, position, pose.direction(cloud.normals[i]), status);
    }
  }
  return ply;
}

PlyPoints all_voxels(spatial::SpatialEngine& engine, SpatialState const& state)
{
  PlyPoints ply;
  ply.comments = comments_of(state, "voxels: the mean place and normal of the points in each");
  for (Model const model : both_models) {
    for (spatial::VoxelInfo const& voxel : engine.voxels(model)) {
      add(ply, state, model, voxel.position, voxel.normal, voxel.status);
      ply.points.push_back(voxel.points);
    }
  }
  return ply;
}

}  // namespace slotscape
