#pragma once

#include "gpu/engine/growing_table.hpp"
#include "gpu/engine/queried_table.hpp"

#include <string>
#include <utility>
#include <vector>

namespace slotscape {

/// A growing table with its queries. The trace of an insertion includes the splits that it causes. Growing: a
/// `GrowingTable`.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Growing>
class QueriedGrowingTable final : public QueriedTable<Family, Exec, Format, Growing> {
  using Base = QueriedTable<Family, Exec, Format, Growing>;
  using typename Base::Layout;
  using Record = typename TracedMachine<Format>::Record;

public:
  using Base::Base;

  Trace trace(Operation operation, slotscape::Key key, slotscape::Value value) override
  {
    Trace trace = Base::trace(operation, key, value);
    if (grown_.empty() || operation != Operation::insert) { return trace; }
    trace.rebuild = growth_in_words();
    trace.summary += " " + trace.rebuild;
    return trace;
  }

protected:
  Result<Format> traced(Record& record, Operation operation, typename Format::Key key,
                        typename Format::Value value) override
  {
    grown_.clear();
    Result<Format> const result = Base::traced(record, operation, key, value);
    if (operation != Operation::insert) { return result; }
    if constexpr (SplitsInTurn<Family>) {
      if (result.outcome == Outcome::inserted) { split_next(record); }
      return result;
    } else {
      return result.outcome == Outcome::full ? insert_with_splits(record, key, value) : result;
    }
  }

  Layout layout_at(std::size_t access) const override
  {
    Layout layout = this->layout_;
    for (auto const& [first, grown] : grown_) {
      if (first <= access) { layout = grown; }
    }
    return layout;
  }

private:
  static constexpr Slot most_shown = 64;  ///< largest directory whose entries are traced step by step

  auto view_of(Record& record, Layout const& layout) const
  {
    return traced_view_of<Format>(record, layout, this->settings_.combine);
  }
  Layout const& latest() const { return grown_.empty() ? this->layout_ : grown_.back().second; }

  void split_next(Record& record)
  {
    Layout layout = this->layout_;
    while (layout.in_use < layout.heads_for(this->keys() + 1)) {
      Slot const from = layout.next();
      Slot const to = layout.in_use;
      layout.use(to + 1);
      grown_.emplace_back(record.accesses.size(), layout);
      Family::split(view_of(record, layout), from, to);
    }
  }

  Result<Format> insert_with_splits(Record& record, typename Format::Key key, typename Format::Value value)
  {
    Result<Format> result{Outcome::full, no_slot, value};
    while (result.outcome == Outcome::full && split_bucket(record, key)) {
      result = this->traced_in(view_of(record, latest()), Operation::insert, key, value);
    }
    return result;
  }

  /// Splits the bucket of a key. Returns false if it cannot be split.
  bool split_bucket(Record& record, typename Format::Key key)
  {
    Layout layout = latest();
    auto const entry_of = [&] {
      Slot const number = layout.home(key);
      auto const table = view_of(record, layout);
      table.at("again_entry", "entry", number, "unused", layout.buckets - layout.in_use);
      return Family::Entry::in(table.machine.load_metadata(number));
    };
    auto const entry = entry_of();
    bool const doubles = entry.depth == layout.depth;
    if (layout.in_use == layout.buckets || (doubles && !layout.can_double())) { return false; }
    if (doubles) { double_directory(record, layout); }
    Slot const to = layout.in_use++;
    grown_.emplace_back(record.accesses.size(), layout);
    auto const table = view_of(record, layout);
    Family::split(table, entry.bucket, entry.depth, to);
    Slot const step = Slot{1} << entry.depth;
    for (Slot at = layout.home(key) & (step - 1); at < layout.entries(); at += step) {
      if (layout.entries() > most_shown) {
        record.changed_metadata[at] = entry.split(at, to).word();
      } else {
        table.at("lead", "entry", at, "new", to);
        table.machine.compare_exchange_metadata(at, entry.word(), entry.split(at, to).word());
      }
    }
    return true;
  }

  /// Copies a small directory entry by entry.
  void double_directory(Record& record, Layout& layout)
  {
    Slot const half = layout.entries();
    if (half > most_shown) {
      auto const changed = record.changed_metadata;
      for (auto const& [at, word] : changed) { record.changed_metadata[half + at] = word; }
      record.read_metadata = [read = record.read_metadata, half](std::uint64_t at) { return read(at % half); };
    } else {
      auto const table = view_of(record, layout);
      for (Slot at = 0; at != half; ++at) {
        table.at("double", "entry", at, "twin", half + at);
        table.machine.compare_exchange_metadata(half + at, 0, table.machine.load_metadata(at));
      }
    }
    ++layout.depth;
    grown_.emplace_back(record.accesses.size(), layout);
  }

  std::string growth_in_words() const
  {
    Layout const& after = grown_.back().second;
    Slot const splits = after.in_use - this->layout_.in_use;
    if constexpr (SplitsInTurn<Family>) {
      return heads_split_in_words(splits, this->layout_.next(), this->layout_.in_use);
    } else {
      return buckets_split_in_words(splits, after.depth == this->layout_.depth ? 0 : after.entries());
    }
  }

  std::vector<std::pair<std::size_t, Layout>> grown_;  ///< layouts in the last traced operation, with first accesses
};

}  // namespace slotscape
