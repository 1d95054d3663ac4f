// The same on a CUDA device.

#include "gpu/library/cuda_neighbour_grid.cuh"
#include "tests/library/neighbour_cases.hpp"
#include "tests/library/on_cuda.cuh"

namespace slotscape {
namespace {

struct NeighboursOnCuda : OnCuda {
  CudaNeighbourGrid make_grid(NeighbourGridOptions const& options) { return CudaNeighbourGrid(options, stream()); }
  template <class T>
  std::vector<T> copied(T const* from, std::uint64_t count)
  {
    std::vector<T> to(count);
    SLOTSCAPE_CUDA_CHECK(cudaMemcpyAsync(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost, stream()));
    SLOTSCAPE_CUDA_CHECK(cudaStreamSynchronize(stream()));
    return to;
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibraryNeighbours, NeighboursOnCuda);

}  // namespace
}  // namespace slotscape
