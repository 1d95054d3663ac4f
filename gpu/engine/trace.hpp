#pragma once

#include "gpu/base/types.hpp"
#include "gpu/execution/code_place.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// One access to a table's memory, as step mode shows it.
struct Step {
  enum class Kind : std::uint8_t {
    read,              ///< of `seen.size()` slots at once: one, or a window, a bucket, a slab
    compare_and_swap,  ///< of one slot; `after` is set where it succeeded
    exchange,          ///< of one slot, always written
    metadata,          ///< of memory outside the slots: offsets, seeds, links
  };
  Kind kind;
  std::vector<SlotInfo> seen = {};      ///< the slots as they were before this step; empty for `metadata`
  std::optional<SlotInfo> after = {};   ///< the slot written, as it is after this step
  std::optional<Slot> moved_from = {};  ///< where the written key was before: an eviction or a move
  std::string text = {};                ///< what was found and what happens next, in plain English
  std::string found = {};               ///< the same without what happens next, for those who are to guess it
  CodePlace place = {};                 ///< in the family's pseudocode
};

/// The slots that a lookup reads, recorded by the traced machine running the same source. A lookup of more than
/// `max_traced` accesses is given up: then the path is not `complete`.
struct ProbePath {
  std::vector<Slot> slots;     ///< in the order of reading; the first of a window, a bucket or a slab
  std::optional<Value> value;  ///< of the key, if it was found
  bool complete = true;
  std::string second_hash = {};  ///< how it is computed by hand: "h2 = 1 + 27 mod 16 = 12"; empty if it is not
};

/// Whether that gives all probes by their number i, "(5 + i²) mod 11", which lead to a part of the slots, and not the
/// size of each step.
inline bool tells_probes(std::string_view second_hash)
{
  return second_hash.starts_with('(');
}

/// An operation, access by access: the traced machine runs the same source on a private copy, and the table does not
/// change.
struct Trace {
  Operation operation;
  Key key;
  Value value;  ///< given to an insert; found by a find
  Outcome outcome;
  std::vector<Step> steps;
  std::string summary;  ///< the outcome, in plain English
  Combine combine = Combine::replace;
  bool has_values = true;         ///< false: of a set
  std::string second_hash = {};   ///< see `ProbePath`
  std::string first_hash = {};    ///< likewise, of the home: "24 mod 13 = 11"
  std::string rebuild = {};       ///< what happens to the whole table, in a sentence or two; also in the summary
  std::uint64_t empty_slots = 0;  ///< of the table in which the key finds no place
  Slot slots_each = 0;            ///< of its arrays (`SlotArrays`); 0: slots are counted through
};

}  // namespace slotscape
