#include "gpu/analysis/statistics.hpp"

#include "gpu/tables/family.hpp"

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

Distribution accesses_of(Distribution const& measures, FamilyInfo const& family)
{
  Distribution accesses{measures.count, 0.0, 0, {}, measures.beyond};
  if (measures.count == 0) { return accesses; }
  auto const of = [&](auto measure) { return family.first_access + measure * family.accesses_per_measure; };
  accesses.mean = of(measures.mean);
  accesses.max = of(measures.max);
  if (measures.histogram.empty()) { return accesses; }
  accesses.histogram.resize(of(measures.histogram.size() - 1) + 1);
  for (std::size_t i = 0; i < measures.histogram.size(); ++i) { accesses.histogram[of(i)] += measures.histogram[i]; }
  return accesses;
}

}  // namespace slotscape
