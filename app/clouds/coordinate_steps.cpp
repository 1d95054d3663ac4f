#include "app/clouds/coordinate_steps.hpp"

#include "app/base/fixed.hpp"
#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace slotscape::clouds {
namespace {

constexpr std::size_t max_sampled = 100'000;
constexpr std::size_t min_values = 32;       ///< so many values do not lie on multiples by chance
constexpr double max_error_of_steps = 0.02;  ///< relative to the step

/// The step of distinct ascending values: their smallest difference, rounded so that it divides the range.
double step_of(std::vector<double> const& values)
{
  if (values.size() < min_values) { return 0.0; }
  double smallest = values.back() - values.front();
  for (std::size_t i = 1; i < values.size(); ++i) { smallest = std::min(smallest, values[i] - values[i - 1]); }
  double const range = values.back() - values.front();
  double const step = range / std::round(range / smallest);
  bool const are_multiples = std::ranges::all_of(values, [&](double value) {
    double const multiple = (value - values.front()) / step;
    return std::abs(multiple - std::round(multiple)) < max_error_of_steps;
  });
  return are_multiples ? step : 0.0;
}

/// The distance to the next single-precision number, away from zero.
double step_of_floats(double coordinate)
{
  auto const number = static_cast<float>(std::abs(coordinate));
  return static_cast<double>(std::nextafter(number, INFINITY)) - static_cast<double>(number);
}

bool is_float(double number)
{
  return static_cast<double>(static_cast<float>(number)) == number;
}

/// The step of distinct values stored in single precision: the float spacing at the value nearest to zero, unless all
/// values are multiples of something larger. The spacing follows from the magnitude of the values, so a few values in a
/// small area suffice.
double single_precision_step_of(std::vector<double> const& values)
{
  if (values.size() < 2 || !std::ranges::all_of(values, is_float)) { return 0.0; }
  auto const size = [](double value) { return std::abs(value); };
  double const nearest = std::abs(*std::ranges::min_element(values, {}, size));
  if (!(nearest > 0.0)) { return 0.0; }
  double const step = step_of_floats(nearest);
  bool const are_that_fine =
      std::ranges::any_of(values, [&](double value) { return std::fmod(std::abs(value), 2.0 * step) == step; });
  return are_that_fine ? step : 0.0;
}

double step_along(std::span<Position const> positions, double Position::*axis)
{
  std::size_t const every = (positions.size() + max_sampled - 1) / max_sampled;
  std::vector<double> values;
  for (std::size_t i = 0; i < positions.size(); i += every) { values.push_back(positions[i].*axis); }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  bool const are_enough = positions.size() >= min_values;  // so many are not all in single precision by chance
  double const of_floats = are_enough ? single_precision_step_of(values) : 0.0;
  return of_floats > 0.0 ? of_floats : step_of(values);
}

bool are_floats(Position const& p)
{
  return is_float(p.x) && is_float(p.y) && is_float(p.z);
}

bool are_whole(Position const& p)
{
  return p.x == std::round(p.x) && p.y == std::round(p.y) && p.z == std::round(p.z);
}

/// Tests a thousand evenly spaced points.
template <class Predicate>
bool all_of_sample(std::vector<Position> const& positions, Predicate const& predicate)
{
  constexpr std::size_t points = 1000;
  std::size_t const every = (positions.size() + points - 1) / points;
  for (std::size_t i = 0; i < positions.size(); i += every) {
    if (!predicate(positions[i])) { return false; }
  }
  return true;
}

}  // namespace

Position coordinate_steps(std::span<Position const> positions)
{
  if (positions.empty()) { return {}; }
  return {step_along(positions, &Position::x), step_along(positions, &Position::y),
          step_along(positions, &Position::z)};
}

double half_step_below_borders(double step, double low, double high, double width)
{
  if (!(step > 0.0)) { return 0.0; }
  auto const distance_to_whole = [](double steps) { return std::abs(steps - std::round(steps)); };
  double const cells = (high - low) / width + 1.0;
  double const from_border = low - std::round(low / width) * width;
  bool const are_among_them = distance_to_whole(width / step) * cells < max_error_of_steps &&
                              distance_to_whole(from_border / step) < max_error_of_steps;
  return are_among_them ? 0.5 * std::min(step, 0.5 * width) : 0.0;
}

double rounding_of(PointCloud const& cloud)
{
  constexpr double single = 0.5 * std::numeric_limits<float>::epsilon();
  constexpr double several_of_double = 4.0 * std::numeric_limits<double>::epsilon();
  Position const& center = cloud.frame.center;
  double const radius = 1.0 / cloud.frame.scale;
  double const farthest = std::max({std::abs(center.x), std::abs(center.y), std::abs(center.z)}) + radius;
  double const of_double = several_of_double * farthest;
  if (cloud.triangles > 0 || cloud.originals.empty()) { return std::max(of_double, 2.0 * single * radius); }
  bool const is_single = all_of_sample(cloud.originals, are_floats) && !all_of_sample(cloud.originals, are_whole);
  return is_single ? std::max(of_double, single * farthest) : of_double;
}

double margin_below_borders(double rounding, double width)
{
  constexpr double min_share = 5e-7;  // of a cell: decimals computed by other programs
  constexpr double max_share = 1e-3;
  return std::clamp(rounding, min_share * width, max_share * width);
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
    of_floats = of_floats || step == step_of_floats(middle);
  }
  if (axes.empty()) { return {}; }
  if (of_floats) {
    return tr(
        "{}, and {} are smaller than that, so whole layers stay empty. Use voxels of {:.4g} or more, or store the "
        "coordinates as doubles: single precision has no finer steps there",
        listed(axes, tr_in("between two names", "and")), called, largest);
  }
  return tr("{}, and {} are smaller than that, so whole layers stay empty. Use voxels of {:.4g} or more",
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
