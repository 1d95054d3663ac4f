#include "app/scenes/slots/scene.hpp"
#include "app/scenes/slots/step/stepping.hpp"

namespace slotscape {

void SlotsScene::enter_steps(std::optional<StepRequest> const& request, bool at_once)
{
  begin_steps(state_.steps, request, at_once);
  state_.selection.lookup.reset();
}

void SlotsScene::leave_steps()
{
  end_steps(state_.steps);
}

void SlotsScene::advance_steps(double elapsed_seconds)
{
  StepState& steps = state_.steps;
  if (steps.wanted && simulation_->idle()) {
    StepRequest const request = *std::exchange(steps.wanted, std::nullopt);
    steps.player.emplace(trace_to_step(simulation_->engine(), request.operation), request.position);
  }
  if (!steps.player) { return; }
  steps.player->set_speed(steps.speed);
  steps.player->advance(elapsed_seconds);
}

void SlotsScene::do_steps()
{
  StepState& steps = state_.steps;
  if (!steps.player) { return; }
  simulation_->submit(operation_of(steps.player->trace()));
  steps.done = steps.player->trace().summary;
  steps.player.reset();
}

bool SlotsScene::perform_on_steps(UserCommand command)
{
  if (command == UserCommand::step_mode) {
    enter_steps(std::nullopt, false);
    return true;
  }
  StepState& steps = state_.steps;
  if (!steps.on) { return false; }
  if (command == UserCommand::cancel) {
    leave_steps();
    return true;
  }
  if (!steps.player) { return command == UserCommand::pause; }
  return perform_on_players(command, StepGroup{{&*steps.player}});
}

}  // namespace slotscape
