#pragma once

#include "gpu/base/pair_format.hpp"
#include "gpu/execution/atomics.hpp"

#include <type_traits>

namespace slotscape::exec {

/// Combines a value with one more, while other threads do the same; returns the old one. The key must stay in the table
/// meanwhile. On a GPU, thousands of threads that meet at one key would wait for each other's compare-and-swaps, so
/// they use the operations that cannot fail.
template <PairFormat Format>
SLOTSCAPE_HOST_DEVICE typename Format::Value combine_live(typename Format::Value& number, Combine combine,
                                                          typename Format::Value more)
{
  using Value = typename Format::Value;
#if defined(__CUDA_ARCH__)
  using Number = std::conditional_t<sizeof(Value) == 8, unsigned long long, unsigned int>;
  auto* const shared = reinterpret_cast<Number*>(&number);
  constexpr Value largest = Format::empty_value - 1;
  switch (combine) {
    case Combine::replace: return atomicExch(shared, more);
    case Combine::keep_first: return load_relaxed(number);
    case Combine::min: return atomicMin(shared, more);
    case Combine::max: return atomicMax(shared, more);
    case Combine::add: break;
  }
  Value const old = atomicAdd(shared, more);
  // Whoever makes the sum pass the largest value corrects it, so the last correction comes after the last passing.
  if (more > largest - old) { atomicExch(shared, largest); }
  return old;
#else
  std::atomic_ref<Value> shared(number);
  Value seen = shared.load(std::memory_order_relaxed);
  while (!shared.compare_exchange_weak(seen, combined<Format>(combine, seen, more), std::memory_order_relaxed)) {}
  return seen;
#endif
}

}  // namespace slotscape::exec
