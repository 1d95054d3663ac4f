#pragma once

#include <cstdint>

namespace slotscape::exec {

/// A histogram under way, in memory of the device: `bins[i]` counts the values i < size; every value counts in the sum,
/// the maximum and the total. `others` counts what the pass noted beside the values.
struct HistogramTotals {
  unsigned long long count;
  unsigned long long sum;
  unsigned long long max;
  unsigned long long others;
};

struct HistogramView {
  std::uint32_t* bins;
  std::uint32_t size;
  HistogramTotals* totals;
};

/// Bins that a thread block (or a CPU thread) counts by itself before it adds them to the whole.
inline constexpr std::uint32_t local_bins = 1024;

}  // namespace slotscape::exec
