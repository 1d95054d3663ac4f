#pragma once

#include "gpu/base/types.hpp"
#include "gpu/execution/code_place.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// One access to a table's memory, as step mode shows it.
struct Step {
  enum class Kind : std::uint8_t {
    read,              ///< reads `seen.size()` slots at once: one, or a window, a bucket, a slab
    compare_and_swap,  ///< on one slot; `after` is set if it succeeded
    exchange,          ///< on one slot, which is always written
    metadata,          ///< accesses memory outside the slots: offsets, seeds, links
  };
  Kind kind;
  std::vector<SlotInfo> seen = {};      ///< the slots before this step; empty for `metadata`
  std::optional<SlotInfo> after = {};   ///< the written slot after this step
  std::optional<Slot> moved_from = {};  ///< where the written key was before: an eviction or a move
  std::string text = {};                ///< what was found and what happens next, in plain English
  std::string found = {};               ///< like `text`, but users guess what happens next
  CodePlace place = {};                 ///< place in the family's pseudocode
  /// The nodes of each head from this step on; null if the step changes none, and for tables too large to draw.
  std::shared_ptr<std::vector<std::vector<Slot>> const> chains = {};
};

/// The slots that a lookup reads, recorded by the traced machine running the same source. A lookup that exceeds
/// `max_traced` accesses is abandoned; the path is then not `complete`.
struct ProbePath {
  std::vector<Slot> slots;     ///< in reading order; the first slot of each window, bucket or slab
  std::optional<Value> value;  ///< the key's value, if it was found
  bool complete = true;
  std::string second_hash = {};  ///< calculation by hand: "h2 = 1 + 27 mod 16 = 12"; empty if there is none
};

/// Whether the text gives each probe by its number i, "(5 + i²) mod 11", rather than the step width. Such sequences
/// reach only some of the slots.
inline bool tells_probes(std::string_view second_hash)
{
  return second_hash.starts_with('(');
}

/// An operation, access by access: the traced machine runs the same source on a private copy, so the table does not
/// change.
struct Trace {
  Operation operation;
  Key key;
  Value value;  ///< the inserted value, or the one found by a lookup
  Outcome outcome;
  std::vector<Step> steps;
  std::string summary;  ///< the outcome, in plain English
  Combine combine = Combine::replace;
  bool has_values = true;         ///< false for a set
  std::string second_hash = {};   ///< see `ProbePath`
  std::string first_hash = {};    ///< calculation of the home: "24 mod 13 = 11"
  std::string rebuild = {};       ///< what happens to the whole table, in one or two sentences; also in `summary`
  std::uint64_t empty_slots = 0;  ///< in the table in which the key finds no place
  Slot slots_each = 0;            ///< slots of each array (`SlotArrays`); 0: consecutive numbers
};

}  // namespace slotscape
