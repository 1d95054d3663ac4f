#pragma once

#include "gpu/base/error.hpp"
#include "gpu/engine/partition_passes.hpp"
#include "gpu/engine/sort_segments.hpp"
#include "gpu/tables/static_family.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace slotscape {

/// A static family that is built from new pairs in ascending order of their keys.
template <class F>
concept BuildsSorted = IsStatic<F> && F::builds_sorted;

/// Sorts pairs by key, and pairs with equal keys by value: two passes of the partition by the most significant part of
/// the keys, then one block per segment. This moves each pair three times; a radix sort of 32 bits moves it four times.
/// It needs keys that are spread roughly evenly between the smallest and the largest; for others, a radix sort is used.
template <exec::Executor Exec, PairFormat Format>
class KeySort {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Word = typename Format::Word;
  using Sort = sort_segments::SortSegment<Format>;
  using Ranges = KeyRanges<Format>;
  using First = partition::ScatterBatch<Ranges, Format, Operation::insert, false>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  static constexpr std::uint64_t least = Exec::backend == Backend::cpu ? 1u << 16 : 1u << 20;  ///< minimum pair count

  explicit KeySort(Exec& exec) : exec_(exec), passes_(exec) {}

  /// Input and output may be the same memory. Keys must not be reserved, values must not be empty.
  void sort(Key const* keys, Value const* values, std::uint64_t count, Key* sorted_keys, Value* sorted_values)
  {
    if (sort_by_segments(keys, values, count, sorted_keys, sorted_values)) { return; }
    first_ = {};
    second_ = {};
    if (keys != sorted_keys) {
      exec_.copy(sorted_keys, keys, count);
      exec_.copy(sorted_values, values, count);
    }
    exec_.sort_pairs(sorted_keys, sorted_values, count);
  }

  /// Sorts by segments. Returns false, and sorts nothing, if there are few pairs, if their keys are spread unevenly, or
  /// if there is not enough memory.
  bool sort_by_segments(Key const* keys, Value const* values, std::uint64_t count, Key* sorted_keys,
                        Value* sorted_values)
  {
    std::size_t const bytes = std::max(sizeof(typename First::Shared), sizeof(typename Sort::Shared));
    if (count < least || count > most || bytes > exec_.block_memory()) { return false; }
    std::optional<Ranges> const ranges = ranges_of(keys, count);
    if (!ranges || !reserve(ranges->segments, count)) { return false; }
    Batch<Format> const batch{count,   nullptr, keys,  const_cast<Value*>(values),  // only read
                              nullptr, nullptr, false, OperationMask::inserts,     false};
    partition::Groups const groups = partition::Groups::of(ranges->segments);
    partition::Plan const plan = passes_.plan(groups);
    Word const* const pairs = scatter(*ranges, batch, plan);
    exec_.for_each(ranges->segments,
                   sort_segments::MeasureSegments{passes_.starts(), passes_.cursors(), places_.data()});
    exec_.prefix_sums(places_.data(), ranges->segments);
    exec_.template for_each_block<Sort::threads>(ranges->segments,
                                                 Sort{*ranges, pairs, passes_.starts(), passes_.cursors(),
                                                      places_.data(), plan.of_segments.overflowed, sorted_keys,
                                                      sorted_values});
    return passes_.flags().overflowed == 0;
  }

private:
  static constexpr std::uint64_t samples = 4096;
  static constexpr std::uint64_t per_segment = Sort::most * 17 / 24;  ///< mean number of pairs; rooms have 40 % more
  static constexpr std::uint64_t most = per_segment * partition::max_segments / 2;
  static constexpr std::uint32_t tile = First::OneTile::size;

  /// Ranges of keys with about as many pairs each, estimated from a sample; nullopt if the keys are too uneven.
  std::optional<Ranges> ranges_of(Key const* keys, std::uint64_t count)
  {
    constexpr std::uint32_t parts = 64;
    Buffer<Key> chosen(exec_, samples);
    exec_.for_each(samples, sort_segments::Sample<Key>{keys, count / samples, chosen.data()});
    std::vector<Key> sample(samples);
    exec_.download(std::span(sample), static_cast<Key const*>(chosen.data()));
    auto const [min_key, largest_key] = std::ranges::minmax(sample);
    // With this many samples, 1/256 of all keys hardly ever lie beyond the outermost samples.
    Key const margin = (largest_key - min_key) / 256;
    Key const from = min_key - std::min(min_key, margin);
    Key const to = largest_key + std::min<Key>(Format::empty_key - largest_key, margin);
    Ranges const coarse = Ranges::of(from, to, parts);
    std::array<std::uint64_t, parts> counts{};
    for (Key const key : sample) { ++counts[coarse.segment(key)]; }
    if (*std::ranges::max_element(counts) > 2 * samples / parts) { return std::nullopt; }
    return Ranges::of(from, to, static_cast<std::uint32_t>((count + per_segment - 1) / per_segment));
  }
  /// Rooms of equal size, with the extra space of batches with copies, because keys may be spread unevenly.
  static partition::Rooms rooms(std::uint64_t count, partition::Groups const& groups)
  {
    return partition::Rooms::of(count, groups, tile, true);
  }

  bool reserve(std::uint32_t segments, std::uint64_t count)
  {
    partition::Groups const groups = partition::Groups::of(segments);
    partition::Rooms const rooms = this->rooms(count, groups);
    if (rooms.segment > Sort::most || !rooms.are_worthwhile(count, groups)) { return false; }
    try {
      first_ = Buffer<Word>(exec_, rooms.items(groups));
      if (!groups.one_pass()) { second_ = Buffer<Word>(exec_, rooms.items(groups)); }
      places_ = Buffer<std::uint32_t>(exec_, std::uint64_t{segments} + 1);
      passes_.reserve(groups);
    } catch (Error const&) {
      return false;
    }
    return true;
  }

  /// Returns the pairs by segment.
  Word const* scatter(Ranges const& ranges, Batch<Format> const& batch, partition::Plan const& plan)
  {
    partition::Rooms const rooms = this->rooms(batch.count, plan.groups);
    exec_.for_each(std::uint64_t{ranges.segments} + 1, partition::PlanRooms{plan, rooms});
    return passes_
        .template scatter<Operation::insert, false>(ranges, batch, Outcome::inserted, plan,
                                                    std::uint64_t{plan.groups.count()} * rooms.tiles,
                                                    partition::Items<Word>{first_.data(), nullptr},
                                                    partition::Items<Word>{second_.data(), nullptr}, passes_.rejected())
        .items;
  }

  Exec& exec_;
  Buffer<Word> first_;
  Buffer<Word> second_;
  Buffer<std::uint32_t> places_;  ///< positions of the segments among the sorted pairs
  partition::Passes<Exec> passes_;
};

/// The pairs to build a table from, with the new ones in ascending order of their keys.
template <exec::Executor Exec, PairFormat Format>
class KeyOrder {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// Whether there are many new pairs that are not sorted yet.
  static bool pays(Contents<Format> const& pairs)
  {
    return !pairs.ascending && pairs.count - pairs.kept >= KeySort<Exec, Format>::least;
  }

  /// Throws Error if there is not enough memory.
  KeyOrder(Exec& exec, Contents<Format> const& pairs)
      : kept_(pairs.kept), count_(pairs.count), keys_(exec, pairs.count), values_(exec, pairs.count)
  {
    exec.copy(keys_.data(), pairs.keys, kept_);
    exec.copy(values_.data(), pairs.values, kept_);
    KeySort<Exec, Format>(exec).sort(pairs.keys + kept_, pairs.values + kept_, count_ - kept_, keys_.data() + kept_,
                                     values_.data() + kept_);
  }

  Contents<Format> contents() const { return {keys_.data(), values_.data(), kept_, count_, true}; }

private:
  std::uint64_t kept_;
  std::uint64_t count_;
  Buffer<typename Format::Key> keys_;
  Buffer<typename Format::Value> values_;
};

}  // namespace slotscape
