#pragma once

#include "gpu/multivalue/settings.hpp"

#include <array>
#include <cstdint>
#include <string_view>

/// Two workloads of data frames and databases: joins of two columns of keys, and sums by key.
namespace slotscape::joins {

/// Which rows of the probe side are in the result of a join, and with which build rows.
enum class JoinKind : std::uint8_t {
  inner,  ///< each with every row of the build side that has its key
  left,   ///< like `inner`, plus each unmatched row once, with `no_row`
  semi,   ///< matched rows, once and alone
  anti    ///< unmatched rows
};
inline constexpr std::array<std::string_view, 4> join_kind_names{"inner", "left", "semi", "anti"};

/// Whether a result also names rows of the build side.
constexpr bool gives_pairs(JoinKind kind)
{
  return kind == JoinKind::inner || kind == JoinKind::left;
}

struct Settings {
  int key_bits = 32;         ///< 32 or 64
  double load_factor = 0.5;  ///< of the table of keys, from 0.1 to 0.9
  /// How a join finds the rows of a key: in a hash table, or by sorting and binary search (`Construction::sort`).
  multivalue::Construction construction = multivalue::Construction::count_scan_scatter;
  friend bool operator==(Settings const&, Settings const&) = default;
};

/// Stands for the missing row of the build side.
inline constexpr std::uint32_t no_row = 0xffffffffu;
/// Maximum number of rows on each side of a join, and in a group-by.
inline constexpr std::uint64_t max_rows = multivalue::max_pairs;
/// Maximum number of rows in a result.
inline constexpr std::uint64_t max_results = 0xffffffffu;

/// The result of a join, in device memory. Probe rows ascend; the order of build rows is unspecified.
struct JoinedView {
  std::uint32_t const* build_rows;  ///< null unless `gives_pairs`
  std::uint32_t const* probe_rows;
  std::uint64_t count;
};

/// The result of a group-by, in device memory, in no particular order.
template <class Key>
struct GroupsView {
  Key const* keys;
  std::uint32_t const* counts;
  std::uint64_t const* sums;
  std::uint64_t count;
};

}  // namespace slotscape::joins
