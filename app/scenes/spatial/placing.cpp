#include "app/scenes/spatial/placing.hpp"

#include "app/scenes/spatial/animation.hpp"
#include "app/view3d/pose_drag.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace slotscape {
namespace {

using spatial::Model;
using spatial::Rotation;

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

/// Where the coordinates of its file have it, in the frame of both.
void stand_by_coordinates(SpatialState& state, clouds::Frame const& common, Model model, Rotation const& rotation)
{
  spatial::Vector const from_middle = clouds::to_vector(common.local(state.clouds[model].frame.center));
  state.settings.models[model].place = {rotation, rotation(first_model_scale * from_middle),
                                        common_scale(state, common, model)};
}

/// Ends the animation: both models stand where it has moved them.
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
