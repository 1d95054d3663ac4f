#include "app/scenes/spatial/distance_facts.hpp"

#include "gpu/base/translation.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {

std::string unit_text(LengthUnit const& unit)
{
  if (unit.name == "scene") { return tr("in the scene"); }
  return unit.name == "file" ? "" : unit.name;
}

double DistanceFacts::share_beyond(spatial::Model model, double threshold) const
{
  std::vector<float> const& values = ascending[model];
  if (values.empty()) { return 0.0; }
  auto const limit = static_cast<float>(threshold);
  auto const below = std::ranges::lower_bound(values, -limit) - values.begin();
  auto const above = values.end() - std::ranges::upper_bound(values, limit);
  return static_cast<double>(below + above) / static_cast<double>(values.size());
}

DistanceSummary summary_of(std::span<float const> values)
{
  if (values.empty()) { return {}; }
  DistanceSummary summary{.points = values.size()};
  std::vector<float> lengths;
  lengths.reserve(values.size());
  for (float const value : values) {
    auto const v = static_cast<double>(value);
    summary.mean += v;
    summary.rms += v * v;
    lengths.push_back(std::abs(value));
  }
  auto const count = static_cast<double>(values.size());
  summary.mean /= count;
  summary.rms = std::sqrt(summary.rms / count);
  auto const at = [&](double share) {
    auto const place = lengths.begin() + std::lround(share * (count - 1.0));
    std::ranges::nth_element(lengths, place);
    return static_cast<double>(*place);
  };
  summary.median = at(0.5);
  summary.percentile_95 = at(0.95);
  summary.max = at(1.0);
  return summary;
}

std::vector<double> histogram_of(std::span<float const> ascending, double low, double high, std::size_t bins)
{
  std::vector<double> shares(bins, 0.0);
  if (ascending.empty() || !(low < high)) { return shares; }
  double const width = (high - low) / static_cast<double>(bins);
  auto first = ascending.begin();
  for (std::size_t bin = 0; bin < bins; ++bin) {
    auto const next = static_cast<float>(low + width * static_cast<double>(bin + 1));
    auto const end = bin + 1 == bins ? ascending.end() : std::lower_bound(first, ascending.end(), next);
    shares[bin] = static_cast<double>(end - first) / static_cast<double>(ascending.size());
    first = end;
  }
  return shares;
}

}  // namespace slotscape
