#pragma once

#include "app/gui.hpp"
#include "app/scenes/slots/camera.hpp"
#include "app/scenes/slots/palette.hpp"
#include "app/scenes/slots/state.hpp"

namespace slotscape {

/// Draws on the map with ImGui. `corner` is the top left of the canvas on the screen.
struct Annotator {
  ImDrawList& list;
  Look const& look;
  Camera const& camera;
  ImVec2 corner;

  ImVec2 place(Point point) const;  ///< of a point of the canvas on the screen
  ImVec2 slot_center(Slot slot) const;
  void outline(Slot slot, ImU32 color, float thickness) const;
  /// A polyline that ends in an arrow head.
  void arrow(ImVec2 const* points, int count, ImU32 color, float thickness) const;
};

/// What the map paints a slot in.
Color cell_color(WrittenSlot const& written, SlotsState const& state);
/// For text that can be read on this background.
ImU32 text_on(Color const& color);

/// Writes key, value, home slot and probe length into the cells where they are wide enough, and draws an arrow from
/// each key's home slot to where it is.
void annotate_cells(Annotator const& on, SlotsState const& state);

/// Of a longer probe path only this many steps at each end are drawn.
inline constexpr std::size_t steps_drawn_at_each_end = 256;
/// Whether this step, counted from 0, of a probe path of so many is drawn.
bool draws_step(std::size_t step, std::size_t steps);

/// The step to draw after `step`: a path may be millions long, and is drawn in every frame.
std::size_t next_drawn_step(std::size_t step, std::size_t steps);

/// Of a lookup that found its key, and of one that did not.
ImU32 path_color(ProbePath const& path);

/// Joins the slots of a lookup's probe path in the order in which they were read. To be drawn before the writing.
void annotate_steps(Annotator const& on, ProbePath const& path, ImU32 color);

/// Numbers those slots, and marks the home slot and the one where the lookup ended.
void annotate_lookup(Annotator const& on, ProbePath const& path);

/// Outlines a slot, and the home slot of the key in it.
void annotate_slot(Annotator const& on, SlotInfo const& slot, ImU32 color);

/// Slots from this width on, in pixels at scale 1, have their content written into them.
inline constexpr float written_slot_width = 56.0f;

}  // namespace slotscape
