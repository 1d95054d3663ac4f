#pragma once

#include "gpu/engine/trace.hpp"
#include "gpu/tables/family.hpp"

#include <span>

namespace slotscape {

/// Completes a trace that has its accesses: each step's text, where a written key came from, and the summary.
void narrate(Trace& trace, FamilyInfo const& family);

/// Adds to the trace of an insertion, of a key that a static table does not hold, a step for each slot that the rebuild
/// changes, the key's own last, and the outcome. before and after: all slots, in order.
void narrate_rebuild(Trace& trace, std::span<SlotInfo const> before, std::span<SlotInfo const> after);

/// The outcome alone, where the table is too large to show. keys: in the rebuilt table.
void summarise_rebuild(Trace& trace, std::uint64_t keys);

/// The outcome where no table could be built with the key.
void narrate_failed_rebuild(Trace& trace);

}  // namespace slotscape
