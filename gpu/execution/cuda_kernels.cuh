#pragma once

#include "gpu/execution/block.hpp"
#include "gpu/execution/histogram.hpp"
#include "gpu/execution/tile.hpp"

/// The kernels that `Cuda` launches.
namespace slotscape::exec::kernels {

inline constexpr int block_size = 256;
inline constexpr int tally_stripes = 1024;  // so that warps rarely add to the same address
inline constexpr int round_counters = 3;    // of changes: for this sweep, for the next, and one being cleared

template <class F>
__global__ void __launch_bounds__(block_size) for_each(std::uint64_t count, F f)
{
  std::uint64_t const i = std::uint64_t{blockIdx.x} * block_size + threadIdx.x;
  if (i < count) { f(i); }
}

template <int Lanes, class F>
__global__ void __launch_bounds__(block_size) for_each_tile(std::uint64_t count, F f)
{
  std::uint64_t const i = (std::uint64_t{blockIdx.x} * block_size + threadIdx.x) / Lanes;
  std::uint64_t const warp_first = i & ~std::uint64_t{32 / Lanes - 1};
  // Whole warps must stay active: spare lanes repeat the last item.
  if (warp_first < count) { f(i < count ? i : count - 1, WarpTile<Lanes>{}); }
}

/// Adds the outcomes of a warp's lanes, or -1, to the stripe of that warp.
inline __device__ void add_outcomes(int outcome, std::uint64_t warp, Tally* stripes)
{
  unsigned int const lane = threadIdx.x & 31u;
  unsigned int mine = 0;
  for (int o = 0; o < outcome_count; ++o) {
    unsigned int const voters = __popc(__ballot_sync(0xffffffffu, outcome == o));
    if (lane == static_cast<unsigned int>(o)) { mine = voters; }
  }
  if (mine != 0) {
    auto* counts = reinterpret_cast<unsigned long long*>(stripes + warp % tally_stripes);
    atomicAdd(counts + lane, static_cast<unsigned long long>(mine));
  }
}

template <class F>
__global__ void __launch_bounds__(block_size) tally(std::uint64_t count, F f, Tally* stripes)
{
  std::uint64_t const i = std::uint64_t{blockIdx.x} * block_size + threadIdx.x;
  int const outcome = i < count ? static_cast<int>(f(i)) : -1;
  add_outcomes(outcome, i / 32, stripes);
}

template <int Lanes, class F>
__global__ void __launch_bounds__(block_size) tally_tile(std::uint64_t count, F f, Tally* stripes)
{
  std::uint64_t const thread = std::uint64_t{blockIdx.x} * block_size + threadIdx.x;
  int outcome = -1;
  if (thread / Lanes < count) {
    int const all = static_cast<int>(f(thread / Lanes, WarpLanes<Lanes>{}));
    if (thread % Lanes == 0) { outcome = all; }
  }
  __syncwarp();
  add_outcomes(outcome, thread / 32, stripes);
}

/// Each lane brings an item, and the tile serves these together, one after another ('work sharing', Ashkiani et al.
/// 2018). What a lane can do alone, such as reading its operation, all lanes do at once. That pays off from 8 lanes on
/// (measured on an H200); smaller tiles do better with many independent lookups in flight.
template <class F, int Lanes>
concept SharesWork = (Lanes >= 8) && requires
{
  typename F::Item;
};

template <int Lanes, class F>
__global__ void __launch_bounds__(block_size) tally_shared(std::uint64_t count, F f, Tally* stripes)
{
  std::uint64_t const i = std::uint64_t{blockIdx.x} * block_size + threadIdx.x;
  WarpLanes<Lanes> const tile;
  typename F::Item const mine = i < count ? f.item(i) : f.no_item();
  typename F::Served served = f.nothing();
#pragma unroll 1
  for (int lane = 0; lane < Lanes; ++lane) {
    typename F::Item const item = f.share(mine, tile, lane);
    if (!item.runs) { continue; }
    typename F::Served const result = f.serve(item, tile);
    if (tile.rank() == lane) { served = result; }
  }
  int const outcome = i < count ? static_cast<int>(f.finish(i, mine, served)) : -1;
  __syncwarp();
  add_outcomes(outcome, i / 32, stripes);
}

/// A kernel declares no more shared memory than this; the rest of what a device has is given at a launch.
inline constexpr std::size_t most_declared = 48u << 10;
template <class F>
inline constexpr std::size_t bytes_at_launch = sizeof(typename F::Shared) > most_declared ? sizeof(typename F::Shared)
                                                                                          : 0;
/// How many blocks a multiprocessor is to run at once: `F::blocks_at_once`, or any number.
template <class F>
constexpr int blocks_at_once()
{
  if constexpr (requires { F::blocks_at_once; }) {
    return F::blocks_at_once;
  } else {
    return 1;
  }
}

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

/// Counts a value that has no bin in shared memory. A free function that is not inlined, to save registers in the
/// caller.
inline __device__ __noinline__ void add_large(HistogramView whole, std::uint32_t value, std::uint32_t times)
{
  if (value < whole.size) {
    atomicAdd(whole.bins + value, times);
    return;
  }
  atomicAdd(&whole.totals->beyond, static_cast<unsigned long long>(times));
  atomicAdd(&whole.totals->beyond_sum, static_cast<unsigned long long>(value) * times);
  atomicMax(&whole.totals->beyond_max, static_cast<unsigned long long>(value));
}

/// One thread's access to a histogram: small values are counted in shared memory, the rest in device memory.
class Sink {
public:
  __device__ Sink(HistogramView whole, std::uint32_t* local) : whole_(whole), local_(local) {}
  __device__ void add(std::uint32_t value)
  {
    zeros_ += value == 0;  // by far the most frequent: all lanes would contend for one bin
    if (value - 1 < local_bins - 1) { atomicAdd(local_ + value, 1u); }
    if (value >= local_bins) { add_large(whole_, value, 1); }
  }
  __device__ void add_if(bool wanted, std::uint32_t value)
  {
    if (wanted) { add(value); }
  }
  __device__ void add_many(std::uint32_t value, std::uint32_t times)
  {
    if (value < local_bins) {
      atomicAdd(local_ + value, times);
    } else {
      add_large(whole_, value, times);
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
  for (std::uint32_t i = threadIdx.x; i < shared_bins; i += block_size) {
    if (local[i] != 0) { atomicAdd(histogram.bins + i, local[i]); }
  }
}

}  // namespace slotscape::exec::kernels
