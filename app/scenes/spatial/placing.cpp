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

/// Whether they are as far from the origin as surveys are, and close to each other.
bool are_tiles(std::array<clouds::Frame, 2> const& frames, std::array<clouds::Box, 2> const& boxes)
{
  constexpr double farthest_tile = 2.0;  // of the larger diagonal
  double const larger = std::max(clouds::diagonal_of(boxes[0]), clouds::diagonal_of(boxes[1]));
  return std::ranges::all_of(frames, clouds::has_survey_coordinates) &&
         clouds::distance_between(boxes[0], boxes[1]) <= farthest_tile * larger;
}

clouds::Position with_x_and_y_exchanged(clouds::Position const& p)
{
  return {p.y, p.x, p.z};
}

/// Whether they would be tiles of one survey if x and y of one of them changed places: surveyors write either first.
bool is_one_exchanged(SpatialState const& state)
{
  clouds::Frame b = state.clouds[Model::b].frame;
  clouds::Box const& box = state.boxes[Model::b];
  b.center = with_x_and_y_exchanged(b.center);
  std::array const boxes{state.boxes[Model::a],
                         clouds::Box{with_x_and_y_exchanged(box.low), with_x_and_y_exchanged(box.high)}};
  return are_tiles({state.clouds[Model::a].frame, b}, boxes);
}

/// What makes models wide, or puts them elsewhere, if anything is known of it.
std::string likely_cause(SpatialState const& state)
{
  std::string strays;
  for (Model const model : both_models) {
    clouds::PointCloud const& cloud = state.clouds[model];
    if (cloud.outliers == 0 || cloud.without_outliers) { continue; }
    strays += fmt::format("{}{} has {} far outside", strays.empty() ? "" : ", ", letter_of(model),
                          cloud.outliers == 1 ? "a point" : fmt::format("{} points", cloud.outliers));
  }
  if (!strays.empty()) {
    return " " + strays + ": --ignore-outliers, or 'Leave out' at Models, leaves them out, and decides again.";
  }
  if (!is_one_exchanged(state)) { return {}; }
  return " If x and y of one of them changed places, both would be in one place: one file seems to have the northing "
         "first. Name its columns in its first line, as in 'northing easting height'.";
}

std::string why_not_in_one_scale(SpatialState const& state)
{
  return fmt::format(
      "In one scale, one of them would be too small or too far away to be seen: A is {:.4g} wide, B {:.4g}, {:.4g} "
      "apart, in the units of their files.{}",
      clouds::width_of(state.boxes[Model::a]), clouds::width_of(state.boxes[Model::b]),
      clouds::distance_between(state.boxes[Model::a], state.boxes[Model::b]), likely_cause(state));
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
  clouds::PointCloud const& a = state.clouds[Model::a];
  clouds::PointCloud const& b = state.clouds[Model::b];
  if (auto const warning = warning_of_systems(state)) { return {false, *warning}; }
  if (have_same_system(a, b) == true) {
    return {true, fmt::format("Both files name the coordinate system {}.", a.coordinate_system)};
  }
  if (!is_part_of_a_site(a.frame) || !is_part_of_a_site(b.frame)) {
    return {false,
            "Not both lie far from the origin of their coordinates, as the parts of a site do." + likely_cause(state)};
  }
  double const apart = clouds::distance_between(state.boxes[Model::a], state.boxes[Model::b]);
  bool const tiles = are_tiles({a.frame, b.frame}, {state.boxes[Model::a], state.boxes[Model::b]});
  if (tiles || clouds::adjoin(state.boxes[Model::a], state.boxes[Model::b])) {
    return {true, apart == 0.0 ? "Both lie far from the origin, and overlap."
                               : fmt::format("Both lie far from the origin, and only {:.4g} apart in the units of "
                                             "their files, as tiles of one survey.",
                                             apart)};
  }
  double const larger =
      std::max(clouds::diagonal_of(state.boxes[Model::a]), clouds::diagonal_of(state.boxes[Model::b]));
  return {false, fmt::format("They are {:.4g} apart in the units of their files, and {:.4g} across.{}", apart, larger,
                             likely_cause(state))};
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

std::optional<PlacedAs> placement_of(SpatialState const& state)
{
  auto const common = common_coordinates(state);
  if (!common) { return std::nullopt; }
  if (*common) { return PlacedAs::same_coordinates; }
  return have_common_scale(state) ? PlacedAs::one_scale : PlacedAs::each_by_itself;
}

template <>
std::span<EnumName<PlacedAs> const> enum_names()
{
  static constexpr std::array<EnumName<PlacedAs>, 3> names{
      {{PlacedAs::same_coordinates, "same_coordinates", "In the coordinates of their files, in one scale"},
       {PlacedAs::one_scale, "one_scale", "In one scale, but moved: sizes compare, places do not"},
       {PlacedAs::each_by_itself, "each_by_itself", "Each by itself: neither sizes nor distances compare"}}};
  return names;
}

std::string text_of_placement(SpatialState const& state)
{
  auto const placement = placement_of(state);
  if (!placement) { return {}; }
  CoordinatesChoice const choice = choose_coordinates(state);
  bool const as_chosen = choice.together == (*placement == PlacedAs::same_coordinates);
  return fmt::format("{}. {}", to_label(*placement), as_chosen ? choice.why : "They were placed by hand.");
}

bool stands_as_opened(ModelSettings const& model)
{
  constexpr float max_difference = 1e-5f;  // rotations are saved in degrees
  ModelSettings opened = model;
  reset_place(opened);
  auto const are_close = [&](spatial::Vector const& a, spatial::Vector const& b) {
    return length(a - b) < max_difference;
  };
  return are_close(model.place.translation, opened.place.translation) &&
         std::abs(model.place.scale - opened.place.scale) < max_difference &&
         std::ranges::equal(model.place.rotation.rows, opened.place.rotation.rows, are_close);
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
