#pragma once

#include "gpu/engine/batch.hpp"
#include "gpu/execution/machines.hpp"
#include "gpu/tables/slot_mark.hpp"

namespace slotscape {

/// The parallel loops of `StaticTable`.
namespace static_passes {

/// The outcome of inserting into an empty table: `full`, as `StaticFamily::insert` reports it, or `rejected`.
template <PairFormat Format>
struct RefuseAll {
  Batch<Format> batch;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    if (batch.operation(i) != Operation::insert) { return not_run; }
    bool const reserved = Format::is_reserved(batch.keys[i]) || batch.values[i] == Format::empty_value;
    return batch.outcomes[i] = reserved ? Outcome::rejected : Outcome::full;
  }
};

/// Marks the insertions of keys that are not in the table, as `StaticFamily::insert` reports them.
template <PairFormat Format>
struct MarkPending {
  Batch<Format> batch;
  std::uint32_t* marks;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    marks[i] = batch.operation(i) == Operation::insert && batch.outcomes[i] == Outcome::full ? 1 : 0;
  }
};

/// The pending insertions, sorted so that equal keys are adjacent; the first represents all of them. Numbers have the
/// size of values, so the sort can treat them as values.
template <PairFormat Format>
struct Pending {
  using Number = typename Format::Value;
  typename Format::Key const* keys;
  Number const* numbers;  ///< positions in the batch

  SLOTSCAPE_HOST_DEVICE bool is_first(std::uint64_t i) const { return i == 0 || keys[i] != keys[i - 1]; }
};

/// Collects the keys of the marked operations and their numbers in the batch.
template <PairFormat Format>
struct CollectPending {
  Batch<Format> batch;
  std::uint32_t const* positions;
  typename Format::Key* keys;
  typename Pending<Format>::Number* numbers;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (batch.operation(i) != Operation::insert || batch.outcomes[i] != Outcome::full) { return; }
    keys[positions[i]] = batch.keys[i];
    numbers[positions[i]] = static_cast<typename Pending<Format>::Number>(i);
  }
};

template <PairFormat Format>
struct MarkFirst {
  Pending<Format> pending;
  std::uint32_t* marks;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { marks[i] = pending.is_first(i) ? 1 : 0; }
};

/// Collects each new key once, with a value.
template <PairFormat Format>
struct CollectNew {
  Pending<Format> pending;
  std::uint32_t const* firsts_before;
  typename Format::Value const* values;  ///< values of the batch
  typename Format::Key* new_keys;
  typename Format::Value* new_values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (!pending.is_first(i)) { return; }
    new_keys[firsts_before[i]] = pending.keys[i];
    new_values[firsts_before[i]] = values[pending.numbers[i]];
  }
};

/// Sets the outcomes of a batch of distinct new keys, the first `admitted` of which are in the table now.
template <TableFamily Family, class View>
struct AnswerAll {
  View table;
  std::uint64_t admitted;
  Batch<typename View::Format> batch;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    bool const inserted = i < admitted;
    batch.outcomes[i] = inserted ? Outcome::inserted : Outcome::full;
    if (!inserted || batch.changes == nullptr) { return; }
    batch.changes[Family::find(table, batch.keys[i]).slot] = fresh_change(Operation::insert);
  }
};

/// Marks the words that are live pairs: in all static tables, those with a value.
template <PairFormat Format>
struct MarkLive {
  typename Format::Word const* words;
  std::uint32_t* marks;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t slot) const
  {
    marks[slot] = value_of(words[slot]) != Format::empty_value ? 1 : 0;
  }
};

template <PairFormat Format>
struct CollectLive {
  typename Format::Word const* words;
  std::uint32_t const* positions;
  typename Format::Key* keys;
  typename Format::Value* values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t slot) const
  {
    if (value_of(words[slot]) == Format::empty_value) { return; }
    keys[positions[slot]] = key_of(words[slot]);
    values[positions[slot]] = value_of(words[slot]);
  }
};

/// Sets the outcomes of the pending insertions after a rebuild with the first `admitted` new keys, and combines the
/// values of repeated ones.
template <TableFamily Family, class View>
struct Answer {
  using Format = typename View::Format;

  View table;
  Pending<Format> pending;
  std::uint32_t const* firsts_before;
  std::uint64_t admitted;
  Batch<Format> batch;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    bool const first = pending.is_first(i);
    std::uint32_t const key_number = firsts_before[i] - (first ? 0 : 1);
    Outcome const stored = first ? Outcome::inserted : Outcome::updated;
    Outcome const outcome = key_number < admitted ? stored : Outcome::full;
    batch.outcomes[pending.numbers[i]] = outcome;
    // If values replace each other, any copy's value may stay: here, the first.
    if (outcome == Outcome::updated && table.combine != Combine::replace) {
      Family::insert(table, pending.keys[i], batch.values[pending.numbers[i]]);
    }
    if (outcome == Outcome::inserted && batch.changes != nullptr) {
      batch.changes[Family::find(table, pending.keys[i]).slot] = fresh_change(Operation::insert);
    }
    return outcome;
  }
};

}  // namespace static_passes

}  // namespace slotscape
