#pragma once

#include "gpu/base/types.hpp"

namespace slotscape::exec {

/// Neighbouring elements of an array, such as the values of a key.
struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  friend bool operator==(Range const&, Range const&) = default;
};

/// Concatenates ranges of values. A tile writes `per_item` neighbours of the result, regardless of their ranges: one
/// range may be as long as all others together.
template <class Value>
struct CopyRanges {
  static constexpr std::uint64_t per_item = 256;

  Value const* values;
  Range const* ranges;
  std::uint32_t const* starts;  ///< start of each range in the result, and the end
  std::uint64_t count;          ///< of ranges
  Value* out;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    std::uint64_t const end = starts[count];
    std::uint64_t i = item * per_item + static_cast<std::uint64_t>(tile.rank());
    std::uint64_t const last = (item + 1) * per_item < end ? (item + 1) * per_item : end;
    std::uint64_t range = range_of(i < end ? i : end - 1);
    for (; i < last; i += Tile::size) {
      while (starts[range + 1] <= i) { ++range; }
      out[i] = values[ranges[range].first + (i - starts[range])];
    }
  }

private:
  /// The range that contains i: the last range that starts at i or before.
  SLOTSCAPE_HOST_DEVICE std::uint64_t range_of(std::uint64_t i) const
  {
    std::uint64_t low = 0;
    std::uint64_t high = count;
    while (high - low > 1) {
      std::uint64_t const middle = low + (high - low) / 2;
      (starts[middle] <= i ? low : high) = middle;
    }
    return low;
  }
};

}  // namespace slotscape::exec
