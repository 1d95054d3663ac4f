#pragma once

#include "gpu/engine/trace.hpp"
#include "gpu/tables/family.hpp"

#include <string>

namespace slotscape {

/// Why a family does next what it does: what its algorithm compares. The narrator puts these into the texts of steps.

/// What follows "Slot 8 holds Eva (home 5)" where Robin Hood hashing compares two distances: ", 3 from home. Dmitri,
/// carried, is 4 from home here" and, if it tells what happens next, what follows from that. Empty elsewhere.
/// carried: the key for which a slot is sought at this step.
std::string compared_distances(Trace const& trace, std::size_t step, Key carried, bool tells_next);

/// What follows "in place of 22" where an ordered table puts a key in the place of another: ", as far from home, but
/// the larger key". Empty elsewhere.
std::string why_it_takes(Trace const& trace, std::size_t step);

/// Why an ordered table gives up at another key: " It would have taken slot 0 from 11, which is as far from home, but
/// the larger key." Empty elsewhere.
std::string why_missing(Trace const& trace);

/// Why the key that step i has read cannot move to the gap of an insertion: ": slot 9 is 8 from its home, outside its
/// neighbourhood". Empty where the family has no neighbourhoods.
std::string why_not_to_gap(Trace const& trace, std::size_t step);

/// Why an empty slot was not near enough: ", but 9 from the home of 51, ...". Empty where it was.
std::string why_too_far(Trace const& trace, std::size_t step);

/// What the place of the step after `step` is to the key: ", 2 further on", ", its slot in T2".
std::string what_comes_next(Trace const& trace, std::size_t step, FamilyInfo const& family);

/// Which key an empty slot makes room for, in the search of a cuckoo table whose functions are sums done by hand: ":
/// 100 may move here". Empty where that is not known.
std::string who_may_move_here(Trace const& trace, std::size_t step);

/// Why a search that has found neither the key nor a place ends at this step: "Its chain ends here".
std::string why_it_ends(Trace const& trace, std::size_t step, FamilyInfo const& family);

/// How the place of a key follows from it in a cuckoo table whose functions are sums done by hand: "h2(67) = (67 div
/// 11) mod 11 = 6" in an array, else "(67 div 11) mod 11 = 6 in T2". Empty in others.
std::string digit_in_words(Trace const& trace, Key key, Slot slot);

/// How the key that a binary search has read compares with the one it seeks: ", smaller than 51". Empty elsewhere.
std::string compared_keys(Trace const& trace, std::size_t step, FamilyInfo const& family);

/// Why an insertion found no slot: "no slab of the pool is left for its chain".
std::string why_it_is_full(Trace const& trace);

/// What follows from a bit that a metadata step has read: ". It is set". Empty for other steps.
std::string what_the_bit_says(Trace const& trace, std::size_t step);

}  // namespace slotscape
