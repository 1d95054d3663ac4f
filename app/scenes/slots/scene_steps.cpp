#include "app/scenes/slots/scene.hpp"
#include "app/table_scene/step/stepping.hpp"

namespace slotscape {

void SlotsScene::enter_steps(std::optional<StepRequest> const& request, bool at_once)
{
  begin_steps(state_, request, at_once);
  state_.selection.lookup.reset();
}

void SlotsScene::leave_steps()
{
  end_steps(state_.steps);
}

void SlotsScene::advance_steps(double elapsed_seconds)
{
  StepState& steps = state_.steps;
  if (steps.wanted && simulation().idle()) {
    StepRequest const request = *std::exchange(steps.wanted, std::nullopt);
    Trace trace = trace_to_step(simulation().engine(), request.operation);
    std::size_t const position = request.at_end ? trace.steps.size() : request.position;
    steps.player.emplace(std::move(trace), position);
    steps.player->conclude(request.conclusion);
    if (request.plays) { players().play_or_pause(); }
  }
  if (!steps.player) { return; }
  ViewSettings const& view = state_.settings.view;
  steps.player->tell(family_of(state_), view.keys_as, view.plain_steps, view.write_values);
  steps.player->set_speed(steps.speed);
  steps.player->advance(elapsed_seconds);
}

std::string SlotsScene::end_of_steps()
{
  std::string summary = state_.steps.player->summary();
  state_.steps.player.reset();
  return summary;
}

std::optional<StepRequest> SlotsScene::stepped() const
{
  StepState const& steps = state_.steps;
  if (!steps.on || !steps.player) { return steps.wanted; }
  StepRequest request{operation_of(steps.player->trace()), steps.player->accesses()};
  if (steps.player->summary() != steps.player->trace().summary) { request.conclusion = steps.player->summary(); }
  return request;
}

StepGroup SlotsScene::players()
{
  std::vector<StepPlayer*> players;
  if (state_.steps.player) { players.push_back(&*state_.steps.player); }
  return StepGroup{players};
}

}  // namespace slotscape
