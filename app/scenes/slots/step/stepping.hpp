#pragma once

#include "app/commands.hpp"
#include "app/scenes/slots/state.hpp"
#include "app/step/group.hpp"

#include <random>

namespace slotscape {

/// What step mode is in every scene.

/// Whether this changes the tables or shows something else of them: that ends the steps through an operation.
bool ends_steps(Ask const& ask);

/// Step mode anew, of the request or of what the user chooses. at_once: the camera does not fly there.
void begin_steps(StepState& steps, std::optional<StepRequest> const& request, bool at_once);
void end_steps(StepState& steps);

/// Puts a key into the field for it. Throws Error where there is none such.
void take_key(StepState& steps, KeySource source, Engine& engine, std::optional<Slot> pinned, std::mt19937_64& random);

/// The engine's trace. Throws Error where it would be too long to step through.
Trace trace_to_step(Engine& engine, OnKey const& operation);

/// What a trace does, to be really done.
OnKey operation_of(Trace const& trace);

/// Whether the command, which the keys for moves of the camera give too, was one to the players; it is done then.
bool perform_on_players(UserCommand command, StepGroup players);

}  // namespace slotscape
