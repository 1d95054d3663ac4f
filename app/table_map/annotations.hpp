#pragma once

#include "app/table_map/camera.hpp"
#include "app/table_map/map_state.hpp"
#include "app/table_map/palette.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <span>
#include <vector>

namespace slotscape {

/// Draws on the map. `corner` is the top left of the canvas on the screen.
struct Annotator {
  Drawing& drawing;
  Look const& look;
  Camera const& camera;
  ImVec2 corner;

  ImVec2 place(Point point) const;  ///< from the canvas to the screen
  ImVec2 slot_center(Slot slot) const;
  void outline(Slot slot, ImU32 color, float thickness) const;
  /// A polyline that ends in an arrow head.
  void arrow(std::span<ImVec2 const> points, ImU32 color, float thickness) const;
  /// The same in dashes.
  void dashed_arrow(std::span<ImVec2 const> points, ImU32 color, float thickness) const;
  /// The colour of lines that stand out from the background.
  ImU32 ink() const;
};

/// The opacity of the ground of labels on a map, `theme::panel`: the interface's colours are legible on it over any
/// cell.
inline constexpr float plate_alpha = 0.92f;

/// What a line of this colour is drawn over, a little wider: dark for bright colours and bright for dark ones, so that
/// one of the two stands out from any cell.
ImU32 rim_of(ImU32 color);

/// The colour in which the map paints a slot.
Color cell_color(WrittenSlot const& written, MapState const& state, Background background = Background::dark);
/// A legible text colour on this background.
ImU32 text_on(Color const& color);

/// Draws an arrow from each key's home slot to its slot, and writes what the cells hold where they are wide enough.
void annotate_cells(Annotator const& on, MapState const& state);
/// What tombstones are told by without colour.
void draw_hatch(Annotator const& on, ImVec2 low, ImVec2 high);
/// Paints the cells as the map does, for pictures without one.
void paint_cells(Annotator const& on, MapState const& state);
/// Writes what the cells hold, over what was drawn before.
void write_cells(Annotator const& on, MapState const& state);

/// Only this many steps at each end of a long probe path are drawn.
inline constexpr std::size_t steps_drawn_at_each_end = 256;
/// Whether step number `step`, from 0, of a probe path of `steps` steps is drawn.
bool draws_step(std::size_t step, std::size_t steps);

/// The next step to draw after `step`. A path can have millions of steps, and is drawn in every frame.
std::size_t next_drawn_step(std::size_t step, std::size_t steps);

/// From the band of one written cell to that of another, along the borders of cells: it crosses nothing that is
/// written.
std::vector<ImVec2> way_along_borders(Annotator const& on, Slot from, Slot to);
/// An arc from one point to another: bent upwards, or to the left if one is above the other.
std::vector<ImVec2> arc(Annotator const& on, ImVec2 from, ImVec2 to);
/// Whether the way from one written cell to another runs along cells between them, which nobody reads on it.
bool passes_cells(Annotator const& on, Slot from, Slot to);
/// From one array to another straight across the free line between them, or in an arc over their own.
std::vector<ImVec2> way_between_arrays(Annotator const& on, Slot from, Slot to);
/// From a node of a chain to one behind it, through the free cell between them.
std::vector<ImVec2> way_between_nodes(Annotator const& on, Slot from, Slot to);
/// From one written cell to another past what is written: along borders, or in an arc over a single row.
std::vector<ImVec2> way_past_writing(Annotator const& on, Slot from, Slot to);

/// Depends on whether the lookup found its key.
ImU32 path_color(ProbePath const& path);

/// Connects the slots of a lookup's probe path in the order of reading. Call before drawing text.
void annotate_steps(Annotator const& on, ProbePath const& path, ImU32 color);

/// Numbers these slots, and marks the home slot and the last one.
void annotate_lookup(Annotator const& on, ProbePath const& path);

/// Outlines a slot and its key's home slot.
void annotate_slot(Annotator const& on, SlotInfo const& slot, ImU32 color);

}  // namespace slotscape
