#include "app/scenes/compare/scene.hpp"
#include "app/table_map/step/draw.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/step/stepping.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>

namespace slotscape {

void CompareScene::enter_steps(std::optional<StepRequest> const& request, bool at_once)
{
  begin_steps(state_.shared, request, at_once);
  state_.shared.steps.captions_on_maps = true;
  for (ComparedTable& table : state_.tables) {
    begin_steps(table.slots, std::nullopt, at_once);
    table.slots.selection.lookup.reset();
  }
}

void CompareScene::leave_steps()
{
  end_steps(state_.shared.steps);
  for (ComparedTable& table : state_.tables) { end_steps(table.slots.steps); }
}

void CompareScene::advance_steps(double elapsed_seconds)
{
  StepState& steps = state_.shared.steps;
  ViewSettings const& view = state_.shared.settings.view;
  if (steps.wanted && simulation().idle()) { open_traces(*std::exchange(steps.wanted, std::nullopt)); }
  for (ComparedTable& table : state_.tables) {
    StepState& each = table.slots.steps;
    if (each.player) { each.player->tell(family_of(table.slots), view.keys_as, view.plain_steps, view.write_values); }
  }
  StepGroup players = players_of(state_);
  players.set_speed(steps.speed);
  players.advance(elapsed_seconds);
}

void CompareScene::open_traces(StepRequest const& request)
{
  std::vector<Trace> traces;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < state_.tables.size(); ++i) {
    traces.push_back(trace_to_step(simulation().engine(i), request.operation));
    longest = std::max(longest, traces.back().steps.size());
  }
  std::vector<StepPlayer> players;
  for (Trace& trace : traces) {
    std::size_t const end = trace.steps.size();
    bool const ended = request.at_end || (request.position > end && request.position <= longest);
    players.emplace_back(std::move(trace), ended ? end : request.position);
    players.back().conclude(request.conclusion);
  }
  for (std::size_t i = 0; i < state_.tables.size(); ++i) {
    state_.tables[i].slots.steps.player.emplace(std::move(players[i]));
  }
  if (request.plays) { players_of(state_).play_or_pause(); }
}

void CompareScene::inspect_steps()
{
  for (std::size_t i = 0; i < views_.size(); ++i) {
    TableState& table = state_.tables[i].slots;
    if (!table.steps.player) { continue; }
    views_[i]->inspect(simulation().engine(i), table);
    overlay_steps(*table.steps.player, table.inspected);
  }
}

void CompareScene::share_widths()
{
  WidestCell widest;
  for (ComparedTable const& table : state_.tables) {
    std::string_view const measure = family_of(table.slots).measure.name;
    if (measure.size() > widest.measure.size()) { widest.measure = measure; }
    for (WrittenSlot const& written : table.slots.inspected.written) {
      if (!written.slot.has_key) { continue; }
      widest.slot.pair.key = std::max(widest.slot.pair.key, written.slot.pair.key);
      widest.slot.pair.value = std::max(widest.slot.pair.value, written.slot.pair.value);
      widest.slot.home = std::max(widest.slot.home, written.slot.home);
      widest.slot.probe_length = std::max(widest.slot.probe_length, written.slot.probe_length);
    }
  }
  for (ComparedTable& table : state_.tables) { table.slots.inspected.widest = widest; }
}

std::optional<StepRequest> CompareScene::stepped() const
{
  StepState const& first = state_.tables.front().slots.steps;
  if (!first.on || !first.player) { return state_.shared.steps.wanted; }
  std::size_t position = 0;
  for (ComparedTable const& table : state_.tables) {
    position = std::max(position, table.slots.steps.player->accesses());
  }
  return StepRequest{operation_of(first.player->trace()), position};
}

std::string CompareScene::end_of_steps()
{
  std::string const title = title_of(*state_.tables.front().slots.steps.player);
  for (ComparedTable& table : state_.tables) { table.slots.steps.player.reset(); }
  return tr("{} in every table.", title);
}

}  // namespace slotscape
