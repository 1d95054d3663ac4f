// Tables in the memory of a block, on the CPU.

#include "tests/library/block_cases.hpp"
#include "tests/library/on_cpu.hpp"

#include <array>
#include <atomic>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>

namespace slotscape {
namespace {

struct BlocksOnCpu : OnCpu {
  template <int threads, class F>
  void in_blocks(std::uint64_t count, F const& f)
  {
    exec::Cpu().for_each_block<threads>(count, f);
  }
};

}  // namespace

INSTANTIATE_TYPED_TEST_SUITE_P(OnTheCpu, LibraryBlocks, BlockCases<BlocksOnCpu>);

namespace {

TEST(BlockTable, IsMadeForSharedMemory)
{
  using Table = BlockTable<int, int, 64>;
  static_assert(std::is_trivially_default_constructible_v<Table> && std::is_trivially_destructible_v<Table>);
  static_assert(sizeof(BlockSet<std::uint8_t, 64>) == 260 && sizeof(Table) == 520);
}

/// Of numbers that are as large, or as small, as can be.
template <class Value, Combine combine>
Value combination(std::initializer_list<Value> values)
{
  BlockTable<int, Value, 4, combine> table;
  table.clear(0, 1);
  for (Value const value : values) { EXPECT_NE(table.insert(1, value), Outcome::full); }
  return table.find(1).value;
}
TEST(BlockTable, CombinesTheEndsOfARange)
{
  using Limits = std::numeric_limits<std::int32_t>;
  EXPECT_EQ((combination<std::int32_t, Combine::min>({Limits::max()})), Limits::max());
  EXPECT_EQ((combination<std::int32_t, Combine::min>({Limits::max(), -1, Limits::min()})), Limits::min());
  EXPECT_EQ((combination<std::int32_t, Combine::max>({Limits::min()})), Limits::min());
  EXPECT_EQ((combination<std::int32_t, Combine::add>({Limits::max(), 1})), Limits::min());
  EXPECT_EQ((combination<std::uint64_t, Combine::add>({~std::uint64_t{0}, 3})), 2u);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ((combination<double, Combine::min>({infinity})), infinity);
  EXPECT_EQ((combination<double, Combine::max>({-infinity, -2.5})), -2.5);
  EXPECT_TRUE(std::isnan(combination<float, Combine::min>({std::nanf("")})));
}

struct TimesThree {
  int operator()(int value) const { return 3 * value; }
};
TEST(BlockTable, UpdatesOnlyWhatIsThere)
{
  BlockTable<int, int, 8> table;
  table.clear(0, 1);
  EXPECT_EQ(table.update(-1, TimesThree{}), Outcome::missing);
  EXPECT_EQ(table.insert(-1, 5), Outcome::inserted);
  EXPECT_EQ(table.update(-1, TimesThree{}), Outcome::updated);
  EXPECT_EQ(table.find(-1).value, 15);
  EXPECT_FALSE(table.find(0));
}

TEST(BlockTable, IsSharedByThreads)
{
  constexpr std::uint32_t threads = 4, rounds = 2000, keys = 60;
  auto const table = std::make_unique<BlockTable<std::int64_t, double, 64, Combine::add>>();
  table->clear(0, 1);
  std::atomic<std::uint32_t> inserted = 0;
  OnCpu().in_threads(threads, [&](std::uint32_t thread) {
    for (std::uint32_t i = 0; i < rounds * keys; ++i) {
      if (table->insert(-1 - std::int64_t{i % keys}, thread + 1.0) == Outcome::inserted) { ++inserted; }
    }
  });
  EXPECT_EQ(inserted, keys);
  for (std::int64_t key = -std::int64_t{keys}; key < 0; ++key) { EXPECT_EQ(table->find(key).value, 10.0 * rounds); }
}

TEST(BlockSet, GivesPlacesToWhatBelongsToAKey)
{
  using Set = BlockSet<std::int32_t, 16>;
  Set set;
  set.clear(0, 1);
  std::array<std::string, Set::places> names;
  for (std::int32_t const key : {-1, 7, -1, 0}) {
    auto const [place, is_new] = set.claim(key);
    ASSERT_LT(place, Set::places);
    EXPECT_EQ(is_new, names[place].empty());
    names[place] += std::to_string(key);
  }
  EXPECT_EQ(names[set.place_of(-1)], "-1-1");
  EXPECT_EQ(names[set.place_of(7)], "7");
  EXPECT_EQ(set.place_of(8), Set::none);
  int found = 0;
  set.for_each(0, 1, [&](std::int32_t key) { found += key == -1 || key == 7 || key == 0 ? 1 : 100; });
  EXPECT_EQ(found, 3);
}

}  // namespace
}  // namespace slotscape
