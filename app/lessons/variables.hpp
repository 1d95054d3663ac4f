#pragma once

#include "app/lessons/expression.hpp"

namespace slotscape::lessons {

/// Adds the variables of an object such as
///   { "key": { "from": 10, "to": 99 }, "slots": { "one_of": [16, 32] }, "home": { "is": "key % slots" } }
/// in this order; "but_not" lists expressions that a drawn number must differ from. The same seed draws the same
/// values. `node` is the position of `variables`. Throws Error if a field is invalid.
void add_variables(Json const& variables, JsonNode const& node, std::uint64_t seed, Variables& into);

/// Whether another seed may draw different values.
bool varies(Json const& variables);

}  // namespace slotscape::lessons
