#pragma once

#include "app/table_map/camera.hpp"
#include "app/table_map/map_state.hpp"
#include "app/table_map/slot_map.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <optional>

namespace slotscape {

/// What surrounds the map. `place` is in screen pixels.

/// Below the canvas: the meaning of the colours, with numbers; palette and scale.
void draw_legend(Look const& look, MapState& state, Camera const& camera, Rectangle const& place);
float legend_height(Look const& look);

/// Slots that a legend names only where there are any.
struct RareSlots {
  bool tombstones = false;
  bool links = false;
};
/// Those of the table, and of any step of the operation that is stepped through.
RareSlots rare_slots(MapState const& state);
/// The same on a slide, without controls; the numbers are those of the scale's ends.
void draw_slide_legend(Look const& look, Drawing& drawing, MapState const& state, RareSlots const& rare,
                       Rectangle const& place);

/// The part of the table that the canvas shows, and the number of slots per pixel. Returns the grid point that was
/// clicked, as shares of its size.
std::optional<Point> draw_minimap(Look const& look, Camera const& camera, Rectangle const& canvas);

/// The content of a slot, line by line, in ImGui's current window.
void slot_facts(Look const& look, MapState const& state, SlotDetail const& detail);

/// A card for the pinned slot and the last lookup, in a corner of `room`, a part of the canvas, where it covers neither
/// these nor the slots of the present step. Returns false when the user closes it.
bool draw_selection(Look const& look, MapState const& state, Camera const& camera, Rectangle const& canvas,
                    Rectangle const& room);

}  // namespace slotscape
