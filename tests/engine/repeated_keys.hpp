#pragma once

#include "gpu/base/types.hpp"
#include "gpu/execution/backend.hpp"
#include "tests/support/sanitized.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace slotscape::testing {

/// Operations on one key in a batch: enough that all threads of the device meet there. compute-sanitizer lets them wait
/// for each other, and a million of them would take it minutes; a few thousand show the same races.
inline std::size_t crowd(Backend backend, std::size_t on_cpu)
{
  if (backend == Backend::cpu) { return on_cpu; }
  return test::is_device_sanitized() ? 1u << 12 : 1u << 20;
}

/// Each key some times over, with a different value each time.
struct RepeatedKeys {
  static constexpr Value first_value = 1000;
  std::vector<Key> keys;
  std::vector<Value> values;

  /// In an order that threads which share out the batch meet at the same keys at the same time.
  RepeatedKeys(std::span<Key const> distinct, int copies)
  {
    for (int i = 0; i < copies; ++i) { keys.insert(keys.end(), distinct.begin(), distinct.end()); }
    values.resize(keys.size());
    std::iota(values.begin(), values.end(), first_value);
  }
  RepeatedKeys(std::span<Key const> distinct, int copies, std::mt19937& random) : RepeatedKeys(distinct, copies)
  {
    std::ranges::shuffle(keys, random);
  }

  bool gave(Pair const& pair) const { return keys.at(pair.value - first_value) == pair.key; }
};

}  // namespace slotscape::testing
