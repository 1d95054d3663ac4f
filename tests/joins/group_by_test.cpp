#include "gpu/joins/group_by.hpp"

#include "gpu/base/error.hpp"
#include "gpu/execution/cpu.hpp"
#include "gpu/workloads/zipf.hpp"
#include "tests/joins/joins_fixture.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace slotscape::joins::testing {
namespace {

using ::testing::ElementsAre;

class GroupBys : public JoinsTest {
protected:
  /// Any 64 bits: carries and overflows are among their sums.
  static std::vector<std::uint64_t> values(std::uint64_t count)
  {
    std::vector<std::uint64_t> numbers(count);
    for (std::uint64_t i = 0; i < count; ++i) { numbers[i] = random64(99, i); }
    return numbers;
  }
  static void expect_groups_of(Engine& engine, std::vector<Key> const& keys)
  {
    expect_groups(engine, keys, values(keys.size()));
  }
};
INSTANTIATE_TEST_SUITE_P(On, GroupBys, ::testing::ValuesIn(all_subjects()), subject_name);

TEST_P(GroupBys, GiveTheSumsThatOneCanSeeByHand)
{
  auto engine = make();
  std::vector<Group> const groups =
      sorted_groups(engine->group(std::vector<Key>{7, 3, 7, 7}, std::vector<std::uint64_t>{10, 5, 20, 1}));
  EXPECT_THAT(groups, ElementsAre(Group{3, 1, 5}, Group{7, 3, 31}));
}

TEST_P(GroupBys, TakeNoRowsAndOne)
{
  auto engine = make();
  expect_groups_of(*engine, {});
  expect_groups_of(*engine, {5});
  expect_groups_of(*engine, {});
}

TEST_P(GroupBys, AddSignedValuesAndWrapAround)
{
  auto engine = make();
  auto const signed_value = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  std::vector<Key> const keys{1, 1, 1, 2, 2};
  std::vector<std::uint64_t> const given{signed_value(-5), signed_value(3), signed_value(-1), ~std::uint64_t{0}, 2};
  EXPECT_THAT(sorted_groups(engine->group(keys, given)), ElementsAre(Group{1, 3, signed_value(-3)}, Group{2, 2, 1}));
}

/// On one object, whose memory is used again: few groups and many, with and without rows to combine.
TEST_P(GroupBys, AgreeWithAMapForRandomKeys)
{
  auto engine = make();
  for (std::uint64_t const rows : {1'000, 30'000, 400'000}) {
    for (std::uint64_t const groups : {1, 2, 700, 800, 20'000, 1'000'000'000}) {
      SCOPED_TRACE(std::to_string(rows) + " rows, up to " + std::to_string(groups) + " groups");
      expect_groups_of(*engine, keys_of(drawn(rows, groups, rows + groups)));
    }
  }
}

TEST_P(GroupBys, AgreeWithAMapForMillionsOfRows)
{
  auto engine = make();
  for (std::uint64_t const groups : {1'000, 1'500'000}) {
    expect_groups_of(*engine, keys_of(drawn(4'000'000, groups, groups)));
  }
}

TEST_P(GroupBys, TakeZipfKeysAndOneWithHalfOfTheRows)
{
  auto engine = make();
  for (double const exponent : {0.5, 1.0, 1.2}) {
    ZipfRanks const ranks{100'000, exponent};
    std::vector<std::uint64_t> numbers(300'000);
    for (std::uint64_t i = 0; i < numbers.size(); ++i) { numbers[i] = ranks(4, i); }
    expect_groups_of(*engine, keys_of(numbers));
  }
  std::vector<std::uint64_t> half(300'000);
  for (std::uint64_t i = 0; i < half.size(); ++i) { half[i] = i % 2 == 0 ? 0 : i; }
  expect_groups_of(*engine, keys_of(half));
}

/// A chunk whose first rows all differ goes to the table row by row, whatever follows.
TEST_P(GroupBys, TakeRunsOfEqualAndOfDifferentKeys)
{
  auto engine = make();
  std::vector<std::uint64_t> numbers(200'000);
  for (std::uint64_t i = 0; i < numbers.size(); ++i) { numbers[i] = i / 5'000 % 2 == 0 ? i : 7; }
  expect_groups_of(*engine, keys_of(numbers));
  std::ranges::sort(numbers);
  expect_groups_of(*engine, keys_of(numbers));
}

TEST_P(GroupBys, TakeReservedKeys)
{
  auto engine = make();
  Key const largest = bits() == 64 ? ~Key{0} : Key{0xffffffffu};
  std::vector<Key> keys = keys_of(drawn(100'000, 5'000, 6));
  for (std::size_t i = 0; i < keys.size(); i += 2) { keys[i] = largest - i % 5; }
  expect_groups_of(*engine, keys);
  expect_groups_of(*engine, std::vector<Key>(50'000, largest));
  std::vector<Key> different = keys_of(drawn(30'000, 1'000'000'000, 6));  // row by row
  for (std::size_t i = 2'000; i < different.size(); i += 3) { different[i] = largest - i % 4; }
  expect_groups_of(*engine, different);
}

TEST_P(GroupBys, HoldAnyLoadFactor)
{
  expect_groups_of(*make({.load_factor = 0.1}), keys_of(drawn(500'000, 200'000, 11)));
  expect_groups_of(*make({.load_factor = 0.9}), keys_of(drawn(2'500'000, 900'000, 11)));
}

/// Keys that the sketch takes for a few: the first pass ends early, and a second one has room for all.
TEST_P(GroupBys, OutwitTheSketch)
{
  if (bits() == 32) { return; }
  constexpr auto hash = HashRounds<std::uint64_t>::of(HashKind::xxhash);
  std::vector<Key> keys(GetParam().backend == Backend::cuda ? 8'000'000 : 1'000'000);
  for (std::uint64_t i = 0; i < keys.size(); ++i) { keys[i] = hash.undo(i << 23 | 1); }
  Groups found = make()->group(keys, values(keys.size()));
  std::ranges::sort(keys);
  std::ranges::sort(found.keys);
  EXPECT_TRUE(found.keys == keys);
  EXPECT_TRUE(std::ranges::all_of(found.counts, [](std::uint32_t count) { return count == 1; }));
  std::vector<std::uint64_t> expected = values(keys.size());
  std::ranges::sort(expected);
  std::ranges::sort(found.sums);
  EXPECT_TRUE(found.sums == expected);
}

TEST_P(GroupBys, WantAsManyValuesAsKeys)
{
  EXPECT_THROW(make()->group(std::vector<Key>{1, 2}, std::vector<std::uint64_t>{1}), std::invalid_argument);
}

TEST(GroupSketch, IsRightToAFewPercent)
{
  exec::Cpu exec;
  for (std::uint64_t const distinct : {1, 100, 3'000, 200'000, 2'000'000}) {
    std::vector<std::uint32_t> keys(2 * distinct);
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
      keys[i] = static_cast<std::uint32_t>(i % distinct) * 2654435761u;
    }
    std::vector<std::uint32_t> seen(group_passes::registers);
    using Sketch = group_passes::Sketch<std::uint32_t>;
    exec.for_each_block<Sketch::threads>((keys.size() + Sketch::per_block - 1) / Sketch::per_block,
                                         Sketch{keys.data(), keys.size(), seen.data()});
    auto const wanted = static_cast<double>(distinct);
    EXPECT_NEAR(estimate_distinct(seen), wanted, 0.1 * wanted + 1.0);
  }
}

/// The table is as large as the groups need, and not the rows.
TEST(GroupSketch, KeepsTheTableSmall)
{
  exec::Cpu exec;
  std::vector<std::uint32_t> keys(4'000'000);
  for (std::uint32_t i = 0; i < keys.size(); ++i) { keys[i] = i % 1'000'000 * 2654435761u; }
  std::vector<std::uint64_t> const values(keys.size(), 1);
  GroupBy<exec::Cpu, Narrow> groups(exec, {});
  EXPECT_EQ(groups.group(keys.data(), values.data(), keys.size()).count, 1'000'000u);
  EXPECT_NEAR(static_cast<double>(groups.slots()), 2'200'000.0, 220'000.0);
}

/// A key with half of all rows must not keep everything waiting.
TEST(GroupSkew, TakesHardlyMoreTimeThanNone)
{
  exec::Cpu exec;
  GroupBy<exec::Cpu, Narrow> groups(exec, {});
  std::vector<std::uint64_t> const values(1'000'000, 1);
  auto const seconds = [&](auto const& key_of) {
    std::vector<std::uint32_t> keys(values.size());
    for (std::uint32_t i = 0; i < keys.size(); ++i) { keys[i] = key_of(i); }
    double best = 1e9;
    for (int round = 0; round < 4; ++round) {
      exec.start_timer();
      groups.group(keys.data(), values.data(), keys.size());
      best = std::min(best, exec.stop_timer());
    }
    return best;
  };
  double const uniform = seconds([](std::uint32_t i) { return i * 2654435761u; });
  double const skewed = seconds([](std::uint32_t i) { return i % 2 == 0 ? 1 : i * 2654435761u; });
  EXPECT_LT(skewed, 5.0 * uniform);
}

}  // namespace
}  // namespace slotscape::joins::testing
