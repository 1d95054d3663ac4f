// The same on a CUDA device, and calls that a graph replays.

#include "tests/library/multi_cases.hpp"
#include "tests/library/on_cuda.cuh"
#include "tests/library/typed_cases.hpp"
#include "tests/library/typed_set_cases.hpp"

namespace slotscape {
namespace {

using IntPair = std::pair<std::int32_t, std::int32_t>;
using ByBadHash = HashedBy<BadHash, IsEqual>;
using Cases = testing::Types<TypedCase<OnCuda, families::linear_probing, std::int32_t, float>,
                             TypedCase<OnCuda, families::segmented_cuckoo, IntPair, std::int64_t>,
                             TypedCase<OnCuda, families::swiss, std::uint32_t, std::uint32_t, Unreserved>,
                             TypedCase<OnCuda, families::linear_probing, Point, double>,
                             TypedCase<OnCuda, families::robin_hood, Reading, std::int32_t, ByBadHash>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibraryTypes, Cases);

using MultiCases = testing::Types<MultiCase<OnCuda, families::linear_probing, std::uint32_t, std::uint32_t>,
                                  MultiCase<OnCuda, families::segmented_cuckoo, std::int64_t, Particle>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibraryMultiTable, MultiCases);

using SetCases = testing::Types<TypedSetCase<OnCuda, families::linear_probing, std::int32_t>,
                                TypedSetCase<OnCuda, families::segmented_cuckoo, Point>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibraryTypedSet, SetCases);

/// Makes the keys of the next round, and a value for each.
template <class Key, class Value>
struct MakeNext {
  std::uint32_t count;
  Key* keys;
  Value* values;
  std::uint32_t const* round;
  __device__ void operator()(std::uint64_t i) const
  {
    keys[i] = static_cast<Key>(*round * count + i);
    values[i] = static_cast<Value>(i % 100);
  }
};
struct EndRound {
  std::uint32_t* round;
  __device__ void operator()(std::uint64_t) const { ++*round; }
};

/// Captures once what a round does, and replays it with other keys each time.
template <class Key, class Value>
void expect_that_a_graph_replays()
{
  using Table = CudaTable<families::linear_probing, Key, Value>;
  constexpr std::uint32_t count = 256, rounds = 1000;
  cudaStream_t const stream = OnCuda::stream();
  OnCuda backend;
  Table table({.slots = Table::slots_for(count * rounds)}, stream);
  OnCuda::Array<Key> keys(count);
  OnCuda::Array<Value> values(count), found(count);
  OnCuda::Array<std::uint32_t> round(std::vector<std::uint32_t>{0});
  OnCuda::Array<Tally> counts(std::vector<Tally>(1));

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  SLOTSCAPE_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  backend.for_each(count, MakeNext<Key, Value>{count, keys.data(), values.data(), round.data()});
  table.insert_async(keys.data(), values.data(), count, Combine::add, {.counts = counts.data()});
  table.insert_async(keys.data(), values.data(), count, Combine::add, {.counts = counts.data()});
  table.find_async(keys.data(), found.data(), count);
  table.erase_async(keys.data(), count / 2, {.counts = counts.data()});
  backend.for_each(1, EndRound{round.data()});
  SLOTSCAPE_CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
  SLOTSCAPE_CUDA_CHECK(cudaGraphInstantiate(&ready, graph, 0));
  EXPECT_EQ(table.size(), 0u) << "capturing does nothing";
  for (std::uint32_t i = 0; i < rounds; ++i) { SLOTSCAPE_CUDA_CHECK(cudaGraphLaunch(ready, stream)); }
  SLOTSCAPE_CUDA_CHECK(cudaStreamSynchronize(stream));
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);

  Tally expected;
  expected[Outcome::inserted] = count * rounds;
  expected[Outcome::updated] = count * rounds;
  expected[Outcome::erased] = count / 2 * rounds;
  EXPECT_EQ(counts.host().front(), expected);
  EXPECT_EQ(table.size(), count / 2 * rounds);
  auto const last = found.host();
  for (std::uint32_t i = 0; i < count; ++i) { EXPECT_EQ(last[i], static_cast<Value>(2 * (i % 100))) << i; }
}

TEST(LibraryGraphsOnCuda, ReplayCallsWithOtherKeys)
{
  if (std::string const why = OnCuda::why_not(); !why.empty()) { GTEST_SKIP() << why; }
  expect_that_a_graph_replays<std::uint32_t, std::uint32_t>();
  expect_that_a_graph_replays<std::int64_t, float>();
}

}  // namespace
}  // namespace slotscape
