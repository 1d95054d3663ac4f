#pragma once

#include "gpu/base/types.hpp"

#include <array>
#include <utility>

/// Precedes a loop whose arrays should stay in registers on the device. On the host, the compiler decides.
#if defined(__CUDA_ARCH__)
#define SLOTSCAPE_UNROLL _Pragma("unroll")
#define SLOTSCAPE_UNROLL_BY_4 _Pragma("unroll 4")
#else
#define SLOTSCAPE_UNROLL
#define SLOTSCAPE_UNROLL_BY_4
#endif

namespace slotscape::exec {

/// A block of threads that share memory and work in steps: each `for_each_thread` ends with a barrier. A `PerThread`
/// holds what a thread keeps from one step to the next.
template <int Threads>
struct HostBlock {
  static constexpr int size = Threads;
  template <class T>
  struct PerThread {
    std::array<T, Threads> values{};
    T& operator[](int thread) { return values[thread]; }
  };

  template <class F>
  void for_each_thread(F const& f) const
  {
    for (int thread = 0; thread < Threads; ++thread) { f(thread); }
  }
  /// Adds to a number in shared memory; returns its old value.
  std::uint32_t add(std::uint32_t& shared, std::uint32_t more) const
  {
    std::uint32_t const old = shared;
    shared += more;
    return old;
  }
  /// Adds the numbers of all threads in a step to a number in shared memory: each thread must call it.
  void add_of_all(std::uint32_t& shared, std::uint32_t mine) const { shared += mine; }
  /// Writes a number in shared memory. If several threads write at once, one of them wins.
  void write(std::uint32_t& shared, std::uint32_t value) const { shared = value; }
  /// Sets or clears bits of a number in shared memory; returns its old value.
  std::uint32_t set_bits(std::uint32_t& shared, std::uint32_t bits) const
  {
    std::uint32_t const old = shared;
    shared |= bits;
    return old;
  }
  void clear_bits(std::uint32_t& shared, std::uint32_t bits) const { shared &= ~bits; }
  /// Replaces a number in shared memory if it has the expected value; returns its old value.
  template <class T>
  T compare_exchange(T& shared, T expected, T desired) const
  {
    return shared == expected ? std::exchange(shared, desired) : shared;
  }
  /// Threads that see this thread's later writes to shared memory also see its earlier ones.
  void fence() const {}

  /// A separate step: replaces each of the first `count` <= Threads numbers in shared memory by the sum of those before
  /// it.
  void exclusive_sums(std::uint32_t* numbers, int count) const
  {
    std::uint32_t sum = 0;
    for (int i = 0; i < count; ++i) { sum += std::exchange(numbers[i], sum); }
  }
};

#if defined(__CUDACC__)
template <int Threads>
struct DeviceBlock {
  static constexpr int size = Threads;
  template <class T>
  struct PerThread {
    T value{};
    __device__ T& operator[](int) { return value; }
  };

  template <class F>
  __device__ void for_each_thread(F const& f) const
  {
    f(static_cast<int>(threadIdx.x));
    __syncthreads();
  }
  __device__ std::uint32_t add(std::uint32_t& shared, std::uint32_t more) const { return atomicAdd(&shared, more); }
  __device__ void add_of_all(std::uint32_t& shared, std::uint32_t mine) const
  {
    for (int step = 16; step > 0; step /= 2) { mine += __shfl_xor_sync(0xffffffffu, mine, step); }
    if (threadIdx.x % 32 == 0 && mine != 0) { atomicAdd(&shared, mine); }
  }
  __device__ void write(std::uint32_t& shared, std::uint32_t value) const { atomicExch(&shared, value); }
  __device__ std::uint32_t set_bits(std::uint32_t& shared, std::uint32_t bits) const { return atomicOr(&shared, bits); }
  __device__ void clear_bits(std::uint32_t& shared, std::uint32_t bits) const { atomicAnd(&shared, ~bits); }
  __device__ std::uint32_t compare_exchange(std::uint32_t& shared, std::uint32_t expected, std::uint32_t desired) const
  {
    return atomicCAS(&shared, expected, desired);
  }
  __device__ std::uint64_t compare_exchange(std::uint64_t& shared, std::uint64_t expected, std::uint64_t desired) const
  {
    return atomicCAS(reinterpret_cast<unsigned long long*>(&shared), expected, desired);
  }
  __device__ void fence() const { __threadfence_block(); }

  __device__ void exclusive_sums(std::uint32_t* numbers, int count) const
  {
    __shared__ std::uint32_t of_warps[Threads / 32];
    int const thread = static_cast<int>(threadIdx.x);
    std::uint32_t const mine = thread < count ? numbers[thread] : 0;
    std::uint32_t sum = mine;
    for (int step = 1; step < 32; step *= 2) {
      std::uint32_t const below = __shfl_up_sync(0xffffffffu, sum, step);
      if (thread % 32 >= step) { sum += below; }
    }
    if (thread % 32 == 31) { of_warps[thread / 32] = sum; }
    __syncthreads();
    for (int warp = 0; warp < thread / 32; ++warp) { sum += of_warps[warp]; }
    if (thread < count) { numbers[thread] = sum - mine; }
    __syncthreads();
  }
};
#endif

}  // namespace slotscape::exec
