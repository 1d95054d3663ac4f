#pragma once

#include "gpu/tables/static_family.hpp"

namespace slotscape {

/// What sorted arrays are searched and built with.
namespace sorted {

/// The search among the slots first ... last - 1: where it looks next, and where it goes on.
struct Search {
  Slot first;
  Slot last;
  SLOTSCAPE_HOST_DEVICE bool ends() const { return first == last; }
  SLOTSCAPE_HOST_DEVICE Slot middle() const { return first + (last - first) / 2; }
  SLOTSCAPE_HOST_DEVICE Search left() const { return {first, middle()}; }
  SLOTSCAPE_HOST_DEVICE Search right() const { return {middle() + 1, last}; }
};

template <class Bits>
struct Sorted {
  typename Bits::Key const* keys;
  typename Bits::Value const* values;
  Slot count;

  SLOTSCAPE_HOST_DEVICE Slot count_below(typename Bits::Key key) const
  {
    Search search{0, count};
    while (!search.ends()) { search = keys[search.middle()] < key ? search.right() : search.left(); }
    return search.first;
  }
};

/// Puts pair i of one or the other where it belongs: as many slots behind its own place as keys of the other are
/// less.
template <class Bits>
struct Merge {
  Sorted<Bits> one;
  Sorted<Bits> other;
  typename Bits::Word* words;

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
  SLOTSCAPE_HOST_DEVICE void put(Sorted<Bits> const& mine, Slot place, Sorted<Bits> const& others) const
  {
    words[place + others.count_below(mine.keys[place])] = pack(mine.keys[place], mine.values[place]);
  }
};

}  // namespace sorted

/// A sorted array: the pairs by rising key, without gaps, and binary search. The baseline of the hash tables' papers.
struct SortedArray : StaticFamily<SortedArray> {
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
          "No hash at all: pairs in the order of their keys, found by binary search. New keys are sorted in, all "
          "at once.",
      .guarantees = guarantees,
      .uses_hash = false,
      .wide = true,
      .measure = {"Search depth", "halvings"}};

  using Search = sorted::Search;

  template <class Bits>
  struct Layout {
    std::uint64_t slot_count;
    Slot stored;  ///< pairs, in the first slots

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return slot_count; }
    /// Where the search begins, for any key.
    SLOTSCAPE_HOST_DEVICE Slot home(typename Bits::Key) const { return search().middle(); }
    SLOTSCAPE_HOST_DEVICE Search search() const { return {0, stored}; }
  };

  template <class Bits>
  static Layout<Bits> layout(TableSettings const& settings)
  {
    return {settings.slots, 0};
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    using Bits = typename Table::Bits;
    for (Search search = table.layout.search(); !search.ends();) {
      auto const word = table.machine.load(search.middle());
      if (key_of(word) == key) { return met<Bits>(search.middle(), word); }
      search = key_of(word) < key ? search.right() : search.left();
    }
    return missing<Bits>();
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    Described found = described<typename Table::Bits>(word);
    if (found.has_key) { found.measure = depth(table.layout.search(), slot); }
    return found;
  }

  /// The stored keys rise, and the rest is empty.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    if (slot >= table.layout.stored) { return word == Table::Bits::empty_word; }
    return slot == 0 || key_of(table.machine.load(slot - 1)) < key_of(word);
  }

  /// Sorts the new pairs and merges them with those that were there, which lie in order. Never fails.
  template <class Exec, class Bits>
  static Built build(Exec& exec, Layout<Bits>& layout, std::uint64_t, Contents<Bits> const& pairs,
                     typename Bits::Word* words, std::uint64_t*)
  {
    using Key = typename Bits::Key;
    using Value = typename Bits::Value;
    Slot const kept = static_cast<Slot>(pairs.kept);
    Slot const added = static_cast<Slot>(pairs.count - pairs.kept);
    typename Exec::template Buffer<Key> keys(exec, added);
    typename Exec::template Buffer<Value> values(exec, added);
    exec.copy(keys.data(), pairs.keys + kept, added);
    exec.copy(values.data(), pairs.values + kept, added);
    exec.sort_pairs(keys.data(), values.data(), added);
    exec.for_each(pairs.count,
                  sorted::Merge<Bits>{{pairs.keys, pairs.values, kept}, {keys.data(), values.data(), added}, words});
    layout.stored = kept + added;
    return Built::done;
  }

private:
  /// How many slots a search looks at before `slot`, which is within.
  SLOTSCAPE_HOST_DEVICE static std::uint32_t depth(Search search, Slot slot)
  {
    std::uint32_t halvings = 0;
    while (!search.ends() && search.middle() != slot) {
      search = search.middle() < slot ? search.right() : search.left();
      ++halvings;
    }
    return halvings;
  }
};

namespace families {
using sorted_array = SortedArray;
}

}  // namespace slotscape
