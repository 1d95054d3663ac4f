// Keys and values of other types than words, on the CPU: packed into words, and in rows beside the table.

#include "tests/library/multi_cases.hpp"
#include "tests/library/on_cpu.hpp"
#include "tests/library/typed_cases.hpp"

#include <bit>
#include <cmath>
#include <ranges>

namespace slotscape {
namespace {

using IntPair = std::pair<std::int32_t, std::int32_t>;
using ByBadHash = HashedBy<BadHash, IsEqual>;
using Cases = testing::Types<TypedCase<OnCpu, families::linear_probing, std::int32_t, float>,
                             TypedCase<OnCpu, families::segmented_cuckoo, IntPair, std::int64_t>,
                             TypedCase<OnCpu, families::perfect_hash, Colour, std::uint16_t>,
                             TypedCase<OnCpu, families::swiss, std::uint32_t, std::uint32_t, Unreserved>,
                             TypedCase<OnCpu, families::robin_hood, std::int32_t, Particle>,
                             TypedCase<OnCpu, families::gel_hash, Point, double>,
                             TypedCase<OnCpu, families::linear_probing, Voxel, Nothing>,
                             TypedCase<OnCpu, families::two_choice, Reading, std::int32_t, ByBadHash>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnTheCpu, LibraryTypes, Cases);

using MultiCases = testing::Types<MultiCase<OnCpu, families::linear_probing, std::uint32_t, std::uint32_t>,
                                  MultiCase<OnCpu, families::hash_graph, Point, Particle>,
                                  MultiCase<OnCpu, families::robin_hood, Reading, std::uint16_t, ByBadHash>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnTheCpu, LibraryMultiTable, MultiCases);

TEST(LibraryValues, AreAllTakenIfNoneIsReserved)
{
  constexpr std::uint32_t most = 0xffffffffu;
  std::vector<std::uint32_t> const keys{most, most - 1, 0}, values{most, most - 1, most};
  std::vector<std::uint32_t> found(3);
  CpuTable<families::swiss, std::uint32_t, std::uint32_t, Unreserved> all({.slots = 64});
  all.insert(keys.data(), values.data(), 3).or_throw();
  EXPECT_EQ(all.find(keys.data(), found.data(), 3), 3u);
  EXPECT_EQ(found, values);

  std::vector<std::int32_t> const signed_keys{1, 2, 3, 4};
  std::vector<float> const numbers{std::bit_cast<float>(0x7fffffffu), -0.0f, -INFINITY, std::bit_cast<float>(most)};
  std::vector<float> numbers_found(4);
  CpuTable<families::linear_probing, std::int32_t, float> floats({.slots = 64});
  floats.insert(signed_keys.data(), numbers.data(), 4).or_throw();
  EXPECT_EQ(floats.find(signed_keys.data(), numbers_found.data(), 4), 4u);
  EXPECT_TRUE(std::isnan(numbers_found[0]) && std::isnan(numbers_found[3]));
  EXPECT_TRUE(std::signbit(numbers_found[1]) && numbers_found[2] == -INFINITY);
}

TEST(LibraryValues, AreRefusedIfTheyAreReserved)
{
  std::vector<std::int32_t> const keys{-1, -2}, values{-1, std::numeric_limits<std::int32_t>::max()};
  CpuTable<families::sorted_array, std::int32_t, std::int32_t> table({.slots = 64});
  Inserted const done = table.insert(keys.data(), values.data(), 2);
  EXPECT_EQ(done.inserted, 1u);
  EXPECT_EQ(done.rejected, 1u);
  try {
    done.or_throw();
    FAIL();
  } catch (Error const& error) {
    EXPECT_NE(std::string(error.what()).find("1 values were not inserted: the largest one"), std::string::npos);
  }
}

TEST(LibraryKeys, AreInTheOrderOfTheirNumbers)
{
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min(),
                         most = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> const keys{3, most, -1, least, 0, most - 1, -7};
  std::vector<std::int32_t> sorted(keys.size()), values(keys.size());
  CpuTable<families::sorted_array, std::int32_t, std::int32_t> table({.slots = 64});
  table.insert(keys.data(), std::views::iota(-3).begin(), keys.size()).or_throw();  // any iterator will do
  EXPECT_EQ(table.export_pairs(sorted.data(), values.data(), sorted.size()), keys.size());
  EXPECT_EQ(sorted, (std::vector<std::int32_t>{least, -7, -1, 0, 3, most - 1, most}));
  EXPECT_EQ(values, (std::vector<std::int32_t>{0, 3, -1, 1, -3, 2, -2}));
}

}  // namespace
}  // namespace slotscape
