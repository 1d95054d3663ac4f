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

template <class Key, class Value, std::uint32_t slots, Combine combine>
using Of = BlockCase<BlocksOnCuda, Key, Value, slots, combine>;
using Cases =
    testing::Types<Of<std::uint32_t, std::uint32_t, 64, Combine::replace>, Of<std::int32_t, float, 50, Combine::add>,
                   Of<std::int64_t, std::int32_t, 128, Combine::add>, Of<std::uint64_t, double, 100, Combine::min>,
                   Of<std::int16_t, std::int64_t, 128, Combine::max>, Of<std::int64_t, std::int16_t, 64, Combine::add>,
                   Of<std::uint32_t, std::int8_t, 41, Combine::keep_first>>;

}  // namespace

INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibraryBlocks, Cases);

}  // namespace slotscape
