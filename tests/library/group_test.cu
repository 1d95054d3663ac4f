// The same on a CUDA device, also in blocks of two dimensions, by groups of cooperative_groups.

#include "tests/library/group_cases.hpp"
#include "tests/library/on_cuda.cuh"

#include <cooperative_groups.h>

namespace slotscape {
namespace {

struct GroupsOnCuda : OnCuda {
  template <unsigned threads>
  static constexpr std::uint64_t threads_of_group = threads;
};

template <class Family, class Key, class Value, unsigned threads, std::uint32_t tile = 0>
using Of = GroupCase<GroupsOnCuda, CudaTable<Family, Key, Value>, threads, tile>;
// As many threads as lanes, more, and fewer.
using Cases = testing::Types<
    Of<families::warp_cooperative, std::uint32_t, std::uint32_t, 8>,
    Of<families::warp_cooperative, std::int64_t, float, 16, 1>,
    Of<families::warp_cooperative, std::uint64_t, std::uint64_t, 4, 32>, Of<families::slab, std::int32_t, float, 16>,
    Of<families::two_choice, std::uint64_t, std::uint64_t, 32>, Of<families::cuckoo, std::int32_t, TwoNumbers, 1>>;

}  // namespace

INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibraryGroups, Cases);

namespace {

namespace cg = cooperative_groups;
using Map = CudaTable<families::warp_cooperative, std::uint32_t>;

__global__ void insert_and_find(Map::MutableView map, std::uint32_t count, std::uint32_t* found)
{
  auto const tile = cg::tiled_partition<8>(cg::this_thread_block());
  auto const block = cg::this_thread_block();
  std::uint32_t const i = (blockIdx.x * block.num_threads() + block.thread_rank()) / 8;
  if (i >= count) { return; }
  map.insert(tile, i, 2 * i);
  auto const result = map.find(tile, i);
  if (tile.thread_rank() == 7) { found[i] = result ? result.value : 0; }
}

TEST(LibraryGroupsOnCuda, AreThoseOfCooperativeGroupsInBlocksOfTwoDimensions)
{
  if (std::string const why = OnCuda::why_not(); !why.empty()) { GTEST_SKIP() << why; }
  constexpr std::uint32_t count = 1001;
  Map map({.slots = Map::slots_for(count)}, OnCuda::stream());
  OnCuda::Array<std::uint32_t> found(count);
  insert_and_find<<<(8 * count + 127) / 128, dim3(4, 32), 0, OnCuda::stream()>>>(map.mutable_view(), count,
                                                                                 found.data());
  SLOTSCAPE_CUDA_CHECK(cudaGetLastError());
  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < count; ++i) { expected.push_back(2 * i); }
  EXPECT_EQ(found.host(), expected);
  EXPECT_EQ(map.size(), count);
}

}  // namespace
}  // namespace slotscape
