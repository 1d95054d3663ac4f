#pragma once

#include "app/scene/commands.hpp"
#include "app/table_map/settings.hpp"

#include <string_view>
#include <vector>

/// Commands for every scene with a table's map; `view` must outlive them.
namespace slotscape {

/// A command that selects this colouring, with an entry in the menu "View".
Command color_command(ViewSettings& view, std::string_view keys, ColorBy color, std::string_view what,
                      bool divides = false);
/// Commands for the layout, for the maximum or mean per pixel, and for the colour scale.
std::vector<Command> picture_commands(ViewSettings& view);

}  // namespace slotscape
