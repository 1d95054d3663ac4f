#pragma once

#include "app/table_scene/table_state.hpp"
#include "app/widgets/look.hpp"

#include <span>
#include <vector>

namespace slotscape {

/// Keys to offer beside the field, at most `most`: those used lately and, where keys are small, words or names, the
/// first ones that are neither among these nor live in a slot of `written`.
std::vector<Pair> offered_keys(TableState const& state, std::span<WrittenSlot const> written, std::size_t most);

/// The width of a row of them.
float chips_width(Look const& look, std::vector<Pair> const& keys, KeyStyle style);
/// On a line of ImGui's current window. A click does with a key what is chosen beside the field; it can be dragged onto
/// the map.
void draw_key_chips(Look const& look, TableState& state, std::vector<Pair> const& keys);

/// Inserts a key that was dropped on a map, as if it had been typed.
void insert_dropped(TableState& state, Pair const& key);

}  // namespace slotscape
