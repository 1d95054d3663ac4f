#include "gpu/execution/cpu.hpp"
#include "tests/execution/spreading.hpp"

namespace slotscape {
namespace {

TEST(Rounds, SweepUntilNothingChanges)
{
  exec::Cpu exec;
  for (std::uint32_t const count : {1u, 2u, 255u, 256u, 257u, 3000u}) { expect_to_spread(exec, count, 3); }
}

TEST(Rounds, EndWhereThereIsNothingToDo)
{
  exec::Cpu exec;
  expect_to_end_at_once(exec);
}

}  // namespace
}  // namespace slotscape
