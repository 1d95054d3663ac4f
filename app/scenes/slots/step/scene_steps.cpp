#include "app/scenes/slots/scene.hpp"
#include "app/scenes/slots/step/key_sources.hpp"
#include "app/widgets/format.hpp"
#include "gpu/error.hpp"

#include <fmt/format.h>

namespace slotscape {
namespace {

/// A trace of more is neither worth stepping through nor small.
constexpr std::size_t most_steps = 200'000;

Trace trace_of(Engine& engine, OnKey const& operation)
{
  if (engine.probe_path(operation.key).slots.size() > most_steps) {
    throw Error(
        fmt::format("To look for {} now takes more than {} memory accesses, too many to step through. Purge the "
                    "tombstones, or rehash into more slots.",
                    operation.key, grouped(most_steps)));
  }
  return engine.trace(operation.operation, operation.key, operation.value);
}

}  // namespace

void SlotsScene::enter_steps(std::optional<StepRequest> request, bool at_once)
{
  StepState& steps = state_.steps;
  steps.focus_key_field = !request;
  steps.on = true;
  steps.done.clear();
  steps.player.reset();
  steps.wanted = request;
  steps.framed.reset();
  steps.listed.reset();
  steps.jumps = at_once;
  state_.selection.lookup.reset();
  if (!request) { return; }
  steps.operation = request->operation.operation;
  steps.key_text = std::to_string(request->operation.key);
  if (steps.operation == Operation::insert) { steps.value_text = std::to_string(request->operation.value); }
}

void SlotsScene::leave_steps()
{
  StepState& steps = state_.steps;
  steps.on = false;
  steps.player.reset();
  steps.wanted.reset();
  steps.done.clear();
}

void SlotsScene::advance_steps(double elapsed_seconds)
{
  StepState& steps = state_.steps;
  if (steps.wanted && simulation_->idle()) {
    StepRequest const request = *std::exchange(steps.wanted, std::nullopt);
    steps.player.emplace(trace_of(simulation_->engine(), request.operation), request.position);
  }
  if (!steps.player) { return; }
  steps.player->set_speed(steps.speed);
  steps.player->advance(elapsed_seconds);
}

void SlotsScene::take_key(KeySource source)
{
  Engine& engine = simulation_->engine();
  StepState& steps = state_.steps;
  std::optional<Key> key;
  if (source == KeySource::fresh) {
    key = new_key(engine, random_);
  } else if (source == KeySource::live) {
    key = random_live_key(engine, random_);
    if (!key) { throw Error("No live key was found: insert some keys first."); }
  } else if (state_.selection.pinned) {
    key = key_in(engine, *state_.selection.pinned);
    if (!key) { throw Error(fmt::format("Slot {} holds no key.", *state_.selection.pinned)); }
  }
  if (!key) { return; }
  steps.key_text = std::to_string(*key);
  steps.key_taken = true;
}

void SlotsScene::do_steps()
{
  StepState& steps = state_.steps;
  if (!steps.player) { return; }
  Trace const& trace = steps.player->trace();
  simulation_->submit(OnKey{trace.operation, trace.key, trace.operation == Operation::insert ? trace.value : 0});
  steps.done = trace.summary;
  steps.player.reset();
}

/// What the keys mean while steps are shown; false: as ever.
bool SlotsScene::perform_on_steps(UserCommand command)
{
  if (command == UserCommand::step_mode) {
    enter_steps(std::nullopt);
    return true;
  }
  StepState& steps = state_.steps;
  if (!steps.on) { return false; }
  if (command == UserCommand::cancel) {
    leave_steps();
    return true;
  }
  if (!steps.player) { return command == UserCommand::pause; }
  StepPlayer& player = *steps.player;
  switch (command) {
    case UserCommand::pan_right: player.forward(); return true;
    case UserCommand::pan_left: player.back(); return true;
    case UserCommand::go_to_start: player.go_to(0); return true;
    case UserCommand::go_to_end: player.go_to(player.count()); return true;
    case UserCommand::pause: player.play_or_pause(); return true;
    default: return false;
  }
}

}  // namespace slotscape
