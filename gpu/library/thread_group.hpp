#pragma once

#include "gpu/execution/machines.hpp"
#include "gpu/execution/tile.hpp"
#include "gpu/library/codes.hpp"

#include <cstdint>
#include <type_traits>

namespace slotscape {

/// Neighbouring threads of a warp that call a view together: 1 to 32, a power of two, counted from the warp's first
/// thread. `cooperative_groups::thread_block_tile<N>` is a ThreadGroup, too.
template <class G>
concept ThreadGroup = std::is_trivially_copyable_v<G> && requires
{
  typename std::integral_constant<unsigned, G::num_threads()>;
};

/// A group of N threads. On a CPU, one thread plays all of them.
template <unsigned N>
struct LaneGroup {
  static_assert(N <= 32 && (N & (N - 1)) == 0 && N != 0, "A group has 1, 2, 4, 8, 16 or 32 threads.");

  SLOTSCAPE_HOST_DEVICE static constexpr unsigned num_threads() { return N; }
  /// The thread's rank in its group.
  SLOTSCAPE_HOST_DEVICE static unsigned thread_rank()
  {
#if defined(__CUDA_ARCH__)
    return static_cast<unsigned>(exec::WarpLanes<static_cast<int>(N), exec::LaneOfWarp>{}.rank());
#else
    return 0;
#endif
  }
};

namespace library {

template <ThreadGroup Group>
inline constexpr int threads_of = static_cast<int>(Group::num_threads());

#if defined(__CUDACC__)
template <int lanes>
using LanesOfGroup = exec::WarpLanes<lanes, exec::LaneOfWarp>;

/// Broadcasts the item of thread `thread` of a group.
template <int threads, class T>
__device__ T from_thread(T const& mine, int thread)
{
  static_assert(is_copied_by_bytes<T>, "The items of a group's threads must be trivially copyable.");
  std::uint32_t words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, static_cast<void const*>(&mine), sizeof(T));
  for (std::uint32_t& word : words) { word = LanesOfGroup<threads>{}.from(word, thread); }
  T result = mine;
  __builtin_memcpy(static_cast<void*>(&result), words, sizeof(T));
  return result;
}

/// Calls f(tile) for a group of threads that make the same call: with a tile of `lanes` of them or, if the group is
/// smaller, with its first thread. All threads get the result.
template <int threads, int lanes, class F>
__device__ auto serve_on_device(F const& f)
{
  if constexpr (lanes == threads) {
    return f(LanesOfGroup<lanes>{});
  } else {
    using Tile = std::conditional_t<(lanes < threads), LanesOfGroup<lanes>, exec::HostLanes<lanes>>;
    constexpr int serving = lanes < threads ? lanes : 1;
    decltype(f(Tile{})) result{};
    if (LanesOfGroup<threads>{}.rank() < serving) { result = f(Tile{}); }
    return from_thread<threads>(result, 0);
  }
}
/// Calls f() in the first thread of a group. All threads get the result.
template <int threads, class F>
__device__ auto serve_by_first(F const& f)
{
  decltype(f()) result{};
  if (LanesOfGroup<threads>{}.rank() == 0) { result = f(); }
  return from_thread<threads>(result, 0);
}
#endif

template <class M>
inline constexpr bool is_on_device = !std::is_same_v<M, HostMachine<typename M::Format>>;

/// Calls f(tile) for a group whose tiles have `lanes` lanes. All threads get the result.
template <class M, ThreadGroup Group, int lanes, class F>
SLOTSCAPE_HOST_DEVICE auto serve_together(F const& f)
{
#if defined(__CUDACC__)
  if constexpr (is_on_device<M>) {
    return serve_on_device<threads_of<Group>, lanes>(f);
  } else
#endif
  {
    return f(exec::HostLanes<lanes>{});
  }
}
/// Calls f() once for a group. All threads get the result.
template <class M, ThreadGroup Group, class F>
SLOTSCAPE_HOST_DEVICE auto serve_once(F const& f)
{
#if defined(__CUDACC__)
  if constexpr (is_on_device<M>) {
    return serve_by_first<threads_of<Group>>(f);
  } else
#endif
  {
    return f();
  }
}

}  // namespace library

/// Calls f(item) for the items of a group's threads, one per thread, one after another, each time with the whole group:
/// f is the work that the threads do together. Each thread gets the result for its own item. A thread whose
/// `takes_part` is false has no item, and gets a value-initialised result. All threads of the group must make the call.
///
///   auto const found = slotscape::serve_each(group, i < count, i < count ? keys[i] : 0,
///                                            [&](auto key) { return view.find(group, key); });
template <ThreadGroup Group, class Item, class F>
SLOTSCAPE_HOST_DEVICE auto serve_each([[maybe_unused]] Group group, bool takes_part, Item const& item, F const& f)
{
  decltype(f(item)) mine{};
#if defined(__CUDA_ARCH__)
  constexpr int threads = library::threads_of<Group>;
  for (int thread = 0; thread < threads; ++thread) {
    if (!library::from_thread<threads>(takes_part, thread)) { continue; }
    auto const result = f(library::from_thread<threads>(item, thread));
    if (library::LanesOfGroup<threads>{}.rank() == thread) { mine = result; }
  }
#else
  if (takes_part) { mine = f(item); }
#endif
  return mine;
}

}  // namespace slotscape
