#include "gpu/multivalue/partitioned_pairs.hpp"

#include "gpu/base/random.hpp"
#include "gpu/execution/cpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace slotscape::multivalue {
namespace {

/// In one pass, in two, and with more segments than are counted in shared memory.
TEST(PartitionedPairs, AreInTheirSegments)
{
  exec::Cpu cpu;
  PartitionedPairs<exec::Cpu, Narrow> partitioned(cpu);
  std::vector<std::uint32_t> keys(50'000);
  std::vector<std::uint32_t> values(keys.size());
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    keys[i] = i % 2 == 0 ? 7 : static_cast<std::uint32_t>(random64(1, i));  // every other key is the same
    values[i] = i;
  }
  keys[5] = Narrow::empty_key;
  for (std::uint32_t const segments : {1u, 300u, 2'000u, 20'000u}) {
    SCOPED_TRACE(segments);
    segment_passes::Segments<Narrow> const layout{segments};
    partitioned.partition(layout, keys.data(), values.data(), keys.size());
    ASSERT_EQ(partitioned.starts()[segments], keys.size() - 1);
    std::vector<bool> found(keys.size());
    for (std::uint32_t s = 0; s < segments; ++s) {
      for (std::uint32_t i = partitioned.starts()[s]; i < partitioned.starts()[s + 1]; ++i) {
        std::uint32_t const value = partitioned.pairs().value(i);
        ASSERT_EQ(partitioned.pairs().key(i), keys[value]);
        ASSERT_EQ(layout.segment(keys[value]), s);
        ASSERT_FALSE(found[value]);
        found[value] = true;
      }
    }
    EXPECT_EQ(std::ranges::count(found, true), static_cast<std::ptrdiff_t>(keys.size() - 1));
  }
}

TEST(PartitionedPairs, HaveSegmentsThatBlocksCanTake)
{
  using Pairs = PartitionedPairs<exec::Cpu, Narrow>;
  EXPECT_EQ(Pairs::segments_for(1, 6144), 1u);
  EXPECT_EQ(Pairs::segments_for(100'000'000, 6144), 16277u);
  EXPECT_EQ(Pairs::segments_for(110'000'000, 6144), 16384u);
  for (std::uint64_t const pairs : {std::uint64_t{1} << 27, std::uint64_t{1} << 28, std::uint64_t{1} << 30}) {
    std::uint32_t const segments = Pairs::segments_for(pairs, 6144);
    EXPECT_LE(pairs / segments, 8192u);
    EXPECT_LE(segments, partition::max_segments);
  }
}

}  // namespace
}  // namespace slotscape::multivalue
