#pragma once

#include "app/gui.hpp"
#include "app/scenes/compare/state.hpp"
#include "app/scenes/slots/slot_map.hpp"

namespace slotscape {

/// Over the map of a table: which it is, what distinguishes it, and, but in step mode, buttons to change and
/// to remove it.
void draw_header(Look const& look, CompareState& state, std::size_t table, Rectangle const& place);

}  // namespace slotscape
