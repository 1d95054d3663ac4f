#pragma once

#include "app/table_scene/table_state.hpp"
#include "gpu/engine/engine.hpp"

#include <optional>
#include <random>

namespace slotscape {

/// Step mode, shared by the scenes.

/// Whether the request ends stepping because it changes the tables or how they are shown.
bool ends_steps(TableRequest const& request);

/// Restarts step mode with the given request; without a request, the user chooses. at_once: the camera jumps instead of
/// flying.
void begin_steps(TableState& state, std::optional<StepRequest> const& request, bool at_once);
void end_steps(StepState& steps);

/// Puts a key into the field. Throws Error if there is no such key.
void take_key(TableState& state, KeySource source, Engine& engine, std::optional<Slot> pinned, std::mt19937_64& random);

/// The engine's trace. Throws Error if it is too long to step through.
Trace trace_to_step(Engine& engine, OnKey const& operation);

/// The operation that a trace shows.
OnKey operation_of(Trace const& trace);

/// A key that is not in the table: one that the style has a text for while any is left, else one with few digits so
/// that it is easy to read.
Key new_key(Engine& engine, std::mt19937_64& random, KeyStyle style = KeyStyle::numbers);
/// A random live key, or nullopt if none was found in many slots.
std::optional<Key> random_live_key(Engine& engine, std::mt19937_64& random);
/// The key in a slot, live or erased; nullopt if the slot has none.
std::optional<Key> key_in(Engine& engine, Slot slot);

}  // namespace slotscape
