#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/joins/settings.hpp"

/// The parallel loops of a hash join.
namespace slotscape::joins::join_passes {

using multivalue::Range;

/// A table rejects up to three keys as reserved. For a join they are keys like any other, so their rows are kept
/// separately.
inline constexpr int max_reserved = 3;
template <PairFormat Format>
inline constexpr int reserved_keys = static_cast<int>(Format::empty_key - Format::locked_key) + 1;
static_assert(reserved_keys<Narrow> <= max_reserved && reserved_keys<Wide> <= max_reserved);

/// The rows of each reserved key, by key - Format::locked_key.
struct ReservedRows {
  Range ranges[max_reserved];
};

template <class Row>
struct NumberRows {
  Row* rows;
  std::uint64_t first = 0;  ///< the number of the first row
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { rows[i] = static_cast<Row>(first + i); }
};

/// The number of each row that has the key; `no_row` for the others.
template <class Key>
struct MarkRows {
  Key const* keys;
  Key key;
  std::uint32_t* marks;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    marks[i] = keys[i] == key ? static_cast<std::uint32_t>(i) : no_row;
  }
};

template <class Row>
struct CopyRows {
  std::uint32_t const* from;
  Row* to;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { to[i] = from[i]; }
};

/// Sets the ranges of rows with reserved keys.
template <PairFormat Format>
struct FindReserved {
  typename Format::Key const* keys;
  ReservedRows reserved;
  Range* ranges;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (Format::is_reserved(keys[i])) { ranges[i] = reserved.ranges[keys[i] - Format::locked_key]; }
  }
};

/// Counts the results of each probe row, and their total, which may be 2^32 or more.
struct CountResults {
  static constexpr std::uint64_t per_item = 256;

  Range const* ranges;
  std::uint64_t count;
  std::uint32_t if_none;  ///< results of a row without a match: 1 in a left join
  std::uint32_t* results;
  std::uint64_t* total;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    std::uint64_t mine = 0;
    std::uint64_t const end = (item + 1) * per_item < count ? (item + 1) * per_item : count;
    for (std::uint64_t i = item * per_item + static_cast<std::uint64_t>(tile.rank()); i < end; i += Tile::size) {
      std::uint32_t const found = ranges[i].count;
      results[i] = found != 0 ? found : if_none;
      mine += results[i];
    }
    std::uint64_t const all = tile.sum(mine);
    if (tile.rank() == 0 && all != 0) { exec::fetch_add(*total, all); }
  }
};

/// Replaces the array of rows by key if the table maps each key to its row.
struct SameRow {
  SLOTSCAPE_HOST_DEVICE std::uint64_t operator[](std::uint64_t row) const { return row; }
};

/// Turns the result of each probe row's lookup in a table of rows into a range of one row or no rows.
template <PairFormat Format>
struct RangesOfValues {
  typename Format::Value const* values;
  Range* ranges;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    typename Format::Value const value = values[i];
    ranges[i] =
        value == Format::empty_value ? Range{} : Range{static_cast<std::uint32_t>(Format::has_values ? value : 0), 1};
  }
};

/// Writes pairs of rows. A tile writes `per_item` neighbours of the result, regardless of their probe rows: one probe
/// row may have as many results as all others together. `Rows`: an array, or similar, that maps a place to a row.
template <class Rows>
struct WritePairs {
  static constexpr std::uint64_t per_item = 256;

  Range const* ranges;
  std::uint32_t const* starts;  ///< start of each probe row's results
  std::uint64_t count;          ///< number of probe rows
  std::uint64_t total;          ///< of results
  Rows rows;                    ///< rows of the build side, by key
  std::uint32_t* build_rows;
  std::uint32_t* probe_rows;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    std::uint64_t const last = (item + 1) * per_item < total ? (item + 1) * per_item : total;
    std::uint64_t i = item * per_item + static_cast<std::uint64_t>(tile.rank());
    if (i >= last) { return; }
    std::uint64_t row = between(0, count, i);
    for (; i < last; i += Tile::size) {
      row = from(row, i);
      Range const range = ranges[row];
      build_rows[i] =
          range.count == 0 ? no_row : static_cast<std::uint32_t>(rows[range.first + (i - std::uint64_t{starts[row]})]);
      probe_rows[i] = static_cast<std::uint32_t>(row);
    }
  }

private:
  /// The last row of [low, high) whose results start at i or before; row `low` must be such a row.
  SLOTSCAPE_HOST_DEVICE std::uint64_t between(std::uint64_t low, std::uint64_t high, std::uint64_t i) const
  {
    while (high - low > 1) {
      std::uint64_t const middle = low + (high - low) / 2;
      (starts[middle] <= i ? low : high) = middle;
    }
    return low;
  }
  /// The last such row from `row` on, by a search with doubling steps: there may be few or many rows without results in
  /// between.
  SLOTSCAPE_HOST_DEVICE std::uint64_t from(std::uint64_t row, std::uint64_t i) const
  {
    std::uint64_t step = 1;
    while (row + step < count && starts[row + step] <= i) {
      row += step;
      step *= 2;
    }
    return between(row, row + step < count ? row + step : count, i);
  }
};

/// The number of each probe row in the result of a semi or anti join; `no_row` for the others.
struct MarkMatches {
  Range const* ranges;
  bool wanted;  ///< true: rows with a match on the build side (semi join)
  std::uint32_t* marks;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    marks[i] = (ranges[i].count != 0) == wanted ? static_cast<std::uint32_t>(i) : no_row;
  }
};

}  // namespace slotscape::joins::join_passes
