#include "app/clouds/coordinate_steps.hpp"

#include "app/base/fixed.hpp"
#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace slotscape::clouds {
namespace {

constexpr std::size_t max_sampled = 100'000;
constexpr std::size_t min_values = 32;  ///< different ones, which would not lie on multiples by chance

/// Of distinct ascending values. The smallest difference is the step, if it is rounded to what divides the range.
double step_of(std::vector<double> const& values)
{
  if (values.size() < min_values) { return 0.0; }
  double smallest = values.back() - values.front();
  for (std::size_t i = 1; i < values.size(); ++i) { smallest = std::min(smallest, values[i] - values[i - 1]); }
  double const range = values.back() - values.front();
  double const step = range / std::round(range / smallest);
  constexpr double max_error = 0.02;  // of a step
  bool const are_multiples = std::ranges::all_of(values, [&](double value) {
    double const multiple = (value - values.front()) / step;
    return std::abs(multiple - std::round(multiple)) < max_error;
  });
  return are_multiples ? step : 0.0;
}

double step_along(std::span<Position const> positions, double Position::*axis)
{
  std::size_t const every = (positions.size() + max_sampled - 1) / max_sampled;
  std::vector<double> values;
  for (std::size_t i = 0; i < positions.size(); i += every) { values.push_back(positions[i].*axis); }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return step_of(values);
}

/// Whether neighbouring numbers of single precision are so far apart there.
bool is_step_of_floats(double step, double coordinate)
{
  auto const number = static_cast<float>(std::abs(coordinate));
  return static_cast<double>(std::nextafter(number, INFINITY) - number) == step;
}

}  // namespace

Position coordinate_steps(std::span<Position const> positions)
{
  if (positions.empty()) { return {}; }
  return {step_along(positions, &Position::x), step_along(positions, &Position::y),
          step_along(positions, &Position::z)};
}

std::string note_of_steps(PointCloud const& cloud, double voxel, std::string const& called)
{
  struct Axis {
    char const* name;
    double step;
    double at;
  };
  Position const& at = cloud.frame.center;
  std::vector<std::string> axes;
  double largest = 0.0;
  bool of_floats = false;
  for (auto const& [name, step, middle] :
       {Axis{"x", cloud.steps.x, at.x}, {"y", cloud.steps.y, at.y}, {"z", cloud.steps.z, at.z}}) {
    if (!(step > voxel * (1.0 + 1e-6))) { continue; }
    axes.push_back(tr("{} is stored in steps of {:.4g}", name, step));
    largest = std::max(largest, step);
    of_floats = of_floats || is_step_of_floats(step, middle);
  }
  if (axes.empty()) { return {}; }
  if (of_floats) {
    return tr(
        "{}, and {} are finer than that: layers of them stay empty. Use voxels of {:.4g} or more, or store the "
        "coordinates as doubles: single precision has no finer steps there",
        listed(axes, tr_in("between two names", "and")), called, largest);
  }
  return tr("{}, and {} are finer than that: layers of them stay empty. Use voxels of {:.4g} or more",
            listed(axes, tr_in("between two names", "and")), called, largest);
}

void add_units(Json& json, CoordinateSystem const& system)
{
  if (!system.unit.empty()) { json["file_unit"] = system.unit; }
  if (!system.has_one_unit() && !system.unit_of_z.empty()) { json["file_unit_of_z"] = system.unit_of_z; }
}

std::string text_of_position(Position const& position, double step)
{
  int const digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step))), 0, 9);
  return fmt::format("{}, {}, {}", fixed(position.x, digits), fixed(position.y, digits), fixed(position.z, digits));
}

std::string text_of_length(double length)
{
  constexpr double grouped_from = 1e4;
  constexpr double grouped_to = 1e15;
  if (length < 0.0) { return "-" + text_of_length(-length); }
  if (!(length >= grouped_from && length < grouped_to)) { return fmt::format("{:.4g}", length); }
  double const last_digit = std::pow(10.0, std::floor(std::log10(length)) - 3.0);
  return grouped(static_cast<std::uint64_t>(std::llround(std::round(length / last_digit) * last_digit)));
}

}  // namespace slotscape::clouds
