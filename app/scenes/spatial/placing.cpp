#include "app/scenes/spatial/placing.hpp"

#include "app/clouds/builtin.hpp"
#include "app/scenes/spatial/animation.hpp"
#include "app/view3d/pose_drag.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace slotscape {
namespace {

using spatial::Model;
using spatial::Rotation;

/// Applies `second`, then `first`.
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

/// The model's place by its file's coordinates, within the common frame.
spatial::Pose place_in(SpatialState const& state, clouds::Frame const& common, Model model, Rotation const& rotation)
{
  spatial::Vector const from_middle = clouds::to_vector(common.local(state.clouds[model].frame.center));
  return {rotation, rotation(first_model_scale * from_middle), common_scale(state, common, model)};
}

void stand_by_coordinates(SpatialState& state, clouds::Frame const& common, Model model, Rotation const& rotation)
{
  state.settings.models[model].place = place_in(state, common, model, rotation);
}

/// Equal up to rounding: rotations are saved in degrees.
bool are_the_same(spatial::Pose const& a, spatial::Pose const& b)
{
  constexpr float max_difference = 1e-5f;
  auto const are_close = [&](spatial::Vector const& x, spatial::Vector const& y) {
    return length(x - y) < max_difference;
  };
  return are_close(a.translation, b.translation) && std::abs(a.scale - b.scale) < max_difference &&
         std::ranges::equal(a.rotation.rows, b.rotation.rows, are_close);
}

/// Ends the animation and leaves both models where it has moved them.
void stop_where_seen(SpatialSceneSettings& settings)
{
  if (settings.animation.motion == Motion::still) { return; }
  spatial::PerModel<spatial::Pose> const seen = poses_of(settings);
  for (Model const model : both_models) { settings.models[model].place = seen[model]; }
  end_animation(settings);
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
  return {.source = source, .place = {{}, {}, first_model_scale}};
}

spatial::Pose place_of_stand_in()
{
  return {{}, {0.85f, 0.85f, 0.85f}, 0.2f};
}

ModelSettings stand_in()
{
  return {.source = "sphere", .place = place_of_stand_in()};
}

std::optional<Model> stand_in_of(SpatialSceneSettings const& settings)
{
  for (Model const model : both_models) {
    ModelSettings const& shape = settings.models[model];
    if (clouds::is_builtin(shape.source) && shape.place == place_of_stand_in()) { return model; }
  }
  return std::nullopt;
}

bool is_absent(SpatialState const& state, Model model)
{
  return state.stands_in == model && stand_in_of(state.settings) == model;
}

std::span<Model const> shown_models(SpatialState const& state)
{
  std::span<Model const> const all(both_models);
  for (Model const model : both_models) {
    if (is_absent(state, model)) { return all.subspan(static_cast<std::size_t>(spatial::other(model)), 1); }
  }
  return all;
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

bool stands_as_opened(ModelSettings const& model)
{
  ModelSettings opened = model;
  reset_place(opened);
  return are_the_same(model.place, opened.place);
}

spatial::Pose place_by_coordinates_of(SpatialState const& state, Model model, Rotation const& rotation)
{
  return place_in(state, common_frame(state), model, rotation);
}

bool is_placed_by_coordinates(SpatialState const& state, Model model)
{
  if (!may_share_coordinates(state)) { return false; }
  spatial::Pose const& place = state.settings.models[model].place;
  return are_the_same(place, place_by_coordinates_of(state, model, place.rotation)) &&
         choose_coordinates(state).together;
}

void place_by_coordinates(SpatialState& state, Model reference)
{
  clouds::Frame const common = common_frame(state);
  ModelSettings const like = state.settings.models[reference];
  for (Model const model : both_models) {
    stand_by_coordinates(state, common, model, like.place.rotation);
    state.settings.models[model].up = like.up;
  }
}

void place_each_by_itself(SpatialState& state)
{
  for (Model const model : both_models) { reset_place(state.settings.models[model]); }
}

void end_animation(SpatialSceneSettings& settings)
{
  settings.animation.motion = Motion::still;
  settings.animation.running = false;
  settings.animation.time = 0.0;
}

void reset_model(SpatialState& state, Model model)
{
  SpatialSceneSettings& settings = state.settings;
  bool const both = are_placed_by_coordinates(state);
  if (!settings.animation.moves()) { stop_where_seen(settings); }
  if (!choose_coordinates(state).together) { return reset_place(settings.models[model]); }
  clouds::Frame const common = common_frame(state);
  for (Model const each : both_models) {
    if (each != model && !both) { continue; }
    stand_by_coordinates(state, common, each, upright(settings.models[each].up.value_or(clouds::UpAxis::z)));
  }
}

void choose_up_axis(SpatialState& state, Model model, clouds::UpAxis up)
{
  bool const both = are_placed_by_coordinates(state);
  set_up_axis(state.settings.models[model], up);
  if (both) { place_by_coordinates(state, model); }
}

void place_as_seen(SpatialSceneSettings& settings, Model model, spatial::Pose const& seen)
{
  AnimationSettings const& animation = settings.animation;
  settings.models[model].place = place_of(seen, displacement(animation.motion, model, animation.time));
}

}  // namespace slotscape
