#pragma once

#include "app/table_map/map_state.hpp"
#include "app/widgets/look.hpp"

#include <string>

namespace slotscape {

/// A slot map beside another picture, or below it in a narrow window: a caption, the map, and its legend.
struct BesideMap {
  Rectangle caption;
  Rectangle slots;  ///< area of the map itself; width 0: hidden
  Rectangle legend;
};

/// Takes space for the map from the picture.
BesideMap place_beside(Look const& look, Rectangle& picture);
/// Draws the caption above the map. `id`: unique for ImGui; `what`: a tooltip about the table.
void draw_map_caption(Look const& look, char const* id, Rectangle const& place, MapState const& table,
                      std::string const& what);

}  // namespace slotscape
