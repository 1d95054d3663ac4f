#include "app/files/times_json.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

double median(std::vector<double> sorted)
{
  std::size_t const half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

/// The smallest value that `share` of the values do not exceed (nearest rank).
double percentile(std::vector<double> const& sorted, double share)
{
  auto const rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

}  // namespace

Json times_json(std::vector<double> seconds)
{
  std::sort(seconds.begin(), seconds.end());
  Json json;
  json["count"] = seconds.size();
  json["median_ms"] = seconds.empty() ? 0.0 : 1e3 * median(seconds);
  json["p99_ms"] = seconds.empty() ? 0.0 : 1e3 * percentile(seconds, 0.99);
  return json;
}

}  // namespace slotscape
