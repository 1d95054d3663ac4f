#pragma once

#include "app/simulation/action.hpp"
#include "app/table_map/key_text.hpp"
#include "gpu/engine/engine.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// The typed keys that a table did not take, as it stands after their insertion: those that are not in it. None where
/// it refused none, or there are too many to look up.
std::vector<Key> refused_keys(Engine& table, OnKeys const& on_keys, Tally const& outcomes);

/// What became of an operation on typed keys: "2 keys were inserted. 17 found no place." `refused`: those keys, if they
/// are known.
std::string answer_to(OnKeys const& on_keys, Tally const& outcomes, std::vector<Key> const& refused, KeyStyle style);

}  // namespace slotscape
