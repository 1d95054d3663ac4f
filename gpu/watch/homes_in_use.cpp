#include "gpu/watch/watched_table.hpp"

#include <array>
#include <cmath>
#include <numeric>

namespace slotscape::watch {

HomesInUse homes_in_use(std::span<std::uint32_t const> counts)
{
  HomesInUse homes{.places = counts.size()};
  std::uint64_t keys = 0;
  std::uint64_t unit = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) { continue; }
    ++homes.used;
    keys += counts[i];
    unit = std::gcd(unit, i);
  }
  homes.unit = unit == 0 ? 1 : unit;
  auto const places = static_cast<double>(counts.size());
  homes.expected = places * -std::expm1(-static_cast<double>(keys) / places);
  std::array const whole{runs_between(0, counts.size(), [&](std::uint64_t i) { return counts[i] == 0; })};
  homes.unused = longest_run(whole, counts.size(), counts.size());
  return homes;
}

}  // namespace slotscape::watch
