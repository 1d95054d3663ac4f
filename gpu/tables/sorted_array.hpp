#pragma once

#include "gpu/tables/static_family.hpp"

#include <bit>

namespace slotscape {

/// Searching and merging sorted arrays.
namespace sorted {

/// A binary search among `count` slots. It bisects fractions of the array, from 1/2 to 1/4 or 3/4 and so on, and probes
/// the slot that the fraction points to. A slot's depth thus follows from the slot alone, without a search, which
/// matters because millions of slots need it.
///
/// Let n = count + 1, and number the slots from 1. A fraction f points to number floor(f n); so the fractions in [j/n,
/// (j+1)/n) point to number j. All these intervals have the same width, and the search meets j at the fraction with the
/// fewest bits in its interval. No number is probed twice: if two probed fractions, the second with d bits, were in one
/// interval, intervals would be more than 2^-d wide, so every interval would contain a fraction of at most d bits, and
/// every number would have been met by then.
class Search {
public:
  SLOTSCAPE_HOST_DEVICE explicit constexpr Search(Slot count) : n_(std::uint64_t{count} + 1), above_(n_) {}

  SLOTSCAPE_HOST_DEVICE constexpr bool ends() const { return below_ + 1 == above_; }
  SLOTSCAPE_HOST_DEVICE constexpr Slot slot() const { return static_cast<Slot>(middle() - 1); }
  /// How many slots are known to be before the sought position.
  SLOTSCAPE_HOST_DEVICE constexpr Slot passed() const { return static_cast<Slot>(below_); }

  SLOTSCAPE_HOST_DEVICE constexpr void go_left()
  {
    above_ = middle();
    step_ /= 2;
    fraction_ -= step_;
  }
  SLOTSCAPE_HOST_DEVICE constexpr void go_right()
  {
    below_ = middle();
    step_ /= 2;
    fraction_ += step_;
  }

  /// How many slots a search probes before this one.
  SLOTSCAPE_HOST_DEVICE static std::uint32_t depth(Slot slot, Slot count)
  {
    std::uint64_t const n = std::uint64_t{count} + 1;
    std::uint64_t const number = std::uint64_t{slot} + 1;
    // The highest bit that changes among the fractions (of 32 bits) from just before the slot's first to its last.
    std::uint64_t const before = ((number << 32) - 1) / n;
    std::uint64_t const last = (((number + 1) << 32) - 1) / n;
    std::uint32_t const changes = static_cast<std::uint32_t>(before ^ last);
#if defined(__CUDA_ARCH__)
    return __clz(static_cast<int>(changes));
#else
    return static_cast<std::uint32_t>(std::countl_zero(changes));
#endif
  }

private:
  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t middle() const
  {
    return (fraction_ * n_) >> 32;
  }

  std::uint64_t n_;
  std::uint64_t below_ = 0;
  std::uint64_t above_;
  std::uint64_t fraction_ = std::uint64_t{1} << 31;  ///< of 2^32
  std::uint64_t step_ = std::uint64_t{1} << 31;
};

template <PairFormat Format>
struct Sorted {
  typename Format::Key const* keys;
  typename Format::Value const* values;
  Slot count;

  SLOTSCAPE_HOST_DEVICE Slot count_below(typename Format::Key key) const
  {
    Search search(count);
    while (!search.ends()) { keys[search.slot()] < key ? search.go_right() : search.go_left(); }
    return search.passed();
  }
};

/// Puts pair i of each array at its final position: its own index plus the number of smaller keys in the other array.
template <PairFormat Format>
struct Merge {
  Sorted<Format> one;
  Sorted<Format> other;
  typename Format::Word* words;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Slot const place = static_cast<Slot>(i);
    if (place < one.count) {
      put(one, place, other);
    } else {
      put(other, place - one.count, one);
    }
  }

private:
  SLOTSCAPE_HOST_DEVICE void put(Sorted<Format> const& mine, Slot place, Sorted<Format> const& others) const
  {
    words[place + others.count_below(mine.keys[place])] = pack(mine.keys[place], mine.values[place]);
  }
};

}  // namespace sorted

/// A sorted array: the pairs in ascending key order, without gaps, with binary search. The baseline in papers on hash
/// tables.
struct SortedArray : StaticFamily<SortedArray> {
  static constexpr bool builds_sorted = true;
  static constexpr Guarantees guarantees(TableSettings const& settings)
  {
    Guarantees guarantees = StaticFamily::guarantees(settings);
    guarantees.ordered = true;
    return guarantees;
  }

  static constexpr FamilyInfo info{
      .name = "sorted_array",
      .title = "Sorted array",
      .source = "Knuth, The Art of Computer Programming 3, 6.2.1; the baseline of Alcantara et al. 2009",
      .idea =
          "No hash at all: pairs in the order of their keys, found by binary search. New keys are merged in, all "
          "at once.",
      .guarantees = guarantees,
      .uses_hash = false,
      .wide = true,
      .measure = {"Search depth", "halvings"},
      .steps = {.next_by = NextPlace::by_order, .ends = "There is no slot left where it could be"}};

  template <PairFormat Format>
  struct Layout {
    std::uint64_t slot_count;
    Slot stored;  ///< number of pairs, stored in the first slots

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return slot_count; }
    /// Where the search begins for every key.
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key) const
    {
      return stored == 0 ? 0 : sorted::Search(stored).slot();
    }
  };

  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    return {settings.slots, 0};
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    using Format = typename Table::Format;
    for (sorted::Search search(table.layout.stored); !search.ends();) {
      table.at("look", "slot", search.slot());
      auto const word = table.machine.load(search.slot());
      if (key_of(word) == key) { return met<Format>(search.slot(), word); }
      key_of(word) < key ? search.go_right() : search.go_left();
    }
    return missing<Format>();
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    Described found = described<typename Table::Format>(word);
    if (found.has_key) { found.measure = sorted::Search::depth(slot, table.layout.stored); }
    return found;
  }

  /// Valid: the stored keys ascend, and the other slots are empty.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    if (slot >= table.layout.stored) { return word == Table::Format::empty_word; }
    return slot == 0 || key_of(table.machine.load(slot - 1)) < key_of(word);
  }

  /// Sorts the new pairs, if necessary, and merges them with the old ones, which are already sorted. Never fails.
  template <exec::Executor Exec, PairFormat Format>
  static Built build(Exec& exec, Layout<Format>& layout, std::uint64_t, Contents<Format> const& pairs,
                     typename Format::Word* words, std::uint64_t*)
  {
    Slot const kept = static_cast<Slot>(pairs.kept);
    sorted::Sorted<Format> added{pairs.keys + kept, pairs.values + kept, static_cast<Slot>(pairs.count - pairs.kept)};
    typename Exec::template Buffer<typename Format::Key> keys(exec, pairs.ascending ? 0 : added.count);
    typename Exec::template Buffer<typename Format::Value> values(exec, pairs.ascending ? 0 : added.count);
    if (!pairs.ascending) {
      exec.copy(keys.data(), added.keys, added.count);
      exec.copy(values.data(), added.values, added.count);
      exec.sort_pairs(keys.data(), values.data(), added.count);
      added = {keys.data(), values.data(), added.count};
    }
    exec.for_each(pairs.count, sorted::Merge<Format>{{pairs.keys, pairs.values, kept}, added, words});
    layout.stored = kept + added.count;
    return Built::done;
  }
};

namespace families {
using sorted_array = SortedArray;
}

}  // namespace slotscape
