#pragma once

#include "gpu/engine/graves.hpp"
#include "gpu/engine/queried_table.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

namespace slotscape {

/// A phased table with its queries. Phased: a `PhasedTable`.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Phased>
class QueriedPhasedTable final : public QueriedTable<Family, Exec, Format, Phased> {
  using Base = QueriedTable<Family, Exec, Format, Phased>;
  using typename Base::Word;

public:
  using Base::Base;

  Trace trace(Operation operation, slotscape::Key key, slotscape::Value value) override
  {
    Trace trace = Base::trace(operation, key, value);
    if constexpr (DigsGraves<Family>) {
      if (operation == Operation::insert && this->is_rebuild_due() && is_of_new_key(trace)) { trace_rebuild(trace); }
    }
    if (Base::can_reseed && trace.outcome == Outcome::full && this->is_rebuild_worthwhile()) {
      trace.summary = std::to_string(key) + " finds no slot: the table would be rebuilt with other hash functions.";
    }
    return trace;
  }

protected:
  /// An insertion looks for the key first, as a batch does.
  Result<Format> traced(typename TracedMachine<Format>::Record& record, Operation operation, typename Format::Key key,
                        typename Format::Value value) override
  {
    if (operation != Operation::insert) { return Base::traced(record, operation, key, value); }
    Result<Format> const place = Base::traced(record, Operation::find, key, value);
    if (place.slot != no_slot) {
      Word const old = put(this->traced_view(record), place.slot, pack(key, place.value), value);
      return {value_of(old) == Format::empty_value ? Outcome::inserted : Outcome::updated, place.slot, value};
    }
    if (this->is_full()) { return {Outcome::full, no_slot, value}; }
    return Base::traced(record, operation, key, value);
  }

private:
  static constexpr std::uint64_t largest_traced = 1u << 12;  ///< most slots of a table whose rebuild is shown

  static bool is_insertion(Step const& step) { return step.place.line == "meet"; }
  /// Whether an insertion has found its key nowhere.
  static bool is_of_new_key(Trace const& trace)
  {
    return trace.outcome == Outcome::full || std::ranges::any_of(trace.steps, is_insertion);
  }

  /// After the steps in which an insertion has looked for its key, the table is rebuilt; the others are in that table.
  void trace_rebuild(Trace& trace)
  {
    auto rebuilt = this->with_graves();
    if (rebuilt.words.size() == 0) { return; }
    bool const shown = this->words_.size() <= largest_traced;
    std::vector<Slot> slots(shown ? this->words_.size() : 0);
    std::iota(slots.begin(), slots.end(), Slot{0});
    std::vector<SlotInfo> const before = this->read(slots);
    this->exchange(rebuilt);
    std::vector<SlotInfo> const after = this->read(slots);
    Trace inserted = Base::trace(Operation::insert, trace.key, trace.value);
    this->exchange(rebuilt);
    trace.steps.erase(std::ranges::find_if(trace.steps, is_insertion), trace.steps.end());
    add_rebuild(trace, before, after);
    auto const first = std::ranges::find_if(inserted.steps, is_insertion);
    std::move(first, inserted.steps.end(), std::back_inserter(trace.steps));
    trace.outcome = inserted.outcome;
    trace.summary = "The table is rebuilt first, and its graves are dug anew. " + inserted.summary;
  }
};

}  // namespace slotscape
