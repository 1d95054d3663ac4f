#pragma once

#include "app/table_map/map_state.hpp"
#include "app/widgets/look.hpp"

#include <string>

namespace slotscape {

/// A slot map beside a picture of something else, or below it in a narrow window: a line that says what it is, the map,
/// and its legend.
struct BesideMap {
  Rectangle caption;
  Rectangle slots;  ///< of the map itself; width 0: hidden
  Rectangle legend;
};

/// Takes a part of the place of the picture for the map.
BesideMap place_beside(Look const& look, Rectangle& picture);
/// The line over the map. `id`: unique for ImGui; `what`: about the table, when the mouse is over it.
void draw_map_caption(Look const& look, char const* id, Rectangle const& place, MapState const& table,
                      std::string const& what);

}  // namespace slotscape
