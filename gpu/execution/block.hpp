#pragma once

#include "gpu/base/types.hpp"

#include <array>
#include <atomic>

namespace slotscape::exec {

/// A block of threads that share memory and work in steps: each `for_each_thread` ends with a barrier. What a thread
/// keeps from one step to the next is in a `PerThread`.
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
  /// Writes a number in shared memory. Several threads may do so at once: one of them wins.
  void write(std::uint32_t& shared, std::uint32_t value) const { shared = value; }
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
  __device__ void write(std::uint32_t& shared, std::uint32_t value) const { atomicExch(&shared, value); }
};
#endif

}  // namespace slotscape::exec
