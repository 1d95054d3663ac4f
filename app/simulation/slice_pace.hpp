#pragma once

#include <cstdint>

namespace slotscape {

/// How many operations fit a slice of time, learned from the slices run so far.
class SlicePace {
public:
  /// Slices should take about this long.
  void aim_at(double slice_seconds) { target_ = slice_seconds; }
  /// Operations for a slice that ends within `seconds_left`: 1 to `limit`.
  std::uint64_t slice(double seconds_left, std::uint64_t limit) const;
  void observe(std::uint64_t operations, double seconds);

private:
  double target_ = 0.002;
  double operations_per_second_ = 2e6;  // slow enough for any machine: the first slices are short and soon grow
};

}  // namespace slotscape
