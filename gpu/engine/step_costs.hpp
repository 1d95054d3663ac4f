#pragma once

#include "gpu/engine/trace.hpp"
#include "gpu/tables/family.hpp"

#include <string>

namespace slotscape {

/// How many different slots, buckets or windows the first `steps` accesses see: what textbooks count.
std::size_t probes(Trace const& trace, std::size_t steps);

/// What they cost: "7 probes (15 memory accesses, 5 of them second looks)".
std::string costs_in_words(Trace const& trace, std::size_t steps);

/// Whether a key's measure does: families that count probes count from 0.
bool says_more_than_probes(Measure const& measure);

}  // namespace slotscape
