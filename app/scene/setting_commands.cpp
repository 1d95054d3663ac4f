#include "app/scene/setting_commands.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr double step_of_numbers = 0.05;
constexpr double step_of_digits = 0.01;  ///< keeps numbers round

}  // namespace

double next_value_of(SettingRange const& range, double value, bool more)
{
  bool const whole = range.is_whole();
  if (range.kind == SettingRange::Kind::choice || range.kind == SettingRange::Kind::flag) {
    double const count = range.high + 1.0;
    return std::fmod(value + (more ? 1.0 : count - 1.0), count);
  }
  if (range.scale == Scale::log) {
    double const next = more ? 2.0 * value : value / 2.0;
    return std::clamp(whole ? std::floor(next) : next, range.low, range.high);
  }
  double const next = value + (more ? 1.0 : -1.0) * (whole ? 1.0 : step_of_numbers);
  return std::clamp(std::round(next / step_of_digits) * step_of_digits, range.low, range.high);
}

}  // namespace slotscape
