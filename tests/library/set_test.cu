// The same on a CUDA device.

#include "tests/library/on_cuda.cuh"
#include "tests/library/set_cases.hpp"

#include <memory_resource>
#include <string>

namespace slotscape {
namespace {

using Cases = testing::Types<Case<OnCuda, families::linear_probing, std::uint32_t>,
                             Case<OnCuda, families::linear_probing, std::uint64_t>,
                             Case<OnCuda, families::quadratic, std::uint32_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibrarySet, Cases);

TEST(LibraryMemoryOnCuda, IsTheUsersOfAnyKindButNotTheHosts)
{
  if (std::string const why = OnCuda::why_not(); !why.empty()) { GTEST_SKIP() << why; }
  using Set = CudaSet<families::linear_probing>;
  try {
    Set const set({.slots = 64, .memory = std::pmr::new_delete_resource()}, OnCuda::stream());
    FAIL();
  } catch (Error const& error) {
    EXPECT_NE(std::string(error.what()).find("is host memory"), std::string::npos);
  }
  OnCuda::Array<char> bytes(std::size_t{1} << 22);
  MemoryBlock block(bytes.data(), std::size_t{1} << 22);
  int taken = 0;
  auto const take = [&](std::size_t size) {
    void* memory = nullptr;
    ++taken;
    return cudaMalloc(&memory, size) == cudaSuccess ? memory : nullptr;
  };
  auto const give_back = [](void* memory, std::size_t) { cudaFree(memory); };
  OnCuda::Array<std::uint32_t> keys(some_keys<std::uint32_t>(1000));
  Set set({.slots = 2048, .memory = Memory(take, give_back), .scratch = block}, OnCuda::stream());
  set.insert(keys.data(), 1000).or_throw();
  set.rehash(4096);
  EXPECT_GT(set.size(), 600u);
  EXPECT_GT(taken, 1);
  EXPECT_GT(block.most_used(), 0u);
}

}  // namespace
}  // namespace slotscape
