#pragma once

#include "gpu/engine/trace.hpp"
#include "gpu/tables/family.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slotscape {

/// The variable of this name at a step's place in the pseudocode; nullopt if there is no such variable.
std::optional<std::uint64_t> variable(Step const& step, std::string_view name);

/// Why a family takes its next step: the comparisons that its algorithm makes. The narrator puts these into the texts
/// of steps.

/// Continues "Slot 8 holds Eva (home 5)" where Robin Hood hashing compares two distances: ", 3 from home. Dmitri,
/// carried, is 4 from home here" and, with `tells_next`, the consequence. Empty for other steps. carried: the key that
/// needs a slot at this step.
std::string compared_distances(Trace const& trace, std::size_t step, Key carried, bool tells_next);

/// Continues "in place of 22" where an ordered table replaces one key by another: ", as far from home, but the larger
/// key". Empty for other steps.
std::string why_it_takes(Trace const& trace, std::size_t step);

/// Why a lookup in an ordered table stops at another key: " It would have taken slot 0 from 11, which is as far from
/// home, but the larger key." Empty for other traces.
std::string why_missing(Trace const& trace);

/// Why the key that the step read cannot move to the gap of an insertion: ": slot 9 is 8 from its home, outside its
/// neighbourhood". Empty if the family has no neighbourhoods.
std::string why_not_to_gap(Trace const& trace, std::size_t step);

/// Why an empty slot was not near enough: ", but 9 from the home of 51, ...". Empty if it was near enough.
std::string why_too_far(Trace const& trace, std::size_t step);

/// How the place of the step after `step` relates to the key: ", 2 further on", ", its slot in T2".
std::string what_comes_next(Trace const& trace, std::size_t step, FamilyInfo const& family);

/// Which key an empty slot makes room for, in the search of a cuckoo table whose hash functions can be computed by
/// hand: ": 100 may move here". Empty if that is unknown.
std::string who_may_move_here(Trace const& trace, std::size_t step);

/// Why a search that has found neither the key nor a place ends at this step: "Its chain ends here".
std::string why_it_ends(Trace const& trace, std::size_t step, FamilyInfo const& family);

/// How a key's place is computed in a cuckoo table whose hash functions can be computed by hand: "h2(67) = (67 div 11)
/// mod 11 = 6" in an array, else "(67 div 11) mod 11 = 6 in T2". Empty for other tables.
std::string digit_in_words(Trace const& trace, Key key, Slot slot);

/// How the key that a binary search read compares with the key it seeks: ", smaller than 51". Empty for other families.
std::string compared_keys(Trace const& trace, std::size_t step, FamilyInfo const& family);

/// Why an insertion found no slot: "the pool has no slab left for its chain".
std::string why_it_is_full(Trace const& trace);

/// The conclusion from a bit that a metadata step read: ". It is set". Empty for other steps.
std::string what_the_bit_says(Trace const& trace, std::size_t step);

}  // namespace slotscape
