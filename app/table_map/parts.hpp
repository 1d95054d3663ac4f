#pragma once

#include "app/table_map/annotations.hpp"
#include "gpu/engine/parts.hpp"

#include <vector>

namespace slotscape {

/// A border between two parts of a table, on the screen: along the rows of slots, with a step if a part begins in the
/// middle of a row.
struct PartBorder {
  std::vector<ImVec2> line;
  float y;  ///< y of the row in which the part begins
};

/// The border before a part that begins at `first`, if slots are laid out row by row.
PartBorder border_before(Annotator const& on, Slot first);

/// The slot arrays of the state's table.
SlotArrays arrays_of(MapState const& state);

/// Draws the borders between the parts of a table. Does nothing if slots are not laid out row by row, or if the table
/// has no parts.
void draw_borders_of_parts(Annotator const& on, MapState const& state);
/// Writes the names of the parts, as far as there is room. If cells contain text, a name is beside the number of the
/// part's first slot and covers earlier text; otherwise it is at the part's first complete row.
void write_names_of_parts(Annotator const& on, MapState const& state);

}  // namespace slotscape
