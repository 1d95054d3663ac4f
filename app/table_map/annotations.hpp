#pragma once

#include "app/table_map/camera.hpp"
#include "app/table_map/map_state.hpp"
#include "app/table_map/palette.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <span>
#include <vector>

namespace slotscape {

/// Draws on the map. `corner`: the top left of the canvas on the screen.
struct Annotator {
  Drawing& drawing;
  Look const& look;
  Camera const& camera;
  ImVec2 corner;

  ImVec2 place(Point point) const;  ///< converts from the canvas to the screen
  ImVec2 slot_center(Slot slot) const;
  void outline(Slot slot, ImU32 color, float thickness) const;
  /// Draws a polyline with an arrow head at its end.
  void arrow(std::span<ImVec2 const> points, ImU32 color, float thickness) const;
  /// Draws a dashed polyline with an arrow head at its end.
  void dashed_arrow(std::span<ImVec2 const> points, ImU32 color, float thickness) const;
  /// The colour for lines, in contrast to the background.
  ImU32 ink() const;
};

/// The opacity of the background of labels on a map, `theme::panel`: makes the interface's colours legible over any
/// cell.
inline constexpr float plate_alpha = 0.92f;

/// The colour of a slightly wider line drawn beneath a line of this colour: dark below bright colours, bright below
/// dark ones, so that one of the two stands out from any cell.
ImU32 rim_of(ImU32 color);

/// The colour in which the map paints a slot.
Color cell_color(WrittenSlot const& written, MapState const& state, Background background = Background::dark);
/// A legible text colour on this background colour.
ImU32 text_on(Color const& color);

/// Draws an arrow from each key's home slot to its slot, and writes the contents of cells that are wide enough.
void annotate_cells(Annotator const& on, MapState const& state);
/// The hatching of tombstones, to recognise them without colour.
void draw_hatch(Annotator const& on, ImVec2 low, ImVec2 high);
/// Paints the cells as the map does, for a drawing without the picture of a map.
void paint_cells(Annotator const& on, MapState const& state);
/// Writes the contents of the cells, over everything drawn so far.
void write_cells(Annotator const& on, MapState const& state);

/// The number of steps drawn at each end of a long probe path.
inline constexpr std::size_t steps_drawn_at_each_end = 256;
/// Whether step `step`, counted from 0, of a probe path with `steps` steps is drawn.
bool draws_step(std::size_t step, std::size_t steps);

/// The next step to draw after `step`. A path can have millions of steps and is drawn in every frame.
std::size_t next_drawn_step(std::size_t step, std::size_t steps);

/// A path from the band of one written cell to that of another along the borders of cells, so that it crosses no text.
std::vector<ImVec2> way_along_borders(Annotator const& on, Slot from, Slot to);
/// An arc between two points, bent upwards, or to the left if one is above the other.
std::vector<ImVec2> arc(Annotator const& on, ImVec2 from, ImVec2 to);
/// Whether the path from one written cell to another runs along unrelated cells between them.
bool passes_cells(Annotator const& on, Slot from, Slot to);
/// A path from one array to another: straight across the gap between them, or in an arc over their lines.
std::vector<ImVec2> way_between_arrays(Annotator const& on, Slot from, Slot to);
/// A path from a node of a chain to a later one, through the free cell between them.
std::vector<ImVec2> way_between_nodes(Annotator const& on, Slot from, Slot to);
/// A path between written cells that avoids their text: along borders, or in an arc over a single row.
std::vector<ImVec2> way_past_writing(Annotator const& on, Slot from, Slot to);

/// The colour depends on whether the lookup found its key.
ImU32 path_color(ProbePath const& path);

/// Connects the slots of a lookup's probe path in the order in which they are read. To be called before drawing text.
void annotate_steps(Annotator const& on, ProbePath const& path, ImU32 color);

/// Numbers these slots, and marks the home slot and the last one.
void annotate_lookup(Annotator const& on, ProbePath const& path);

/// Outlines a slot and its key's home slot.
void annotate_slot(Annotator const& on, SlotInfo const& slot, ImU32 color);

}  // namespace slotscape
