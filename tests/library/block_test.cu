// The same in the shared memory of blocks on a CUDA device.

#include "tests/library/block_cases.hpp"
#include "tests/library/on_cuda.cuh"

namespace slotscape {
namespace {

struct BlocksOnCuda : OnCuda {
  template <int threads, class F>
  void in_blocks(std::uint64_t count, F const& f)
  {
    exec::Cuda(stream()).for_each_block<threads>(count, f);
  }
};

}  // namespace

INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibraryBlocks, BlockCases<BlocksOnCuda>);

}  // namespace slotscape
