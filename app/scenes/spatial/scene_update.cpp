#include "app/scenes/spatial/animation.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slotscape {
namespace {

/// What frames wait for an update that has outlasted one.
constexpr double shortest_wait_seconds = 1.0 / 60.0;

}  // namespace

using spatial::Model;

void SpatialScene::finish_steps(std::function<void()> const& frame)
{
  auto const progress = [this] { return state_.update_progress.value_or(ProgressSnapshot{}); };
  finish({[this] { return is_settled(); }, progress, [this] { updating_.cancel(); }}, frame);
}

SpatialScene::Inputs SpatialScene::inputs() const
{
  spatial::PerModel<spatial::Pose> const seen = poses_of(state_.settings);
  return {state_.settings.hashing, seen, engine_poses(state_, seen), shown_parts(state_.settings), version_};
}

void SpatialScene::update(std::optional<double> max_wait)
{
  Inputs const wanted = inputs();
  if (wanted == failed_inputs_) { return; }
  failed_inputs_.reset();
  // While models move, each picture is finished; a grid that is no longer wanted is not.
  bool const moves = updating_.asked() && updating_.asked()->hashing == wanted.hashing;
  if (updating_.follow(wanted, moves)) { note_begin(); }
  if (!updating()) { return; }
  bool const is_long = outlasts_ && max_wait;
  outlasts_ = !updating_.wait(is_long ? std::min(*max_wait, shortest_wait_seconds) : max_wait);
  if (auto outcome = updating_.take()) {
    take_update(*std::move(outcome));  // the next one begins after this frame, which shows this one
  } else if (updating_.resume()) {
    note_begin();
  }
}

bool SpatialScene::is_settled() const
{
  return has_results() || (!updating() && failed_inputs_ && inputs() == failed_inputs_);
}

bool SpatialScene::shows_what_is_set() const
{
  bool const moves = state_.settings.animation.moves();  // pictures may come a little later than it
  return is_settled() && (moves || inputs() == (has_results() ? last_inputs_ : failed_inputs_));
}

/// What is not true of a picture that is still on the way is not told: the ones before it stay.
Findings SpatialScene::findings() const
{
  if (shows_what_is_set()) { findings_ = findings_of(state_); }
  return findings_;
}

void SpatialScene::note_begin()
{
  has_results_ = false;
  outlasts_ = false;
  updating_seconds_ = 0.0;
}

void SpatialScene::take_update(Updating::Outcome outcome)
{
  if (!outcome.result) {
    go_back(outcome);
    state_.notice = notice_of_failure(outcome.error, "update the voxels", outcome.fallback.has_value());
    return;
  }
  bool const same_grid = last_inputs_ && last_inputs_->hashing.grid == outcome.query.hashing.grid;
  if (!same_grid) { state_.selected.reset(); }
  state_.snapshot = *outcome.result;
  state_.poses = outcome.query.poses;
  state_.engine_poses = outcome.query.engine_poses;
  last_inputs_ = std::move(outcome.query);
  has_results_ = true;
  if (inputs() == last_inputs_) { answered_ = state_.settings; }
  ++updates_;
  state_.stages.add(state_.snapshot.stage_seconds);
}

void SpatialScene::go_back(Updating::Outcome const& outcome)
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

std::optional<ProgressSnapshot> SpatialScene::progress_of_update() const
{
  if (!updating()) { return std::nullopt; }
  ProgressSnapshot now = updating_.progress().snapshot();
  std::uint32_t const side = state_.settings.hashing.grid.side;
  now.what = fmt::format("Updating the voxels, {0} × {0} × {0}", side);
  return now;
}

}  // namespace slotscape
