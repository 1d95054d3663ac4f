#pragma once

#include "app/gui.hpp"
#include "app/step/group.hpp"

#include <string>

namespace slotscape {

/// What a player says of where it stands: the present step's text, and at the end what came of it all.
struct StepCaption {
  std::string kind;  ///< of access: "READ"; empty at the start
  ImU32 color;
  std::string text;
  std::string summary;  ///< empty but at the end
};
StepCaption caption_of(StepPlayer const& player);

/// "Insert 77 with value 5".
std::string title_of(Trace const& trace);

/// Writes the caption into a rectangle of the screen, as large as it fits.
void draw_caption(Look const& look, ImDrawList& list, ImVec2 low, ImVec2 high, StepCaption const& caption);

/// To the start, back, play or pause, forward, to the end, and the speed, on one line of ImGui's current window.
/// `speed`: steps a second; set only where `with_speed`.
void draw_transport(Look const& look, StepGroup players, double& speed, bool with_speed = true);
float transport_width(Look const& look);

}  // namespace slotscape
