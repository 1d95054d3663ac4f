#pragma once

#include "gpu/library/cuda_table.cuh"

#include <memory>
#include <new>
#include <string>
#include <vector>

namespace slotscape {

template <class F>
__global__ void call(std::uint64_t count, F const f)
{
  std::uint64_t const i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) { f(i); }
}

/// Tables and sets on a CUDA device. One stream for all arrays and tables of a test.
struct OnCuda {
  template <class Family, class Key, class Value = Key, class Keys = ByBits>
  using Table = CudaTable<Family, Key, Value, Keys>;
  template <class Family, class Key, class Value, class Keys = ByBits>
  using MultiTable = CudaMultiTable<Family, Key, Value, Keys>;
  template <class Family, class Key, class Keys = ByBits>
  using Set = CudaSet<Family, Key, Keys>;
  template <class Family, class Key>
  using ShardedTable = CudaShardedTable<Family, Key>;
  template <class Family, class Key>
  using PagedTable = CudaPagedTable<Family, Key>;

  static cudaStream_t stream()
  {
    static cudaStream_t const stream = [] {
      cudaStream_t made = nullptr;
      SLOTSCAPE_CUDA_CHECK(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
      return made;
    }();
    return stream;
  }

  template <class T>
  class Array {
  public:
    explicit Array(std::vector<T> const& items) : Array(items.size()) { assign(items); }
    explicit Array(std::size_t count) : count_(count)
    {
      SLOTSCAPE_CUDA_CHECK(cudaMallocAsync(&items_, std::max<std::size_t>(1, count) * sizeof(T), stream()));
      SLOTSCAPE_CUDA_CHECK(cudaStreamSynchronize(stream()));
    }
    ~Array()
    {
      cudaDeviceSynchronize();  // other streams may use it
      cudaFreeAsync(items_, stream());
    }
    Array(Array const&) = delete;
    Array& operator=(Array const&) = delete;
    T* data() { return items_; }
    /// As many items.
    void assign(std::vector<T> const& items)
    {
      SLOTSCAPE_CUDA_CHECK(
          cudaMemcpyAsync(items_, items.data(), items.size() * sizeof(T), cudaMemcpyHostToDevice, stream()));
      SLOTSCAPE_CUDA_CHECK(cudaStreamSynchronize(stream()));
    }
    std::vector<T> host() const
    {
      auto const items = std::make_unique<T[]>(count_);  // a vector of bool has no array
      SLOTSCAPE_CUDA_CHECK(cudaMemcpyAsync(items.get(), items_, count_ * sizeof(T), cudaMemcpyDeviceToHost, stream()));
      SLOTSCAPE_CUDA_CHECK(cudaStreamSynchronize(stream()));
      return std::vector<T>(items.get(), items.get() + count_);
    }

  private:
    T* items_ = nullptr;
    std::size_t count_ = 0;
  };

  /// Memory that gives so many pieces, and then no more.
  struct Limited {
    std::uint64_t left = ~std::uint64_t{0};
    std::uint64_t bytes = 0;    ///< given and not returned
    std::uint64_t refused = 0;  ///< calls

    void* allocate_async(std::size_t size, std::size_t, cudaStream_t order)
    {
      void* memory = nullptr;
      if (left == 0) {
        ++refused;
        throw std::bad_alloc();
      }
      --left;
      bytes += size;
      SLOTSCAPE_CUDA_CHECK(cudaMallocAsync(&memory, size, order));
      return memory;
    }
    void deallocate_async(void* memory, std::size_t size, std::size_t, cudaStream_t order)
    {
      bytes -= size;
      cudaFreeAsync(memory, order);
    }
  };

  /// Sorting on the way takes memory here.
  static constexpr bool fails_before_it_begins = false;

  /// Whether arrays of the host are copied before work can use them.
  static constexpr bool host_arrays_are_copied = true;

  static std::string why_not()
  {
    int count = 0;
    cudaError_t const status = cudaGetDeviceCount(&count);
    return status == cudaSuccess && count != 0 ? "" : exec::describe_failure(status, 0);
  }

  template <class Family, class Key>
  Table<Family, Key> make(TableOptions const& options)
  {
    return Table<Family, Key>(options, stream());
  }
  template <class AnyTable>
  AnyTable make_table(auto const& options)
  {
    return AnyTable(options, stream());
  }
  template <class Family, class Key>
  Set<Family, Key> make_set(SetOptions const& options)
  {
    return Set<Family, Key>(options, stream());
  }
  template <class Family, class Key>
  ShardedTable<Family, Key> make_sharded(TableOptions const& options, ShardOptions const& how)
  {
    return ShardedTable<Family, Key>(options, how, stream());
  }
  template <class Family, class Key>
  PagedTable<Family, Key> make_paged(TableOptions const& options, PagingOptions const& how)
  {
    return PagedTable<Family, Key>(options, how, stream());
  }
  template <class F>
  void for_each(std::uint64_t count, F const& f)
  {
    call<<<static_cast<unsigned>((count + 127) / 128), 128, 0, stream()>>>(count, f);
    SLOTSCAPE_CUDA_CHECK(cudaGetLastError());
  }

  /// The same: all of them are on the device at once.
  template <class F>
  void in_threads(std::uint32_t count, F const& f)
  {
    for_each(count, f);
  }
  /// Threads that meet at hot keys, in groups of so many on as many multiprocessors, with so many keys each, and how
  /// many operations of each a test has the patience for.
  static constexpr std::uint32_t hot_threads = 1024, hot_group = 8, hot_keys = 4, hot_operations = 32;
  static constexpr bool loads_may_be_stale = true;
};

}  // namespace slotscape
