#pragma once

#include "app/table_map/annotations.hpp"
#include "gpu/tables/table_parts.hpp"

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

/// Draws the borders between the parts of a table and writes their names, as far as there is room. Nothing where slots
/// do not lie row by row, or the table has no parts.
void annotate_parts(Annotator const& on, TableState const& state);

}  // namespace slotscape
