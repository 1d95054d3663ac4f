#pragma once

#include "app/table_scene/table_state.hpp"
#include "app/widgets/look.hpp"

#include <span>

namespace slotscape {

/// What keys are typed for. In step mode, the operation begins at once, with the keys in the field.
void choose_operation(TableState& state, Operation operation);

/// Above the canvas: colour by; layout, mean or maximum, or how a small table lies; the field for keys, and keys to
/// drag. `written`: the slots of the table, or of the first one, that are shown as text.
void draw_toolbar(Look const& look, TableState& state, Rectangle const& place, std::span<WrittenSlot const> written);
float toolbar_height(Look const& look, float width);  ///< up to three rows if narrow

}  // namespace slotscape
