#include "app/scenes/spatial/placing.hpp"

#include "app/clouds/builtin.hpp"
#include "app/scenes/spatial/animation.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/view3d/pose_drag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace slotscape {
namespace {

using spatial::Model;
using spatial::Rotation;

constexpr float first_scale = 0.8f;

/// First `second`, then `first`.
Rotation product(Rotation const& first, Rotation const& second)
{
  Rotation both;
  for (std::size_t row = 0; row < both.rows.size(); ++row) {
    spatial::Vector const& of = first.rows[row];
    both.rows[row] = of.x * second.rows[0] + of.y * second.rows[1] + of.z * second.rows[2];
  }
  return both;
}

/// The inverse of `upright`.
Rotation lying(clouds::UpAxis up)
{
  if (up == clouds::UpAxis::z) { return {}; }
  return {{spatial::Vector{1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, {0.0f, -1.0f, 0.0f}}};
}

/// Around both models.
clouds::Frame common_frame(SpatialState const& state)
{
  std::array<clouds::Position, 2 * std::size_t{spatial::model_count}> corners{};
  std::size_t next = 0;
  for (clouds::Box const& box : state.boxes.of) {
    corners[next++] = box.low;
    corners[next++] = box.high;
  }
  return clouds::frame_of(corners);
}

bool both_are_files(SpatialState const& state)
{
  return std::ranges::none_of(state.settings.models.of,
                              [](ModelSettings const& model) { return clouds::is_builtin(model.source); });
}

/// The scale of a model that has the common scale of both.
float common_scale(SpatialState const& state, clouds::Frame const& common, Model model)
{
  return static_cast<float>(first_scale * common.scale / state.clouds[model].frame.scale);
}

}  // namespace

spatial::Rotation upright(clouds::UpAxis up)
{
  if (up == clouds::UpAxis::z) { return {}; }
  return {{spatial::Vector{1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, -1.0f}, {0.0f, 1.0f, 0.0f}}};
}

ModelSettings fresh_model(std::string const& source)
{
  for (ModelSettings const& first : SpatialSceneSettings{}.models.of) {
    if (first.source == source) { return first; }
  }
  return {.source = source, .place = {{}, {}, first_scale}};
}

void reset_place(ModelSettings& model)
{
  model.place = fresh_model(model.source).place;
  model.place.rotation = upright(model.up.value_or(clouds::UpAxis::z));
}

void set_up_axis(ModelSettings& model, clouds::UpAxis up)
{
  Rotation const turn = product(model.place.rotation, lying(model.up.value_or(clouds::UpAxis::z)));
  model.place.rotation = product(turn, upright(up));
  model.up = up;
}

bool may_share_coordinates(SpatialState const& state)
{
  if (!both_are_files(state)) { return false; }
  clouds::Frame const common = common_frame(state);
  return std::ranges::all_of(both_models, [&](Model model) {
    return !state.clouds[model].positions.empty() && common_scale(state, common, model) >= smallest_model_scale;
  });
}

std::optional<bool> have_same_system(clouds::PointCloud const& a, clouds::PointCloud const& b)
{
  std::string const& of_a = a.coordinate_system;
  std::string const& of_b = b.coordinate_system;
  bool const comparable = of_a.starts_with("EPSG:") == of_b.starts_with("EPSG:");
  return of_a.empty() || of_b.empty() || !comparable ? std::nullopt : std::optional(of_a == of_b);
}

namespace {

double width_of(clouds::Box const& box)
{
  auto const size = box.high - box.low;
  return std::max({size.x, size.y, size.z});
}

std::string why_not_in_one_scale(SpatialState const& state)
{
  return fmt::format(
      "In one scale, one of them would be too small or too far away to be seen: A is {:.4g} wide, B {:.4g}, {:.4g} "
      "apart, in the units of their files. A single stray point can make a model that wide: --ignore-outliers, or "
      "'Leave out' at Models, leaves it out.",
      width_of(state.boxes[Model::a]), width_of(state.boxes[Model::b]),
      clouds::distance_between(state.boxes[Model::a], state.boxes[Model::b]));
}

std::optional<std::string> warning_of_systems(SpatialState const& state)
{
  clouds::PointCloud const& a = state.clouds[Model::a];
  clouds::PointCloud const& b = state.clouds[Model::b];
  if (have_same_system(a, b) != false) { return std::nullopt; }
  return fmt::format("Their files have different coordinate systems, {} and {}: convert one of them.",
                     a.coordinate_system, b.coordinate_system);
}

/// Numbers of different systems do not compare, unless somebody who knows better says so.
bool are_in_different_systems(SpatialState const& state)
{
  return state.settings.same_coordinates != true && warning_of_systems(state).has_value();
}

/// What the coordinates themselves say.
CoordinatesChoice by_coordinates(SpatialState const& state)
{
  constexpr double farthest_tile = 2.0;  // of the larger diagonal
  clouds::PointCloud const& a = state.clouds[Model::a];
  clouds::PointCloud const& b = state.clouds[Model::b];
  if (auto const warning = warning_of_systems(state)) { return {false, *warning}; }
  if (have_same_system(a, b) == true) {
    return {true, fmt::format("Both files name the coordinate system {}.", a.coordinate_system)};
  }
  if (!is_part_of_a_site(a.frame) || !is_part_of_a_site(b.frame)) {
    return {false, "Not both lie far from the origin of their coordinates, as the parts of a site do."};
  }
  double const apart = clouds::distance_between(state.boxes[Model::a], state.boxes[Model::b]);
  double const larger =
      std::max(clouds::diagonal_of(state.boxes[Model::a]), clouds::diagonal_of(state.boxes[Model::b]));
  bool const tiles =
      has_survey_coordinates(a.frame) && has_survey_coordinates(b.frame) && apart <= farthest_tile * larger;
  if (tiles || clouds::adjoin(state.boxes[Model::a], state.boxes[Model::b])) {
    return {true, apart == 0.0 ? "Both lie far from the origin, and overlap."
                               : fmt::format("Both lie far from the origin, and only {:.4g} apart in the units of "
                                             "their files, as tiles of one survey.",
                                             apart)};
  }
  return {false, fmt::format("They are {:.4g} apart in the units of their files, and {:.4g} across.", apart, larger)};
}

}  // namespace

CoordinatesChoice choose_coordinates(SpatialState const& state)
{
  if (!both_are_files(state)) { return {}; }
  std::optional<bool> const& asked = state.settings.same_coordinates;
  if (asked == false) { return {false, "That is what was asked for."}; }
  if (!may_share_coordinates(state)) { return {false, why_not_in_one_scale(state)}; }
  if (!asked) { return by_coordinates(state); }
  if (auto const warning = warning_of_systems(state)) { return {true, *warning}; }
  return {true, "That is what was asked for."};
}

std::optional<bool> common_coordinates(SpatialState const& state)
{
  constexpr double farthest = 1e-3;
  if (!both_are_files(state)) { return std::nullopt; }
  if (are_in_different_systems(state)) { return false; }
  auto const seen = [&](Model model, clouds::Position const& place) {
    return scene_of_file(state.clouds[model].frame, state.settings.models[model].place)(place);
  };
  return std::ranges::all_of(state.boxes.of, [&](clouds::Box const& box) {
    return std::ranges::all_of(std::array{box.low, box.high}, [&](clouds::Position const& corner) {
      return length(seen(Model::a, corner) - seen(Model::b, corner)) < farthest;
    });
  });
}

bool have_common_scale(SpatialState const& state)
{
  constexpr double max_difference = 1e-5;
  if (!both_are_files(state) || are_in_different_systems(state)) { return false; }
  auto const scale = [&](Model model) {
    return static_cast<double>(state.settings.models[model].place.scale) * state.clouds[model].frame.scale;
  };
  return std::abs(scale(Model::a) / scale(Model::b) - 1.0) < max_difference;
}

void place_by_coordinates(SpatialState& state, Model reference)
{
  clouds::Frame const common = common_frame(state);
  spatial::PerModel<ModelSettings>& models = state.settings.models;
  ModelSettings const like = models[reference];
  state.settings.animation.motion = Motion::still;
  state.settings.animation.running = false;
  for (Model const model : both_models) {
    spatial::Vector const from_middle = clouds::to_vector(common.local(state.clouds[model].frame.center));
    spatial::Pose& place = models[model].place;
    place.rotation = like.place.rotation;
    place.scale = common_scale(state, common, model);
    place.translation = place.rotation(first_scale * from_middle);
    models[model].up = like.up;
    state.placed_together[model] = place;
  }
}

void place_each_by_itself(SpatialState& state)
{
  for (Model const model : both_models) { reset_place(state.settings.models[model]); }
}

void place_as_seen(SpatialSceneSettings& settings, Model model, spatial::Pose const& seen)
{
  AnimationSettings const& animation = settings.animation;
  settings.models[model].place = place_of(seen, displacement(animation.motion, model, animation.time));
}

}  // namespace slotscape
