#include "app/simulation/slice_pace.hpp"

#include <algorithm>

namespace slotscape {

std::uint64_t SlicePace::slice(double seconds_left, std::uint64_t limit) const
{
  double const operations = operations_per_second_ * std::min(target_, std::max(seconds_left, 0.0));
  if (operations >= static_cast<double>(limit)) { return limit; }
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(operations));
}

void SlicePace::observe(std::uint64_t operations, double seconds)
{
  if (operations == 0) { return; }
  double const measured = static_cast<double>(operations) / std::max(seconds, 1e-9);
  if (measured >= operations_per_second_) {
    operations_per_second_ = std::min(measured, 8.0 * operations_per_second_);
  } else if (seconds >= target_ / 2.0) {
    // Only a slice of about full length tells of the machine; a short one, of the cost of starting it.
    operations_per_second_ = measured;
  }
}

}  // namespace slotscape
