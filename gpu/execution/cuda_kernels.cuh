#pragma once

#include "gpu/execution/block.hpp"
#include "gpu/execution/histogram.hpp"
#include "gpu/execution/tile.hpp"

/// The kernels that `Cuda` launches.
namespace slotscape::exec::kernels {

inline constexpr int block_size = 256;
inline constexpr int tally_stripes = 128;  // enough stripes that warps rarely add to the same address
inline constexpr int round_counters = 3;   // counters of changes: for this sweep, for the next, and one being cleared

template <class F>
__global__ void __launch_bounds__(block_size) for_each(std::uint64_t count, F f)
{
  std::uint64_t const i = std::uint64_t{blockIdx.x} * block_size + threadIdx.x;
  if (i < count) { f(i); }
}

/// Never launched. If a user's function can only be called on the host, the compiler's error message names this kernel.
template <class F, class... Arguments>
__global__ void function_objects_of_the_GPU_need___device__(F const* f, Arguments const*... arguments)
{
  static_cast<void>((*f)(*arguments...));
}
template <class Array>
__global__ void arrays_of_the_GPU_need___device__(Array const* array)
{
  static_cast<void>((*array)[std::uint64_t{0}]);
}

/// Sets each item to the same value. A function object instead of a device lambda, which needs an option of nvcc that
/// users' programs may lack.
template <class T>
struct Fill {
  T* data;
  T value;

  __device__ void operator()(std::uint64_t i) const { data[i] = value; }
};

/// How many blocks a multiprocessor should run at once: `F::blocks_at_once`, or any number.
template <class F>
constexpr int blocks_at_once()
{
  if constexpr (requires { F::blocks_at_once; }) {
    return F::blocks_at_once;
  } else {
    return 1;
  }
}

template <int Lanes, class F>
__global__ void __launch_bounds__(block_size, blocks_at_once<F>()) for_each_tile(std::uint64_t count, F f)
{
  std::uint64_t const i = (std::uint64_t{blockIdx.x} * block_size + threadIdx.x) / Lanes;
  std::uint64_t const warp_first = i & ~std::uint64_t{32 / Lanes - 1};
  // Whole warps must stay active: spare lanes repeat the last item.
  if (warp_first < count) { f(i < count ? i : count - 1, WarpTile<Lanes>{}); }
}

/// Counts of the outcomes that a thread has seen, one byte each.
class OutcomeCounts {
public:
  __device__ void add(Outcome outcome)
  {
    if (outcome != not_run) { bytes_ += 1ull << (8 * static_cast<unsigned int>(outcome)); }
  }
  /// Adds the counts of a whole warp to its stripe.
  __device__ void flush(std::uint64_t warp, Tally* stripes) const
  {
    unsigned int const lane = threadIdx.x & 31u;
    unsigned int mine = 0;
    for (unsigned int word = 0; word < 4; ++word) {  // outcomes 0 and 2, 1 and 3, 4 and 6, 5
      auto const half = static_cast<std::uint32_t>(bytes_ >> (word / 2 * 32));
      std::uint32_t const two = WarpTile<32>{}.sum((half >> (word % 2 * 8)) & 0x00ff00ffu);
      unsigned int const first = word / 2 * 4 + word % 2;
      if (lane == first) { mine = two & 0xffffu; }
      if (lane == first + 2) { mine = two >> 16; }
    }
    if (mine == 0) { return; }
    auto* counts = reinterpret_cast<unsigned long long*>(stripes + warp % tally_stripes);
    atomicAdd(counts + lane, static_cast<unsigned long long>(mine));
  }

private:
  static_assert(outcome_count <= 8);
  std::uint64_t bytes_ = 0;
};

/// How many items a thread takes if there are enough: `F::items_per_thread`, or one. A thread starts its next item
/// while other threads of its warp still process theirs, which pays off if items vary in length.
template <class F>
constexpr int items_per_thread()
{
  if constexpr (requires { F::items_per_thread; }) {
    return F::items_per_thread;
  } else {
    return 1;
  }
}

/// Writes numbers to host memory, with one block.
template <class Number>
__global__ void __launch_bounds__(block_size) deliver(Number const* from, unsigned int count, Number* to)
{
  for (unsigned int i = threadIdx.x; i < count; i += block_size) { to[i] = from[i]; }
}

/// Sums the stripes and resets them to 0. Runs as one block with a thread per stripe.
template <class Counts>
__global__ void __launch_bounds__(tally_stripes) add_up(Counts* stripes, Counts* total)
{
  __shared__ unsigned long long sums[outcome_count];
  if (threadIdx.x < outcome_count) { sums[threadIdx.x] = 0; }
  __syncthreads();
  for (int outcome = 0; outcome < outcome_count; ++outcome) {
    std::uint64_t& mine = stripes[threadIdx.x].counts[outcome];
    if (mine != 0) { atomicAdd(&sums[outcome], static_cast<unsigned long long>(mine)); }
    mine = 0;
  }
  __syncthreads();
  if (threadIdx.x < outcome_count) { total->counts[threadIdx.x] = sums[threadIdx.x]; }
}

/// The items of a thread in kernels that tally: `per_thread` of them, a block apart.
struct TallyItems {
  std::uint64_t count;
  int per_thread;

  __device__ std::uint64_t item(int k) const
  {
    return (std::uint64_t{blockIdx.x} * per_thread + k) * block_size + threadIdx.x;
  }
  __device__ std::uint64_t warp() const { return (std::uint64_t{blockIdx.x} * block_size + threadIdx.x) / 32; }
};

template <class F>
__global__ void __launch_bounds__(block_size) tally(TallyItems items, F f, Tally* stripes)
{
  OutcomeCounts counts;
#pragma unroll 1
  for (int k = 0; k < items.per_thread; ++k) {
    std::uint64_t const i = items.item(k);
    if (i < items.count) { counts.add(f(i)); }
  }
  __syncwarp();
  counts.flush(items.warp(), stripes);
}

template <int Lanes, class F>
__global__ void __launch_bounds__(block_size) tally_tile(TallyItems items, F f, Tally* stripes)
{
  OutcomeCounts counts;
#pragma unroll 1
  for (int k = 0; k < items.per_thread; ++k) {
    std::uint64_t const i = items.item(k) / Lanes;
    if (i >= items.count) { break; }
    Outcome const outcome = f(i, WarpLanes<Lanes>{});
    if (threadIdx.x % Lanes == 0) { counts.add(outcome); }
  }
  __syncwarp();
  counts.flush(items.warp(), stripes);
}

/// Each lane of a warp brings an item, and the lanes work together; i may be past the end.
template <class F>
__global__ void __launch_bounds__(block_size) tally_together(TallyItems items, F f, Tally* stripes)
{
  OutcomeCounts counts;
#pragma unroll 1
  for (int k = 0; k < items.per_thread; ++k) { counts.add(f(items.item(k), WarpTile<32>{})); }
  __syncwarp();
  counts.flush(items.warp(), stripes);
}

/// Each lane brings an item, and the tile serves these together, one after another ('work sharing', Ashkiani et al.
/// 2018). Steps that need one lane each, such as reading its operation, run in all lanes at once. This pays off from 8
/// lanes on (measured on an H200); smaller tiles do better with many independent lookups in flight.
template <class F, int Lanes>
concept SharesWork = (Lanes >= 8) && requires
{
  typename F::Item;
};

template <int Lanes, class F>
__global__ void __launch_bounds__(block_size) tally_shared(TallyItems items, F f, Tally* stripes)
{
  WarpLanes<Lanes> const tile;
  OutcomeCounts counts;
#pragma unroll 1
  for (int k = 0; k < items.per_thread; ++k) {
    std::uint64_t const i = items.item(k);
    typename F::Item const mine = i < items.count ? f.item(i) : f.no_item();
    typename F::Served served = f.nothing();
#pragma unroll 1
    for (int lane = 0; lane < Lanes; ++lane) {
      typename F::Item const item = f.share(mine, tile, lane);
      if (!item.runs) { continue; }
      typename F::Served const result = f.serve(item, tile);
      if (tile.rank() == lane) { served = result; }
    }
    if (i < items.count) { counts.add(f.finish(i, mine, served)); }
  }
  __syncwarp();
  counts.flush(items.warp(), stripes);
}

/// Maximum of statically declared shared memory; the rest of a device's shared memory is requested at launch.
inline constexpr std::size_t max_declared = 48u << 10;
template <class F>
inline constexpr std::size_t bytes_at_launch = sizeof(typename F::Shared) > max_declared ? sizeof(typename F::Shared)
                                                                                         : 0;
template <int Threads, class F>
__global__ void __launch_bounds__(Threads, blocks_at_once<F>()) for_each_block(F f)
{
  using Shared = typename F::Shared;
  if constexpr (bytes_at_launch<F> != 0) {
    extern __shared__ __align__(16) unsigned char given[];
    f(std::uint64_t{blockIdx.x}, DeviceBlock<Threads>{}, *reinterpret_cast<Shared*>(given));
  } else {
    __shared__ Shared shared;
    f(std::uint64_t{blockIdx.x}, DeviceBlock<Threads>{}, shared);
  }
}

/// Records that the first `bins` bins are in use. This rarely changes anything.
inline __device__ void note_used(HistogramView whole, unsigned long long bins)
{
  if (*static_cast<unsigned long long volatile*>(&whole.totals->used) < bins) { atomicMax(&whole.totals->used, bins); }
}

/// Counts a value that has no bin in shared memory. A free function that is not inlined, to save registers in the
/// caller.
inline __device__ __noinline__ void add_large(HistogramView whole, std::uint32_t value, std::uint32_t times)
{
  if (value < whole.size) {
    atomicAdd(whole.bins + value, times);
    note_used(whole, value + 1);
    return;
  }
  atomicAdd(&whole.totals->beyond, static_cast<unsigned long long>(times));
  atomicAdd(&whole.totals->beyond_sum, static_cast<unsigned long long>(value) * times);
  atomicMax(&whole.totals->beyond_max, static_cast<unsigned long long>(value));
}

/// One thread's access to a histogram: small values are counted in shared memory, the rest in device memory.
class Sink {
public:
  __device__ Sink(HistogramView whole, std::uint32_t* local) : whole_(whole), local_(local)
  {
    asm volatile("" : "+r"(address_));  // makes the compiler compute it only once
  }
  __device__ void add(std::uint32_t value) { add_if(true, value); }
  __device__ void add_if(bool wanted, std::uint32_t value)
  {
    add_small(wanted, value);
    if (wanted && value >= local_bins) { add_large(value); }
  }
  /// Adds a value if it is wanted and below `local_bins` (the histogram has at least that many bins), without a branch
  /// that would keep lanes waiting. Larger values are for `add_large`.
  __device__ void add_small(bool wanted, std::uint32_t value)
  {
    zeros_ += wanted && value == 0;  // by far the most frequent value: all lanes would contend for one bin
    std::uint32_t const other = wanted ? value : 0;
    asm volatile("{.reg .pred small; setp.lt.u32 small, %1, %2; @small red.shared.add.u32 [%0], 1;}" ::"r"(address_ +
                                                                                                           4 * other),
                 "r"(other - 1), "n"(local_bins - 1)
                 : "memory");
  }
  /// Adds a value below `local_bins` (the histogram has at least that many bins). If skipping slots without a measure
  /// costs more, they may be added as 0, provided that `leave_out_zeros` is told how many.
  __device__ void add_bin(std::uint32_t value)
  {
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address_ + 4 * value) : "memory");
  }
  __device__ void leave_out_zeros(std::uint32_t times) { zeros_ -= times; }
  __device__ void add_large(std::uint32_t value) { kernels::add_large(whole_, value, 1); }
  __device__ void add_many(std::uint32_t value, std::uint32_t times)
  {
    if (value < local_bins) {
      atomicAdd(local_ + value, times);
    } else {
      kernels::add_large(whole_, value, times);
    }
  }
  __device__ void note(std::uint32_t tombstones, std::uint32_t links)
  {
    tombstones_ += tombstones;
    links_ += links;
  }
  __device__ void flush() const
  {
    WarpTile<32> const warp;
    std::uint32_t const zeros = warp.sum(zeros_);
    std::uint32_t const tombstones = warp.sum(tombstones_);
    std::uint32_t const links = warp.sum(links_);
    if (warp.rank() == 0 && zeros != 0) { atomicAdd(local_, zeros); }
    if (warp.rank() == 0 && tombstones != 0) {
      atomicAdd(&whole_.totals->tombstones, static_cast<unsigned long long>(tombstones));
    }
    if (warp.rank() == 0 && links != 0) { atomicAdd(&whole_.totals->links, static_cast<unsigned long long>(links)); }
  }

private:
  HistogramView whole_;
  std::uint32_t* local_;
  std::uint32_t address_ = static_cast<std::uint32_t>(__cvta_generic_to_shared(local_));
  std::uint32_t zeros_ = 0;
  std::uint32_t tombstones_ = 0;
  std::uint32_t links_ = 0;
};

template <class F>
__global__ void __launch_bounds__(block_size) accumulate(std::uint64_t count, HistogramView histogram, F f)
{
  __shared__ std::uint32_t local[local_bins];
  for (int i = threadIdx.x; i < static_cast<int>(local_bins); i += block_size) { local[i] = 0; }
  __syncthreads();
  Sink sink(histogram, local);
  std::uint64_t const warps = std::uint64_t{gridDim.x} * (block_size / 32);
  for (std::uint64_t i = (std::uint64_t{blockIdx.x} * block_size + threadIdx.x) / 32; i < count; i += warps) {
    f(i, WarpTile<32>{}, sink);
  }
  sink.flush();
  __syncthreads();
  std::uint32_t const shared_bins = histogram.size < local_bins ? histogram.size : local_bins;
  std::uint32_t used = 0;
  for (std::uint32_t i = threadIdx.x; i < shared_bins; i += block_size) {
    if (local[i] == 0) { continue; }
    atomicAdd(histogram.bins + i, local[i]);
    used = i + 1;
  }
  note_used(histogram, used);
}

}  // namespace slotscape::exec::kernels
