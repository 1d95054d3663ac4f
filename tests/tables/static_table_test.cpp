// Tables that are built at once: what a batch does to them, and what becomes of them where a build fails.

#include "gpu/engine/queried_static_table.hpp"

#include "gpu/execution/cpu.hpp"
#include "gpu/tables/sorted_array.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace slotscape::static_table_tests {
namespace {

/// A sorted array that can be built only of so many pairs, and not at each attempt.
struct Moody : SortedArray {
  static inline std::uint64_t max_pairs = 0;
  static inline int unlucky_attempts = 0;
  static inline std::vector<std::uint64_t> seeds = {};

  template <class Exec, PairFormat Format>
  static Built build(Exec& exec, Layout<Format>& layout, std::uint64_t seed, Contents<Format> const& pairs,
                     typename Format::Word* words, std::uint64_t* metadata)
  {
    seeds.push_back(seed);
    SortedArray::build(exec, layout, seed, pairs, words,
                       metadata);  // what a failed attempt leaves behind must not matter
    if (pairs.count > max_pairs) { return Built::too_full; }
    return unlucky_attempts-- > 0 ? Built::unlucky : Built::done;
  }
};

class StaticTables : public ::testing::Test {
protected:
  static constexpr std::uint64_t slots = 40;

  StaticTables()
  {
    Moody::max_pairs = slots;
    Moody::unlucky_attempts = 0;
    Moody::seeds.clear();
  }

  std::vector<Outcome> run(Operation operation, std::vector<std::uint32_t> keys, std::vector<std::uint32_t> values = {})
  {
    values.resize(keys.size());
    std::vector<Operation> const operations(keys.size(), operation);
    std::vector<Outcome> outcomes(keys.size());
    double seconds = 0.0;
    table_.run({keys.size(), operations.data(), keys.data(), values.data(), outcomes.data(), nullptr, false}, seconds);
    EXPECT_EQ(table_.check_invariants(), "");
    return outcomes;
  }

  /// The slots' keys, and whether each is live.
  std::vector<std::pair<Key, bool>> keys()
  {
    std::vector<Slot> all(slots);
    std::iota(all.begin(), all.end(), 0u);
    std::vector<std::pair<Key, bool>> keys;
    for (SlotInfo const& slot : table_.read(all)) {
      if (slot.has_key) { keys.emplace_back(slot.pair.key, slot.state == SlotState::live); }
    }
    return keys;
  }

  static std::vector<std::uint32_t> count_up(std::uint32_t first, std::size_t count)
  {
    std::vector<std::uint32_t> keys(count);
    std::iota(keys.begin(), keys.end(), first);
    return keys;
  }

  exec::Cpu cpu_;
  QueriedStaticTable<Moody, exec::Cpu, Narrow> table_{cpu_, {.slots = slots}};
};

using enum Outcome;
using Outcomes = std::vector<Outcome>;

TEST_F(StaticTables, OneOfEqualKeysIsInserted)
{
  Outcomes const outcomes = run(Operation::insert, {7, 3, 7, Narrow::empty_key, 7}, {70, 30, 71, 1, 72});
  EXPECT_EQ(std::ranges::count(outcomes, inserted), 2);
  EXPECT_EQ(std::ranges::count(outcomes, updated), 2);
  EXPECT_EQ(outcomes[3], rejected);
  EXPECT_EQ(Moody::seeds.size(), 1u);
  EXPECT_EQ(run(Operation::find, {3, 5, 7}), (Outcomes{found, missing, found}));
}

TEST_F(StaticTables, StoredKeysComeBackWithoutARebuild)
{
  run(Operation::insert, {1, 2, 3}, {10, 20, 30});
  EXPECT_EQ(run(Operation::erase, {2, 9}), (Outcomes{erased, missing}));
  EXPECT_EQ(keys(), (std::vector<std::pair<Key, bool>>{{1, true}, {2, false}, {3, true}}));
  EXPECT_EQ(run(Operation::find, {2}), Outcomes{missing});
  EXPECT_EQ(run(Operation::insert, {2, 3}, {21, 31}), (Outcomes{inserted, updated}));
  EXPECT_EQ(Moody::seeds.size(), 1u);
  EXPECT_EQ(table_.probe_path(2).value, 21u);
}

TEST_F(StaticTables, ARebuildDropsErasedKeys)
{
  run(Operation::insert, {1, 2, 3});
  run(Operation::erase, {2});
  EXPECT_EQ(run(Operation::insert, {4}), Outcomes{inserted});
  EXPECT_EQ(keys(), (std::vector<std::pair<Key, bool>>{{1, true}, {3, true}, {4, true}}));
}

TEST_F(StaticTables, TakesAsManyKeysAsThereIsRoom)
{
  run(Operation::insert, count_up(0, 30));
  run(Operation::erase, count_up(0, 5));
  Outcomes const outcomes = run(Operation::insert, count_up(100, 20));
  EXPECT_EQ(std::ranges::count(outcomes, inserted), 15);
  EXPECT_EQ(std::ranges::count(outcomes, full), 5);
  EXPECT_EQ(keys().size(), slots);
}

TEST_F(StaticTables, TriesOtherSeedsWhenUnlucky)
{
  Moody::unlucky_attempts = 3;
  EXPECT_EQ(run(Operation::insert, {1, 2}), (Outcomes{inserted, inserted}));
  EXPECT_EQ(Moody::seeds.size(), 4u);
  std::ranges::sort(Moody::seeds);
  EXPECT_EQ(std::ranges::adjacent_find(Moody::seeds), Moody::seeds.end());
}

TEST_F(StaticTables, StaysAsItWasWhereNoBuildSucceeds)
{
  run(Operation::insert, {1, 2, 3}, {10, 20, 30});
  Moody::unlucky_attempts = 1000;
  EXPECT_EQ(run(Operation::insert, {4, 2, 5, 4}, {40, 21, 50, 41}), (Outcomes{full, updated, full, full}));
  EXPECT_EQ(keys(), (std::vector<std::pair<Key, bool>>{{1, true}, {2, true}, {3, true}}));
  EXPECT_LE(Moody::seeds.size(), 40u);
}

TEST_F(StaticTables, TakesFewerNewKeysWhereAllAreTooMany)
{
  run(Operation::insert, count_up(0, 10));
  Moody::max_pairs = 16;
  Outcomes const outcomes = run(Operation::insert, count_up(100, 12));
  EXPECT_EQ(std::ranges::count(outcomes, inserted), 6);
  EXPECT_EQ(std::ranges::count(outcomes, full), 6);
  EXPECT_EQ(keys().size(), 16u);
}

TEST_F(StaticTables, ATracedInsertionShowsEverySlotThatChangesAndLeavesTheTable)
{
  run(Operation::insert, {10, 20, 30});
  Trace const trace = table_.trace(Operation::insert, 15, 5);
  EXPECT_EQ(trace.outcome, inserted);
  std::vector<Step> writes = trace.steps;
  std::erase_if(writes, [](Step const& step) { return !step.after; });
  ASSERT_EQ(writes.size(), 3u);
  EXPECT_EQ(writes[0].moved_from, Slot{2});
  EXPECT_EQ(writes[0].after->slot, 3u);
  EXPECT_EQ(writes[1].moved_from, Slot{1});
  EXPECT_EQ(writes[2].after->pair, (Pair{15, 5}));
  EXPECT_EQ(writes[2].after->slot, 1u);
  EXPECT_EQ(keys(), (std::vector<std::pair<Key, bool>>{{10, true}, {20, true}, {30, true}}));

  Moody::max_pairs = 3;
  EXPECT_EQ(table_.trace(Operation::insert, 15, 5).outcome, full);
}

}  // namespace
}  // namespace slotscape::static_table_tests
