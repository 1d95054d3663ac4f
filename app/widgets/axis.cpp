#include "app/widgets/axis.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr double log_tolerance = 1e-9;

bool is_power_of_ten(double number)
{
  double const power = std::log10(number);
  return std::abs(power - std::round(power)) < log_tolerance;
}

}  // namespace

double Axis::share(double value) const
{
  if (log) { return std::log(std::max(value, low * 1e-3) / low) / std::log(high / low); }
  return (value - low) / (high - low);
}

double Axis::value(double share) const
{
  return log ? low * std::pow(high / low, share) : low + (high - low) * share;
}

double round_up(double value)
{
  if (value <= 0.0) { return 1.0; }
  double const decade = std::pow(10.0, std::floor(std::log10(value)));
  for (double const digit : {1.0, 2.0, 5.0}) {
    if (digit * decade >= value * (1.0 - 1e-9)) { return digit * decade; }
  }
  return 10.0 * decade;
}

Axis axis_from_zero(double value)
{
  return {0.0, std::min(round_up(value), 4.0 * round_up(value / 4.0))};
}

Axis decades_around(double least, double most)
{
  double const low = std::pow(10.0, std::floor(std::log10(least)));
  return {low, std::max(10.0 * low, std::pow(10.0, std::ceil(std::log10(most)))), true};
}

std::vector<double> powers_of_ten(Axis const& range, double max_steps)
{
  double const first = std::ceil(std::log10(range.low) - log_tolerance);
  double const steps = std::floor(std::log10(range.high) + log_tolerance) - first;
  double const stride = std::max(1.0, std::ceil(steps / std::max(max_steps, 1.0)));
  std::vector<double> powers;
  for (double step = 0.0; step <= steps; step += stride) { powers.push_back(std::pow(10.0, first + step)); }
  return powers;
}

std::vector<double> ticks_of(Axis const& axis, double max_steps)
{
  if (axis.log && is_power_of_ten(axis.low) && is_power_of_ten(axis.high)) { return powers_of_ten(axis, max_steps); }
  int steps = 4;
  while (steps > 1 && steps > max_steps) { steps /= 2; }
  std::vector<double> ticks;
  for (int tick = 0; tick <= steps; ++tick) { ticks.push_back(axis.value(static_cast<double>(tick) / steps)); }
  return ticks;
}

}  // namespace slotscape
