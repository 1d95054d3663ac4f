#pragma once

#include "app/table_scene/table_state.hpp"
#include "app/widgets/look.hpp"

#include <span>

namespace slotscape {

/// Chooses the operation for typed keys. In step mode, it begins at once with the keys in the field.
void choose_operation(TableState& state, Operation operation);

/// The toolbar above the canvas: colour by; layout, mean or maximum, or the arrangement of a small table; the key
/// field; and keys to drag. `written`: the slots of the (first) table that are shown as text.
void draw_toolbar(Look const& look, TableState& state, Rectangle const& place, std::span<WrittenSlot const> written);
float toolbar_height(Look const& look, float width);  ///< height of one to three rows, depending on the width

}  // namespace slotscape
