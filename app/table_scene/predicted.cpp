// Operations of lessons, without a scene.

#include "app/keys/keys_json.hpp"
#include "app/simulation/names.hpp"
#include "app/table_scene/setup.hpp"
#include "gpu/engine/narrate.hpp"

#include <algorithm>

namespace slotscape {
namespace {

OnKey read_operation(JsonNode const& node, int key_bits)
{
  return read_on_key(node, node.at("op").one_of<Operation>("operation"), key_bits);
}

bool is_own(SlotInfo const& slot, Key key)
{
  return slot.state == SlotState::live && slot.pair.key == key;
}

/// The slot where the operation's key ends up or is found; if the trace shows neither, the slot examined last. Null if
/// there is none, for example because the key finds no place or is absent.
Json place_of(Trace const& trace)
{
  bool const has_none =
      trace.outcome == Outcome::full || trace.outcome == Outcome::rejected || trace.outcome == Outcome::missing;
  if (has_none) { return {}; }
  Json last;
  for (auto step = trace.steps.rbegin(); step != trace.steps.rend(); ++step) {
    if (step->after && is_own(*step->after, trace.key)) { return step->after->slot; }
    auto const own = std::ranges::find_if(step->seen, [&](SlotInfo const& slot) { return is_own(slot, trace.key); });
    if (own != step->seen.end()) { return own->slot; }
    if (last.is_null() && !step->seen.empty()) { last = step->seen.back().slot; }
  }
  return last;
}

}  // namespace

void check_steps_of_lesson(JsonNode const& node, TableSceneSettings const& settings)
{
  int const key_bits = settings.table.key_bits;
  if (!node.is_list()) {
    read_operation(node, key_bits);
    return;
  }
  read_steps(node, settings, settings.keys, key_bits);
  read_step_mode(node, key_bits);
}

Json predicted(JsonNode const& operation, Engine& engine)
{
  OnKey const on_key = read_operation(operation, engine.table().key_bits);
  Trace const trace = engine.trace(on_key.operation, on_key.key, on_key.value);
  auto const moved = [&](Step const& step) {
    return step.moved_from && step.after && step.after->pair.key != trace.key;
  };
  Json json;
  json["outcome"] = outcome_names[static_cast<std::size_t>(trace.outcome)];
  json["slot"] = place_of(trace);
  json["accesses"] = trace.steps.size();
  json["moves"] = std::ranges::count_if(trace.steps, moved);
  json["probe_length"] = Json();
  if (auto const measure = displacement(trace)) { json["probe_length"] = *measure; }
  return json;
}

}  // namespace slotscape
