#pragma once

#include "gpu/engine/graves.hpp"
#include "gpu/engine/queried_table.hpp"
#include "gpu/workloads/batch_buffers.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

namespace slotscape {

/// A phased table with its queries. Phased: a `PhasedTable`.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Phased>
class QueriedPhasedTable final : public QueriedTable<Family, Exec, Format, Phased> {
  using Base = QueriedTable<Family, Exec, Format, Phased>;
  using typename Base::Word;

public:
  using Base::Base;

  std::uint64_t rebuilds() const override { return this->times_rebuilt(); }

  Trace trace(Operation operation, slotscape::Key key, slotscape::Value value) override
  {
    Trace trace = Base::trace(operation, key, value);
    if (operation != Operation::insert) { return trace; }
    if constexpr (DigsGraves<Family>) {
      if (this->is_rebuild_due() && is_of_new_key(trace)) { trace_rebuild(trace); }
    }
    if constexpr (Base::can_reseed) {
      if (trace.outcome == Outcome::full) { trace_reseeding(trace); }
    }
    return trace;
  }

protected:
  /// An insertion looks up its key first, as in a batch.
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
  static constexpr std::uint64_t largest_tried = 1u << 20;  ///< slots of the largest table copied to try a rebuild

  static bool is_insertion(Step const& step) { return step.place.line == "meet"; }
  /// Whether the insertion did not find its key in the table.
  static bool is_of_new_key(Trace const& trace)
  {
    return trace.outcome == Outcome::full || std::ranges::any_of(trace.steps, is_insertion);
  }

  /// Shows on a copy of the table what happens if the key finds no place.
  void trace_reseeding(Trace& trace)
  {
    Guarantees const guarantees = Family::guarantees(this->settings_);
    if (guarantees.overflow == OverflowPolicy::report_full) { return; }
    if (!this->is_rebuild_worthwhile()) { return narrate_no_reseeding(trace, guarantees.safe_load); }
    if (this->words_.size() > largest_tried) { return narrate_large_reseeding(trace); }
    QueriedPhasedTable later(this->exec_, this->settings_);
    later.copy_from(*this);
    later.place_at(this->first_slot_);
    trace.outcome = later.insert_one(Format::narrow(trace.key), stored_value<Format>(trace.value));
    narrate_reseeding(trace, this->shown_slots(), later.shown_slots(), later.rebuilds() - rebuilds());
  }

  Outcome insert_one(typename Format::Key key, typename Format::Value value)
  {
    constexpr Operation insert = Operation::insert;
    BatchBuffers<Exec, Format> one;
    one.grow(this->exec_, 1, 1);
    this->exec_.upload(one.operations.data(), std::span(&insert, 1));
    this->exec_.upload(one.keys.data(), std::span<typename Format::Key const>(&key, 1));
    this->exec_.upload(one.values.data(), std::span<typename Format::Value const>(&value, 1));
    double seconds = 0.0;
    Tally const tally = this->run({1, one.operations.data(), one.keys.data(), one.values.data(), one.outcomes.data(),
                                   nullptr, false, OperationMask::inserts},
                                  seconds);
    return tally[Outcome::inserted] != 0 ? Outcome::inserted : Outcome::full;
  }

  /// The table is rebuilt after the steps in which an insertion looks up its key; the other steps are in the new table.
  void trace_rebuild(Trace& trace)
  {
    auto rebuilt = this->with_graves();
    if (rebuilt.words.size() == 0) { return; }
    std::vector<SlotInfo> const before = this->shown_slots();
    this->exchange(rebuilt);
    std::vector<SlotInfo> const after = this->shown_slots();
    Trace inserted = Base::trace(Operation::insert, trace.key, trace.value);
    this->exchange(rebuilt);
    trace.steps.erase(std::ranges::find_if(trace.steps, is_insertion), trace.steps.end());
    add_rebuild(trace, before, after);
    auto const first = std::ranges::find_if(inserted.steps, is_insertion);
    std::move(first, inserted.steps.end(), std::back_inserter(trace.steps));
    trace.outcome = inserted.outcome;
    trace.rebuild = "The table is rebuilt first, and its graves are dug anew.";
    trace.summary = trace.rebuild + " " + inserted.summary;
  }
};

}  // namespace slotscape
