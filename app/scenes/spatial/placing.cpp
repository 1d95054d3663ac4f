#include "app/scenes/spatial/placing.hpp"

#include "app/clouds/builtin.hpp"
#include "app/scenes/spatial/animation.hpp"
#include "app/view3d/pose_drag.hpp"

#include <algorithm>
#include <array>
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
  clouds::Frame const common = common_frame(state);
  return clouds::adjoin(state.boxes[Model::a], state.boxes[Model::b]) &&
         std::ranges::all_of(both_models, [&](Model model) {
           return !clouds::is_builtin(state.settings.models[model].source) && !state.clouds[model].positions.empty() &&
                  common_scale(state, common, model) >= smallest_model_scale;
         });
}

bool share_coordinates(SpatialState const& state)
{
  constexpr double least_shared = 0.1;
  return may_share_coordinates(state) &&
         clouds::shared_part(state.boxes[Model::a], state.boxes[Model::b]) >= least_shared &&
         std::ranges::all_of(both_models,
                             [&](Model model) { return has_survey_coordinates(state.clouds[model].frame); });
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

void place_as_seen(SpatialSceneSettings& settings, Model model, spatial::Pose const& seen)
{
  AnimationSettings const& animation = settings.animation;
  settings.models[model].place = place_of(seen, displacement(animation.motion, model, animation.time));
}

}  // namespace slotscape
