#pragma once

#include "app/commands.hpp"
#include "app/scenes/slots/state.hpp"

namespace slotscape {

/// Does what a key asks of the tables, by changing settings and adding asks; whether it was such a command.
bool perform_on_table(UserCommand command, SlotsState& state);
/// The same of what the maps show, but for where the camera is.
bool perform_on_view(UserCommand command, SlotsState& state);

inline constexpr double key_zoom = 1.5;  ///< of one press
inline constexpr double key_pan = 0.12;  ///< share of the canvas

}  // namespace slotscape
