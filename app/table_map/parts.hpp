#pragma once

#include "app/table_map/annotations.hpp"
#include "gpu/engine/parts.hpp"

#include <vector>

namespace slotscape {

/// A border between two parts of a table, on the screen: along the rows of slots, with a step where a part begins in
/// the middle of a row.
struct PartBorder {
  std::vector<ImVec2> line;
  float y;  ///< of the row in which the part begins
};

/// The border before a part that begins at `first`, where slots lie row by row.
PartBorder border_before(Annotator const& on, Slot first);

/// Those of the state's table.
SlotArrays arrays_of(MapState const& state);

/// Draws the borders between the parts of a table. Nothing where slots do not lie row by row, or the table has no
/// parts.
void draw_borders_of_parts(Annotator const& on, MapState const& state);
/// Writes their names, as far as there is room: where cells are written, beside the number of a part's first slot, and
/// over what was written before; else at its first whole row.
void write_names_of_parts(Annotator const& on, MapState const& state);

}  // namespace slotscape
