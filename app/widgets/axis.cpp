#include "app/widgets/axis.hpp"

#include "app/widgets/format.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

std::vector<Tick> log_ticks(Axis const& axis, int wanted)
{
  int const first = static_cast<int>(std::floor(std::log10(axis.low) + 1e-9));
  int const last = static_cast<int>(std::ceil(std::log10(axis.high) - 1e-9));
  int const every = std::max(1, (last - first) / std::max(wanted, 1));
  std::vector<Tick> result;
  for (int power = first; power <= last; ++power) {
    double const decade = std::pow(10.0, power);
    bool const labelled = (power - first) % every == 0;
    if (decade >= axis.low * 0.999 && decade <= axis.high * 1.001) {
      result.push_back({decade, labelled ? brief_number(decade) : std::string()});
    }
    for (int digit = 2; every == 1 && digit < 10; ++digit) {
      if (decade * digit > axis.low && decade * digit < axis.high) { result.push_back({decade * digit, {}}); }
    }
  }
  return result;
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

std::vector<Tick> ticks(Axis const& axis, int wanted)
{
  if (axis.log) { return log_ticks(axis, wanted); }
  double const step = round_up((axis.high - axis.low) / std::max(wanted, 1));
  std::vector<Tick> result;
  for (double value = std::ceil(axis.low / step - 1e-9) * step; value <= axis.high + step * 1e-6; value += step) {
    double const exact = std::abs(value) < step * 1e-6 ? 0.0 : value;
    result.push_back({exact, brief_number(exact)});
  }
  return result;
}

}  // namespace slotscape
