#pragma once

#include "app/table_map/cells.hpp"
#include "app/table_map/palette.hpp"
#include "app/table_map/step/player.hpp"
#include "app/table_map/step/words.hpp"
#include "app/widgets/look.hpp"

#include <functional>
#include <string>

namespace slotscape {

/// Paints the slots written by the steps so far over the map, and hatches some of them.
void draw_changes(Annotator const& on, StepPlayer const& player, CellColor const& color,
                  std::function<bool(SlotInfo const&)> const& is_hatched);

/// Draws the path so far, the slots of the current step, and the paths of keys between slots. To be called before
/// drawing text.
void draw_paths(Annotator const& on, StepPlayer const& player);

/// Draws the numbers of the steps, and the moving key. To be called after drawing text.
void draw_step_labels(Annotator const& on, StepPlayer const& player);

/// The colour of a step's kind of access: read, write, failed write, or metadata.
ImU32 step_color(Step const& step);

/// The caption at a player's position: the current step's text and, at the end, the outcome.
struct StepCaption {
  std::string kind;  ///< the kind of access: "READ"; empty at the start
  ImU32 color;
  std::string text;
  std::string summary;  ///< the outcome; empty until the end
};
StepCaption caption_of(StepPlayer const& player, bool tells_next);
/// Draws the caption into a rectangle on the screen, as large as possible.
void draw_caption(Look const& look, Drawing& drawing, ImVec2 low, ImVec2 high, StepCaption const& caption);

/// Buttons for start, back, play or pause, forward and end, and the speed, on one line of ImGui's current window.
/// `speed`: steps per second; shown only if `with_speed`.
void draw_transport(Look const& look, StepGroup players, double& speed, bool with_speed = true);
float transport_width(Look const& look);

}  // namespace slotscape
