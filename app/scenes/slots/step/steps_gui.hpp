#pragma once

#include "app/scenes/slots/slot_map.hpp"
#include "app/scenes/slots/state.hpp"
#include "app/step/draw.hpp"

namespace slotscape {

/// What step mode shows in the slots scene: its caption over the map, its panel, and the slots as the steps so far have
/// left them.

/// The present step in large letters, and the buttons that go on and back.
void draw_steps_caption(Look const& look, SlotsState& state, Rectangle const& place);
float steps_caption_height(Look const& look, StepState const& steps);
/// What is to be said where nothing is stepped through yet.
std::string waiting_text(SlotsState const& state);
/// Leave, and at the end also to do it and to step through another, on a line of ImGui's current window.
void finish_buttons(Look const& look, SlotsState& state, bool at_end);

/// What is stepped through, and the list of steps, in ImGui's current window.
void steps_panel(Look const& look, SlotsState& state);
/// The part of it that chooses the operation; it `restarts` where one is stepped through already.
void steps_chooser(Look const& look, SlotsState& state, int key_bits, bool restarts);

/// Puts what the steps so far have written over what was read from the table.
void overlay_steps(StepPlayer const& player, Inspected& inspected);

/// Draws on the map, in place of what it shows of the slots otherwise.
void annotate_steps_mode(Annotator const& on, StepPlayer const& player, SlotsState const& state);

}  // namespace slotscape
