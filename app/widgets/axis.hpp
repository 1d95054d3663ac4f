#pragma once

#include <string>
#include <vector>

namespace slotscape {

/// A stretch of numbers shown along a plot's side.
struct Axis {
  double low = 0.0;
  double high = 1.0;
  bool log = false;  ///< low is above 0

  double share(double value) const;  ///< of the way from low to high
  double value(double share) const;  ///< the inverse
};

struct Tick {
  double value;
  std::string label;  ///< empty: a small one
};

/// Round numbers, about `wanted` of them: 1, 2 or 5 times a power of ten, or the powers of ten of a log axis.
std::vector<Tick> ticks(Axis const& axis, int wanted);

/// The least of 1, 2, 5 times a power of ten that is not below `value`.
double round_up(double value);

}  // namespace slotscape
