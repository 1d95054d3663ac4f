#pragma once

#include "gpu/engine/trace.hpp"
#include "gpu/tables/family.hpp"

#include <span>

namespace slotscape {

/// Completes a trace from its accesses: the texts of each step, where written keys came from, and the summary.
void narrate(Trace& trace, FamilyInfo const& family);

/// How many of the first `steps` accesses read only slots that an earlier one has read: a table that other threads may
/// change looks again before it writes, and where it starts over.
std::size_t second_looks(Trace const& trace, std::size_t steps);

/// How many keys made room for the trace's key: "3 other keys moved to make room."; empty if none did.
std::string moved_in_words(Trace const& trace);

/// Where the trace's key ends up, or was, by the family's measure; empty if it is in no slot.
std::optional<std::uint64_t> displacement(Trace const& trace);

/// Adds a step for each slot that a rebuild changes, on the line `rebuild`; also where a key stays, but has another
/// home or another measure. Returns how many keys change places.
std::uint64_t add_rebuild(Trace& trace, std::span<SlotInfo const> before, std::span<SlotInfo const> after);
/// Completes the trace of an insertion of a new key into a static table: adds a step for each slot that the rebuild
/// changes, the new key's own last, and the outcome. before and after: all slots, in order.
void narrate_rebuild(Trace& trace, std::span<SlotInfo const> before, std::span<SlotInfo const> after);

/// Adds the outcome alone, for tables too large to show. keys: their number in the rebuilt table.
void summarise_rebuild(Trace& trace, std::uint64_t keys);

/// Completes the trace of an insertion that finds no slot, after which the table was rebuilt `rebuilds` times with
/// other hash functions, or was tried to be: the outcome says whether that helped. before and after: all slots, in
/// order, or none of a table too large to show.
void narrate_reseeding(Trace& trace, std::span<SlotInfo const> before, std::span<SlotInfo const> after,
                       std::uint64_t rebuilds);
/// The same for a table too large to find that out.
void narrate_large_reseeding(Trace& trace);
/// Says why a table with empty slots is not rebuilt.
void narrate_no_reseeding(Trace& trace, double safe_load);

/// Adds the outcome if no table could be built with the key.
void narrate_failed_rebuild(Trace& trace);

}  // namespace slotscape
