#pragma once

#include "app/simulation/simulation.hpp"

#include <algorithm>
#include <vector>

namespace slotscape {

inline constexpr double frame = 1.0 / 60.0;
inline constexpr double budget = 0.004;
inline constexpr double ample = 60.0;  // on however busy a machine

/// In ascending order.
inline std::vector<Key> keys_in(Simulation& simulation, std::size_t table)
{
  std::vector<Key> keys;
  for (Pair const& pair : simulation.engine(table).pairs()) { keys.push_back(pair.key); }
  std::ranges::sort(keys);
  return keys;
}

}  // namespace slotscape
