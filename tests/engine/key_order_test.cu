#include "gpu/execution/cuda.cuh"
#include "tests/engine/key_sorts.hpp"

namespace slotscape::testing {
namespace {

class KeySortsOnCuda : public ::testing::Test {
protected:
  void SetUp() override
  {
    if (!why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }
};

TEST_F(KeySortsOnCuda, OfEvenKeysAreBySegments)
{
  KeySorts<exec::Cuda, Narrow>().expect_to_sort_by_segments();
}
TEST_F(KeySortsOnCuda, OfEvenWideKeysAreBySegments)
{
  KeySorts<exec::Cuda, Wide>().expect_to_sort_by_segments();
}
TEST_F(KeySortsOnCuda, OfOtherKeysFallBack)
{
  KeySorts<exec::Cuda, Narrow>().expect_to_fall_back();
}
TEST_F(KeySortsOnCuda, OfOtherWideKeysFallBack)
{
  KeySorts<exec::Cuda, Wide>().expect_to_fall_back();
}

}  // namespace
}  // namespace slotscape::testing
