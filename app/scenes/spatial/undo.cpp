#include "app/scenes/spatial/undo.hpp"

#include "app/scenes/spatial/placing.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace slotscape {
namespace {

/// The settings as the user made them, without the running animation, which is not a change to undo.
SpatialSceneSettings at_rest(SpatialSceneSettings settings)
{
  settings.animation.running = false;
  settings.animation.time = 0.0;
  return settings;
}

bool have_same_cloud(ModelSettings const& a, ModelSettings const& b)
{
  return a.source == b.source && a.points == b.points && a.ignore_outliers == b.ignore_outliers && a.crop == b.crop &&
         a.unit == b.unit;
}

std::string what_differs(SpatialSceneSettings const& from, SpatialSceneSettings const& to)
{
  for (spatial::Model const model : both_models) {
    bool const is_removed = stand_in_of(to) == model && stand_in_of(from) != model;
    if (is_removed) { return translatable("removing a model"); }
    if (from.models[model].source != to.models[model].source) { return translatable("opening a model"); }
    if (!have_same_cloud(from.models[model], to.models[model])) { return translatable("changing a setting"); }
  }
  return from.models == to.models ? translatable("changing a setting") : translatable("moving a model");
}

}  // namespace

void SpatialUndo::settle()
{
  settled_ = state_.settings;
  settled_voxel_ = state_.asked_voxel;
  resting_camera_.settle(canvas_.camera().place());
}

void SpatialUndo::note_changes(double elapsed_seconds)
{
  bool const in_hand = ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown() || models_.is_busy();
  SpatialSceneSettings const& now = state_.settings;
  OrbitPlace const camera = canvas_.camera().place();
  bool const opens = camera == canvas_.opening_place();  // depends on the canvas
  bool const moved = resting_camera_.has_moved_to(camera, elapsed_seconds) && !opens;
  bool const loads = models_.is_busy() || !state_.requests.empty();
  if (std::exchange(follows_undo_, follows_undo_ && loads)) {
    settled_ = now;
    settled_voxel_ = state_.asked_voxel;
  }
  if (now.turntable) { resting_camera_.settle(camera); }
  if (in_hand) { return; }
  if (at_rest(now) != at_rest(settled_)) {
    undo_.record({settled_, resting_camera_.settled(), settled_voxel_}, what_differs(settled_, now));
    settled_ = now;
    settled_voxel_ = state_.asked_voxel;
  } else if (moved && !now.turntable) {
    undo_.record({settled_, resting_camera_.settled(), settled_voxel_}, translatable("moving the camera"));
    resting_camera_.settle(camera);
  }
  if (opens) { resting_camera_.settle(camera); }
  settled_.animation.time = now.animation.time;
}

SpatialUndo::Moment SpatialUndo::exchange(Moment const& moment)
{
  Moment present{models_.settings_led_to(), canvas_.camera().place(), state_.asked_voxel};
  models_.stop_going_back();
  SpatialSceneSettings settings = moment.settings;
  settings.animation.running = false;
  // The same motion continues from its current time; another motion resumes from its recorded time.
  AnimationSettings const& animation = state_.settings.animation;
  if (settings.animation.motion == animation.motion) { settings.animation.time = animation.time; }
  for (spatial::Model const model : both_models) {
    ModelSettings& shown = settings.models[model];
    ModelSettings const& now = state_.settings.models[model];
    if (have_same_cloud(shown, now)) { continue; }
    state_.requests.emplace_back(UseModel{model, shown, true});
    models_.go_back_to(model, shown);
    spatial::Pose const place = shown.source == now.source ? shown.place : now.place;
    shown = now;  // shows the present model until the other one is loaded
    shown.place = place;
  }
  state_.settings = std::move(settings);
  state_.asked_voxel = moment.voxel;
  canvas_.camera().look(moment.camera);
  settled_ = state_.settings;
  settled_voxel_ = state_.asked_voxel;
  resting_camera_.settle(moment.camera);
  follows_undo_ = true;
  return present;
}

void SpatialUndo::undo()
{
  undo_.undo([this](Moment const& moment) { return exchange(moment); });
}

void SpatialUndo::redo()
{
  undo_.redo([this](Moment const& moment) { return exchange(moment); });
}

}  // namespace slotscape
