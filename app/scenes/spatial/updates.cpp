#include "app/scenes/spatial/updates.hpp"

#include "app/scene/scene.hpp"
#include "app/scenes/spatial/animation.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <utility>

namespace slotscape {

using spatial::Model;

VoxelUpdates::VoxelUpdates(SpatialState& state, Backend backend)
    : state_(state),
      engine_(spatial::make_spatial_engine(backend)),
      updating_([this](Inputs const& inputs, Progress const& progress) {
        return engine_->update(inputs.hashing, inputs.engine_poses, inputs.parts, progress);
      })
{
}

spatial::SpatialEngine& VoxelUpdates::begin_change()
{
  updating_.stop();
  has_results_ = false;
  return *engine_;
}

VoxelUpdates::Inputs VoxelUpdates::inputs() const
{
  spatial::PerModel<spatial::Pose> const seen = poses_of(state_.settings);
  Inputs wanted{state_.settings.hashing, seen, engine_poses(state_, seen), shown_parts(state_.settings), version_};
  for (Model const model : both_models) {
    if (!is_absent(state_, model)) { continue; }
    constexpr float extents_away = 100.0f;
    float const away = extents_away * state_.settings.hashing.grid.extent;
    wanted.engine_poses[model].translation = {away, away, away};
    for (auto const& status : enum_names<spatial::VoxelStatus>()) {
      wanted.parts.hidden |= spatial::ShownParts::bit_of(model, status.value);
    }
  }
  return wanted;
}

void VoxelUpdates::follow_settings(std::optional<double> max_wait)
{
  Inputs const wanted = inputs();
  if (wanted == failed_inputs_) { return; }
  failed_inputs_.reset();
  // While models move, each picture is finished, but work for another grid is abandoned.
  bool const moves = updating_.asked() && updating_.asked()->hashing == wanted.hashing;
  if (updating_.follow(wanted, moves)) { begin(); }
  if (!is_busy()) { return; }
  bool const is_long = outlasts_ && max_wait;
  outlasts_ = !updating_.wait(is_long ? std::min(*max_wait, shortest_spatial_wait_seconds) : max_wait);
  if (auto outcome = updating_.take()) {
    take(*std::move(outcome));  // the next update begins after this frame, which shows this result
  } else if (updating_.resume()) {
    begin();
  }
}

void VoxelUpdates::pass(double elapsed_seconds)
{
  if (is_busy()) { updating_seconds_ += elapsed_seconds; }
}

bool VoxelUpdates::is_settled() const
{
  return has_results() || (!is_busy() && failed_inputs_ && inputs() == failed_inputs_);
}

bool VoxelUpdates::follows_settings() const
{
  return inputs() == (has_results() ? last_inputs_ : failed_inputs_);
}

void VoxelUpdates::begin()
{
  has_results_ = false;
  outlasts_ = false;
  updating_seconds_ = 0.0;
}

void VoxelUpdates::take(Updating::Outcome outcome)
{
  if (!outcome.result) {
    go_back(outcome);
    state_.notice = notice_of_failure(outcome.error, translatable("update the voxels"), outcome.fallback.has_value());
    return;
  }
  bool const is_like_last =
      last_inputs_ && last_inputs_->hashing == outcome.query.hashing && last_inputs_->version == outcome.query.version;
  if (!is_like_last) { state_.stages.clear(); }  // medians over different workloads would be meaningless
  bool const same_grid = last_inputs_ && last_inputs_->hashing.grid == outcome.query.hashing.grid;
  if (!same_grid) { state_.selected.reset(); }
  state_.snapshot = *outcome.result;
  for (Model const model : both_models) {
    if (is_absent(state_, model)) { state_.snapshot.models[model] = {}; }
  }
  state_.poses = outcome.query.poses;
  state_.engine_poses = outcome.query.engine_poses;
  last_inputs_ = std::move(outcome.query);
  has_results_ = true;
  if (inputs() == last_inputs_) { answered_ = state_.settings; }
  ++updates_;
  state_.stages.add(state_.snapshot.stage_seconds);
}

void VoxelUpdates::go_back(Updating::Outcome const& outcome)
{
  SpatialSceneSettings& settings = state_.settings;
  spatial::SpatialSettings const surely = SpatialSceneSettings{}.hashing;
  bool const had_it = last_inputs_ && outcome.query.hashing == last_inputs_->hashing;
  if (last_inputs_ && !had_it) {
    settings.hashing = last_inputs_->hashing;
  } else if (had_it && outcome.query.version == last_inputs_->version) {
    for (Model const model : both_models) { settings.models[model].place = answered_.models[model].place; }
    settings.animation = answered_.animation;
    settings.animation.running = false;
    settings.boolean = answered_.boolean;
    settings.hidden = answered_.hidden;
  } else {
    settings.hashing.grid = surely.grid;
    settings.hashing.load_factor = surely.load_factor;
  }
  if (inputs() == outcome.query) { failed_inputs_ = outcome.query; }
}

std::optional<ProgressSnapshot> VoxelUpdates::progress() const
{
  if (!is_busy()) { return std::nullopt; }
  ProgressSnapshot now = updating_.progress().snapshot();
  std::uint32_t const side = state_.settings.hashing.grid.side;
  now.what = tr("Updating the voxels, {0} × {0} × {0}", side);
  return now;
}

}  // namespace slotscape
