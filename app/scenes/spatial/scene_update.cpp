#include "app/base/text.hpp"
#include "app/scenes/spatial/animation.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/scene.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>
#include <variant>

namespace slotscape {
namespace {

/// What frames wait for an update that has outlasted one.
constexpr double shortest_wait_seconds = 1.0 / 60.0;

}  // namespace

using spatial::Model;

void SpatialScene::finish_steps(std::function<void()> const& frame)
{
  auto const progress = [this] {
    return (lacks_models_ ? state_.progress : state_.update_progress).value_or(ProgressSnapshot{});
  };
  auto const cancel_all = [this] {
    if (lacks_models_) { loader_.cancel(); }
    updating_.cancel();
  };
  finish({[this] { return is_settled(); }, progress, cancel_all}, frame);
}

ModelRequest SpatialScene::first_request(Model model) const
{
  return {model, state_.settings.models[model], state_.settings.seed};
}

void SpatialScene::start_first_models()
{
  lacks_models_ = true;
  for (Model const model : both_models) {
    first_models_[model].reset();
    loader_.start(first_request(model));
  }
}

bool SpatialScene::start_smaller_models()
{
  bool const can_be_smaller = std::ranges::any_of(state_.settings.models.of, [](ModelSettings const& model) {
    return model.points > default_points;
  });
  if (!can_be_smaller) { return false; }
  for (ModelSettings& model : state_.settings.models.of) { model.points = std::min(model.points, default_points); }
  start_first_models();
  state_.notice = tr("The models were not made: they have up to {} points now.", grouped(default_points));
  return true;
}

bool SpatialScene::begin_with_models()
{
  std::optional<double> const wait = max_wait();
  follow_first_models(wait ? std::optional(std::min(*wait, shortest_wait_seconds)) : wait);
  return !lacks_models_;
}

/// What the user asks for meanwhile waits, but for the end of the wait.
void SpatialScene::follow_first_models(std::optional<double> max_wait)
{
  auto const is_cancel = [](SpatialRequest const& request) { return std::holds_alternative<CancelLoading>(request); };
  if (std::erase_if(state_.requests, is_cancel) != 0) { start_smaller_models(); }
  do {
    loader_.wait(max_wait);
    while (auto outcome = loader_.take()) { keep_first_model(*std::move(outcome)); }
  } while (!max_wait && loader_.busy());
  state_.progress = loader_.progress();
  if (!first_models_[Model::a] || !first_models_[Model::b]) { return; }
  lacks_models_ = false;
  for (Model const model : both_models) {
    auto first = *std::exchange(first_models_[model], std::nullopt);
    use_model(first.query, *std::move(first.result));
  }
  open_view();
  settle();
}

void SpatialScene::wait_for_first_update()
{
  follow_first_models(std::nullopt);
  update(std::nullopt);
}

void SpatialScene::keep_first_model(ModelLoader::Opening::Outcome outcome)
{
  if (!outcome.error) {
    Model const model = outcome.query.model;
    first_models_[model] = std::move(outcome);
  } else if (!start_smaller_models()) {
    loader_.cancel();
    std::rethrow_exception(outcome.error);
  }
}

SpatialScene::Inputs SpatialScene::inputs() const
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
  if (lacks_models_) { return !loader_.busy(); }
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
    state_.notice = notice_of_failure(outcome.error, translatable("update the voxels"), outcome.fallback.has_value());
    return;
  }
  bool const is_like_last =
      last_inputs_ && last_inputs_->hashing == outcome.query.hashing && last_inputs_->version == outcome.query.version;
  if (!is_like_last) { state_.stages.clear(); }  // their medians would mix two kinds of work
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
  now.what = tr("Updating the voxels, {0} × {0} × {0}", side);
  return now;
}

}  // namespace slotscape
