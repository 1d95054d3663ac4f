#include "app/scenes/slots/step/stepping.hpp"

#include "app/scenes/slots/step/key_sources.hpp"
#include "app/widgets/format.hpp"
#include "gpu/error.hpp"

#include <fmt/format.h>

namespace slotscape {
namespace {

/// A trace of more is neither worth stepping through nor small.
constexpr std::size_t most_steps = 200'000;

}  // namespace

bool ends_steps(Ask const& ask)
{
  return std::holds_alternative<Action>(ask) || std::holds_alternative<NewTable>(ask) ||
         std::holds_alternative<Restart>(ask) || std::holds_alternative<LookUp>(ask);
}

void begin_steps(StepState& steps, std::optional<StepRequest> const& request, bool at_once)
{
  steps.focus_key_field = !request;
  steps.on = true;
  steps.done.clear();
  steps.player.reset();
  steps.wanted = request;
  steps.framed.reset();
  steps.listed.reset();
  steps.jumps = at_once;
  if (!request) { return; }
  steps.operation = request->operation.operation;
  steps.key_text = std::to_string(request->operation.key);
  if (steps.operation == Operation::insert) { steps.value_text = std::to_string(request->operation.value); }
}

void end_steps(StepState& steps)
{
  steps.on = false;
  steps.player.reset();
  steps.wanted.reset();
  steps.done.clear();
}

void take_key(StepState& steps, KeySource source, Engine& engine, std::optional<Slot> pinned, std::mt19937_64& random)
{
  std::optional<Key> key;
  if (source == KeySource::fresh) {
    key = new_key(engine, random);
  } else if (source == KeySource::live) {
    key = random_live_key(engine, random);
    if (!key) { throw Error("No live key was found: insert some keys first."); }
  } else if (pinned) {
    key = key_in(engine, *pinned);
    if (!key) { throw Error(fmt::format("Slot {} holds no key.", *pinned)); }
  }
  if (!key) { return; }
  steps.key_text = std::to_string(*key);
  steps.key_taken = true;
}

Trace trace_to_step(Engine& engine, OnKey const& operation)
{
  if (engine.probe_path(operation.key).slots.size() > most_steps) {
    throw Error(
        fmt::format("To look for {} now takes more than {} memory accesses, too many to step through. Purge the "
                    "tombstones, or rehash into more slots.",
                    operation.key, grouped(most_steps)));
  }
  return engine.trace(operation.operation, operation.key, operation.value);
}

OnKey operation_of(Trace const& trace)
{
  return {trace.operation, trace.key, trace.operation == Operation::insert ? trace.value : 0};
}

bool perform_on_players(UserCommand command, StepGroup players)
{
  switch (command) {
    case UserCommand::pan_right: players.forward(); return true;
    case UserCommand::pan_left: players.back(); return true;
    case UserCommand::go_to_start: players.go_to(0); return true;
    case UserCommand::go_to_end: players.go_to(players.count()); return true;
    case UserCommand::pause: players.play_or_pause(); return true;
    default: return false;
  }
}

}  // namespace slotscape
