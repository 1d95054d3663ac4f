#pragma once

#include "app/table_scene/table_state.hpp"
#include "app/widgets/look.hpp"

#include <span>
#include <vector>

namespace slotscape {

/// Keys to offer beside the field, at most `most`: recently used ones and, where keys are small, words or names, the
/// first keys that are neither recent nor live in a slot of `written`.
std::vector<Pair> offered_keys(TableState const& state, std::span<WrittenSlot const> written, std::size_t most);

/// The width of a row of these keys.
float chips_width(Look const& look, std::vector<Pair> const& keys, KeyStyle style);
/// Draws the keys on a line of ImGui's current window. Clicking a key performs the operation chosen beside the field;
/// keys can also be dragged onto the map.
void draw_key_chips(Look const& look, TableState& state, std::vector<Pair> const& keys);

/// Inserts a key that was dropped on a map, as if it had been typed.
void insert_dropped(TableState& state, Pair const& key);

}  // namespace slotscape
