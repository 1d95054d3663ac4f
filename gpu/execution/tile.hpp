#pragma once

#include "gpu/base/types.hpp"

#include <array>
#include <bit>

#include <cstdint>
#include <type_traits>

namespace slotscape::exec {

/// The first lane set in a ballot, which must not be 0.
SLOTSCAPE_HOST_DEVICE inline int first_lane(std::uint32_t ballot)
{
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(ballot)) - 1;
#else
  return std::countr_zero(ballot);
#endif
}

/// The number of lanes set in a ballot.
SLOTSCAPE_HOST_DEVICE inline int count_lanes(std::uint32_t ballot)
{
#if defined(__CUDA_ARCH__)
  return __popc(ballot);
#else
  return std::popcount(ballot);
#endif
}

/// Lanes that work together on one item: on the device a warp or part of one; on the host a single lane, whose loop
/// covers what the warp's lanes would have divided among them. Code written for tiles strides by `size` from `rank`.
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
  /// Broadcasts the number of lane `lane`.
  template <class T>
  T from(T mine, int) const
  {
    return mine;
  }
};

#if defined(__CUDACC__)
/// `Lanes` neighbouring lanes of a warp, a power of two. All of them must make each call.
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
#if __CUDA_ARCH__ >= 800
    if constexpr (Lanes == 32 && std::is_same_v<T, std::uint32_t>) { return __reduce_add_sync(0xffffffffu, value); }
#endif
    return sum_within(value, Lanes);
  }
  template <class T>
  __device__ T max(T value) const
  {
#if __CUDA_ARCH__ >= 800
    if constexpr (Lanes == 32 && std::is_same_v<T, std::uint32_t>) { return __reduce_max_sync(0xffffffffu, value); }
#endif
    return max_apart(value, 1, Lanes);
  }
  /// The sum over a group of `lanes` neighbouring lanes, a power of two.
  template <class T>
  __device__ T sum_within(T value, int lanes) const
  {
    return sum_apart(value, 1, lanes);
  }
  /// The sum over those lanes of a group that are a multiple of `distance`, a power of two, apart.
  template <class T>
  __device__ T sum_apart(T value, int distance, int lanes) const
  {
    for (int step = distance; step < lanes; step *= 2) { value += swapped(value, step); }
    return value;
  }
  template <class T>
  __device__ T max_apart(T value, int distance, int lanes) const
  {
    for (int step = distance; step < lanes; step *= 2) {
      T const other = swapped(value, step);
      value = other > value ? other : value;
    }
    return value;
  }
  /// The number of the lane `distance` away, a power of two.
  template <class T>
  __device__ T swapped(T mine, int distance) const
  {
    return __shfl_xor_sync(0xffffffffu, mine, distance);
  }
  template <class T>
  __device__ T from(T mine, int lane) const
  {
    return __shfl_sync(0xffffffffu, mine, lane, Lanes);
  }
};
#endif

/// Lanes that serve one table operation together: they read a window of `size` neighbouring slots in one access, one
/// slot each. On the host, one thread plays all lanes, as it may on the device (`HostLanes`, from two lanes on). The
/// lanes of a tile never diverge; the tiles of a warp may.
template <int Lanes>
struct HostLanes {
  static constexpr int size = Lanes;
  template <class Word>
  using Window = std::array<Word, Lanes>;

  template <class Machine>
  SLOTSCAPE_HOST_DEVICE Window<typename Machine::Word> read(Machine const& machine, Slot first) const
  {
    Window<typename Machine::Word> window;
    machine.load_window(first, window.data(), Lanes);
    return window;
  }
  /// One bit per lane: whether its word of the window satisfies the predicate.
  template <class Word, class Predicate>
  SLOTSCAPE_HOST_DEVICE std::uint32_t ballot(std::array<Word, Lanes> const& window, Predicate const& predicate) const
  {
    std::uint32_t bits = 0;
    for (int lane = 0; lane < Lanes; ++lane) { bits |= (predicate(window[lane]) ? 1u : 0u) << lane; }
    return bits;
  }
  template <class Word>
  SLOTSCAPE_HOST_DEVICE Word word(std::array<Word, Lanes> const& window, int lane) const
  {
    return window[lane];
  }
  SLOTSCAPE_HOST_DEVICE bool is_first() const { return true; }
  /// One lane calls f; all lanes get the result, a word.
  template <class F>
  SLOTSCAPE_HOST_DEVICE auto once(F const& f) const
  {
    return f();
  }
  /// Lane `lane` calls f with its own word of the window; all lanes get the result, a word.
  template <class Word, class F>
  SLOTSCAPE_HOST_DEVICE auto once(std::array<Word, Lanes> const& window, int lane, F const& f) const
  {
    return f(window[lane]);
  }
};

/// Replaces a tile when a single thread serves an operation.
struct NoTile {
  SLOTSCAPE_HOST_DEVICE bool is_first() const { return true; }
  template <class F>
  SLOTSCAPE_HOST_DEVICE auto once(F const& f) const
  {
    return f();
  }
};

#if defined(__CUDACC__)
/// A thread's lane in its warp, for blocks of one dimension and of any number of dimensions.
struct LaneOfBlock {
  __device__ static unsigned lane() { return threadIdx.x & 31u; }
};
struct LaneOfWarp {
  __device__ static unsigned lane()
  {
    unsigned lane = 0;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
  }
};

template <int Lanes, class Thread = LaneOfBlock>
struct WarpLanes {
  static constexpr int size = Lanes;
  template <class Word>
  using Window = Word;

  __device__ int rank() const { return static_cast<int>(Thread::lane() & (Lanes - 1u)); }

  template <class Machine>
  __device__ typename Machine::Word read(Machine const& machine, Slot first) const
  {
    return machine.load(first + static_cast<Slot>(rank()));
  }
  template <class Word, class Predicate>
  __device__ std::uint32_t ballot(Word window, Predicate const& predicate) const
  {
    if constexpr (Lanes == 1) {
      return predicate(window) ? 1u : 0u;
    } else if constexpr (Lanes == 32) {
      return __ballot_sync(0xffffffffu, predicate(window));
    } else {
      return (__ballot_sync(mask(), predicate(window)) >> shift()) & ((1u << Lanes) - 1u);
    }
  }
  template <class Word>
  __device__ Word word(Word window, int lane) const
  {
    if constexpr (Lanes == 1) {
      return window;
    } else if constexpr (sizeof(Word) == 16) {
      std::uint64_t const low = __shfl_sync(mask(), static_cast<unsigned long long>(window), lane, Lanes);
      std::uint64_t const high = __shfl_sync(mask(), static_cast<unsigned long long>(window >> 64), lane, Lanes);
      return (Word{high} << 64) | low;
    } else {
      return __shfl_sync(mask(), static_cast<unsigned long long>(window), lane, Lanes);
    }
  }
  __device__ bool is_first() const { return rank() == 0; }
  /// Broadcasts the number of lane `lane`.
  template <class T>
  __device__ T from(T mine, int lane) const
  {
    return __shfl_sync(mask(), mine, lane, Lanes);
  }
  template <class F>
  __device__ auto once(F const& f) const
  {
    decltype(f()) result{};
    if (rank() == 0) { result = f(); }
    return word(result, 0);
  }
  template <class Word, class F>
  __device__ auto once(Word window, int lane, F const& f) const
  {
    decltype(f(window)) result{};
    if (rank() == lane) { result = f(window); }
    return word(result, lane);
  }

private:
  __device__ static unsigned shift() { return Thread::lane() & ~(Lanes - 1u); }
  __device__ static unsigned mask()
  {
    if constexpr (Lanes == 32) {
      return 0xffffffffu;
    } else {
      return ((1u << Lanes) - 1u) << shift();
    }
  }
};
#endif

}  // namespace slotscape::exec
