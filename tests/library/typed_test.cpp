// Keys and values of other types than words, on the CPU: packed into words, and in rows beside the table.

#include "tests/library/multi_cases.hpp"
#include "tests/library/on_cpu.hpp"
#include "tests/library/typed_cases.hpp"
#include "tests/library/typed_set_cases.hpp"

#include <bit>
#include <cmath>

namespace slotscape {
namespace {

using IntPair = std::pair<std::int32_t, std::int32_t>;
using ByBadHash = HashedBy<BadHash, IsEqual>;
using Cases = testing::Types<TypedCase<OnCpu, families::linear_probing, std::uint32_t, float>,
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

using SetCases = testing::Types<TypedSetCase<OnCpu, families::linear_probing, std::int32_t>,
                                TypedSetCase<OnCpu, families::segmented_cuckoo, std::uint32_t>,
                                TypedSetCase<OnCpu, families::swiss, Point>,
                                TypedSetCase<OnCpu, families::linear_probing, Reading, ByBadHash>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnTheCpu, LibraryTypedSet, SetCases);

template <class From, class... To>
constexpr bool fits_into = (library::converts_without_loss<From, To> && ...);
template <class From, class... To>
constexpr bool fits_into_none = !(library::converts_without_loss<From, To> || ...);
static_assert(fits_into<std::uint8_t, std::int16_t, std::uint32_t, std::uint64_t, float, double>);
static_assert(fits_into<std::int32_t, std::int64_t, double> && fits_into<float, double> && fits_into<bool, int, float>);
static_assert(fits_into_none<std::int32_t, std::uint32_t, std::uint64_t, std::int16_t, float, bool>);
static_assert(fits_into_none<std::uint32_t, std::int32_t, std::uint16_t, float>);
static_assert(fits_into_none<std::int64_t, std::uint64_t, double, std::int32_t>);
static_assert(fits_into_none<double, float, std::int64_t, std::uint64_t> && fits_into_none<int*, int, std::uint64_t>);
static_assert(fits_into<Colour, Colour, std::int64_t> && fits_into<Point, Point>);
static_assert(fits_into<std::pair<short, int>, std::pair<int, int>, std::pair<short, long>>);
static_assert(fits_into_none<std::pair<long, int>, std::pair<int, int>, std::pair<long, short>>);

/// Calls of more keys than become words at once. Neighbours are equal, and so are the ends of the first and the second
/// part.
template <class Table>
void expect_parts_to_fit_together()
{
  using Key = typename Table::Key;
  constexpr std::uint64_t count = exec::Cpu::batch_limit + 1001, different = count / 2;
  std::vector<Key> keys;
  for (std::uint64_t i = 0; i < count; ++i) { keys.push_back(Sample<Key>::of((i + 1) / 2 % different)); }
  std::vector<typename Table::Value> const values(count, value_of_number<typename Table::Value>(1));
  std::vector<Outcome> outcomes(count);
  auto const are_there = std::make_unique<bool[]>(count);
  Table table({.slots = Table::slots_for(different)});
  EXPECT_EQ(table.insert(keys.data(), values.data(), count).inserted, different);
  EXPECT_EQ(table.insert_or_assign(keys.data(), values.data(), count, {.outcomes = outcomes.data()}).updated, count);
  EXPECT_EQ(std::ranges::count(outcomes, Outcome::updated), count);
  EXPECT_EQ(table.contains(keys.data(), are_there.get(), count), count);
  EXPECT_EQ(std::count(are_there.get(), are_there.get() + count, true), count);
  EXPECT_EQ(table.erase(keys.data(), count, {.outcomes = outcomes.data()}), different);
  EXPECT_EQ(std::ranges::count(outcomes, Outcome::erased), different);
  EXPECT_EQ(table.size(), 0u);
}
TEST(LibraryLargeCalls, AreTakenInParts)
{
  expect_parts_to_fit_together<CpuTable<families::linear_probing, std::uint32_t, float>>();
  expect_parts_to_fit_together<CpuTable<families::linear_probing, Voxel, Nothing>>();
}

TEST(LibraryValues, AreAllTakenIfNoneIsReserved)
{
  constexpr std::uint32_t most = 0xffffffffu;
  std::vector<std::uint32_t> const keys{most, most - 1, 0}, values{most, most - 1, most};
  std::vector<std::uint32_t> found(3);
  CpuTable<families::swiss, std::uint32_t, std::uint32_t, Unreserved> all({.slots = 64});
  all.insert(keys.data(), values.data(), 3).or_throw();
  EXPECT_EQ(all.find(keys.data(), found.data(), 3), 3u);
  EXPECT_EQ(found, values);

  std::vector<std::uint32_t> const numbered{1, 2, 3, 4};
  std::vector<float> const numbers{std::bit_cast<float>(0x7fffffffu), -0.0f, -INFINITY, std::bit_cast<float>(most)};
  std::vector<float> numbers_found(4);
  CpuTable<families::linear_probing, std::uint32_t, float> floats({.slots = 64});
  floats.insert(numbered.data(), numbers.data(), 4).or_throw();
  EXPECT_EQ(floats.find(numbered.data(), numbers_found.data(), 4), 4u);
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

/// -3, -2 and so on, as an iterator.
struct FromMinusThree {
  std::int32_t operator[](std::uint64_t i) const { return static_cast<std::int32_t>(i) - 3; }
};

TEST(LibraryKeys, AreInTheOrderOfTheirNumbers)
{
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min(),
                         most = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> const keys{3, most, -1, least, 0, most - 1, -7};
  std::vector<std::int32_t> sorted(keys.size()), values(keys.size());
  CpuTable<families::sorted_array, std::int32_t, std::int32_t> table({.slots = 64});
  table.insert(keys.data(), FromMinusThree{}, keys.size()).or_throw();
  EXPECT_EQ(table.export_pairs(sorted.data(), values.data(), sorted.size()), keys.size());
  EXPECT_EQ(sorted, (std::vector<std::int32_t>{least, -7, -1, 0, 3, most - 1, most}));
  EXPECT_EQ(values, (std::vector<std::int32_t>{0, 3, -1, 1, -3, 2, -2}));
}

}  // namespace
}  // namespace slotscape
