#pragma once

#include "gpu/engine/queried_table.hpp"

#include <string>

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
};

}  // namespace slotscape
