// The tables that other programs use, on the CPU: families of each kind.

#include "gpu/races/published/first_tombstone.hpp"
#include "tests/library/fill_cases.hpp"
#include "tests/library/on_cpu.hpp"
#include "tests/library/recorded_cases.hpp"
#include "tests/library/replay.hpp"
#include "tests/library/sharded_cases.hpp"
#include "tests/library/table_cases.hpp"
#include "tests/support/sanitized.hpp"

#include <numeric>

namespace slotscape {
namespace {

using Cases = testing::Types<
    Case<OnCpu, families::linear_probing, std::uint64_t>, Case<OnCpu, families::warp_cooperative, std::uint32_t>,
    Case<OnCpu, families::robin_hood, std::uint32_t>, Case<OnCpu, families::segmented_cuckoo, std::uint32_t>,
    Case<OnCpu, families::perfect_hash, std::uint32_t>, Case<OnCpu, families::two_choice, std::uint64_t>,
    Case<OnCpu, families::swiss, std::uint32_t>, Case<OnCpu, families::iceberg, std::uint64_t>,
    Case<OnCpu, families::hash_fight, std::uint64_t>, Case<OnCpu, families::gel_hash, std::uint64_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnTheCpu, LibraryTable, Cases);
INSTANTIATE_TYPED_TEST_SUITE_P(OnTheCpu, LibraryThreads, Cases);
INSTANTIATE_TYPED_TEST_SUITE_P(OnTheCpu, LibraryFill, OnCpu);
using ShardedCases = testing::Types<Case<OnCpu, families::linear_probing, std::uint64_t>,
                                    Case<OnCpu, families::segmented_cuckoo, std::uint32_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnTheCpu, LibraryShards, ShardedCases);

/// `scripts/histories` does the same for all families, for as long as wanted. A thousand take seconds, and have found
/// what ten did not.
template <class Family, class Key>
std::string first_wrong()
{
  return histories::first_wrong<OnCpu, Family, Key>(1, test::is_sanitized() ? 10 : 1000, 40, 300);
}
template <class Case>
class LibraryHistories : public testing::Test {
};
TYPED_TEST_SUITE(LibraryHistories, Cases);
TYPED_TEST(LibraryHistories, AreThoseOfAMap)
{
  EXPECT_EQ((first_wrong<typename TypeParam::Family, typename TypeParam::Key>()), "");
}
/// Of families that are not among the cases.
TEST(LibraryHistoriesOfOthers, AreThoseOfAMap)
{
  EXPECT_EQ((first_wrong<families::slab, std::uint32_t>()), "");
  EXPECT_EQ((first_wrong<families::cuckoo, std::uint64_t>()), "");
  EXPECT_EQ((first_wrong<families::hopscotch, std::uint32_t>()), "");
  EXPECT_EQ((first_wrong<families::funnel, std::uint32_t>()), "");
}

TYPED_TEST(LibraryHistories, AreThoseOfAMapWhateverPieceOfMemoryIsMissing)
{
  using Key = typename TypeParam::Key;
  histories::Player<OnCpu, typename TypeParam::Family, Key> player;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    histories::History history = histories::random_history(seed, 8 * sizeof(Key), 20, 200);
    history.short_of_memory = true;
    EXPECT_EQ(player.play(history), "") << "seed " << seed;
  }
  EXPECT_GT(player.faults(), 40u);
}

/// Its insertion takes the first tombstone that it meets: what threads record of it cannot add up.
TEST(LibraryThreadsThemselves, FindOutATableThatIsWrong)
{
  using races::published::FirstTombstone;
  OnCpu cpu;
  recorded::Plan const plan{.operations = 300, .keys = 12};
  recorded::History<OnCpu, FirstTombstone, std::uint32_t> history(cpu, plan, {.slots = 16});
  EXPECT_NE(history.by_threads(recorded::phases_of(Concurrency::mixed)).fault, "");
  recorded::History<OnCpu, families::linear_probing, std::uint32_t> right(cpu, plan, {.slots = 16});
  EXPECT_EQ(right.by_threads(recorded::phases_of(Concurrency::mixed)).fault, "");
}

TEST(LibraryHistoriesThemselves, AreCutDownToWhatFails)
{
  using histories::History;
  using Call = histories::Step::Call;
  auto const replay = [](History const& history) -> std::string {
    bool inserted = false;
    for (histories::Step const& step : history.steps) {
      bool const has_7 = std::ranges::find(step.keys, 7u) != step.keys.end();
      inserted = inserted || (step.call == Call::insert && has_7);
      if (inserted && step.call == Call::erase && has_7) { return "wrong"; }
    }
    return {};
  };
  History history;
  for (std::uint64_t seed = 1; replay(history).empty(); ++seed) {
    history = histories::random_history(seed, 32, 200, 300);
    ASSERT_LT(seed, 100u);
  }
  History const small = histories::shrunk(history, replay);
  ASSERT_EQ(small.steps.size(), 2u);
  EXPECT_EQ(small.steps[0].keys, std::vector<std::uint64_t>{7});
  EXPECT_EQ(small.steps[1].keys, std::vector<std::uint64_t>{7});
  EXPECT_NE(histories::code_of(small, "swiss", 32).find("{.call = Call::erase, .keys = {7u}"), std::string::npos);
}

/// For every family, no key is without a place in a table of so many slots.
template <class Family>
void expect_room_for(std::uint64_t keys)
{
  using Table = CpuTable<Family>;
  std::vector<std::uint32_t> numbers(keys);
  for (std::uint64_t i = 0; i < keys; ++i) { numbers[i] = static_cast<std::uint32_t>(random64(3, i) >> 33); }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  Table table({.slots = Table::slots_for(keys, 1.0)});
  EXPECT_TRUE(table.insert(numbers.data(), numbers.data(), numbers.size()).all()) << Family::info.name << ' ' << keys;
}

TEST(LibrarySlots, HaveRoomForAllKeys)
{
  for (std::uint64_t const keys : {std::uint64_t{10}, std::uint64_t{1000}, std::uint64_t{30000}}) {
    expect_room_for<families::quadratic>(keys);
    expect_room_for<families::hopscotch>(keys);
    expect_room_for<families::slab>(keys);
  }
}

TEST(LibraryGrowth, GoesByWhatIsSafeAtEachNumberOfSlots)
{
  std::vector<std::uint32_t> keys(1000);
  std::iota(keys.begin(), keys.end(), 1u);
  // By squares, a path leads to 172 of 1024 slots, but to half of a prime number.
  CpuTable<families::quadratic> squares({.slots = 1024, .parameters = {{"sequence", 2}}, .grow_at = 0.8});
  EXPECT_TRUE(squares.insert(keys.data(), keys.data(), keys.size()).all());
  EXPECT_EQ(squares.slots(), 2053u) << "the next prime after twice as many";
  // The digits of 32-bit keys do not reach all of its buckets, and more buckets would not help.
  constexpr std::uint64_t slots = 2'000'000;
  CpuTable<families::cuckoo> digits({.slots = slots, .parameters = {{"hashing", 2}}, .grow_at = 0.8});
  static_cast<void>(digits.insert(keys.data(), keys.data(), keys.size()));
  EXPECT_EQ(digits.slots(), slots);
}

}  // namespace
}  // namespace slotscape
