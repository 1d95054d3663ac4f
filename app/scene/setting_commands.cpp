#include "app/scene/setting_commands.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr double step_of_numbers = 0.05;
constexpr double step_of_digits = 0.01;  ///< numbers stay round

}  // namespace

double next_value_of(SettingRange const& range, double value, bool more)
{
  if (range.kind == SettingRange::Kind::choice) {
    double const count = range.high + 1.0;
    return std::fmod(value + (more ? 1.0 : count - 1.0), count);
  }
  if (range.scale == Scale::log) {
    return std::clamp(more ? 2.0 * value : std::floor(value / 2.0), range.low, range.high);
  }
  bool const whole = range.kind == SettingRange::Kind::whole;
  double const next = value + (more ? 1.0 : -1.0) * (whole ? 1.0 : step_of_numbers);
  return std::clamp(std::round(next / step_of_digits) * step_of_digits, range.low, range.high);
}

}  // namespace slotscape
