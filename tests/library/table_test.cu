// The same on a CUDA device, with a stream of the user's own that waits for no other.

#include "tests/library/fill_cases.hpp"
#include "tests/library/on_cuda.cuh"
#include "tests/library/recorded_cases.hpp"
#include "tests/library/sharded_cases.hpp"
#include "tests/library/table_cases.hpp"

namespace slotscape {
namespace {

using Cases =
    testing::Types<Case<OnCuda, families::linear_probing, std::uint32_t>, Case<OnCuda, families::slab, std::uint32_t>,
                   Case<OnCuda, families::segmented_cuckoo, std::uint64_t>,
                   Case<OnCuda, families::hash_graph, std::uint32_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibraryTable, Cases);
INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibraryThreads, Cases);
INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibraryFill, OnCuda);
using ShardedCases = testing::Types<Case<OnCuda, families::linear_probing, std::uint64_t>,
                                    Case<OnCuda, families::segmented_cuckoo, std::uint32_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibraryShards, ShardedCases);

}  // namespace
}  // namespace slotscape
