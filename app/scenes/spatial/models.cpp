#include "app/scenes/spatial/models.hpp"

#include "app/base/text.hpp"
#include "app/clouds/builtin.hpp"
#include "app/clouds/colors.hpp"
#include "app/scenes/spatial/animation.hpp"
#include "app/scenes/spatial/coloring.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/distances.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace slotscape {
namespace {

using spatial::Model;

/// Whether the model still has its initial place, so that opening turns it upright.
bool is_fresh(ModelSettings const& model)
{
  return !model.turned && model.place.rotation == spatial::Rotation{} && model.place.translation == spatial::Vector{};
}

/// Whether nobody has moved or turned the model.
bool is_unmoved(ModelSettings const& model)
{
  return model.place.translation == spatial::Vector{} &&
         model.place.rotation == upright(model.up.value_or(clouds::UpAxis::z));
}

}  // namespace

SpatialModels::SpatialModels(SpatialState& state, SpatialCanvas& canvas, VoxelUpdates& updates,
                             std::optional<bool> fits)
    : state_(state), canvas_(canvas), updates_(updates), fits_(fits), loader_(state.device.backend)
{
}

void SpatialModels::open_first(Progress const& opening)
{
  for (Model const model : both_models) {
    ModelRequest const request = first_request(model);
    opening.begin(tr("Opening {} as {}", translated(label_of_source(request.settings.source)), letter_of(model)));
    use_model(request, open_model(request, state_.device.backend, opening));
  }
}

void SpatialModels::show_own_colors()
{
  if (!std::exchange(state_.wants_own_colors, false) || !state_.stands_in) { return; }
  clouds::PointCloud const& alone = state_.clouds[spatial::other(*state_.stands_in)];
  state_.settings.view.paint_by = clouds::own_colors_of(alone) ? spatial::PaintBy::attribute : spatial::PaintBy::model;
}

/// At first, the user's own models fill the view; stand-ins are ignored.
void SpatialModels::open_view()
{
  show_own_colors();
  std::vector<spatial::Vector> corners;
  for (Model const model : both_models) {
    bool const is_file = !clouds::is_builtin(state_.settings.models[model].source);
    bool const stands_in = state_.stands_in == model && !is_file;
    if (stands_in || !fits_.value_or(is_file)) { continue; }
    std::ranges::copy(corners_in_scene(state_, model), std::back_inserter(corners));
  }
  canvas_.open_on(std::move(corners));
}

ModelRequest SpatialModels::first_request(Model model) const
{
  return {model, state_.settings.models[model], state_.settings.seed};
}

void SpatialModels::start_first()
{
  lacks_first_ = true;
  for (Model const model : both_models) {
    first_models_[model].reset();
    loader_.start(first_request(model));
  }
}

bool SpatialModels::start_smaller()
{
  bool const can_be_smaller = std::ranges::any_of(state_.settings.models.of, [](ModelSettings const& model) {
    return model.points > default_points;
  });
  if (!can_be_smaller) { return false; }
  for (ModelSettings& model : state_.settings.models.of) { model.points = std::min(model.points, default_points); }
  start_first();
  state_.notice = tr("Could not build the models: they now have up to {} points.", grouped(default_points));
  return true;
}

/// Until the first models are there, user requests wait, except for cancelling.
bool SpatialModels::follow_first(std::optional<double> max_wait)
{
  auto const is_cancel = [](SpatialRequest const& request) { return std::holds_alternative<CancelLoading>(request); };
  if (std::erase_if(state_.requests, is_cancel) != 0) { start_smaller(); }
  do {
    loader_.wait(max_wait);
    while (auto outcome = loader_.take()) { keep_first(*std::move(outcome)); }
  } while (!max_wait && loader_.busy());
  state_.progress = loader_.progress();
  if (!first_models_[Model::a] || !first_models_[Model::b]) { return false; }
  lacks_first_ = false;
  for (Model const model : both_models) {
    auto first = *std::exchange(first_models_[model], std::nullopt);
    use_model(first.query, *std::move(first.result));
  }
  open_view();
  return true;
}

void SpatialModels::keep_first(ModelLoader::Opening::Outcome outcome)
{
  if (!outcome.error) {
    Model const model = outcome.query.model;
    first_models_[model] = std::move(outcome);
  } else if (!start_smaller()) {
    loader_.cancel();
    std::rethrow_exception(outcome.error);
  }
}

void SpatialModels::load(UseModel const& wanted)
{
  loader_.start({wanted.model, wanted.settings, state_.settings.seed, wanted.goes_back});
  if (!wanted.goes_back) { going_back_[wanted.model].reset(); }
}

void SpatialModels::show_alone(Model model)
{
  if (is_one_alone(state_)) { return; }
  SpatialSceneSettings& settings = state_.settings;
  if (are_placed_by_coordinates(state_)) { place_each_by_itself(state_); }
  state_.chosen = model;
  state_.stands_in = spatial::other(model);
  show_boolean(settings, spatial::Boolean::both);
  show_distances(settings, false);
  settings.hidden = 0;
  state_.wants_own_colors = settings.view.paint_by == spatial::PaintBy::status;
  show_own_colors();
  load({spatial::other(model), stand_in(), true});
}

void SpatialModels::cancel()
{
  loader_.cancel();
  going_back_ = {};
}

/// Whether a second model replaces the stand-in, which has no place of its own.
bool SpatialModels::was_absent(Model model) const
{
  return updates_.version() >= both_models.size() && is_absent(state_, model);
}

/// A model keeps its place, rotation, scale and up axis when it moves between A and B; the next model does not inherit
/// them. An undo brings its own settings.
ModelSettings SpatialModels::settings_for(ModelRequest const& request) const
{
  if (request.goes_back) { return request.settings; }
  std::string const& source = request.settings.source;
  for (Model const shown : {request.model, spatial::other(request.model)}) {
    ModelSettings const& settings = state_.settings.models[shown];
    if (settings.source == source && !was_absent(shown)) { return settings; }
  }
  auto const left = models_left_.find(source);
  return left != models_left_.end() ? left->second : fresh_model(source);
}

/// Whether the program has placed both models, given these settings of the opened one: by their files' coordinates
/// (`were_common`), or as opened. At the first opening, a saved place counts as the user's.
bool SpatialModels::are_placed_by_program(ModelRequest const& request, ModelSettings const& settings,
                                          bool were_common) const
{
  if (request.goes_back) { return false; }
  ModelSettings const& other = state_.settings.models[spatial::other(request.model)];
  bool const are_first = updates_.version() < both_models.size();
  if (is_fresh(settings)) { return were_common || (are_first ? is_unmoved(other) : stands_as_opened(other)); }
  auto const is_in_place = [&](ModelSettings const& model) { return were_common || stands_as_opened(model); };
  bool const is_shown = std::ranges::any_of(state_.settings.models.of,
                                            [&](ModelSettings const& shown) { return shown.place == settings.place; });
  return !are_first && is_in_place(other) && (is_shown ? is_in_place(settings) : stands_as_opened(settings));
}

void SpatialModels::use_model(ModelRequest const& request, OpenedModel opened)
{
  spatial::SpatialEngine& engine = updates_.begin_change();  // stops work on the old points
  clouds::PointCloud& cloud = opened.cloud;
  engine.set_model(request.model, std::move(opened.points));
  ModelSettings settings = settings_for(request);
  bool const were_common = updates_.version() >= both_models.size() && are_placed_by_coordinates(state_);
  bool const places = are_placed_by_program(request, settings, were_common);
  settings.points = request.settings.points;
  settings.ignore_outliers = request.settings.ignore_outliers;
  settings.crop = request.settings.crop;
  settings.unit = request.settings.unit;
  if (!settings.up) { settings.up = cloud.up; }
  bool const as_opened = !settings.turned && settings.place.rotation == spatial::Rotation{};
  if (as_opened) { settings.place.rotation = upright(*settings.up); }
  settings.turned = true;
  ModelSettings& shown = state_.settings.models[request.model];
  double to_new_unit = 1.0;
  if (shown.source != settings.source) {
    if (were_common) { reset_place(shown); }  // the other model of that placement is gone
    if (!was_absent(request.model)) { models_left_[shown.source] = shown; }
  } else if (shown.unit != settings.unit) {
    to_new_unit = clouds::in_metres(settings.unit, 1.0) / clouds::in_metres(shown.unit, 1.0);
    bool const has_voxel = state_.asked_voxel && state_.asked_voxel->model == request.model;
    if (has_voxel && !request.goes_back) { state_.asked_voxel.reset(); }
  }
  shown = std::move(settings);
  state_.boxes[request.model] = box_of(cloud);
  state_.frames[request.model] = cloud.frame;
  state_.clouds[request.model] = std::move(cloud);
  state_.attributes = clouds::names_to_color_by(both_clouds(state_));
  updates_.end_change();
  if (places && choose_coordinates(state_).together) {
    place_by_coordinates(state_, spatial::other(request.model));
  } else if (places && were_common) {
    place_each_by_itself(state_);
  }
  state_.poses = poses_of(state_.settings);
  Model const other = spatial::other(request.model);
  bool const are_apart = updates_.version() >= both_models.size() && !are_placed_by_coordinates(state_);
  if (are_apart && state_.frames[other] != state_.clouds[other].frame) {
    give_points(other, state_.clouds[other].frame);
  }
  share_frame();
  if (to_new_unit != 1.0) { convert_ruler(state_, request.model, to_new_unit); }
}

void SpatialModels::give_points(Model model, clouds::Frame const& frame)
{
  spatial::SpatialEngine& engine = updates_.begin_change();
  clouds::PointCloud const& cloud = state_.clouds[model];
  std::vector<spatial::Vector> points(cloud.positions.size());
  for (std::size_t i = 0; i < points.size(); ++i) { points[i] = engine_point(cloud, frame, i); }
  engine.set_model(model, {points, cloud.normals, cloud.open});
  state_.frames[model] = frame;  // after the engine has accepted the points
  updates_.end_change();
}

void SpatialModels::share_frame()
{
  if (updates_.version() < both_models.size() || !are_placed_by_coordinates(state_)) { return; }
  clouds::Frame const common = common_frame(state_);
  for (Model const model : both_models) {
    if (state_.frames[model] != common) { give_points(model, common); }
  }
}

/// The initial animation is a demonstration; the user's own models stand still where they were placed. If the animation
/// was paused, the user may have arranged the other model by what was visible, so it stays where it is seen.
void SpatialModels::stop_first_motion(Model opened)
{
  AnimationSettings& animation = state_.settings.animation;
  if (animation.motion != AnimationSettings{}.motion) { return; }
  Model const other = spatial::other(opened);
  if (!animation.running && state_.stands_in != other) { state_.settings.models[other].place = state_.poses[other]; }
  animation.motion = Motion::still;
  animation.running = false;
}

/// A built-in shape of the first start would enclose the user's model, so it is moved aside and all voxels are shown.
/// Whatever the user has chosen or moved stays.
void SpatialModels::put_shape_aside(Model opened)
{
  SpatialSceneSettings& settings = state_.settings;
  SpatialSceneSettings const first;
  Model const other = spatial::other(opened);
  ModelSettings const& shape = first.models[other];
  ModelSettings& shown = settings.models[other];
  if (shown.source != shape.source || shown.place != shape.place) { return; }
  shown.place = place_of_stand_in();
  state_.stands_in = other;
  state_.wants_own_colors = settings.view.paint_by == first.view.paint_by;
  if (settings.boolean == first.boolean) { settings.boolean = spatial::Boolean::both; }
}

void SpatialModels::take_loaded()
{
  state_.progress = loader_.progress();
  auto outcome = loader_.take();
  if (!outcome) { return; }
  ModelRequest const& request = outcome->query;
  if (request.goes_back) { going_back_[request.model].reset(); }
  std::string const label = label_of_source(request.settings.source);
  try {
    if (outcome->error) { std::rethrow_exception(outcome->error); }
    bool const showed_files = state_.settings.shows_files();
    use_model(request, *std::move(outcome->result));
    if (state_.settings.shows_files() && !showed_files) {
      if (!request.goes_back) {
        put_shape_aside(request.model);
        stop_first_motion(request.model);
      }
      state_.poses = poses_of(state_.settings);
      open_view();
    }
  } catch (Error const& error) {
    throw Error(tr("Could not open {}; nothing changed.\n{}", label, error.what()));
  }
  state_.notice = is_absent(state_, request.model) ? tr("{} is shown alone.", letter_of(spatial::other(request.model)))
                                                   : tr("{} is now {}: {} points.", letter_of(request.model), label,
                                                        grouped(state_.clouds[request.model].positions.size()));
}

bool SpatialModels::is_going_back() const
{
  return std::ranges::any_of(going_back_.of, [](auto const& model) { return model.has_value(); });
}

SpatialSceneSettings SpatialModels::settings_led_to() const
{
  SpatialSceneSettings settings = state_.settings;
  for (spatial::Model const model : both_models) {
    if (going_back_[model]) { settings.models[model] = *going_back_[model]; }
  }
  return settings;
}

void SpatialModels::stop_going_back()
{
  std::erase_if(state_.requests, [](SpatialRequest const& request) {
    auto const* const use = std::get_if<UseModel>(&request);
    return use != nullptr && use->goes_back;
  });
  for (spatial::Model const model : both_models) {
    if (std::exchange(going_back_[model], std::nullopt)) { loader_.cancel(model); }
  }
}

}  // namespace slotscape
