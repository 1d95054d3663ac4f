#pragma once

#include "app/table_map/camera.hpp"
#include "app/table_map/map_state.hpp"
#include "app/table_map/slot_map.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <optional>

namespace slotscape {

/// Elements around the map. `place` is in screen pixels.

/// The legend below the canvas: the meaning of the colours, with numbers; palette and scale.
void draw_legend(Look const& look, MapState& state, Camera const& camera, Rectangle const& place);
float legend_height(Look const& look);

/// Kinds of slots that a legend mentions only if they occur.
struct RareSlots {
  bool tombstones = false;
  bool links = false;
};
/// Those in the table, and in any step of the operation in step mode.
RareSlots rare_slots(MapState const& state);
/// The legend on a slide, without controls; the numbers are those at the ends of the scale.
void draw_slide_legend(Look const& look, Drawing& drawing, MapState const& state, RareSlots const& rare,
                       Rectangle const& place);

/// Draws an overview of the table with the visible part, and the number of slots per pixel. Returns the grid point that
/// was clicked, in shares of the grid's size.
std::optional<Point> draw_minimap(Look const& look, Camera const& camera, Rectangle const& canvas);

/// Writes the contents of a slot line by line into ImGui's current window.
void slot_facts(Look const& look, MapState const& state, SlotDetail const& detail);

/// A card for the pinned slot and the last lookup. It is in a corner of `room`, a part of the canvas, where it covers
/// neither these nor the slots of the current step. Returns false when the user closes it.
bool draw_selection(Look const& look, MapState const& state, Camera const& camera, Rectangle const& canvas,
                    Rectangle const& room);

}  // namespace slotscape
