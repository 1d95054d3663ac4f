#pragma once

#include "app/table_map/annotations.hpp"
#include "app/table_map/palette.hpp"
#include "app/table_map/step/player.hpp"
#include "app/widgets/look.hpp"

#include <functional>
#include <span>
#include <string>

namespace slotscape {

/// The colour in which the map paints a slot.
using CellColor = std::function<Color(SlotInfo const&)>;

/// Paints the slots that the steps so far have written over the map.
void draw_changes(Annotator const& on, StepPlayer const& player, CellColor const& color);

/// Draws slot, key, home and value in the cells, as large as they fit.
void write_cells(Annotator const& on, std::span<SlotInfo const> slots, CellColor const& color);

/// Draws the numbered path so far, the slots of the current step, and keys moving from slot to slot.
void draw_steps(Annotator const& on, StepPlayer const& player);

/// The colour of a step's kind of access: read, write, failed write, or metadata.
ImU32 step_color(Step const& step);

/// The caption at a player's position: the current step's text and, at the end, the outcome.
struct StepCaption {
  std::string kind;  ///< the kind of access: "READ"; empty at the start
  ImU32 color;
  std::string text;
  std::string summary;  ///< empty until the end
};
StepCaption caption_of(StepPlayer const& player);

/// "Insert 77 with value 5".
std::string title_of(Trace const& trace);

/// Draws the caption into a rectangle of the screen, as large as it fits.
void draw_caption(Look const& look, ImDrawList& list, ImVec2 low, ImVec2 high, StepCaption const& caption);

/// Buttons for start, back, play or pause, forward and end, and the speed, on one line of ImGui's current window.
/// `speed`: steps per second; shown only if `with_speed`.
void draw_transport(Look const& look, StepGroup players, double& speed, bool with_speed = true);
float transport_width(Look const& look);

}  // namespace slotscape
