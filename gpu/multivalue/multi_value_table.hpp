#pragma once

#include "gpu/base/error.hpp"
#include "gpu/multivalue/segment_grouping.hpp"
#include "gpu/multivalue/settings.hpp"
#include "gpu/multivalue/sort_grouping.hpp"

#include <type_traits>

namespace slotscape::multivalue {

/// What a build took and found.
struct BuildReport {
  std::uint64_t pairs = 0;                          ///< stored
  std::uint64_t distinct = 0;                       ///< keys
  std::uint64_t refused = 0;                        ///< pairs with reserved keys
  std::array<double, stage_count> stage_seconds{};  ///< indexed by `Stage`; device time, or wall clock on the CPU
};

/// Keys that each have one value or more, in the memory of one device: a table of a family leads from a key to its
/// number, `offsets` from there to its values, which lie together in one array (Alcantara et al. 2009, 4.2). The family
/// decides how it is built: `TwoLevelCuckoo`, `LinearProbing` (count, scan, scatter) or `SortedArray`. It is built as a
/// whole, and again with other pairs as often as wanted; its memory only grows.
///
/// No pair is lost or stored twice. Keys are numbered in the order in which their values lie. Sorting keeps the order
/// of keys and of a key's values; otherwise both are unspecified, and may differ from run to run.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class MultiValueTable {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Keys = KeyTable<Family, Exec, Format>;
  using Ranges = RangesView<Family, typename Keys::View>;
  static_assert(std::is_trivially_copyable_v<Ranges>);

  /// The settings must be valid, and of the family's construction. The table is empty.
  MultiValueTable(Exec& exec, Settings const& settings)
      : exec_(&exec), settings_(settings), times_(exec), grouping_(exec), chunks_(exec)
  {
    build(nullptr, nullptr, 0);
  }

  /// Replaces the contents by `count` <= max_pairs pairs, from arrays on the device, which it only reads. Pairs with
  /// reserved keys are refused; values may be any. Throws Error if memory runs out; then the table is empty.
  BuildReport build(Key const* keys, Value const* values, std::uint64_t count)
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

  /// Writes the range of each of `count` keys to `out`; all arrays are on the device. Does not wait for it.
  void retrieve(Key const* keys, std::uint64_t count, Range* out)
  {
    exec_->for_each(count, Retrieve<Ranges>{view(), keys, out});
  }
  /// Copies the values of ranges, one range after another: `starts` says where each goes, and after the last where it
  /// ends, `total` < 2^32. All arrays are on the device.
  void copy_values(Range const* ranges, std::uint32_t const* starts, std::uint64_t count, std::uint64_t total,
                   Value* out)
  {
    using Copy = CopyRanges<Format>;
    exec_->template for_each_tile<32>((total + Copy::per_item - 1) / Copy::per_item,
                                      Copy{groups_.values.data(), ranges, starts, count, out});
  }

  /// For use on the device, until the next build.
  Ranges view() { return {table_->view(), groups_.view()}; }
  /// Distinct keys, where the values of each lie, and all values: to iterate.
  GroupsView<Format> groups() const { return groups_.view(); }
  std::uint64_t distinct() const { return groups_.distinct; }
  std::uint64_t pairs() const { return groups_.pairs; }

  /// Of what lookups need: keys, offsets, values and, unless these are sorted, the table of keys.
  std::uint64_t memory_bytes() const { return groups_.memory_bytes() + (Keys::is_sorted ? 0 : table_->memory_bytes()); }
  /// Of what only builds need; it is kept for the next one.
  std::uint64_t working_bytes() const { return grouping_.memory_bytes() + chunks_.memory_bytes(); }
  /// Adds the number of values of each key to a histogram.
  void count_values(exec::HistogramView histogram)
  {
    exec_->accumulate((distinct() + CountValues::per_item - 1) / CountValues::per_item, histogram,
                      CountValues{groups_.offsets.data(), distinct()});
  }

  /// The table of keys, with the numbers of their groups as values. Another one may take its place in the next build.
  Keys& keys()
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
    if (table_->slots() <= most_spare * Keys::slots_for(sizes.distinct, settings_.load_factor)) { return; }
    chunks_.index(groups_, settings_.load_factor, table_);
    times_.end(Stage::index);
  }

  /// Looks up by binary search need no table: this one is only to be seen.
  void number_sorted()
  {
    if (has_table_) { return; }
    fit(*exec_, table_, distinct(), 1.0);
    if constexpr (Keys::is_sorted) { table_->take_sorted(groups_.keys.data(), distinct()); }
    has_table_ = true;
  }

  static constexpr std::uint64_t most_spare = 4;  ///< slots of the table, in units of those that its keys need

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

}  // namespace slotscape::multivalue
