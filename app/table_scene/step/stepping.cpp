#include "app/table_scene/step/stepping.hpp"

#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {
namespace {

constexpr Key max_new_key = 9999;  ///< initially; ten times as large after each key already present
constexpr std::uint64_t slots_a_look = 4096;
constexpr int looks = 64;

/// Visits consecutive slots, starting at a random one.
std::vector<Slot> some_slots(std::uint64_t slots, std::mt19937_64& random)
{
  std::uint64_t const start = random() % slots;
  std::vector<Slot> some(std::min(slots, slots_a_look));
  for (std::uint64_t i = 0; i < some.size(); ++i) { some[i] = static_cast<Slot>((start + i) % slots); }
  return some;
}

std::optional<Key> new_spoken_key(Engine& engine, std::mt19937_64& random, KeyStyle style)
{
  std::vector<Key> absent;
  for (Key key = 1; key <= largest_named_key(style); ++key) {
    if (!engine.probe_path(key).value) { absent.push_back(key); }
  }
  return absent.empty() ? std::nullopt : std::optional(absent[random() % absent.size()]);
}

}  // namespace

Key new_key(Engine& engine, std::mt19937_64& random, KeyStyle style)
{
  if (auto const spoken = new_spoken_key(engine, random, style)) { return *spoken; }
  std::uint64_t most = max_new_key;
  for (;;) {
    Key const key = static_cast<Key>(1 + random() % most);
    if (!engine.probe_path(key).value) { return key; }
    most = std::min<std::uint64_t>(most * 10, 999'999'999);
  }
}

std::optional<Key> random_live_key(Engine& engine, std::mt19937_64& random)
{
  for (int look = 0; look < looks; ++look) {
    std::vector<SlotInfo> slots = engine.slots(some_slots(engine.places(), random));
    std::erase_if(slots, [](SlotInfo const& slot) { return slot.state != SlotState::live; });
    if (!slots.empty()) { return slots[random() % slots.size()].pair.key; }
  }
  return std::nullopt;
}

std::optional<Key> key_in(Engine& engine, Slot slot)
{
  SlotInfo const info = engine.slot(slot);
  return info.has_key ? std::optional(info.pair.key) : std::nullopt;
}

bool ends_steps(TableRequest const& request)
{
  return std::holds_alternative<Action>(request) || std::holds_alternative<ReplaceTables>(request) ||
         std::holds_alternative<Restart>(request) || std::holds_alternative<LookUp>(request);
}

void begin_steps(TableState& state, std::optional<StepRequest> const& request, bool at_once)
{
  StepState& steps = state.steps;
  TypedKeys& typed = state.typed;
  if (!steps.on) { steps.performed.clear(); }
  steps.next.clear();
  steps.on = true;
  steps.done.clear();
  steps.player.reset();
  steps.performs = request && request->performs && request->operation.operation != Operation::find;
  steps.is_performed = false;
  steps.wanted = request;
  steps.shown = request ? std::optional(request->operation) : std::nullopt;
  steps.framed.reset();
  steps.listed.reset();
  steps.jumps = at_once;
  if (request) { return typed.show(request->operation, state.settings.view.keys_as); }
  typed.text.clear();
  typed.focus = typed.replaced = true;
}

void end_steps(StepState& steps)
{
  steps.on = false;
  steps.performs = steps.is_performed = false;
  steps.player.reset();
  steps.wanted.reset();
  steps.shown.reset();
  steps.done.clear();
}

void take_key(TableState& state, KeySource source, Engine& engine, std::optional<Slot> pinned, std::mt19937_64& random)
{
  KeyStyle const style = state.settings.view.keys_as;
  TypedKeys& typed = state.typed;
  std::optional<Key> key;
  if (source == KeySource::fresh) {
    key = new_key(engine, random, style);
  } else if (source == KeySource::live) {
    key = random_live_key(engine, random);
    if (!key) { throw Error(tr("No live key found: insert some keys first.")); }
  } else if (pinned) {
    key = key_in(engine, *pinned);
    if (!key) { throw Error(tr("Slot {} holds no key: click another slot.", *pinned)); }
  }
  if (!key) { return; }
  typed.show({typed.operation, *key}, style);
  typed.focus = true;
}

Trace trace_to_step(Engine& engine, OnKey const& operation)
{
  return engine.trace(operation.operation, operation.key, operation.value);
}

OnKey operation_of(Trace const& trace)
{
  return {trace.operation, trace.key, trace.operation == Operation::insert ? trace.value : 0};
}

}  // namespace slotscape
