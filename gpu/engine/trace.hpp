#pragma once

#include "gpu/base/types.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// One access to a table's memory, as step mode shows it.
struct Step {
  enum class Kind : std::uint8_t {
    read,              ///< of `seen.size()` slots at once: one, or a window, a bucket, a slab
    compare_and_swap,  ///< of one slot; `after` is set where it succeeded
    exchange,          ///< of one slot, always written
    metadata,          ///< of memory that is no slot: offsets, seeds, links
  };
  Kind kind;
  std::vector<SlotInfo> seen;      ///< the slots as they were before this step; empty where `metadata`
  std::optional<SlotInfo> after;   ///< the slot written, as it is from this step on
  std::optional<Slot> moved_from;  ///< where the key now written was before: an eviction or a move
  std::string text;                ///< what was found and what happens next, in plain English
};

/// The slots that a lookup read, as the traced machine of the same source took them.
struct ProbePath {
  std::vector<Slot> slots;     ///< in the order they were read; of a window, a bucket or a slab the first
  std::optional<Value> value;  ///< of the key, where it was found
};

/// An operation access by access, run by the traced machine of the same source on a private copy: the table stays.
struct Trace {
  Operation operation;
  Key key;
  Value value;  ///< given to an insert; found by a find
  Outcome outcome;
  std::vector<Step> steps;
  std::string summary;  ///< what came of it, in plain English
};

}  // namespace slotscape
