#pragma once

#include <string>
#include <vector>

namespace slotscape {

/// A range of numbers along a line.
struct Axis {
  double low = 0.0;
  double high = 1.0;
  bool log = false;  ///< logarithmic; low is above 0

  double share(double value) const;  ///< relative to the distance from low to high
  double value(double share) const;  ///< the inverse
};

/// A point of a chart or a plot.
struct ChartPoint {
  double x;
  double y;
};

/// The smallest 1, 2 or 5 times a power of ten that is at least `value`.
double round_up(double value);

/// An axis from 0 to a round number that is at least `value` and has round quarters.
Axis axis_from_zero(double value);
/// A logarithmic axis from one power of ten to another that contains both numbers, which must be above 0.
Axis decades_around(double least, double most);

/// The powers of ten in a range above 0; only every second, third and so on if there would be more than `max_steps`
/// between them.
std::vector<double> powers_of_ten(Axis const& range, double max_steps);
/// The ticks of an axis, with at most `max_steps` steps between them: at powers of ten if both ends are powers of ten,
/// otherwise at the ends and up to three places between them.
std::vector<double> ticks_of(Axis const& axis, double max_steps);

}  // namespace slotscape
