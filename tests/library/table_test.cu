// The same on a CUDA device, with a stream of the user's own that waits for no other.

#include "gpu/library/cuda_table.cuh"
#include "tests/library/table_cases.hpp"

namespace slotscape {
namespace {

template <class F>
__global__ void call(std::uint64_t count, F const f)
{
  std::uint64_t const i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) { f(i); }
}

/// One stream for all arrays and tables of a test.
struct OnCuda {
  template <class Family, class Key>
  using Table = CudaTable<Family, Key>;

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
    explicit Array(std::vector<T> const& items) : Array(items.size())
    {
      SLOTSCAPE_CUDA_CHECK(
          cudaMemcpyAsync(items_, items.data(), items.size() * sizeof(T), cudaMemcpyHostToDevice, stream()));
      SLOTSCAPE_CUDA_CHECK(cudaStreamSynchronize(stream()));
    }
    explicit Array(std::size_t count) : count_(count)
    {
      SLOTSCAPE_CUDA_CHECK(cudaMalloc(&items_, std::max<std::size_t>(1, count) * sizeof(T)));
    }
    ~Array() { cudaFree(items_); }
    Array(Array const&) = delete;
    Array& operator=(Array const&) = delete;
    T* data() { return items_; }
    std::vector<T> host() const
    {
      std::vector<T> items(count_);
      SLOTSCAPE_CUDA_CHECK(cudaMemcpyAsync(items.data(), items_, count_ * sizeof(T), cudaMemcpyDeviceToHost, stream()));
      SLOTSCAPE_CUDA_CHECK(cudaStreamSynchronize(stream()));
      return items;
    }

  private:
    T* items_ = nullptr;
    std::size_t count_ = 0;
  };

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
  template <class F>
  void for_each(std::uint64_t count, F const& f)
  {
    call<<<static_cast<unsigned>((count + 127) / 128), 128, 0, stream()>>>(count, f);
    SLOTSCAPE_CUDA_CHECK(cudaGetLastError());
  }
};

using Cases =
    testing::Types<Case<OnCuda, families::linear_probing, std::uint32_t>, Case<OnCuda, families::slab, std::uint32_t>,
                   Case<OnCuda, families::segmented_cuckoo, std::uint64_t>,
                   Case<OnCuda, families::hash_graph, std::uint32_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibraryTable, Cases);

}  // namespace
}  // namespace slotscape
