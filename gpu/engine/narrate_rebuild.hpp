#pragma once

#include "gpu/engine/trace.hpp"

#include <span>

namespace slotscape {

/// Adds to the trace of an insertion, of a key that a static table does not hold, a step for each slot that the rebuild
/// changes, the key itself last, and says what came of it. before and after: all slots, in order.
void narrate_rebuild(Trace& trace, std::span<SlotInfo const> before, std::span<SlotInfo const> after);

/// The same without steps, where the table is large. keys: in the table from now on.
void summarise_rebuild(Trace& trace, std::uint64_t keys);

/// The same where no table with the key could be built.
void narrate_failed_rebuild(Trace& trace);

}  // namespace slotscape
