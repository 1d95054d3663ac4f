#pragma once

#include "gpu/engine/queried_table.hpp"
#include "gpu/engine/static_table.hpp"

namespace slotscape {

/// A static table with its queries: step mode shows what an insertion rebuilds.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class QueriedStaticTable final
    : public QueriedTable<Family, Exec, Format, StaticTable<Family, Exec, Format, BatchTable<Exec, Format>>> {
  using Base = QueriedTable<Family, Exec, Format, StaticTable<Family, Exec, Format, BatchTable<Exec, Format>>>;
  using typename Base::Gathered;
  using typename Base::Parts;
  using typename Base::View;
  using typename Base::Word;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  using Base::Base;

  std::uint64_t rebuilds() const override { return this->times_rebuilt(); }

  /// If an insertion rebuilds a small table, the trace shows every slot that changes.
  Trace trace(Operation operation, slotscape::Key key, slotscape::Value value) override
  {
    Trace trace = Base::trace(operation, key, value);
    if (operation == Operation::insert && trace.outcome == Outcome::full) { trace_rebuild(trace); }
    return trace;
  }

private:
  /// Adds the steps of a rebuild with the trace's key, which is new to the table, and sets the outcome.
  void trace_rebuild(Trace& trace)
  {
    typename Format::Key const key = Format::narrow(trace.key);
    typename Format::Value const value = static_cast<typename Format::Value>(trace.value);
    Gathered const pairs = this->gather(1);
    this->exec_.upload(pairs.keys.data() + pairs.kept, std::span(&key, 1));
    this->exec_.upload(pairs.values.data() + pairs.kept, std::span(&value, 1));
    std::optional<Parts> parts;
    if (pairs.kept < this->words_.size()) { parts = this->built(pairs.contents(1)); }
    if (!parts) {
      narrate_failed_rebuild(trace);
    } else if (this->words_.size() > Base::largest_traced) {
      summarise_rebuild(trace, pairs.kept + 1);
    } else {
      View const after{{parts->words.data(), parts->metadata.data()}, parts->layout};
      narrate_rebuild(trace, this->shown_slots(), this->all_slots(after, parts->words.data()));
    }
  }
};

}  // namespace slotscape
