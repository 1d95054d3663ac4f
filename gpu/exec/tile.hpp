#pragma once

#include "gpu/tables/types.hpp"

#include <cstdint>

namespace slotscape::exec {

/// Lanes that work together on one item: a warp, or a part of one, on the device; a single lane on the host, whose loop
/// then runs over what the warp's lanes would have shared. Code written against a tile strides by `size` from `rank`.
struct HostTile {
  static constexpr int size = 1;
  int rank() const { return 0; }
  std::uint32_t ballot(bool predicate) const { return predicate ? 1u : 0u; }
  template <class T>
  T sum(T value) const
  {
    return value;
  }
  template <class T>
  T max(T value) const
  {
    return value;
  }
};

#if defined(__CUDACC__)
/// `Lanes` neighbouring lanes of a warp, a power of two; all of them must come to each call.
template <int Lanes>
struct WarpTile {
  static constexpr int size = Lanes;
  __device__ int rank() const { return threadIdx.x & (Lanes - 1); }
  __device__ std::uint32_t ballot(bool predicate) const
  {
    std::uint32_t const all = __ballot_sync(0xffffffffu, predicate);
    if constexpr (Lanes == 32) {
      return all;
    } else {
      return (all >> ((threadIdx.x & 31u) & ~(Lanes - 1u))) & ((1u << Lanes) - 1u);
    }
  }
  template <class T>
  __device__ T sum(T value) const
  {
    for (int step = Lanes / 2; step > 0; step /= 2) { value += __shfl_xor_sync(0xffffffffu, value, step); }
    return value;
  }
  template <class T>
  __device__ T max(T value) const
  {
    for (int step = Lanes / 2; step > 0; step /= 2) {
      T const other = __shfl_xor_sync(0xffffffffu, value, step);
      value = other > value ? other : value;
    }
    return value;
  }
};
#endif

}  // namespace slotscape::exec
