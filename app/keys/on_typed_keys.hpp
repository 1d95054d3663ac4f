#pragma once

#include "app/keys/key_text.hpp"
#include "app/simulation/action.hpp"
#include "gpu/engine/engine.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// The typed keys that a table did not take, as it stands after their insertion: those that are not in it. None where
/// it refused none, or there are too many to look up.
std::vector<Key> refused_keys(Engine& table, OnKeys const& on_keys, Tally const& outcomes);

/// The keys that were inserted by name and not erased since; none of so many that it would take long to look for them.
std::vector<Key> keys_given(std::vector<Done> const& done);
/// Those of them that are not in the table.
std::vector<Key> absent_keys(Engine& table, std::vector<Key> const& keys);

/// "Key 6 found no place.", "12 keys found no place.": of so many, with their names where all are known.
std::string refusal_text(std::uint64_t count, std::vector<Key> const& refused, KeyStyle style);

/// What became of an operation on typed keys: "2 keys were inserted. 17 found no place." `refused`: those keys, if they
/// are known.
std::string answer_to(OnKeys const& on_keys, Tally const& outcomes, std::vector<Key> const& refused, KeyStyle style);

}  // namespace slotscape
