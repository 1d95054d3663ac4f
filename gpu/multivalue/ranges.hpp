#pragma once

#include "gpu/multivalue/settings.hpp"
#include "gpu/tables/sorted_array.hpp"

namespace slotscape::multivalue {

/// The distinct keys, numbered from 0 in the order of their values; in device memory.
template <PairFormat Format>
struct GroupsView {
  typename Format::Key const* keys;
  std::uint32_t const* offsets;  ///< start of each key's values, and the end
  typename Format::Value const* values;
  Slot distinct;

  SLOTSCAPE_HOST_DEVICE Range range(Slot group) const { return {offsets[group], offsets[group + 1] - offsets[group]}; }
};

/// The arrays of a `GroupsView` while they are written.
template <PairFormat Format>
struct GroupArrays {
  typename Format::Key* keys;
  std::uint32_t* offsets;
};

/// The numbers of groups and values.
struct Sizes {
  std::uint64_t distinct = 0;
  std::uint64_t pairs = 0;
};

/// A finished table as one thread sees it, on the host or the device: a table of a family, which maps keys to group
/// numbers, and the groups. It is trivially copyable.
template <TableFamily Family, class TableView>
struct RangesView {
  using Format = typename TableView::Format;
  using Key = typename Format::Key;

  TableView table;
  GroupsView<Format> groups;

  /// Takes one access to the table, unless the family needs more, and one to the offsets.
  SLOTSCAPE_HOST_DEVICE Range range(Key key) const
  {
    auto const place = Family::find(table, key);
    return place.outcome == Outcome::found ? groups.range(static_cast<Slot>(place.value)) : Range{};
  }
};

/// Sorted keys need no table: lookups use binary search, as in the comparison of Alcantara et al. 2009, 5.
template <class TableView>
struct RangesView<SortedArray, TableView> {
  using Format = typename TableView::Format;
  using Key = typename Format::Key;

  TableView table;
  GroupsView<Format> groups;

  SLOTSCAPE_HOST_DEVICE Range range(Key key) const
  {
    Slot const group = sorted::Sorted<Format>{groups.keys, nullptr, groups.distinct}.count_below(key);
    return group < groups.distinct && groups.keys[group] == key ? groups.range(group) : Range{};
  }
};

/// The range of each key; empty for a reserved key.
template <class Ranges>
struct Retrieve {
  Ranges ranges;
  typename Ranges::Key const* keys;
  Range* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const key = keys[i];
    out[i] = Ranges::Format::is_reserved(key) ? Range{} : ranges.range(key);
  }
};

/// Adds the number of values of each key to the sink.
struct CountValues {
  static constexpr std::uint64_t per_item = 64;

  std::uint32_t const* offsets;
  std::uint64_t distinct;

  template <class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile, Sink& sink) const
  {
    for (std::uint64_t k = tile.rank(); k < per_item; k += Tile::size) {
      std::uint64_t const group = item * per_item + k;
      if (group < distinct) { sink.add(offsets[group + 1] - offsets[group]); }
    }
  }
};

}  // namespace slotscape::multivalue
