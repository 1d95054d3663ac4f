#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <span>

namespace slotscape::soak {

/// What was measured after so many hours of a run.
struct Point {
  std::size_t run;
  double hours;
  double value;
};

struct Slope {
  double an_hour = 0.0;
  double error = std::numeric_limits<double>::infinity();  ///< standard error; infinite of too few points
  double hours = 0.0;                                      ///< from the first point of each run to its last, in all
};

/// The slope that all runs have in common, each of which begins at a level of its own: least squares with one intercept
/// a run (analysis of covariance).
inline Slope slope_of(std::span<Point const> points)
{
  struct Run {
    double count = 0.0;
    double hours = 0.0;  ///< mean
    double value = 0.0;  ///< mean
    double first = std::numeric_limits<double>::infinity();
    double last = 0.0;
  };
  std::map<std::size_t, Run> runs;
  for (Point const& point : points) {
    Run& run = runs[point.run];
    run.count += 1.0;
    run.hours += (point.hours - run.hours) / run.count;
    run.value += (point.value - run.value) / run.count;
    run.first = std::fmin(run.first, point.hours);
    run.last = std::fmax(run.last, point.hours);
  }
  Slope slope;
  for (auto const& [number, run] : runs) { slope.hours += run.last - run.first; }
  double squares = 0.0;
  double products = 0.0;
  for (Point const& point : points) {
    Run const& run = runs[point.run];
    squares += (point.hours - run.hours) * (point.hours - run.hours);
    products += (point.hours - run.hours) * (point.value - run.value);
  }
  double const freedom = static_cast<double>(points.size()) - static_cast<double>(runs.size()) - 1.0;
  if (squares == 0.0) { return slope; }
  slope.an_hour = products / squares;
  if (freedom < 1.0) { return slope; }
  double residuals = 0.0;
  for (Point const& point : points) {
    Run const& run = runs[point.run];
    double const residual = point.value - run.value - slope.an_hour * (point.hours - run.hours);
    residuals += residual * residual;
  }
  slope.error = std::sqrt(residuals / freedom / squares);
  return slope;
}

/// How much may be more at the end, which caches and the allocator make of it.
struct Allowance {
  double at_first;
  double an_hour;
};

/// Whether it has grown beyond that, and beyond two standard errors.
inline bool leaks(Slope const& slope, Allowance const& allowance)
{
  return (slope.an_hour - 2.0 * slope.error) * slope.hours > allowance.at_first + allowance.an_hour * slope.hours;
}

}  // namespace slotscape::soak
