#include "app/scenes/spatial/scene.hpp"

#include <utility>

namespace slotscape {
namespace {

constexpr double camera_rests_seconds = 0.5;  ///< moves of the camera without a rest between them are one

/// The settings as the user made them: an animation that runs on is nothing to undo.
SpatialSceneSettings at_rest(SpatialSceneSettings settings)
{
  settings.animation.running = false;
  settings.animation.time = 0.0;
  return settings;
}

std::string what_differs(SpatialSceneSettings const& from, SpatialSceneSettings const& to)
{
  for (spatial::Model const model : both_models) {
    if (from.models[model].source != to.models[model].source) { return "the opening of a model"; }
  }
  return from.models == to.models ? "the setting" : "the move of a model";
}

}  // namespace

void SpatialScene::settle()
{
  settled_ = {state_.settings, canvas_.camera().place()};
  latest_camera_ = settled_.camera;
}

void SpatialScene::note_changes(double elapsed_seconds)
{
  bool const in_hand = ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown() || loader_.busy();
  SpatialSceneSettings const& now = state_.settings;
  OrbitPlace const camera = canvas_.camera().place();
  camera_rests_ = camera == latest_camera_ ? camera_rests_ + elapsed_seconds : 0.0;
  latest_camera_ = camera;
  bool const loads = loader_.busy() || !state_.requests.empty();
  if (std::exchange(follows_undo_, follows_undo_ && loads)) { settled_.settings = now; }
  if (now.turntable) { settled_.camera = camera; }
  if (in_hand) { return; }
  bool const set = at_rest(now) != at_rest(settled_.settings);
  bool const moved = camera != settled_.camera && camera_rests_ >= camera_rests_seconds;
  if (set) {
    undo_.record(settled_, what_differs(settled_.settings, now));
    settled_.settings = now;
  } else if (moved) {
    undo_.record(settled_, "the move of the camera");
    settled_.camera = camera;
  }
}

SpatialScene::Moment SpatialScene::exchange(Moment const& moment)
{
  Moment present{state_.settings, canvas_.camera().place()};
  SpatialSceneSettings settings = moment.settings;
  settings.animation.running = false;
  settings.animation.time = state_.settings.animation.time;
  for (spatial::Model const model : both_models) {
    ModelSettings& shown = settings.models[model];
    if (shown.source == state_.settings.models[model].source) { continue; }
    state_.requests.emplace_back(UseModel{model, shown});
    shown = state_.settings.models[model];  // until it is loaded
  }
  state_.settings = std::move(settings);
  canvas_.camera().look(moment.camera);
  settled_ = {state_.settings, moment.camera};
  follows_undo_ = true;
  return present;
}

void SpatialScene::undo()
{
  undo_.undo([this](Moment const& moment) { return exchange(moment); });
}

void SpatialScene::redo()
{
  undo_.redo([this](Moment const& moment) { return exchange(moment); });
}

}  // namespace slotscape
