#pragma once

#include "gpu/engine/trace.hpp"
#include "gpu/tables/family.hpp"

#include <span>

namespace slotscape {

/// Completes a trace from its accesses: the text of each step, the origins of written keys, and the summary.
void narrate(Trace& trace, FamilyInfo const& family);

/// How many of the first `steps` accesses read only slots that an earlier access has read: a table that other threads
/// may change reads again before it writes, and when it starts over.
std::size_t second_looks(Trace const& trace, std::size_t steps);

/// How many keys made room for the trace's key: "3 other keys moved to make room."; empty if none did.
std::string moved_in_words(Trace const& trace);

/// The displacement of the trace's key, by the family's measure, in its last slot; nullopt if it is in no slot.
std::optional<std::uint64_t> displacement(Trace const& trace);

/// Adds a step for each slot that a rebuild changes, on the line `rebuild`; also for keys that stay but have another
/// home or another measure. Returns the number of keys that move.
std::uint64_t add_rebuild(Trace& trace, std::span<SlotInfo const> before, std::span<SlotInfo const> after);
/// Completes the trace of inserting a new key into a static table: adds a step for each slot that the rebuild changes,
/// the new key's own last, and the outcome. before and after: all slots, in order.
void narrate_rebuild(Trace& trace, std::span<SlotInfo const> before, std::span<SlotInfo const> after);

/// Adds only the outcome, for tables too large to show. keys: their number in the rebuilt table.
void summarise_rebuild(Trace& trace, std::uint64_t keys);

/// Completes the trace of an insertion that finds no slot, after which `rebuilds` rebuilds with other hash functions
/// were attempted: the outcome says whether that helped. before and after: all slots, in order, or empty for a table
/// too large to show.
void narrate_reseeding(Trace& trace, std::span<SlotInfo const> before, std::span<SlotInfo const> after,
                       std::uint64_t rebuilds);
/// Like `narrate_reseeding`, for a table too large to try a rebuild.
void narrate_large_reseeding(Trace& trace);
/// Says why a table with empty slots is not rebuilt.
void narrate_no_reseeding(Trace& trace, double safe_load);

/// The effect of an insertion on a growing table: `splits` heads are split, the first of which shares its keys with
/// `added`.
std::string heads_split_in_words(Slot splits, Slot head, Slot added);
/// The effect on a table with splitting buckets. entries: the size of the directory if it has doubled, else 0.
std::string buckets_split_in_words(Slot splits, Slot entries);

/// Adds the outcome if no table could be built with the key.
void narrate_failed_rebuild(Trace& trace);

}  // namespace slotscape
