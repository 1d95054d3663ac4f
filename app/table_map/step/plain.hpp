#pragma once

#include "app/table_map/step/retold.hpp"

#include <cstddef>
#include <string>

namespace slotscape {

/// The trace for readers who have not heard of compare-and-swap: what it explains of single accesses is left out, and
/// its summary counts slots instead of accesses. `written`: how keys are written.
Trace in_plain_words(Trace trace, FamilyInfo const& family, KeyWriter const& written);

/// The trace for who does not see values: nothing is said of them.
Trace without_values(Trace trace);

/// What the first `steps` accesses touched: "2 slots read, 1 written".
std::string slots_touched(Trace const& trace, std::size_t steps);

}  // namespace slotscape
