#pragma once

#include "gpu/exec/backend.hpp"
#include "gpu/exec/block.hpp"
#include "gpu/exec/cuda_error.hpp"
#include "gpu/exec/histogram.hpp"
#include "gpu/exec/tile.hpp"
#include "gpu/tables/machines.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace slotscape::exec {

namespace kernels {

inline constexpr int block_size = 256;
inline constexpr int tally_stripes = 1024;  // so that warps seldom add to the same address
inline constexpr int round_counters = 3;    // of changes: of this sweep, the next, and one to be cleared meanwhile

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
  // A whole warp stays: its spare lanes repeat the last item.
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

/// A function whose lanes bring an item each, which their tile serves together, one after the other ('work sharing',
/// Ashkiani et al. 2018): what a lane can do by itself, such as reading its operation, is done by all at once. That
/// pays from 8 lanes on (measured on an H200); small tiles would rather look up many keys at once.
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

template <int Threads, class F>
__global__ void __launch_bounds__(Threads) for_each_block(F f)
{
  __shared__ typename F::Shared shared;
  f(std::uint64_t{blockIdx.x}, DeviceBlock<Threads>{}, shared);
}

/// Counts a value that is not counted in shared memory. Not a member, and called: the caller keeps its registers.
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

/// One thread's end of a histogram: small values are counted in shared memory, the rest in device memory.
class Sink {
public:
  __device__ Sink(HistogramView whole, std::uint32_t* local) : whole_(whole), local_(local) {}
  __device__ void add(std::uint32_t value)
  {
    zeros_ += value == 0;  // the most frequent by far: all lanes would meet in one bin
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

}  // namespace kernels

/// A CUDA device and one stream of work on it. Copies to and from the host wait for what was submitted before.
class Cuda {
public:
  static constexpr Backend backend = Backend::cuda;
  static constexpr std::uint64_t batch_limit = 1u << 26;
  static constexpr std::uint64_t rehash_slots = 1u << 24;  ///< old slots moved in one step
  template <class Bits>
  using Machine = DeviceMachine<Bits>;
  template <int Lanes>
  using Tile = WarpLanes<Lanes>;

  template <class T>
  class Buffer {
  public:
    Buffer() = default;
    Buffer(Cuda&, std::uint64_t count) : count_(count)
    {
      T* data = nullptr;
      SLOTSCAPE_CUDA_CHECK(cudaMalloc(&data, std::max<std::uint64_t>(count, 1) * sizeof(T)));
      data_.reset(data);
    }
    T* data() const { return data_.get(); }
    std::uint64_t size() const { return count_; }

  private:
    struct Free {
      void operator()(T* data) const { cudaFree(data); }
    };
    std::unique_ptr<T, Free> data_;
    std::uint64_t count_ = 0;
  };

  Cuda()
  {
    SLOTSCAPE_CUDA_CHECK(cudaStreamCreate(&stream_));  // in order with the default stream, where pictures are mapped
    for (cudaEvent_t* event : {&started_, &stopped_}) { SLOTSCAPE_CUDA_CHECK(cudaEventCreate(event)); }
    int device = 0;
    SLOTSCAPE_CUDA_CHECK(cudaGetDevice(&device));
    SLOTSCAPE_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device));
    tallies_ = Buffer<Tally>(*this, kernels::tally_stripes);
    selected_ = Buffer<std::uint64_t>(*this, 1);
    round_changes_ = Buffer<std::uint32_t>(*this, kernels::round_counters);
  }
  ~Cuda()
  {
    cudaStreamSynchronize(stream_);
    for (cudaEvent_t event : {started_, stopped_}) { cudaEventDestroy(event); }
    cudaStreamDestroy(stream_);
  }
  Cuda(Cuda const&) = delete;
  Cuda& operator=(Cuda const&) = delete;

  std::string name() const
  {
    cudaDeviceProp properties{};
    SLOTSCAPE_CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    return properties.name;
  }

  template <class T>
  void fill(T* data, std::uint64_t count, T value)
  {
    for_each(count, [=] __device__(std::uint64_t i) { data[i] = value; });
  }
  template <class T>
  void upload(T* to, std::span<T const> from)
  {
    SLOTSCAPE_CUDA_CHECK(cudaMemcpyAsync(to, from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream_));
    synchronize();
  }
  template <class T>
  void download(std::span<T> to, T const* from)
  {
    SLOTSCAPE_CUDA_CHECK(cudaMemcpyAsync(to.data(), from, to.size_bytes(), cudaMemcpyDeviceToHost, stream_));
    synchronize();
  }
  template <class T>
  void copy(T* to, T const* from, std::uint64_t count)
  {
    SLOTSCAPE_CUDA_CHECK(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice, stream_));
  }

  template <class F>
  void for_each(std::uint64_t count, F const& f)
  {
    launch(count,
           [&](unsigned int blocks) { kernels::for_each<<<blocks, kernels::block_size, 0, stream_>>>(count, f); });
  }

  template <int Lanes, class F>
  void for_each_tile(std::uint64_t count, F const& f)
  {
    launch(count * Lanes, [&](unsigned int blocks) {
      kernels::for_each_tile<Lanes><<<blocks, kernels::block_size, 0, stream_>>>(count, f);
    });
  }

  /// Defined in cuda_rounds.cuh.
  template <class Program>
  void rounds(std::uint64_t limit, Program const& program);

  template <class F>
  Tally tally(std::uint64_t count, F const& f)
  {
    clear_tallies();
    launch(count, [&](unsigned int blocks) {
      kernels::tally<<<blocks, kernels::block_size, 0, stream_>>>(count, f, tallies_.data());
    });
    return total_of_tallies();
  }
  template <int Lanes, class F>
  Tally tally_tile(std::uint64_t count, F const& f)
  {
    clear_tallies();
    if constexpr (kernels::SharesWork<F, Lanes>) {
      launch(count, [&](unsigned int blocks) {
        kernels::tally_shared<Lanes><<<blocks, kernels::block_size, 0, stream_>>>(count, f, tallies_.data());
      });
    } else {
      launch(count * Lanes, [&](unsigned int blocks) {
        kernels::tally_tile<Lanes><<<blocks, kernels::block_size, 0, stream_>>>(count, f, tallies_.data());
      });
    }
    return total_of_tallies();
  }

  template <int Threads, class F>
  void for_each_block(std::uint64_t count, F const& f)
  {
    if (count == 0) { return; }
    kernels::for_each_block<Threads><<<static_cast<unsigned int>(count), Threads, 0, stream_>>>(f);
    SLOTSCAPE_CUDA_CHECK(cudaGetLastError());
  }

  template <class F>
  void accumulate(std::uint64_t count, HistogramView histogram, F const& f)
  {
    int per_multiprocessor = 0;
    SLOTSCAPE_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernels::accumulate<F>,
                                                                       kernels::block_size, 0));
    launch(count * 32, [&](unsigned int blocks) {
      blocks = std::min(blocks, static_cast<unsigned int>(multiprocessors_ * per_multiprocessor));
      kernels::accumulate<<<blocks, kernels::block_size, 0, stream_>>>(count, histogram, f);
    });
  }

  /// Defined in cuda_select.cuh.
  template <class T, class F>
  std::uint64_t select(std::uint64_t count, T none, T* out, F const& f);

  std::uint64_t compact(std::uint32_t const* numbers, std::uint64_t count, std::uint32_t none, std::uint32_t* out);
  void sort(std::uint32_t* keys, std::uint64_t count);
  void sort(std::uint64_t* keys, std::uint64_t count);
  void sort_pairs(std::uint32_t* keys, std::uint32_t* values, std::uint64_t count);
  void sort_pairs(std::uint64_t* keys, std::uint64_t* values, std::uint64_t count);
  void sort_pairs(std::uint64_t* keys, std::uint32_t* values, std::uint64_t count);
  std::uint64_t exclusive_scan(std::uint32_t* counts, std::uint64_t count);
  void prefix_sums(std::uint32_t* counts, std::uint64_t count);

  void start_timer()
  {
    SLOTSCAPE_CUDA_CHECK(cudaEventRecord(started_, stream_));
    marked_ = false;
  }
  /// The timed span ends here, and not at `stop_timer`.
  void mark_stop()
  {
    SLOTSCAPE_CUDA_CHECK(cudaEventRecord(stopped_, stream_));
    marked_ = true;
  }
  /// Seconds of the device's time since `start_timer`, by CUDA events.
  double stop_timer()
  {
    if (!marked_) { mark_stop(); }
    SLOTSCAPE_CUDA_CHECK(cudaEventSynchronize(stopped_));
    float milliseconds = 0.0f;
    SLOTSCAPE_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, started_, stopped_));
    return milliseconds * 1e-3;
  }

  /// Times the parts of a span of work, by CUDA events.
  class Laps {
  public:
    explicit Laps(Cuda& exec) : stream_(exec.stream_) {}
    ~Laps()
    {
      for (cudaEvent_t event : events_) { cudaEventDestroy(event); }
    }
    Laps(Laps const&) = delete;
    Laps& operator=(Laps const&) = delete;

    void start()
    {
      used_ = 0;
      lap();
    }
    void lap()
    {
      if (used_ == events_.size()) {
        events_.push_back(nullptr);
        SLOTSCAPE_CUDA_CHECK(cudaEventCreate(&events_.back()));
      }
      SLOTSCAPE_CUDA_CHECK(cudaEventRecord(events_[used_++], stream_));
    }
    std::vector<double> seconds() const
    {
      std::vector<double> seconds;
      SLOTSCAPE_CUDA_CHECK(cudaEventSynchronize(events_[used_ - 1]));
      for (std::size_t i = 1; i < used_; ++i) {
        float milliseconds = 0.0f;
        SLOTSCAPE_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, events_[i - 1], events_[i]));
        seconds.push_back(milliseconds * 1e-3);
      }
      return seconds;
    }

  private:
    cudaStream_t stream_;
    std::vector<cudaEvent_t> events_;
    std::size_t used_ = 0;
  };

private:
  template <class Launch>
  void launch(std::uint64_t threads, Launch const& start)
  {
    if (threads == 0) { return; }
    start(static_cast<unsigned int>((threads + kernels::block_size - 1) / kernels::block_size));
    SLOTSCAPE_CUDA_CHECK(cudaGetLastError());
  }

  void clear_tallies()
  {
    SLOTSCAPE_CUDA_CHECK(cudaMemsetAsync(tallies_.data(), 0, sizeof(Tally) * kernels::tally_stripes, stream_));
  }
  Tally total_of_tallies()
  {
    mark_stop();
    std::vector<Tally> stripes(kernels::tally_stripes);
    download(std::span(stripes), static_cast<Tally const*>(tallies_.data()));
    Tally total;
    for (Tally const& stripe : stripes) { total += stripe; }
    return total;
  }

  template <class U, class V>
  void sort_by_key(U* keys, V* values, std::uint64_t count);

  /// Calls a CUB algorithm twice, as CUB wants it: for the size of its scratch memory, which only grows, and for work.
  template <class Algorithm>
  void with_scratch(Algorithm const& algorithm)
  {
    std::size_t bytes = 0;
    SLOTSCAPE_CUDA_CHECK(algorithm(nullptr, bytes));
    if (bytes > scratch_.size()) {
      scratch_ = {};
      scratch_ = Buffer<std::byte>(*this, bytes);
    }
    SLOTSCAPE_CUDA_CHECK(algorithm(scratch_.data(), bytes));
  }

  void synchronize() { SLOTSCAPE_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

  cudaStream_t stream_ = nullptr;
  cudaEvent_t started_ = nullptr;
  cudaEvent_t stopped_ = nullptr;
  bool marked_ = false;
  int multiprocessors_ = 1;
  Buffer<Tally> tallies_;
  Buffer<std::uint64_t> selected_;
  Buffer<std::uint32_t> round_changes_;
  Buffer<std::byte> scratch_;
};

}  // namespace slotscape::exec
