#include "app/scenes/spatial/coordinates.hpp"

#include "app/base/text.hpp"
#include "app/clouds/builtin.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <span>

namespace slotscape {

using spatial::Model;
using spatial::PerModel;
using spatial::Pose;

namespace {

/// In scene units, not rounded to single precision again.
double width_of_voxel(spatial::VoxelGrid const& grid)
{
  return static_cast<double>(grid.extent) / static_cast<double>(grid.side);
}

/// Where cells begin along each axis of the scene.
double corner_of(spatial::VoxelGrid const& grid)
{
  return -0.5 * static_cast<double>(grid.extent);
}

/// Whether the model is a file that the program placed and nothing has moved since.
bool is_where_opened(SpatialState const& state, PerModel<Pose> const& poses, Model model)
{
  ModelSettings const& settings = state.settings.models[model];
  return !clouds::is_builtin(settings.source) && stands_as_opened(settings) && poses[model] == settings.place;
}

/// Whether the model is a file placed by its coordinates, even if the other one has been moved.
bool is_where_coordinates_have_it(SpatialState const& state, PerModel<Pose> const& poses, Model model)
{
  return poses[model] == state.settings.models[model].place && is_placed_by_coordinates(state, model);
}

/// The axis of the file parallel to a direction of the scene, if any.
std::optional<std::size_t> axis_of_file(spatial::Vector const& direction)
{
  constexpr float along = 0.99999f;
  std::array<float, 3> const parts{direction.x, direction.y, direction.z};
  auto const found = std::ranges::find_if(parts, [](float part) { return std::abs(part) > along; });
  return found == parts.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - parts.begin()));
}

/// The width of a voxel in the units of a file under this transformation, without the single-precision rounding of the
/// grid: "1" for 1.00000006.
double nominal_width(spatial::VoxelGrid const& grid, Similarity const& to_scene)
{
  constexpr double rounding = 2e-7;
  double const width = width_of_voxel(grid) / length(to_scene.rows[0]);
  double const short_one = parse_number<double>(fmt::format("{:.6g}", width)).value_or(width);
  bool const is_meant = std::abs(short_one / width - 1.0) < rounding;
  return is_meant ? short_one : parse_number<double>(fmt::format("{:.7g}", width)).value_or(width);
}

std::array<double, 3> along_axes(clouds::Position const& p)
{
  return {p.x, p.y, p.z};
}

/// How far below multiples of its width a cell begins, along an axis of these models' files. This is half a step of
/// their coordinates, as far as possible from all points; or else as far as rounding in the file and the engine can
/// move a point.
double lowering(SpatialState const& state, std::span<Model const> models, std::size_t axis, double width)
{
  double const of_engine = rounding_in_voxels(state.settings.hashing.grid) * width;
  double rounding = of_engine;
  double half_step = 0.5 * width;
  for (Model const model : models) {
    rounding = std::max(rounding, clouds::rounding_of(state.clouds[model]));
    clouds::Box const& box = state.boxes[model];
    half_step = std::min(half_step,
                         clouds::half_step_below_borders(along_axes(state.clouds[model].steps)[axis],
                                                         along_axes(box.low)[axis], along_axes(box.high)[axis], width));
  }
  bool const step_is_resolved = 2.0 * half_step > of_engine;
  return step_is_resolved ? half_step : clouds::margin_below_borders(rounding, width);
}

/// Shifts a file's transformation so that cells align (see `scene_of_file`), if its axes are those of the scene.
/// `models`: the models to align for.
void align_cells(Similarity& to_scene, SpatialState const& state, spatial::Rotation const& rotation,
                 std::span<Model const> models)
{
  spatial::VoxelGrid const& grid = state.settings.hashing.grid;
  double const width = nominal_width(grid, to_scene);
  std::array<double, 3> const near = along_axes(state.clouds[models.front()].frame.center);
  std::array<double, 3> border{};
  for (std::size_t axis = 0; axis < border.size(); ++axis) {
    if (!axis_of_file(rotation.rows[axis])) { return; }
    border[axis] = std::round(near[axis] / width) * width - lowering(state, models, axis, width);
  }
  clouds::Position const at = to_scene({border[0], border[1], border[2]});
  double const voxel = width_of_voxel(grid);
  auto const shift = [&](double place) {
    double const cells = (place - corner_of(grid)) / voxel;
    return (std::round(cells) - cells) * voxel;
  };
  to_scene.offset = to_scene.offset + clouds::Position{shift(at.x), shift(at.y), shift(at.z)};
}

/// The cause of an excessive width may be a few points far outside, in one model or in both.
std::string cause_of_width(SpatialState const& state, Model model)
{
  std::string const advice = are_placed_by_coordinates(state) ? advice_on_outliers(state, both_models)
                                                              : advice_on_outliers(state, std::array{model});
  return advice.empty() ? "" : tr(" {}; voxels may then be smaller.", advice);
}

}  // namespace

double rounding_in_voxels(spatial::VoxelGrid const& grid)
{
  // Eight roundings, each by up to half a step of single precision: of the point, the scale, the position in the scene
  // and that in the grid. Their sum is this share of the grid.
  constexpr double largest_error = 2.0 * std::numeric_limits<float>::epsilon();
  return largest_error * static_cast<double>(grid.side);
}

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

namespace {

/// The model's transformation under these poses. `together`: both models in the coordinates of their files.
Similarity scene_as_seen(SpatialState const& state, PerModel<Pose> const& poses, Model model, bool together)
{
  auto const aligned = [&](Model reference, Pose const& pose, std::span<Model const> models) {
    Similarity similarity = scene_of_file(state.clouds[reference].frame, pose);
    align_cells(similarity, state, pose.rotation, models);
    return similarity;
  };
  if (together) { return aligned(Model::a, poses[Model::a], both_models); }
  if (is_where_opened(state, poses, model)) { return aligned(model, poses[model], std::array{model}); }
  if (is_where_coordinates_have_it(state, poses, model)) {
    return aligned(Model::a, place_by_coordinates_of(state, Model::a, poses[model].rotation), both_models);
  }
  return scene_of_file(state.clouds[model].frame, poses[model]);
}

}  // namespace

Similarity scene_of_file(SpatialState const& state, Model model)
{
  return scene_as_seen(state, state.poses, model, placement_of(state) == PlacedAs::same_coordinates);
}

Similarity file_of_scene(SpatialState const& state, Model model)
{
  Similarity const to_scene = scene_of_file(state, model);
  auto const& [x, y, z] = to_scene.rows;
  double const shrunk = 1.0 / dot(x, x);  // the rows have the length of the scale factor
  Similarity similarity;
  similarity.rows = {shrunk * clouds::Position{x.x, y.x, z.x}, shrunk * clouds::Position{x.y, y.y, z.y},
                     shrunk * clouds::Position{x.z, y.z, z.z}};
  similarity.offset = {};
  Model const reference = placement_of(state) == PlacedAs::same_coordinates ? Model::a : model;
  clouds::Position const& center = state.clouds[reference].frame.center;
  similarity.offset = center - similarity(to_scene(center));
  return similarity;
}

std::vector<spatial::Vector> corners_in_scene(SpatialState const& state, Model model)
{
  auto const& [low, high] = state.boxes[model];
  Similarity const to_scene = scene_of_file(state, model);
  std::vector<spatial::Vector> corners;
  for (double const x : {low.x, high.x}) {
    for (double const y : {low.y, high.y}) {
      for (double const z : {low.z, high.z}) { corners.push_back(clouds::to_vector(to_scene({x, y, z}))); }
    }
  }
  return corners;
}

std::vector<spatial::Vector> corners_of_models(SpatialState const& state)
{
  std::vector<spatial::Vector> corners;
  for (Model const model : both_models) {
    if (!is_absent(state, model)) { std::ranges::copy(corners_in_scene(state, model), std::back_inserter(corners)); }
  }
  return corners;
}

PerModel<Pose> engine_poses(SpatialState const& state, PerModel<Pose> const& seen)
{
  bool const together = placement_in(state, seen) == PlacedAs::same_coordinates;
  PerModel<Pose> poses;
  for (Model const model : both_models) {
    Similarity const to_scene = scene_as_seen(state, seen, model, together);
    clouds::Frame const& frame = state.frames[model];
    poses[model] = {seen[together ? Model::a : model].rotation, clouds::to_vector(to_scene(frame.center)),
                    static_cast<float>(length(to_scene.rows[0]) / frame.scale)};
  }
  return poses;
}

spatial::Vector engine_point(clouds::PointCloud const& cloud, clouds::Frame const& frame, std::size_t index)
{
  return frame == cloud.frame ? cloud.positions[index] : clouds::to_vector(frame.local(cloud.original(index)));
}

std::optional<double> scene_units_per_unit(SpatialState const& state, Model model)
{
  if (clouds::is_builtin(state.settings.models[model].source)) { return std::nullopt; }
  return length(scene_of_file(state, model).rows[0]);
}

LengthUnit length_unit_between(SpatialState const& state, Model from, Model to)
{
  auto const home = home_of(state, from);
  bool const apart = from != to && placement_of(state) == PlacedAs::each_by_itself;
  if (!home || apart || !state.clouds[*home].system.has_one_unit()) { return {1.0, "scene"}; }
  std::string const& unit = state.clouds[*home].system.unit;
  return {*scene_units_per_unit(state, *home), unit.empty() ? "file" : unit};
}

std::optional<CellsInFile> cells_in_file(SpatialState const& state, Model model)
{
  if (clouds::is_builtin(state.settings.models[model].source)) { return std::nullopt; }
  spatial::VoxelGrid const& grid = state.settings.hashing.grid;
  double const corner = corner_of(grid);
  double const voxel = width_of_voxel(grid);
  Similarity const to_file = file_of_scene(state, model);
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
  clouds::CoordinateSystem const& system = state.clouds[model].system;
  std::string const number = clouds::text_of_length(length);
  bool const named = !system.unit.empty() || !system.unit_of_z.empty();
  return named ? with_units(number, system) : tr("{} of the file's units", number);
}

std::array<std::string, 3> sides_of_grid_in_files(SpatialState const& state)
{
  auto const home = home_of(state, Model::a);
  if (!home || placement_of(state) == PlacedAs::each_by_itself) { return {}; }
  clouds::CoordinateSystem const& system = state.clouds[*home].system;
  double const side = static_cast<double>(state.settings.hashing.grid.extent) / *scene_units_per_unit(state, *home);
  std::array<std::string, 3> sides;
  for (std::size_t axis = 0; axis < sides.size(); ++axis) {
    auto const of_file = axis_of_file(state.poses[*home].rotation.rows[axis]);
    if (!of_file && !system.has_one_unit()) { continue; }  // oblique axes with different units
    std::string const& unit = system.unit_along(of_file.value_or(0));
    sides[axis] = unit.empty() ? tr("{} in the file", clouds::text_of_length(side))
                               : fmt::format("{} {}", clouds::text_of_length(side), unit);
  }
  return sides;
}

AxisScale axis_scale(SpatialState const& state, std::size_t axis)
{
  AxisScale scale{.name = static_cast<char>('x' + static_cast<char>(axis))};
  auto const home = home_of(state, Model::a);
  bool const is_home = home && placement_of(state).value_or(PlacedAs::same_coordinates) == PlacedAs::same_coordinates;
  if (!is_home) { return scale; }
  auto const of_file = axis_of_file(state.poses[*home].rotation.rows[axis]);
  if (!of_file) { return scale; }
  Similarity const to_file = file_of_scene(state, *home);
  return {.name = static_cast<char>('x' + static_cast<char>(*of_file)),
          .factor = along_axes(to_file.rows[*of_file])[axis],
          .offset = along_axes(to_file.offset)[*of_file],
          .is_of_file = true,
          .unit = state.clouds[*home].system.unit_along(*of_file)};
}

void set_voxel_in_file(SpatialState& state, double width, std::optional<Model> model)
{
  auto const home = home_of(state, model.value_or(Model::a));
  if (!home) { throw Error(tr("A voxel has a size in the units of a file, and both models are built-in shapes.")); }
  constexpr double widest = 20.0;  // in grid extents: models have a radius of about 1
  double const usual = static_cast<double>(SpatialSceneSettings{}.hashing.grid.extent);
  double const scale = static_cast<double>(state.settings.models[*home].place.scale) * state.clouds[*home].frame.scale;
  double const voxel = width * scale;
  double const side = std::max(std::ceil(usual / voxel - 1e-6), double{spatial::min_grid_side});
  if (side > spatial::max_grid_side) {
    throw Error(tr("Voxels of {:.4g} would need a grid of {} along a side, but the limit is {}: choose {} or more.{}",
                   width, clouds::text_of_length(side), spatial::max_grid_side,
                   length_in_file(state, *home, usual / spatial::max_grid_side / scale * 1.001),
                   cause_of_width(state, *home)));
  }
  if (side * voxel > widest) {
    throw Error(tr("Voxels of {:.4g} are too large for a grid of {} along a side: choose {} or less.", width,
                   spatial::min_grid_side,
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
    return tr("Voxels are no longer {} wide. {}", length_in_file(state, asked.model, asked.width), error.what());
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
    place = file_of_scene(state, *home)(place);
    step /= *scene_units_per_unit(state, *home);
  }
  return clouds::text_of_position(place, step);
}

}  // namespace slotscape
