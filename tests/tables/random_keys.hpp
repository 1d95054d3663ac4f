#pragma once

#include "gpu/base/pair_format.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace slotscape {

using Keys = std::vector<std::uint32_t>;

/// `count` different keys that a table takes, in no order.
inline Keys random_keys(std::size_t count, unsigned seed)
{
  std::mt19937 random(seed);
  std::set<std::uint32_t> keys;
  while (keys.size() < count) {
    std::uint32_t const key = random();
    if (!Narrow::is_reserved(key)) { keys.insert(key); }
  }
  Keys result(keys.begin(), keys.end());
  std::ranges::shuffle(result, random);
  return result;
}

}  // namespace slotscape
