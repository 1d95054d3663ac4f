#pragma once

#include <cstdint>

namespace slotscape::exec {

/// Totals besides the bins: values past the end, and anything else that the pass counted.
struct HistogramTotals {
  unsigned long long used;    ///< all bins from this one on are 0
  unsigned long long beyond;  ///< number of values past the end
  unsigned long long beyond_sum;
  unsigned long long beyond_max;
  unsigned long long tombstones;
  unsigned long long links;
};

/// A histogram in device memory, while it is counted: `bins[i]` counts the value i < size.
struct HistogramView {
  std::uint32_t* bins;
  std::uint32_t size;
  HistogramTotals* totals;
};

/// Bins that a thread block (or a CPU thread) counts privately before adding them to the whole.
inline constexpr std::uint32_t local_bins = 1024;

}  // namespace slotscape::exec
