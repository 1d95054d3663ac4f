#include "app/clouds/outliers.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <ranges>
#include <utility>

namespace slotscape::clouds {
namespace {

constexpr std::size_t axes = 3;
constexpr std::size_t min_points = 100;         // of which quantiles say something
constexpr std::size_t max_looked_at = 100'000;  // for quantiles
constexpr double max_share = 0.2;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value)
  {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double width() const { return std::max(high - low, 0.0); }
};
using Ranges = std::array<Range, axes>;

std::array<double, axes> parts(Position const& p)
{
  return {p.x, p.y, p.z};
}

double width_of(Ranges const& ranges)
{
  return std::ranges::max(ranges | std::views::transform(&Range::width));
}

/// From the 1st to the 99th percentile, at least one point from each end.
Range middle_of(std::vector<double> values)
{
  std::size_t const cut = std::max<std::size_t>(values.size() / 100, 1);
  auto const low = values.begin() + static_cast<std::ptrdiff_t>(cut);
  auto const high = values.end() - static_cast<std::ptrdiff_t>(cut) - 1;
  std::nth_element(values.begin(), low, values.end());
  double const lowest = *low;
  std::nth_element(values.begin(), high, values.end());
  return {lowest, *high};
}

Ranges middles_of(std::span<Position const> positions)
{
  std::size_t const step = (positions.size() + max_looked_at - 1) / max_looked_at;
  Ranges middles;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    std::vector<double> values;
    for (std::size_t i = 0; i < positions.size(); i += step) { values.push_back(parts(positions[i])[axis]); }
    middles[axis] = middle_of(std::move(values));
  }
  return middles;
}

}  // namespace

Outliers find_outliers(std::span<Position const> positions)
{
  if (positions.size() < min_points) { return {}; }
  Ranges const middles = middles_of(positions);
  double const margin = width_of(middles);
  if (margin == 0.0) { return {}; }
  Outliers found;
  Ranges all;
  Ranges others;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    auto const at = parts(positions[i]);
    bool far = false;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      far = far || at[axis] < middles[axis].low - margin || at[axis] > middles[axis].high + margin;
      all[axis].add(at[axis]);
    }
    for (std::size_t axis = 0; axis < axes && !far; ++axis) { others[axis].add(at[axis]); }
    if (far) { found.points.push_back(i); }
  }
  found.share = width_of(others) / width_of(all);
  return found.points.empty() || found.share >= max_share ? Outliers{} : found;
}

}  // namespace slotscape::clouds
