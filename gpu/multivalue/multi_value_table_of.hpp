#pragma once

#include "gpu/base/error.hpp"
#include "gpu/multivalue/multi_value_table.hpp"
#include "gpu/multivalue/segment_grouping.hpp"
#include "gpu/multivalue/sort_grouping.hpp"

#include <type_traits>

namespace slotscape::multivalue {

/// A multi-value table whose keys are in a table of a family, which determines how it is built: `TwoLevelCuckoo`,
/// `LinearProbing` (count, scan, scatter) or `SortedArray`.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class MultiValueTableOf final : public MultiValueTable<Exec, Format> {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Keys = KeyTable<Family, Exec, Format>;
  using Ranges = RangesView<Family, typename Keys::View>;
  static_assert(std::is_trivially_copyable_v<Ranges>);

  /// The settings must be valid, and match the family's construction.
  MultiValueTableOf(Exec& exec, Settings const& settings)
      : exec_(&exec), settings_(settings), times_(exec), grouping_(exec), chunks_(exec)
  {
    build_from(nullptr, nullptr, 0);
  }

  BuildReport build(Key const* keys, Value const* values, std::uint64_t count) override
  {
    if (count > max_pairs) {
      throw Error("A multi-value table holds at most " + std::to_string(max_pairs) + " pairs, not " +
                  std::to_string(count) + ": build several.");
    }
    try {
      return build_from(keys, values, count);
    } catch (Error const&) {
      if (count != 0) {
        groups_ = {};
        table_.reset();
        build_from(nullptr, nullptr, 0);
      }
      throw;
    }
  }

  void retrieve(Key const* keys, std::uint64_t count, Range* out) override
  {
    exec_->for_each(count, Retrieve<Ranges>{view(), keys, out});
  }
  void copy_values(Range const* ranges, std::uint32_t const* starts, std::uint64_t count, std::uint64_t total,
                   Value* out) override
  {
    using Copy = exec::CopyRanges<Value>;
    exec_->template for_each_tile<32>((total + Copy::per_item - 1) / Copy::per_item,
                                      Copy{groups_.values.data(), ranges, starts, count, out});
  }

  void count_values(exec::HistogramView histogram) override
  {
    exec_->accumulate((distinct() + CountValues::per_item - 1) / CountValues::per_item, histogram,
                      CountValues{groups_.offsets.data(), distinct()});
  }

  /// For use on the device; valid until the next build.
  Ranges view() { return {table_->view(), groups_.view()}; }
  GroupsView<Format> groups() const override { return groups_.view(); }
  std::uint64_t distinct() const override { return groups_.distinct; }
  std::uint64_t pairs() const override { return groups_.pairs; }

  std::uint64_t memory_bytes() const override
  {
    return groups_.memory_bytes() + (Keys::is_sorted ? 0 : table_->memory_bytes());
  }
  std::uint64_t working_bytes() const override { return grouping_.memory_bytes() + chunks_.memory_bytes(); }
  std::uint64_t slots() const override { return Keys::is_sorted ? 0 : table_->slots(); }
  Table<Exec, Format>& keys() override
  {
    if constexpr (Keys::is_sorted) { number_sorted(); }
    return *table_;
  }

private:
  BuildReport build_from(Key const* keys, Value const* values, std::uint64_t count)
  {
    groups_.distinct = groups_.pairs = 0;
    exec::grow(*exec_, groups_.values, count);
    times_.start();
    if constexpr (Keys::is_sorted) {
      grouping_.group(keys, values, count, groups_, times_);
      has_table_ = false;
      if (!table_) { fit(*exec_, table_, 0, 1.0); }
    } else if constexpr (std::same_as<Family, LinearProbing>) {
      if (count >= settings_.partition_from && count != 0 && Grouping::suits(*exec_)) {
        grouping_.group(keys, values, count, settings_.load_factor, table_, groups_, chunks_, times_);
      } else {
        group_chunks(keys, values, count);
      }
    } else {
      group_chunks(keys, values, count);
    }
    return {groups_.pairs, groups_.distinct, count - groups_.pairs, times_.seconds()};
  }

  void group_chunks(Key const* keys, Value const* values, std::uint64_t count)
  {
    Sizes const sizes = chunks_.group(
        GivenPairs<Format>{keys, values}, count, settings_.load_factor, table_, {},
        [&](std::uint64_t groups) { return groups_.room(*exec_, groups); }, groups_.values.data(), &times_);
    groups_.close(*exec_, sizes);
    std::uint64_t const wanted = Keys::slots_for(sizes.distinct, settings_.load_factor);
    if (table_->slots() <= (Keys::is_two_level ? max_spare * wanted : wanted)) { return; }
    chunks_.index(groups_, settings_.load_factor, table_);
    times_.end(Stage::index);
  }

  /// Lookups by binary search need no table: this one is only for display.
  void number_sorted()
  {
    if (has_table_) { return; }
    fit(*exec_, table_, distinct(), 1.0);
    if constexpr (Keys::is_sorted) { table_->take_sorted(groups_.keys.data(), distinct()); }
    has_table_ = true;
  }

  /// A two-level table, whose load factor cannot be set, may have up to this many times the slots that its keys need.
  static constexpr std::uint64_t max_spare = 4;

  struct NoGrouping {
    explicit NoGrouping(Exec&) {}
    std::uint64_t memory_bytes() const { return 0; }
  };
  using Grouping = std::conditional_t<
      Keys::is_sorted, SortGrouping<Exec, Format>,
      std::conditional_t<std::same_as<Family, LinearProbing>, SegmentGrouping<Exec, Format>, NoGrouping>>;
  using Chunks = std::conditional_t<Keys::is_sorted, NoGrouping, ChunkGrouping<Family, Exec, Format>>;

  Exec* exec_;
  Settings settings_;
  StageTimes<Exec> times_;
  Grouping grouping_;
  Chunks chunks_;
  GroupedPairs<Exec, Format> groups_;
  std::optional<Keys> table_;
  bool has_table_ = false;
};

/// Makes the table for the construction in the settings.
template <exec::Executor Exec, PairFormat Format>
std::unique_ptr<MultiValueTable<Exec, Format>> make_table_of(Exec& exec, Settings const& settings)
{
  switch (settings.construction) {
    case Construction::two_level_cuckoo:
      if constexpr (Format::bits == 32) {
        return std::make_unique<MultiValueTableOf<TwoLevelCuckoo, Exec, Format>>(exec, settings);
      } else {
        break;
      }
    case Construction::count_scan_scatter:
      return std::make_unique<MultiValueTableOf<LinearProbing, Exec, Format>>(exec, settings);
    case Construction::sort: return std::make_unique<MultiValueTableOf<SortedArray, Exec, Format>>(exec, settings);
  }
  throw std::logic_error("no such table");
}

}  // namespace slotscape::multivalue
