// The same on a CUDA device.

#include "tests/library/on_cuda.cuh"
#include "tests/library/set_cases.hpp"

namespace slotscape {
namespace {

using Cases = testing::Types<Case<OnCuda, families::linear_probing, std::uint32_t>,
                             Case<OnCuda, families::linear_probing, std::uint64_t>,
                             Case<OnCuda, families::quadratic, std::uint32_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibrarySet, Cases);

}  // namespace
}  // namespace slotscape
