#pragma once

#include "app/table_map/step/words.hpp"
#include "app/widgets/look.hpp"

#include <limits>
#include <optional>

namespace slotscape {

/// The pseudocode of the operation that is stepped through, with the line lit that the step shown belongs to.
/// `table`: whose code it is, in this style. `marks_next`: the line about to run is marked, too. Draws nothing if the
/// table's family has no pseudocode. `height`: letters are so small that it fits. Returns the position to go to where a
/// line was clicked: it runs on to that line.
std::optional<std::size_t> code_view(Look const& look, StepPlayer const& player, TableSettings const& table,
                                     CodeStyle style, bool marks_next,
                                     float height = std::numeric_limits<float>::max());
/// The height of that many lines in letters of this size.
float code_height(std::size_t lines, float letters);

}  // namespace slotscape
