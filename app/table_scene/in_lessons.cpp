// The interface of table scenes to lessons.

#include "app/table_scene/table_scene.hpp"

namespace slotscape {

bool TableScene::ready() const
{
  return !working() && simulation().idle() && state().requests.empty() && !state().steps.wanted;
}

void TableScene::perform(JsonNode const& steps)
{
  TableSceneSettings const& now = state().settings;
  std::vector<Action> actions = read_steps(steps, now, now.keys, now.table.key_bits);
  auto const step_mode = read_step_mode(steps, now.table.key_bits);
  for (Action& action : actions) { state().ask(std::move(action)); }
  if (step_mode) { state().ask(EnterSteps{step_mode}); }
}

Json TableScene::predict(JsonNode const& operation)
{
  return predicted(operation, simulation().engine(focus()));
}

}  // namespace slotscape
