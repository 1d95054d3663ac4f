#pragma once

#include "gpu/base/pair_format.hpp"
#include "gpu/execution/atomics.hpp"

#include <type_traits>

namespace slotscape::exec {

#if defined(__CUDA_ARCH__)
/// Adds to a live value, saturating at the largest live value; returns the old one. The value never exceeds the limit
/// even for a moment: other threads would take the key for erased.
template <PairFormat Format, class Number>
__device__ typename Format::Value add_live(Number* number, typename Format::Value more)
{
  using Value = typename Format::Value;
  Value seen = *static_cast<Number volatile*>(number);
  for (unsigned wait = 32;; wait = wait < (1u << 14) ? 2 * wait : wait) {
    Value const sum = combined<Format>(Combine::add, seen, more);
    if (sum == seen) { return seen; }
    Value const old = atomicCAS(number, seen, sum);
    if (old == seen) { return old; }
    seen = old;
#if __CUDA_ARCH__ >= 700
    __nanosleep(wait + 16 * (threadIdx.x % 32));
#endif
  }
}
#endif

/// Combines a value with another while other threads do the same; returns the old one. The key must stay in the table
/// meanwhile. On a GPU, thousands of threads at one key would wait for each other's compare-and-swaps, so all but `add`
/// use operations that cannot fail.
template <PairFormat Format>
SLOTSCAPE_HOST_DEVICE typename Format::Value combine_live(typename Format::Value& number, Combine combine,
                                                          typename Format::Value more)
{
  using Value = typename Format::Value;
#if defined(__CUDA_ARCH__)
  using Number = std::conditional_t<sizeof(Value) == 8, unsigned long long, unsigned int>;
  auto* const shared = reinterpret_cast<Number*>(&number);
  switch (combine) {
    case Combine::replace: return atomicExch(shared, more);
    case Combine::keep_first: return load_relaxed(number);
    case Combine::min: return atomicMin(shared, more);
    case Combine::max: return atomicMax(shared, more);
    case Combine::add_freely: return atomicAdd(shared, more);
    case Combine::add: break;
  }
  return add_live<Format>(shared, more);
#else
  std::atomic_ref<Value> shared(number);
  Value seen = shared.load(std::memory_order_relaxed);
  while (!shared.compare_exchange_weak(seen, combined<Format>(combine, seen, more), std::memory_order_relaxed)) {}
  return seen;
#endif
}

}  // namespace slotscape::exec
