#include "gpu/analysis/statistics.hpp"

#include <cmath>

namespace slotscape {

std::optional<std::uint64_t> quantile(Distribution const& distribution, double share)
{
  if (distribution.count == 0) { return std::nullopt; }
  auto const wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(distribution.count)));
  std::uint64_t below = 0;
  for (std::uint64_t value = 0; value < distribution.histogram.size(); ++value) {
    below += distribution.histogram[value];
    if (below >= wanted) { return value; }
  }
  return wanted == distribution.count ? std::optional(distribution.max) : std::nullopt;
}

}  // namespace slotscape
