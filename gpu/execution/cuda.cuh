#pragma once

#include "gpu/execution/cuda_kernels.cuh"
#include "gpu/execution/cuda_memory.hpp"
#include "gpu/execution/executor.hpp"
#include "gpu/execution/pinned_memory.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace slotscape::exec {

/// A CUDA device and one stream of work on it. Copies to and from the host wait for work submitted before.
class Cuda {
public:
  static constexpr Backend backend = Backend::cuda;
  static constexpr std::uint64_t batch_limit = 1u << 26;
  static constexpr std::uint64_t rehash_slots = 1u << 24;  ///< old slots moved per step
  template <PairFormat Format>
  using Machine = DeviceMachine<Format>;
  template <int Lanes>
  using Tile = WarpLanes<Lanes>;

  template <class T>
  class Buffer {
  public:
    Buffer() = default;
    Buffer(Cuda& exec, std::uint64_t count, MemoryUse use = MemoryUse::scratch)
    {
      DevicePiece const piece{exec.memories_.of(use), std::max<std::uint64_t>(count, 1) * sizeof(T), exec.memory_};
      data_ = std::unique_ptr<T, DevicePiece>(static_cast<T*>(piece.take()), piece);
      count_ = count;
    }
    T* data() const { return data_.get(); }
    std::uint64_t size() const { return count_; }

  private:
    std::unique_ptr<T, DevicePiece> data_;
    std::uint64_t count_ = 0;
  };

  /// Host memory that kernels can write. Their writes are visible after the next `wait`.
  template <class T>
  class HostBuffer {
  public:
    HostBuffer() = default;
    HostBuffer(Cuda&, std::uint64_t count) : count_(count)
    {
      void* memory = nullptr;
      SLOTSCAPE_CUDA_CHECK(cudaMallocHost(&memory, std::max<std::uint64_t>(count, 1) * sizeof(T)));
      data_.reset(static_cast<T*>(memory));
    }
    T* data() const { return data_.get(); }
    std::uint64_t size() const { return count_; }

  private:
    struct Free {
      void operator()(T* data) const { cudaFreeHost(data); }
    };
    std::unique_ptr<T, Free> data_;
    std::uint64_t count_ = 0;
  };

  /// Memory options for tables in host memory.
  static Memories host_memory() { return {PinnedMemory{}, DeviceMemory{}}; }

  /// Makes its own stream.
  explicit Cuda(Memories memories = {}) : memories_(std::move(memories)), owns_stream_(true)
  {
    SLOTSCAPE_CUDA_CHECK(cudaStreamCreate(&stream_));  // in order with the default stream, where pictures are mapped
    device_memory::keep_freed();
    prepare();
  }
  /// Works on the given stream, which must outlive it and its buffers. Memory, too, is allocated and freed in the
  /// stream's order. Timers do not run: the owner of the stream measures the time.
  explicit Cuda(cudaStream_t stream, Memories memories = {})
      : stream_(stream), memory_(stream), memories_(std::move(memories)), is_timed_(false)
  {
    prepare();
  }
  ~Cuda()
  {
    for (cudaEvent_t event : {started_, stopped_}) { cudaEventDestroy(event); }
    if (!owns_stream_) { return; }
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
  }
  Cuda(Cuda const&) = delete;
  Cuda& operator=(Cuda const&) = delete;

  std::string name() const
  {
    cudaDeviceProp properties{};
    SLOTSCAPE_CUDA_CHECK(cudaGetDeviceProperties(&properties, device_));
    return properties.name;
  }

  /// During its lifetime, this thread's calls go to the executor's device.
  class Active {
  public:
    explicit Active(Cuda const& exec)
    {
      SLOTSCAPE_CUDA_CHECK(cudaGetDevice(&before_));
      SLOTSCAPE_CUDA_CHECK(cudaSetDevice(exec.device_));
    }
    ~Active() { cudaSetDevice(before_); }
    Active(Active const&) = delete;
    Active& operator=(Active const&) = delete;

  private:
    int before_ = 0;
  };

  /// Device `number`, which exists as long as this one; this one is number 0. If the machine has fewer devices, an
  /// earlier one takes the number, with its own stream and arrays.
  Cuda& device(std::uint32_t number)
  {
    if (number == 0) { return *this; }
    if (others_.size() < number) { others_.resize(number); }
    Other& other = others_[number - 1];
    if (!other) { other = make_other(number); }
    return *other;
  }

  template <class T>
  void fill(T* data, std::uint64_t count, T value)
  {
    for_each(count, kernels::Fill<T>{data, value});
  }
  template <class T>
  void upload(T* to, std::span<T const> from)
  {
    SLOTSCAPE_CUDA_CHECK(cudaMemcpyAsync(to, from.data(), from.size_bytes(), cudaMemcpyDefault, stream_));
    wait();
  }
  /// A kernel writes small downloads to host memory: including the wait, this takes two thirds of the time of a copy.
  template <class T>
  void download(std::span<T> to, T const* from)
  {
    constexpr std::size_t number = sizeof(std::uint32_t);
    if (sizeof(T) % number == 0 && alignof(T) % number == 0 && to.size_bytes() <= delivered_.size() * number) {
      auto const count = static_cast<unsigned int>(to.size_bytes() / number);
      kernels::deliver<<<1, kernels::block_size, 0, stream_>>>(reinterpret_cast<std::uint32_t const*>(from), count,
                                                               delivered_.data());
      SLOTSCAPE_CUDA_CHECK(cudaGetLastError());
      wait();
      std::memcpy(static_cast<void*>(to.data()), delivered_.data(), to.size_bytes());
      return;
    }
    SLOTSCAPE_CUDA_CHECK(cudaMemcpyAsync(to.data(), from, to.size_bytes(), cudaMemcpyDefault, stream_));
    wait();
  }
  template <class T>
  void copy(T* to, T const* from, std::uint64_t count)
  {
    note_work();
    SLOTSCAPE_CUDA_CHECK(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDefault, stream_));
  }

  cudaStream_t stream() const { return stream_; }

  /// Waits for all work submitted so far.
  void wait() { SLOTSCAPE_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

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

  /// Makes the compiler refuse a user's function object, or an array to be read by place, that kernels cannot call.
  template <class F, class... Arguments>
  static void expect_call()
  {
    static_cast<void>(kernels::function_objects_of_the_GPU_need___device__<F, Arguments...>);
  }
  template <class Array>
  static void expect_array()
  {
    if constexpr (!std::is_pointer_v<Array>) { static_cast<void>(kernels::arrays_of_the_GPU_need___device__<Array>); }
  }

  /// Defined in cuda_rounds.cuh.
  template <class Program>
  void rounds(std::uint64_t limit, Program const& program);

  template <class F>
  Tally tally(std::uint64_t count, F const& f)
  {
    launch_tally<F>(count, 1, [&](unsigned int blocks, kernels::TallyItems items) {
      kernels::tally<<<blocks, kernels::block_size, 0, stream_>>>(items, f, tallies_.data());
    });
    return total_of_tallies();
  }
  template <int Lanes, class F>
  Tally tally_tile(std::uint64_t count, F const& f)
  {
    if constexpr (kernels::SharesWork<F, Lanes>) {
      launch_tally<F>(count, 1, [&](unsigned int blocks, kernels::TallyItems items) {
        kernels::tally_shared<Lanes><<<blocks, kernels::block_size, 0, stream_>>>(items, f, tallies_.data());
      });
    } else {
      launch_tally<F>(count, Lanes, [&](unsigned int blocks, kernels::TallyItems items) {
        kernels::tally_tile<Lanes><<<blocks, kernels::block_size, 0, stream_>>>(items, f, tallies_.data());
      });
    }
    return total_of_tallies();
  }

  template <class F>
  Tally tally_together(std::uint64_t count, F const& f)
  {
    launch_tally<F>(count, 1, [&](unsigned int blocks, kernels::TallyItems items) {
      kernels::tally_together<<<blocks, kernels::block_size, 0, stream_>>>(items, f, tallies_.data());
    });
    return total_of_tallies();
  }

  template <int Threads, class F>
  void for_each_block(std::uint64_t count, F const& f)
  {
    if (count == 0) { return; }
    note_work();
    auto const kernel = kernels::for_each_block<Threads, F>;
    constexpr std::size_t bytes = kernels::bytes_at_launch<F>;
    if constexpr (bytes != 0) {
      SLOTSCAPE_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    }
    kernel<<<static_cast<unsigned int>(count), Threads, bytes, stream_>>>(f);
    SLOTSCAPE_CUDA_CHECK(cudaGetLastError());
  }
  /// The maximum size of a block's F::Shared, in bytes.
  std::size_t block_memory() const { return block_memory_; }
  /// Size of the L2 cache.
  std::uint64_t cache_bytes() const { return cache_bytes_; }

  template <class F>
  void accumulate(std::uint64_t count, HistogramView histogram, F const& f)
  {
    static int const per_multiprocessor = blocks_at_once(kernels::accumulate<F>);
    launch(count * 32, [&](unsigned int blocks) {
      blocks = std::min(blocks, static_cast<unsigned int>(multiprocessors_ * per_multiprocessor));
      kernels::accumulate<<<blocks, kernels::block_size, 0, stream_>>>(count, histogram, f);
    });
  }

  /// Defined in cuda_select.cuh.
  template <class T, class F>
  std::uint64_t select(std::uint64_t count, T none, T* out, F const& f);
  template <class T, class F>
  void prepare_select(std::uint64_t count, T none, T* out, F const& f);

  /// Defined in cuda_algorithms.cuh; the program compiles them once, in cuda_algorithms.cu.
  template <class U>
  std::uint64_t compact(U const* numbers, std::uint64_t count, std::type_identity_t<U> none, U* out);
  template <class U>
  void sort(U* keys, std::uint64_t count);
  template <class U, class V>
  void sort_pairs(U* keys, V* values, std::uint64_t count);
  template <class U>
  std::uint64_t exclusive_scan(U* counts, std::uint64_t count);
  template <class U>
  void prefix_sums(U* counts, std::uint64_t count);

  void start_timer()
  {
    if (!is_timed_) { return; }
    SLOTSCAPE_CUDA_CHECK(cudaEventRecord(started_, stream_));
    stop_ = Stop::later;
  }
  /// Ends the timed span, which `stop_timer` then reads.
  void mark_stop() { mark_stop(Stop::here); }
  /// Seconds of device time since `start_timer`, by CUDA events.
  double stop_timer()
  {
    if (!is_timed_) { return 0.0; }
    if (stop_ == Stop::later) { mark_stop(); }
    SLOTSCAPE_CUDA_CHECK(cudaEventSynchronize(stopped_));
    float milliseconds = 0.0f;
    SLOTSCAPE_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, started_, stopped_));
    return milliseconds * 1e-3;
  }

  /// Times consecutive stretches of work, by CUDA events.
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
  /// Its resources were allocated on its device and are freed there.
  struct DeleteOnItsDevice {
    void operator()(Cuda* exec) const
    {
      Active const here(*exec);
      delete exec;
    }
  };
  using Other = std::unique_ptr<Cuda, DeleteOnItsDevice>;

  Other make_other(std::uint32_t number)
  {
    int count = 1;
    SLOTSCAPE_CUDA_CHECK(cudaGetDeviceCount(&count));
    int const device = static_cast<int>((static_cast<std::uint32_t>(device_) + number) % static_cast<unsigned>(count));
    Active const back_to_this_one(*this);
    SLOTSCAPE_CUDA_CHECK(cudaSetDevice(device));
    Other other(new Cuda(memories_));
    device_memory::let_access(device_, device);
    device_memory::let_access(device, device_);
    return other;
  }

  void prepare()
  {
    for (cudaEvent_t* event : {&started_, &stopped_}) { SLOTSCAPE_CUDA_CHECK(cudaEventCreate(event)); }
    SLOTSCAPE_CUDA_CHECK(cudaGetDevice(&device_));
    SLOTSCAPE_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device_));
    int bytes = 0;
    SLOTSCAPE_CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device_));
    block_memory_ = static_cast<std::size_t>(bytes) - 1024;  // minus what a block's own steps may declare
    SLOTSCAPE_CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device_));
    cache_bytes_ = static_cast<std::uint64_t>(bytes);
    tallies_ = Buffer<Tally>(*this, kernels::tally_stripes);
    SLOTSCAPE_CUDA_CHECK(cudaMemsetAsync(tallies_.data(), 0, sizeof(Tally) * kernels::tally_stripes, stream_));
    total_ = HostBuffer<Tally>(*this, 1);
    delivered_ = HostBuffer<std::uint32_t>(*this, max_delivered);
    selected_ = Buffer<std::uint64_t>(*this, 1);
    round_changes_ = Buffer<std::uint32_t>(*this, kernels::round_counters + 1);
    SLOTSCAPE_CUDA_CHECK(
        cudaMemsetAsync(round_changes_.data(), 0, sizeof(std::uint32_t) * round_changes_.size(), stream_));
  }

  /// How many blocks of a kernel a multiprocessor runs at once. The query takes a few microseconds: call it once per
  /// kernel.
  template <class Kernel>
  static int blocks_at_once(Kernel* kernel)
  {
    int blocks = 0;
    SLOTSCAPE_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kernels::block_size, 0));
    return blocks;
  }

  /// Where a timed span ends: at the call of `stop_timer`, or at a recorded event.
  enum class Stop : std::uint8_t { later, unless_more_follows, here };
  void mark_stop(Stop stop)
  {
    if (!is_timed_) { return; }
    SLOTSCAPE_CUDA_CHECK(cudaEventRecord(stopped_, stream_));
    stop_ = stop;
  }
  void note_work()
  {
    if (stop_ == Stop::unless_more_follows) { stop_ = Stop::later; }
  }

  template <class Launch>
  void launch(std::uint64_t threads, Launch const& start)
  {
    if (threads == 0) { return; }
    note_work();
    start(static_cast<unsigned int>((threads + kernels::block_size - 1) / kernels::block_size));
    SLOTSCAPE_CUDA_CHECK(cudaGetLastError());
  }

  /// Launches `lanes` threads per item.
  template <class F, class Launch>
  void launch_tally(std::uint64_t count, int lanes, Launch const& start)
  {
    constexpr std::uint64_t threads_at_once = 2048;  // per multiprocessor
    constexpr std::uint64_t waves = 8;               // with fewer, some multiprocessors idle at the end
    constexpr int max_per_thread = kernels::items_per_thread<F>();
    std::uint64_t const threads = count * static_cast<std::uint64_t>(lanes);
    bool const many = threads >= waves * max_per_thread * threads_at_once * static_cast<unsigned>(multiprocessors_);
    int const per_thread = many ? max_per_thread : 1;
    launch((threads + per_thread - 1) / per_thread, [&](unsigned int blocks) {
      start(blocks, kernels::TallyItems{count, per_thread});
    });
  }

  /// A timed span ends with the tally unless more work follows: summing the stripes does not count as device work.
  Tally total_of_tallies()
  {
    if (stop_ == Stop::later) { mark_stop(Stop::unless_more_follows); }
    kernels::add_up<<<1, kernels::tally_stripes, 0, stream_>>>(tallies_.data(), total_.data());
    SLOTSCAPE_CUDA_CHECK(cudaGetLastError());
    wait();
    return *total_.data();
  }

  template <class U, class V>
  void sort_by_key(U* keys, V* values, std::uint64_t count);

  /// Calls a CUB algorithm twice, as CUB requires: once for the size of its scratch memory, which only grows, and once
  /// to run it.
  template <class Algorithm>
  void with_scratch(Algorithm const& algorithm)
  {
    note_work();
    std::size_t bytes = reserve_scratch(algorithm);
    SLOTSCAPE_CUDA_CHECK(algorithm(scratch_.data(), bytes));
  }
  /// Makes the first of the two calls, and allocates memory for the second.
  template <class Algorithm>
  std::size_t reserve_scratch(Algorithm const& algorithm)
  {
    std::size_t bytes = 0;
    SLOTSCAPE_CUDA_CHECK(algorithm(nullptr, bytes));
    if (bytes > scratch_.size()) {
      scratch_ = {};
      scratch_ = Buffer<std::byte>(*this, bytes);
    }
    return bytes;
  }
  /// The CUB algorithm of `select`: defined in cuda_select.cuh.
  template <class T, class F>
  auto selection(std::uint64_t count, T none, T* out, F const& f);

  int device_ = 0;
  std::vector<Other> others_;
  cudaStream_t stream_ = nullptr;
  cudaStream_t memory_ = nullptr;  ///< the stream in whose order memory is allocated and freed
  Memories memories_;
  bool owns_stream_ = false;
  bool is_timed_ = true;
  cudaEvent_t started_ = nullptr;
  cudaEvent_t stopped_ = nullptr;
  Stop stop_ = Stop::later;
  int multiprocessors_ = 1;
  std::size_t block_memory_ = 0;
  std::uint64_t cache_bytes_ = 0;
  static constexpr std::uint64_t max_delivered = 2048;  ///< 32-bit numbers
  Buffer<Tally> tallies_;                               ///< all 0 between tallies
  HostBuffer<Tally> total_;
  HostBuffer<std::uint32_t> delivered_;  ///< what a kernel has written for `download`
  Buffer<std::uint64_t> selected_;
  Buffer<std::uint32_t> round_changes_;
  Buffer<std::byte> scratch_;
};

}  // namespace slotscape::exec
