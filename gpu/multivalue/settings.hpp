#pragma once

#include "gpu/execution/ranges.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace slotscape::multivalue {

/// How a multi-value table is built.
enum class Construction : std::uint8_t {
  /// Stores the keys in a two-level cuckoo table, with their counts (Alcantara et al. 2009, 4.2, and consecutive
  /// numbers as in 4.3). 32-bit keys only.
  two_level_cuckoo,
  /// Count, prefix sum, scatter, as in HashGraph (Green 2019): in shared memory, after a partition by hash. The keys
  /// are in a linear probing table.
  count_scan_scatter,
  /// Sorted pairs, and binary search among the distinct keys: the usual comparison in papers. The values of a key keep
  /// their order, which is unspecified with the other constructions.
  sort
};
inline constexpr std::array<std::string_view, 3> construction_names{"two_level_cuckoo", "count_scan_scatter", "sort"};

struct Settings {
  Construction construction = Construction::count_scan_scatter;
  int key_bits = 32;         ///< of keys and of values: 32 or 64
  double load_factor = 0.5;  ///< of the linear probing table: from 0.1 to 0.9
  /// The number of pairs from which `count_scan_scatter` partitions them. Fewer pairs are counted in the table itself.
  std::uint64_t partition_from = 1u << 16;
  friend bool operator==(Settings const&, Settings const&) = default;
};

/// The stages of a build whose times are measured.
enum class Stage : std::uint8_t {
  partition,  ///< partitioning the pairs by part of the table, or sorting them by key
  group,      ///< counting the values of each key, and numbering the keys
  place,      ///< moving the values, if grouping does not do it
  index       ///< the table of the keys
};
inline constexpr int stage_count = 4;

/// The position of a key's values in the array of values.
using exec::Range;

/// Maximum number of pairs in a table, including those with reserved keys.
inline constexpr std::uint64_t max_pairs = (std::uint64_t{1} << 30) - 1;

}  // namespace slotscape::multivalue
