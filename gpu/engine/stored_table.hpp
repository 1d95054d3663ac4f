#pragma once

#include "gpu/engine/narrate.hpp"
#include "gpu/engine/run_operations.hpp"
#include "gpu/engine/slot_reader.hpp"
#include "gpu/engine/sum_bound.hpp"
#include "gpu/engine/table.hpp"
#include "gpu/execution/traced.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace slotscape {

/// What the tables of all families share: memory of one word per slot and metadata, and everything except running a
/// batch.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Base = BatchTable<Exec, Format>>
class StoredTable : public Base {
public:
  using Word = typename Format::Word;
  using Layout = typename Family::template Layout<Format>;
  using Machine = typename Exec::template Machine<Format>;
  using View = slotscape::View<Layout, Machine>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  StoredTable(Exec& exec, TableSettings const& settings)
      : exec_(exec),
        settings_(settings),
        layout_(Family::template layout<Format>(settings)),
        words_(exec, layout_.slots()),
        metadata_(exec, metadata_size(layout_))
  {
    settings_.slots = layout_.slots();
    if (has_moves) { moves_ = Buffer<std::uint32_t>(exec, move_bins * move_stripes); }
    StoredTable::clear();
  }

  FamilyInfo const& info() const override { return Family::info; }
  TableSettings const& settings() const override { return settings_; }
  std::uint64_t memory_bytes() const override { return words_.size() * sizeof(Word) + metadata_.size() * 8; }
  Word const* words() const override { return words_.data(); }

  void clear() override
  {
    exec_.fill(words_.data(), words_.size(), Format::empty_word);
    exec_.fill(metadata_.data(), metadata_.size(), std::uint64_t{0});
    if (has_moves) { exec_.fill(moves_.data(), moves_.size(), std::uint32_t{0}); }
    sums_.clear();
  }

  void scan(Occupancy const& occupancy, SlotMark* marks, exec::HistogramView measures) override
  {
    using Scan = passes::ScanSlots<Family, View>;
    exec_.accumulate(Scan::count(occupancy.slots), measures, Scan{view(), words_.data(), occupancy, marks});
  }

  void count_groups(exec::HistogramView groups) override
  {
    if constexpr (requires { Family::groups(layout_); }) {
      using Count = CountGroups<Family, View>;
      std::uint64_t const count = Family::groups(layout_);
      exec_.accumulate((count + Count::per_item - 1) / Count::per_item, groups, Count{view(), count});
    }
  }

  void count_moves(exec::HistogramView moves) override
  {
    if (!has_moves) { return; }
    std::vector<std::uint32_t> counts(moves_.size());
    exec_.download(std::span(counts), static_cast<std::uint32_t const*>(moves_.data()));
    for (std::uint32_t i = move_bins; i < counts.size(); ++i) { counts[i % move_bins] += counts[i]; }
    exec_.upload(moves.bins, std::span<std::uint32_t const>(counts).first(move_bins));
    exec::HistogramTotals totals{};
    totals.used = move_bins;
    exec_.upload(moves.totals, std::span<exec::HistogramTotals const>(&totals, 1));
  }

  void count_accesses(typename Format::Key const* keys, std::uint64_t count, std::uint32_t most,
                      std::uint32_t* accesses) override
  {
    tally(count, CountFind<Family, View>{view(), keys, accesses, most});
  }

  std::vector<SlotInfo> read(std::span<Slot const> slots) override
  {
    Buffer<Slot> places(exec_, slots.size());
    Buffer<SlotInfo> infos(exec_, slots.size());
    exec_.upload(places.data(), slots);
    exec_.for_each(slots.size(), ReadSlot<Family, View>{view(), words_.data(), places.data(), infos.data()});
    std::vector<SlotInfo> result(slots.size());
    exec_.download(std::span(result), static_cast<SlotInfo const*>(infos.data()));
    return result;
  }

  ProbePath probe_path(slotscape::Key key) override
  {
    SlotReader<Exec, Word> words(exec_, words_.data(), words_.size());
    SlotReader<Exec, std::uint64_t> metadata(exec_, metadata_.data(), metadata_.size());
    auto record = record_from(words, metadata);
    ProbePath path;
    Slot place = no_slot;
    try {
      Result<Format> const result = traced(record, Operation::find, Format::narrow(key), 0);
      if (result.outcome == Outcome::found) {
        place = result.slot;
        path.value = Format::widen_value(result.value);
      }
    } catch (TooManyAccesses const&) {
      path.complete = false;
    }
    for (TracedAccess<Format> const& access : record.accesses) {
      if (!access.found.empty()) { path.slots.push_back(static_cast<Slot>(access.where)); }
    }
    bool const found_elsewhere = place != no_slot && (path.slots.empty() || path.slots.back() != place);
    if (found_elsewhere) { path.slots.push_back(place); }
    return path;
  }

  Trace trace(Operation operation, slotscape::Key key, slotscape::Value value) override
  {
    SlotReader<Exec, Word> words(exec_, words_.data(), words_.size());
    SlotReader<Exec, std::uint64_t> metadata(exec_, metadata_.data(), metadata_.size());
    auto record = record_from(words, metadata);
    auto peek = record;  // describing a slot may read metadata, which is not an access of the operation
    Result<Format> const result =
        traced(record, operation, Format::narrow(key), static_cast<typename Format::Value>(value));
    Trace trace{operation,        key, operation == Operation::insert ? value : Format::widen_value(result.value),
                result.outcome,   {},  {},
                settings_.combine};
    for (TracedAccess<Format> const& access : record.accesses) { trace.steps.push_back(step(peek, access)); }
    narrate(trace, Family::info);
    return trace;
  }

  std::string check_invariants() override
  {
    Buffer<Slot> wrong(exec_, 1);
    std::uint64_t const count =
        tally(words_.size(), CheckSlot<Family, View>{view(), words_.data(), wrong.data()})[Outcome::missing];
    if (count == 0) { return {}; }
    Slot slot = 0;
    exec_.download(std::span(&slot, 1), static_cast<Slot const*>(wrong.data()));
    SlotInfo const info = read(std::span(&slot, 1)).front();
    return std::to_string(count) + " slots violate the invariants of " + std::string(Family::info.name) +
           ", among them slot " + std::to_string(slot) + " with key " + std::to_string(info.pair.key) + ", home " +
           std::to_string(info.home);
  }

protected:
  static constexpr bool has_moves = !Family::info.moves.name.empty();

  View view() { return {{words_.data(), metadata_.data()}, layout_, combine_}; }
  /// The seconds it takes to choose how the values of a batch are added up: atomic additions are fast where many meet,
  /// but know no largest value.
  double choose_addition(Batch<Format> const& batch)
  {
    bool const inserts = contains(batch.kinds, Operation::insert) && batch.count != 0;
    if (Exec::backend != Backend::cuda || settings_.combine != Combine::add || !inserts) { return 0.0; }
    exec_.start_timer();
    combine_ = sums_.takes(batch) ? Combine::add_freely : Combine::add;
    return exec_.stop_timer();
  }

  /// Takes on the memory and the layout of a table of the same settings.
  void copy_stored(StoredTable const& other)
  {
    layout_ = other.layout_;
    exec_.copy(words_.data(), other.words_.data(), words_.size());
    exec_.copy(metadata_.data(), other.metadata_.data(), metadata_.size());
    exec_.copy(moves_.data(), other.moves_.data(), moves_.size());
    sums_.copy_from(other.sums_);
  }
  std::uint32_t* moves() { return has_moves ? moves_.data() : nullptr; }

  /// Counts the outcomes f(i), or f(i, tile) if the family uses tiles.
  template <class F>
  Tally tally(std::uint64_t count, F const& f)
  {
    if constexpr (UsesTiles<Family>) {
      Tally result;
      with_lanes([&]<int Lanes>() { result = exec_.template tally_tile<Lanes>(count, f); });
      return result;
    } else {
      return exec_.tally(count, f);
    }
  }

  /// Calls f<Lanes>() for the lanes of a tile of this table.
  template <class F>
  void with_lanes(F const& f) const
  {
    [&]<std::size_t... i>(std::index_sequence<i...>)
    {
      ((Family::lane_choices[i] == Family::lanes(layout_) ? (f.template operator()<Family::lane_choices[i]>(), 0) : 0),
       ...);
    }
    (std::make_index_sequence<Family::lane_choices.size()>{});
  }

  slotscape::View<Layout, TracedMachine<Format>> traced_view(typename TracedMachine<Format>::Record& record) const
  {
    return {{&record}, layout_, settings_.combine};
  }

  /// Runs one operation on the traced machine. Override it if an insertion takes more than the family's `insert`.
  virtual Result<Format> traced(typename TracedMachine<Format>::Record& record, Operation operation,
                                typename Format::Key key, typename Format::Value value)
  {
    auto const table = traced_view(record);
    if constexpr (UsesTiles<Family>) {
      Result<Format> result{};
      with_lanes([&]<int Lanes>() { result = run_one(table, exec::HostLanes<Lanes>{}, operation, key, value); });
      return result;
    } else {
      return run_one(table, exec::NoTile{}, operation, key, value);
    }
  }

  Exec& exec_;
  TableSettings settings_;
  Layout layout_;
  Buffer<Word> words_;
  Buffer<std::uint64_t> metadata_;
  Buffer<std::uint32_t> moves_;
  Combine combine_ = settings_.combine;  ///< how insertions of the present batch do it

private:
  template <class Words, class Metadata>
  static typename TracedMachine<Format>::Record record_from(Words& words, Metadata& metadata)
  {
    return {[&words](Slot slot) { return words.read(slot); },
            [&metadata](std::uint64_t index) { return metadata.read(index); }};
  }

  SumBound<Exec, Format> sums_{exec_};

  static std::uint64_t metadata_size(Layout const& layout)
  {
    if constexpr (requires { layout.metadata(); }) {
      return layout.metadata();
    } else {
      return 0;
    }
  }

  template <class Traced, class Tile>
  static Result<Format> run_one(Traced const& table, Tile tile, Operation operation, typename Format::Key key,
                                typename Format::Value value)
  {
    switch (operation) {
      case Operation::insert: return insert_in<Family>(table, tile, key, value);
      case Operation::find: return find_in<Family>(table, tile, key);
      case Operation::erase: break;
    }
    return erase_in<Family>(table, tile, key);
  }

  Step step(typename TracedMachine<Format>::Record& peek, TracedAccess<Format> const& access) const
  {
    auto const table = traced_view(peek);
    auto const info = [&](std::uint64_t place, Word word) {
      Slot const slot = static_cast<Slot>(place);
      return slot_info(table, slot, word, Family::describe(table, slot, word));
    };
    Step step{static_cast<Step::Kind>(access.kind), {}, {}, {}, {}};
    for (std::size_t i = 0; i < access.found.size(); ++i) {
      step.seen.push_back(info(access.where + i, access.found[i]));
    }
    if (access.kind == TracedAccess<Format>::Kind::metadata) {
      if (access.writes) { peek.changed_metadata[access.where] = access.metadata_written; }
      if constexpr (requires {
                      Family::explain(layout_, access.where, access.metadata_found, access.metadata_written);
                    }) {
        step.text = Family::explain(layout_, access.where, access.metadata_found, access.metadata_written);
      }
    } else if (access.writes) {
      peek.changed[static_cast<Slot>(access.where)] = access.written;
      step.after = info(access.where, access.written);
    }
    return step;
  }
};

}  // namespace slotscape
