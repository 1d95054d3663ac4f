#pragma once

#include "gpu/engine/narrate.hpp"
#include "gpu/engine/parts.hpp"
#include "gpu/engine/query_passes.hpp"
#include "gpu/engine/slot_reader.hpp"
#include "gpu/engine/table.hpp"
#include "gpu/execution/traced.hpp"
#include "gpu/tables/hash_formula.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace slotscape {

/// A view of a table for the traced machine.
template <PairFormat Format, class Layout>
View<Layout, TracedMachine<Format>> traced_view_of(typename TracedMachine<Format>::Record& record, Layout const& layout,
                                                   Combine combine)
{
  return {{&record}, layout, combine};
}

/// Adds the queries of `Table` to a class that implements its other functions. Stored: a `StoredTable`.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Stored>
class QueriedTable : public Stored {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  using typename Stored::Layout;
  using typename Stored::View;
  using typename Stored::Word;

  using Stored::Stored;

  void scan(Occupancy const& occupancy, SlotMark* marks, exec::HistogramView measures) override
  {
    using Scan = passes::ScanSlots<Family, View>;
    this->exec_.accumulate(Scan::count(occupancy.slots), measures,
                           Scan{this->view(), this->words_.data(), occupancy, marks});
  }

  /// On GPUs only: a CPU marks slots with vector instructions (scan_distances.hpp) and finds the marks in its caches.
  bool scan_cells(Occupancy const& occupancy, passes::CellPicture const& picture, exec::HistogramView measures) override
  {
    if constexpr (Exec::backend == Backend::cuda) {
      using Scan = passes::ScanCells<Family, View>;
      auto const scan = [&](auto distance) {
        this->exec_.accumulate(picture.items(), measures,
                               Scan{this->view(), this->words_.data(), occupancy, picture, distance});
        return true;
      };
      if constexpr (Scan::by_distance) {
        passes::DistanceFromHome<typename Format::Key> const distance(this->layout_.hasher);
        return distance.is_possible() && scan(distance);
      } else {
        return scan(nullptr);
      }
    }
    return false;
  }

  void mark_chain_lengths([[maybe_unused]] SlotMark* marks) override
  {
    if constexpr (KnowsChainLengths<Family, View>) {
      this->exec_.for_each(this->places(), MarkChainLengths<Family, View>{this->view(), this->words_.data(), marks});
    }
  }

  void count_groups(exec::HistogramView groups) override
  {
    if constexpr (requires { Family::groups(this->layout_); }) {
      using Count = CountGroups<Family, View>;
      std::uint64_t const count = Family::groups(this->layout_);
      this->exec_.accumulate((count + Count::per_item - 1) / Count::per_item, groups, Count{this->view(), count});
    }
  }

  void count_moves(exec::HistogramView moves) override
  {
    if (!Stored::has_moves) { return; }
    std::vector<std::uint32_t> counts(this->moves_.size());
    std::vector<std::uint32_t> sums(move_bins);
    this->exec_.download(std::span(counts), static_cast<std::uint32_t const*>(this->moves_.data()));
    this->exec_.download(std::span(sums), static_cast<std::uint32_t const*>(moves.bins));
    for (std::uint32_t i = 0; i < counts.size(); ++i) { sums[i % move_bins] += counts[i]; }
    this->exec_.upload(moves.bins, std::span<std::uint32_t const>(sums));
    exec::HistogramTotals totals{};
    totals.used = move_bins;
    this->exec_.upload(moves.totals, std::span<exec::HistogramTotals const>(&totals, 1));
  }

  void count_accesses(typename Format::Key const* keys, std::uint64_t count, std::uint32_t most,
                      std::uint32_t* accesses) override
  {
    this->tally(count, CountFind<Family, View>{this->view(), keys, accesses, most});
  }

  void place_at(Slot first) override
  {
    first_slot_ = first;
    is_part_ = true;
  }

  std::vector<SlotInfo> read(std::span<Slot const> slots) override
  {
    return read_in(this->view(), this->words_.data(), slots);
  }

  std::vector<std::vector<Slot>> nodes_by_head() override
  {
    if constexpr (requires(std::vector<std::uint64_t> const& metadata) { Family::chains(this->layout_, metadata); }) {
      std::vector<std::uint64_t> metadata(this->metadata_.size());
      this->exec_.download(std::span(metadata), static_cast<std::uint64_t const*>(this->metadata_.data()));
      return Family::chains(this->layout_, metadata);
    }
    return {};
  }

  ProbePath probe_path(slotscape::Key key) override
  {
    SlotReader<Exec, Word> words(this->exec_, this->words_.data(), this->words_.size());
    SlotReader<Exec, std::uint64_t> metadata(this->exec_, this->metadata_.data(), this->metadata_.size());
    auto record = record_from(words, metadata);
    ProbePath path;
    path.second_hash = second_hash_of(key);
    Slot place = no_slot;
    try {
      Result<Format> const result = traced(record, Operation::find, Format::narrow(key), 0);
      if (result.outcome == Outcome::found) {
        place = result.slot;
        path.value = shown_value<Format>(result.value);
      }
    } catch (TooManyAccesses const&) {
      path.complete = false;
    }
    for (TracedAccess<Format> const& access : record.accesses) {
      if (!access.found.empty()) { path.slots.push_back(static_cast<Slot>(access.where)); }
    }
    bool const found_elsewhere = place != no_slot && (path.slots.empty() || path.slots.back() != place);
    if (found_elsewhere) { path.slots.push_back(place); }
    for (Slot& slot : path.slots) { slot += first_slot_; }
    return path;
  }

  Trace trace(Operation operation, slotscape::Key key, slotscape::Value value) override
  {
    SlotReader<Exec, Word> words(this->exec_, this->words_.data(), this->words_.size());
    SlotReader<Exec, std::uint64_t> metadata(this->exec_, this->metadata_.data(), this->metadata_.size());
    auto record = record_from(words, metadata);
    auto peek = record;  // describing a slot may read metadata; those reads are not accesses of the operation
    Result<Format> const result = traced(record, operation, Format::narrow(key), stored_value<Format>(value));
    Trace trace{operation,
                key,
                shown(operation, value, result),
                result.outcome,
                {},
                {},
                this->settings_.combine,
                Format::has_values,
                second_hash_of(key),
                first_hash_of(key)};
    for (std::size_t i = 0; i != record.accesses.size(); ++i) {
      trace.steps.push_back(step(peek, record.accesses[i], layout_at(i)));
      trace.steps.back().chains = changed_chains(peek, record.accesses[i], i);
    }
    if (result.outcome == Outcome::full) {
      Slot wrong = 0;
      trace.empty_slots = check_slots(wrong)[Checked::empty];
    }
    if (!is_part_) { trace.slots_each = SlotArrays::of(this->settings_).slots_each(); }
    narrate(trace, Family::info);
    return trace;
  }

  std::string check_invariants() override
  {
    Slot slot = 0;
    std::uint64_t const count = check_slots(slot)[Checked::violated];
    if (count == 0) { return {}; }
    SlotInfo const info = read(std::span(&slot, 1)).front();
    return std::to_string(count) + " slots violate the invariants of " + std::string(Family::info.name) +
           ", among them slot " + std::to_string(info.slot) + " with key " + std::to_string(info.pair.key) + ", home " +
           std::to_string(info.home);
  }

protected:
  static constexpr std::uint64_t largest_traced = 1u << 12;  ///< slots of the largest table whose rebuild is shown

  SlotInfo placed(SlotInfo info) const
  {
    info.slot += first_slot_;
    info.home += first_slot_;
    return info;
  }
  /// Reads slots of a table of the same size, such as the one that results from a rebuild.
  std::vector<SlotInfo> read_in(View const& table, Word const* words, std::span<Slot const> slots)
  {
    Buffer<Slot> places(this->exec_, slots.size());
    Buffer<SlotInfo> infos(this->exec_, slots.size());
    this->exec_.upload(places.data(), slots);
    this->exec_.for_each(slots.size(), ReadSlot<Family, View>{table, words, places.data(), infos.data()});
    std::vector<SlotInfo> result(infos.size());
    this->exec_.download(std::span(result), static_cast<SlotInfo const*>(infos.data()));
    for (SlotInfo& info : result) { info = placed(info); }
    return result;
  }
  std::vector<SlotInfo> all_slots(View const& table, Word const* words)
  {
    std::vector<Slot> slots(this->words_.size());
    std::iota(slots.begin(), slots.end(), Slot{0});
    return read_in(table, words, slots);
  }
  /// All slots; empty if the table is too large for its rebuild to be shown.
  std::vector<SlotInfo> shown_slots()
  {
    if (this->words_.size() > largest_traced) { return {}; }
    return all_slots(this->view(), this->words_.data());
  }

  auto traced_view(typename TracedMachine<Format>::Record& record) const
  {
    return traced_view_of<Format>(record, this->layout_, this->settings_.combine);
  }
  /// The layout at an access of the last traced operation. Override it if operations change the layout.
  virtual Layout layout_at(std::size_t /*access*/) const { return this->layout_; }

  /// Runs one operation on the traced machine. Override it if an insertion does more than the family's `insert`.
  virtual Result<Format> traced(typename TracedMachine<Format>::Record& record, Operation operation,
                                typename Format::Key key, typename Format::Value value)
  {
    return traced_in(traced_view(record), operation, key, value);
  }
  template <class Traced>
  Result<Format> traced_in(Traced const& table, Operation operation, typename Format::Key key,
                           typename Format::Value value)
  {
    if constexpr (UsesTiles<Family>) {
      Result<Format> result{};
      this->with_lanes([&]<int Lanes>() { result = run_one(table, exec::HostLanes<Lanes>{}, operation, key, value); });
      return result;
    } else {
      return run_one(table, exec::NoTile{}, operation, key, value);
    }
  }

  Slot first_slot_ = 0;  ///< number of its first slot in the table that contains it

private:
  bool is_part_ = false;  ///< whether this table is part of a larger one

  using Checked = CheckSlot<Family, View>;

  /// Output: `wrong`, a slot that violates an invariant, if any does.
  Tally check_slots(Slot& wrong)
  {
    Buffer<Slot> found(this->exec_, 1);
    Tally const tally = this->tally(this->words_.size(), Checked{this->view(), this->words_.data(), found.data()});
    if (tally[Checked::violated] != 0) {
      this->exec_.download(std::span(&wrong, 1), static_cast<Slot const*>(found.data()));
    }
    return tally;
  }
  /// The value that a trace shows.
  static slotscape::Value shown(Operation operation, slotscape::Value given, Result<Format> const& result)
  {
    bool const is_given = operation == Operation::insert && Format::has_values;
    return is_given ? given : shown_value<Format>(result.value);
  }
  std::string second_hash_of(slotscape::Key key) const
  {
    if constexpr (requires { Family::explain_second_hash(this->layout_, Format::narrow(key)); }) {
      return Family::explain_second_hash(this->layout_, Format::narrow(key));
    }
    return {};
  }

  /// Empty unless the home can be computed by hand, with the identity hash or a formula. A table that reduces the hash
  /// by another number than its hasher's returns that number from `modulus(key)`.
  std::string first_hash_of(slotscape::Key key) const
  {
    auto const narrow = Format::narrow(key);
    if constexpr (requires {
                    this->layout_.modulus(narrow);
                    this->layout_.hasher.kind();
                  }) {
      std::string number = std::to_string(key);
      if constexpr (requires { this->layout_.hasher.program(); }) {
        number = explain_home(this->layout_.hasher, narrow) + "; " + std::to_string(this->layout_.hasher.home(narrow));
      } else if (this->layout_.hasher.kind() != HashKind::identity) {
        return {};
      }
      return number + " mod " + std::to_string(this->layout_.modulus(narrow)) + " = " +
             std::to_string(this->layout_.home(narrow));
    } else if constexpr (requires { this->layout_.hasher.program(); }) {
      return explain_home(this->layout_.hasher, narrow);
    } else if constexpr (requires { this->layout_.hasher.kind(); }) {
      auto const& hasher = this->layout_.hasher;
      if (hasher.kind() != HashKind::identity) { return {}; }
      return std::to_string(key) + " mod " + std::to_string(hasher.slots()) + " = " +
             std::to_string(hasher.home(narrow));
    }
    return {};
  }

  template <class Words, class Metadata>
  static typename TracedMachine<Format>::Record record_from(Words& words, Metadata& metadata)
  {
    return {[&words](Slot slot) { return words.read(slot); },
            [&metadata](std::uint64_t index) { return metadata.read(index); }};
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
    return erase_alone_in<Family>(table, tile, key);
  }

  /// The chains of a small table after access i, if that access changes where their heads point.
  std::shared_ptr<std::vector<std::vector<Slot>> const> changed_chains(
      typename TracedMachine<Format>::Record const& peek, TracedAccess<Format> const& access, std::size_t i) const
  {
    if constexpr (requires { Family::heads_of(this->layout_); }) {
      Layout const layout = layout_at(i);
      std::uint64_t const before = Family::heads_of(i == 0 ? this->layout_ : layout_at(i - 1));
      bool const is_metadata = access.kind == TracedAccess<Format>::Kind::metadata;
      bool const leads_elsewhere = is_metadata && access.writes && access.where < Family::heads_of(layout);
      bool const changes = leads_elsewhere || Family::heads_of(layout) != before;
      if (!changes || this->metadata_.size() > largest_traced) { return {}; }
      std::vector<std::uint64_t> metadata(this->metadata_.size());
      for (std::size_t at = 0; at != metadata.size(); ++at) {
        auto const changed = peek.changed_metadata.find(at);
        metadata[at] = changed == peek.changed_metadata.end() ? peek.read_metadata(at) : changed->second;
      }
      return std::make_shared<std::vector<std::vector<Slot>> const>(Family::chains(layout, metadata));
    }
    return {};
  }

  Step step(typename TracedMachine<Format>::Record& peek, TracedAccess<Format> const& access,
            Layout const& layout) const
  {
    peek.accesses.clear();  // these reads are not accesses of the operation, and their number is unlimited
    auto const table = traced_view_of<Format>(peek, layout, this->settings_.combine);
    auto const info = [&](std::uint64_t place, Word word) {
      Slot const slot = static_cast<Slot>(place);
      return placed(slot_info<Family>(table, slot, word));
    };
    Step step{.kind = static_cast<Step::Kind>(access.kind), .place = access.place};
    for (std::size_t i = 0; i < access.found.size(); ++i) {
      step.seen.push_back(info(access.where + i, access.found[i]));
    }
    if (access.kind == TracedAccess<Format>::Kind::metadata) {
      if (access.writes) { peek.changed_metadata[access.where] = access.metadata_written; }
      if constexpr (requires { Family::explain_window(layout, access.where, access.metadata_window); }) {
        if (!access.metadata_window.empty()) {
          step.text = Family::explain_window(layout, access.where, access.metadata_window);
          return step;
        }
      }
      if constexpr (requires {
                      Family::explain(layout, access.where, access.metadata_found, access.metadata_written);
                    }) {
        step.text = Family::explain(layout, access.where, access.metadata_found, access.metadata_written);
      }
    } else if (access.writes) {
      peek.changed[static_cast<Slot>(access.where)] = access.written;
      step.after = info(access.where, access.written);
    }
    return step;
  }
};

}  // namespace slotscape
