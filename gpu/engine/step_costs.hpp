#pragma once

#include "gpu/engine/parts.hpp"
#include "gpu/engine/trace.hpp"
#include "gpu/tables/family.hpp"

#include <string>

namespace slotscape {

/// How many different slots, buckets or windows the first `steps` accesses read: the cost that textbooks count.
std::size_t probes(Trace const& trace, std::size_t steps);

/// "9 probes".
std::string probes_in_words(Trace const& trace, std::size_t steps);

/// The cost in words: "9 probes (10 slots read, one of them a second time; 1 written)". Reads, writes and others add up
/// to the number of steps.
std::string costs_in_words(Trace const& trace, std::size_t steps);

/// Where a key was put: "3 slots from home.", "Bucket: 2."; empty if the number of probes implies it.
std::string place_in_words(Measure const& measure, std::uint64_t value, SlotArrays const& arrays);

}  // namespace slotscape
