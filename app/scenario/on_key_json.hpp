#pragma once

#include "app/scenario/json_node.hpp"
#include "app/scenes/slots/step/step_state.hpp"

namespace slotscape {

/// A step on one key: { "op": "insert", "key": 77, "value": 5 }. Throws Error at a wrong number,
/// or one that keys of so many bits cannot be.
OnKey read_on_key(JsonNode const& step, Operation operation, int key_bits);
Json on_key_json(OnKey const& on_key);

/// The step that opens step mode: { "op": "step", "operation": "insert", "key": 77, "value": 5, "position": 3 }.
StepRequest read_step_request(JsonNode const& step, int key_bits);
Json step_request_json(StepRequest const& request);

}  // namespace slotscape
