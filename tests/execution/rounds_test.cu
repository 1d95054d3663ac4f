#include "gpu/execution/cuda_rounds.cuh"
#include "tests/execution/spreading.hpp"

namespace slotscape {
namespace {

class RoundsOnCuda : public testing::Test {
protected:
  void SetUp() override
  {
    if (!why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }
};

TEST_F(RoundsOnCuda, SweepUntilNothingChanges)
{
  exec::Cuda exec;
  for (std::uint32_t const count : {1u, 2u, 255u, 256u, 257u, 3000u, 100'000u}) { expect_to_spread(exec, count, 3); }
}

TEST_F(RoundsOnCuda, EndWhereThereIsNothingToDo)
{
  exec::Cuda exec;
  expect_to_end_at_once(exec);
}

}  // namespace
}  // namespace slotscape
