#pragma once

#include "app/scenes/slots/palette.hpp"
#include "app/scenes/slots/view/annotations.hpp"
#include "app/step/player.hpp"

#include <functional>
#include <span>

namespace slotscape {

/// What the map paints a slot in.
using CellColor = std::function<Color(SlotInfo const&)>;

/// Paints the slots that the steps so far have written over what the map shows of them.
void draw_changes(Annotator const& on, StepPlayer const& player, CellColor const& color);

/// Writes slot, key, home and value into cells, as large as they take.
void write_cells(Annotator const& on, std::span<SlotInfo const> slots, CellColor const& color);

/// Draws the path so far, numbered, the slots of the present step, and keys on their way from slot to slot.
void draw_steps(Annotator const& on, StepPlayer const& player);

/// The colour of what a step does: reads, writes, fails to write, or turns to memory beside the slots.
ImU32 step_color(Step const& step);

}  // namespace slotscape
