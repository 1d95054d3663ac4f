#include "app/scenes/spatial/coordinates.hpp"

#include "app/clouds/builtin.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape {

using spatial::Model;

namespace {

/// In units of the scene, not rounded to single precision again.
double width_of_voxel(spatial::VoxelGrid const& grid)
{
  return static_cast<double>(grid.extent) / static_cast<double>(grid.side);
}

/// A model may be so wide, or both together, only because of a few points far outside.
std::string cause_of_width(SpatialState const& state, Model model)
{
  std::string const advice = are_placed_by_coordinates(state) ? advice_on_outliers(state, both_models)
                                                              : advice_on_outliers(state, std::array{model});
  return advice.empty() ? "" : fmt::format(" {}, and voxels may be smaller.", advice);
}

}  // namespace

Similarity scene_of_file(clouds::Frame const& file, spatial::Pose const& pose)
{
  double const scale = static_cast<double>(pose.scale) * file.scale;
  Similarity similarity;
  for (std::size_t row = 0; row < 3; ++row) {
    similarity.rows[row] = scale * clouds::to_position(pose.rotation.rows[row]);
  }
  similarity.offset = clouds::to_position(pose.translation) - similarity(file.center);
  return similarity;
}

Similarity file_of_scene(clouds::Frame const& file, spatial::Pose const& pose)
{
  double const scale = 1.0 / (static_cast<double>(pose.scale) * file.scale);
  auto const& [x, y, z] = pose.rotation.rows;
  Similarity similarity;
  similarity.rows = {scale * clouds::to_position({x.x, y.x, z.x}), scale * clouds::to_position({x.y, y.y, z.y}),
                     scale * clouds::to_position({x.z, y.z, z.z})};
  similarity.offset = file.center - similarity(clouds::to_position(pose.translation));
  return similarity;
}

std::optional<double> scene_units_per_unit(SpatialState const& state, Model model)
{
  if (clouds::is_builtin(state.settings.models[model].source)) { return std::nullopt; }
  return static_cast<double>(state.poses[model].scale) * state.clouds[model].frame.scale;
}

std::optional<CellsInFile> cells_in_file(SpatialState const& state, Model model)
{
  if (clouds::is_builtin(state.settings.models[model].source)) { return std::nullopt; }
  spatial::VoxelGrid const& grid = state.settings.hashing.grid;
  double const corner = -0.5 * static_cast<double>(grid.extent);
  double const voxel = width_of_voxel(grid);
  Similarity const to_file = file_of_scene(state.clouds[model].frame, state.poses[model]);
  auto const& [x, y, z] = to_file.rows;
  CellsInFile cells{to_file({corner, corner, corner}),
                    {clouds::Position{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
  for (clouds::Position& step : cells.steps) { step = voxel * step; }
  return cells;
}

std::optional<double> voxel_in_file(SpatialState const& state, Model model)
{
  auto const scale = scene_units_per_unit(state, model);
  if (!scale) { return std::nullopt; }
  return width_of_voxel(state.settings.hashing.grid) / *scale;
}

std::string length_in_file(SpatialState const& state, Model model, double length)
{
  std::string const& unit = state.clouds[model].unit;
  return fmt::format("{} {}", clouds::text_of_length(length), unit.empty() ? "of the file's units" : unit);
}

std::string side_of_grid_in_files(SpatialState const& state)
{
  auto const home = home_of(state, Model::a);
  if (!home || placement_of(state) == PlacedAs::each_by_itself) { return {}; }
  std::string const& unit = state.clouds[*home].unit;
  double const side = static_cast<double>(state.settings.hashing.grid.extent) / *scene_units_per_unit(state, *home);
  return fmt::format("{} {}", clouds::text_of_length(side), unit.empty() ? "in the file" : unit);
}

void set_voxel_in_file(SpatialState& state, double width, std::optional<Model> model)
{
  auto const home = home_of(state, model.value_or(Model::a));
  if (!home) { throw Error("A voxel has a size in the units of a file, and both models are built-in shapes."); }
  constexpr double widest = 20.0;  // grid: models have a radius of about 1
  double const usual = static_cast<double>(SpatialSceneSettings{}.hashing.grid.extent);
  double const scale = static_cast<double>(state.settings.models[*home].place.scale) * state.clouds[*home].frame.scale;
  double const voxel = width * scale;
  double const side = std::max(std::ceil(usual / voxel - 1e-6), double{spatial::min_grid_side});
  if (side > spatial::max_grid_side) {
    throw Error(
        fmt::format("A voxel of {:.4g} would need {} voxels along a side, and {} is the most: ask for {} or more.{}",
                    width, clouds::text_of_length(side), spatial::max_grid_side,
                    length_in_file(state, *home, usual / spatial::max_grid_side / scale * 1.001),
                    cause_of_width(state, *home)));
  }
  if (side * voxel > widest) {
    throw Error(fmt::format("A voxel of {:.4g} is as large as the model: ask for {} or less.", width,
                            length_in_file(state, *home, widest / spatial::min_grid_side / scale * 0.999)));
  }
  set_grid_side(state.settings.hashing, static_cast<std::uint32_t>(side));
  state.settings.hashing.grid.extent = static_cast<float>(side * voxel);
  state.asked_voxel = AskedVoxel{*home, width, state.settings.hashing.grid};
}

std::string keep_asked_voxel(SpatialState& state)
{
  if (!state.asked_voxel) { return {}; }
  AskedVoxel const asked = *state.asked_voxel;
  bool const is_file = !clouds::is_builtin(state.settings.models[asked.model].source);
  if (state.settings.hashing.grid != asked.grid || !is_file) {
    state.asked_voxel.reset();
    return {};
  }
  try {
    set_voxel_in_file(state, asked.width, asked.model);
    return {};
  } catch (Error const& error) {
    state.asked_voxel.reset();
    return fmt::format("Voxels are no longer {} wide. {}", length_in_file(state, asked.model, asked.width),
                       error.what());
  }
}

std::optional<Model> home_of(SpatialState const& state, Model model)
{
  for (Model const home : {model, spatial::other(model)}) {
    if (!clouds::is_builtin(state.settings.models[home].source)) { return home; }
  }
  return std::nullopt;
}

std::string position_text(SpatialState const& state, spatial::VoxelInfo const& voxel)
{
  clouds::Position place = clouds::to_position(voxel.position);
  double step = static_cast<double>(state.settings.hashing.grid.voxel()) / 100.0;
  if (auto const home = home_of(state, voxel.model)) {
    clouds::Frame const& file = state.clouds[*home].frame;
    place = file_of_scene(file, state.poses[*home])(place);
    step /= static_cast<double>(state.poses[*home].scale) * file.scale;
  }
  return clouds::text_of_position(place, step);
}

}  // namespace slotscape
