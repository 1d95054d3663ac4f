#include "app/scenes/slots/scene.hpp"
#include "app/table_scene/step/stepping.hpp"

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

StepGroup SlotsScene::players()
{
  std::vector<StepPlayer*> players;
  if (state_.steps.player) { players.push_back(&*state_.steps.player); }
  return StepGroup{players};
}

}  // namespace slotscape
