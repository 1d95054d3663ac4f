#pragma once

#include "app/scene/commands.hpp"
#include "app/table_map/settings.hpp"

#include <string_view>
#include <vector>

/// Commands of every scene with the map of a table; `view` must outlive them.
namespace slotscape {

/// Colours the map so, with an entry in the menu "View".
Command color_command(ViewSettings& view, std::string_view keys, ColorBy color, std::string_view what,
                      bool divides = false);
/// The keys for the layout, for the maximum or the mean of a pixel, and for the scale of colours.
std::vector<Command> picture_commands(ViewSettings& view);

}  // namespace slotscape
