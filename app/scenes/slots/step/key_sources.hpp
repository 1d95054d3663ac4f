#pragma once

#include "gpu/engine/engine.hpp"

#include <optional>
#include <random>

namespace slotscape {

/// A key that is not in the table, with few digits, so that it is easily read.
Key new_key(Engine& engine, std::mt19937_64& random);
/// A live key; none where a search among many slots met none.
std::optional<Key> random_live_key(Engine& engine, std::mt19937_64& random);
/// The key that the slot still holds, live or not.
std::optional<Key> key_in(Engine& engine, Slot slot);

}  // namespace slotscape
