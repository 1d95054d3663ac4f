#pragma once

#include "app/table_map/step/retold.hpp"

#include <cstddef>
#include <vector>

namespace slotscape {

/// The trace for readers who do not know compare-and-swap. It omits explanations of single accesses, reads slots only
/// once until something is written, shows an eviction as a single move (`steps_in_plain_words`), and counts probes in
/// its summary. `written`: formats keys.
Trace in_plain_words(Trace trace, FamilyInfo const& family, KeyWriter const& written);

/// The trace without any mention of values, for readers who do not see them.
Trace without_values(Trace trace);

/// The steps of a trace that `in_plain_words` keeps, in order. Omits reads with which an insertion confirms what it has
/// seen before it writes, and steps that protect an eviction from other threads. The last step is always kept.
std::vector<std::size_t> steps_in_plain_words(Trace const& trace);

}  // namespace slotscape
