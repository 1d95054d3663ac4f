#pragma once

#include "gpu/base/types.hpp"

#include <atomic>

namespace slotscape::exec {

/// Adds to a counter that other threads also add to; returns its old value.
SLOTSCAPE_HOST_DEVICE inline std::uint32_t fetch_add(std::uint32_t& counter, std::uint32_t more)
{
#if defined(__CUDA_ARCH__)
  return atomicAdd(&counter, more);
#else
  return std::atomic_ref<std::uint32_t>(counter).fetch_add(more, std::memory_order_relaxed);
#endif
}
SLOTSCAPE_HOST_DEVICE inline std::uint64_t fetch_add(std::uint64_t& counter, std::uint64_t more)
{
#if defined(__CUDA_ARCH__)
  return atomicAdd(reinterpret_cast<unsigned long long*>(&counter), static_cast<unsigned long long>(more));
#else
  return std::atomic_ref<std::uint64_t>(counter).fetch_add(more, std::memory_order_relaxed);
#endif
}

/// Adds 1 to the counter for each calling thread; returns the thread's old value. The threads of a warp share one
/// access.
SLOTSCAPE_HOST_DEVICE inline std::uint32_t fetch_increment(std::uint32_t& counter)
{
#if defined(__CUDA_ARCH__)
  unsigned int const together = __activemask();
  unsigned int lanes_below = 0;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes_below));
  int const first = __ffs(static_cast<int>(together)) - 1;
  unsigned int before = 0;
  if ((together & lanes_below) == 0) { before = atomicAdd(&counter, static_cast<unsigned int>(__popc(together))); }
  return __shfl_sync(together, before, first) + static_cast<unsigned int>(__popc(together & lanes_below));
#else
  return fetch_add(counter, 1);
#endif
}

/// Sets bits of a number in which other threads also set bits.
SLOTSCAPE_HOST_DEVICE inline void set_bits(std::uint64_t& number, std::uint64_t bits)
{
#if defined(__CUDA_ARCH__)
  atomicOr(reinterpret_cast<unsigned long long*>(&number), static_cast<unsigned long long>(bits));
#else
  std::atomic_ref<std::uint64_t>(number).fetch_or(bits, std::memory_order_relaxed);
#endif
}

/// Replaces the number by `other` if that is smaller.
SLOTSCAPE_HOST_DEVICE inline void atomic_min(std::uint64_t& number, std::uint64_t other)
{
#if defined(__CUDA_ARCH__)
  atomicMin(reinterpret_cast<unsigned long long*>(&number), static_cast<unsigned long long>(other));
#else
  std::atomic_ref<std::uint64_t> shared(number);
  std::uint64_t seen = shared.load(std::memory_order_relaxed);
  while (other < seen && !shared.compare_exchange_weak(seen, other, std::memory_order_relaxed)) {}
#endif
}

/// Replaces the number by `other` if that is larger.
SLOTSCAPE_HOST_DEVICE inline void atomic_max(std::uint64_t& number, std::uint64_t other)
{
#if defined(__CUDA_ARCH__)
  atomicMax(reinterpret_cast<unsigned long long*>(&number), static_cast<unsigned long long>(other));
#else
  std::atomic_ref<std::uint64_t> shared(number);
  std::uint64_t seen = shared.load(std::memory_order_relaxed);
  while (other > seen && !shared.compare_exchange_weak(seen, other, std::memory_order_relaxed)) {}
#endif
}

/// A flag that any thread may raise while others read it.
SLOTSCAPE_HOST_DEVICE inline void raise(std::uint32_t& flag)
{
#if defined(__CUDA_ARCH__)
  *static_cast<std::uint32_t volatile*>(&flag) = 1;
#else
  std::atomic_ref<std::uint32_t>(flag).store(1, std::memory_order_relaxed);
#endif
}
SLOTSCAPE_HOST_DEVICE inline bool is_raised(std::uint32_t& flag)
{
#if defined(__CUDA_ARCH__)
  return *static_cast<std::uint32_t const volatile*>(&flag) != 0;
#else
  return std::atomic_ref<std::uint32_t>(flag).load(std::memory_order_relaxed) != 0;
#endif
}

/// Reads a number in one access, while other threads may write it.
template <class U>
SLOTSCAPE_HOST_DEVICE inline U load_relaxed(U const& number)
{
#if defined(__CUDA_ARCH__)
  return *static_cast<U const volatile*>(&number);
#else
  return std::atomic_ref<U>(const_cast<U&>(number)).load(std::memory_order_relaxed);
#endif
}
template <class U>
SLOTSCAPE_HOST_DEVICE inline void store_relaxed(U& number, U value)
{
#if defined(__CUDA_ARCH__)
  *static_cast<U volatile*>(&number) = value;
#else
  std::atomic_ref<U>(number).store(value, std::memory_order_relaxed);
#endif
}
/// Returns the old value.
SLOTSCAPE_HOST_DEVICE inline std::uint32_t compare_exchange(std::uint32_t& number, std::uint32_t expected,
                                                            std::uint32_t desired)
{
#if defined(__CUDA_ARCH__)
  return atomicCAS(&number, expected, desired);
#else
  std::atomic_ref<std::uint32_t>(number).compare_exchange_strong(expected, desired, std::memory_order_relaxed);
  return expected;
#endif
}
SLOTSCAPE_HOST_DEVICE inline std::uint64_t compare_exchange(std::uint64_t& number, std::uint64_t expected,
                                                            std::uint64_t desired)
{
#if defined(__CUDA_ARCH__)
  return atomicCAS(reinterpret_cast<unsigned long long*>(&number), expected, desired);
#else
  std::atomic_ref<std::uint64_t>(number).compare_exchange_strong(expected, desired, std::memory_order_relaxed);
  return expected;
#endif
}
SLOTSCAPE_HOST_DEVICE inline void set_bits(std::uint32_t& number, std::uint32_t bits)
{
#if defined(__CUDA_ARCH__)
  atomicOr(&number, bits);
#else
  std::atomic_ref<std::uint32_t>(number).fetch_or(bits, std::memory_order_relaxed);
#endif
}

}  // namespace slotscape::exec
