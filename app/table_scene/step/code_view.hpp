#pragma once

#include "app/table_map/step/words.hpp"
#include "app/widgets/look.hpp"

#include <limits>
#include <optional>

namespace slotscape {

/// The pseudocode of the operation being stepped through, with the line of the current step highlighted. `table` and
/// `style` choose the code. `marks_next`: the line about to run is marked, too. Draws nothing if the table's family has
/// no pseudocode. `height`: text shrinks to fit. Returns the position to go to if a line was clicked: the operation
/// runs on to that line.
std::optional<std::size_t> code_view(Look const& look, StepPlayer const& player, TableSettings const& table,
                                     CodeStyle style, bool marks_next,
                                     float height = std::numeric_limits<float>::max());
/// The height of this many lines at this text size.
float code_height(std::size_t lines, float letters);

}  // namespace slotscape
