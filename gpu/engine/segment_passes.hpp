#pragma once

#include "gpu/engine/segment_erase.hpp"
#include "gpu/engine/segment_insert.hpp"

/// Passes that run before and after the segments of a partitioned batch are changed.
namespace slotscape::segment_passes {

/// Resets flags and counters before a partition. In small tables each launch counts, so one launch does it all.
struct Prepare {
  std::uint32_t segments;
  std::uint32_t* left;
  Counts* counts;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (i == 0) { *counts = {}; }
    if (i < segments) { left[i] = 0; }
  }
};
struct PrepareRooms {
  Prepare prepare;
  partition::PlanRooms plan;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    prepare(i);
    plan(i);
  }
};

/// Writes the outcome `full` for all operations, including folded ones, in segments whose shares were not applied. If
/// the items had no numbers, it writes the expected outcome for all others.
template <class Layout, PairFormat Format>
struct MarkLeft {
  Layout layout;
  Batch<Format> batch;
  Outcome expected;
  bool told;
  std::uint32_t const* left;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    bool const no_pair = expected == Outcome::inserted && batch.values[i] == Format::empty_value;
    if (no_pair || Format::is_reserved(batch.keys[i])) {
      batch.outcomes[i] = Outcome::rejected;
    } else if (left[layout.segment(batch.keys[i])] != 0) {
      batch.outcomes[i] = Outcome::full;
    } else if (told) {
      batch.outcomes[i] = expected;
    }
  }
};

/// Operations of one kind in a mixed batch. `numbers[k]` is the place of the k-th of them in the mixed batch.
template <PairFormat Format>
struct OneKind {
  std::uint32_t const* numbers;
  Batch<Format> mixed;
  Batch<Format> pure;
};
/// Copies the k-th operation of the kind to the pure batch.
template <PairFormat Format>
struct GatherKind {
  OneKind<Format> chosen;
  Operation* operations;
  typename Format::Key* keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t k) const
  {
    std::uint32_t const i = chosen.numbers[k];
    operations[k] = single_operation(chosen.pure.kinds);
    keys[k] = chosen.mixed.keys[i];
    if (chosen.pure.kinds == OperationMask::inserts) { chosen.pure.values[k] = chosen.mixed.values[i]; }
  }
};
/// Copies the results of the k-th operation back to the mixed batch.
template <PairFormat Format>
struct ScatterKind {
  OneKind<Format> chosen;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t k) const
  {
    std::uint32_t const i = chosen.numbers[k];
    if (chosen.pure.kinds == OperationMask::finds) { chosen.mixed.values[i] = chosen.pure.values[k]; }
    if (chosen.mixed.keeps_outcomes) { chosen.mixed.outcomes[i] = chosen.pure.outcomes[k]; }
  }
};

/// The number of each operation of one kind; `no_slot` for other kinds.
struct NumberKind {
  Operation const* operations;
  Operation kind;
  std::uint32_t* numbers;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    numbers[i] = operations[i] == kind ? static_cast<std::uint32_t>(i) : no_slot;
  }
};

}  // namespace slotscape::segment_passes
