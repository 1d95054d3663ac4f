#include "gpu/base/random.hpp"
#include "tests/watched/library_table.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace slotscape {
namespace {

using test::AsWatched;
using ::testing::HasSubstr;

template <class Key>
std::vector<Key> different_keys(std::uint64_t count)
{
  Shuffle const shuffle = make_shuffle(17, std::uint64_t{1} << 31);
  std::vector<Key> keys(count);
  for (std::uint64_t i = 0; i < count; ++i) { keys[i] = static_cast<Key>(shuffle(static_cast<std::uint32_t>(i))) + 1; }
  return keys;
}

template <class Table>
void fill(Table& table, std::uint64_t count)
{
  auto const keys = different_keys<typename Table::Key>(count);
  table.insert(keys.data(), keys.data(), count).or_throw();
}

/// Erases every tenth key.
template <class Table>
void erase_some(Table& table, std::uint64_t count)
{
  auto const keys = different_keys<typename Table::Key>(count);
  std::vector<typename Table::Key> erased;
  for (std::uint64_t i = 0; i < count; i += 10) { erased.push_back(keys[i]); }
  table.erase(erased.data(), erased.size());
}

/// The description finds every key, and says of absent ones that they are none.
template <class Table>
void expect_all_found(Table& table, std::uint64_t inserted)
{
  AsWatched const watched(table);
  Statistics const statistics = watched.looked->statistics();
  EXPECT_EQ(statistics.live, table.size());
  EXPECT_EQ(watched.looked->lost_keys().count(), 0u);
  EXPECT_EQ(statistics.probe_length.count, table.size());
  watch::Check const check = watched.looked->check(true);
  EXPECT_TRUE(check.was_checked);
  EXPECT_EQ(check.found, check.sampled);
  auto const keys = different_keys<typename Table::Key>(inserted + 1000);
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < keys.size(); ++i) {
    typename Table::Key value = 0;
    bool const is_there = table.find(&keys[i], &value, 1) == 1;
    wrong += watched.looked->path_of(keys[i]).value.has_value() == is_there ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0u);
}

template <class Family, class Key = std::uint32_t>
void expect_homes(std::uint64_t slots, TableOptions options = {.slots = 0}, double load = 0.5)
{
  options.slots = slots;
  CpuTable<Family, Key> table(options);
  auto const count = static_cast<std::uint64_t>(load * static_cast<double>(table.slots()));
  SCOPED_TRACE(std::string(Family::info.name) + " of " + std::to_string(table.slots()) + " slots");
  fill(table, count);
  expect_all_found(table, count);
  erase_some(table, count);
  expect_all_found(table, count);
}

TEST(WatchedHomesTest, LinearProbingInAnyOrder)
{
  for (std::uint64_t const slots : {1000u, 1024u}) {
    expect_homes<families::linear_probing>(slots, {.slots = 0}, 0.9);
    expect_homes<families::robin_hood>(slots, {.slots = 0}, 0.9);
    expect_homes<families::graveyard>(slots, {.slots = 0}, 0.9);
    expect_homes<families::simple_hash>(slots, {.slots = 0}, 0.9);
  }
  expect_homes<families::linear_probing, std::uint64_t>(1000, {.slots = 0, .hash = HashKind::fibonacci}, 0.9);
}

TEST(WatchedHomesTest, HopscotchStaysInItsNeighbourhood)
{
  expect_homes<families::hopscotch>(2048);
  expect_homes<families::hopscotch>(1000, {.slots = 0, .parameters = {{"neighbourhood", 16}}});
}

/// Lookups ended at empty slots until then.
TEST(WatchedHomesTest, ADescriptionOfHopscotchHoldsWhenKeysAreErased)
{
  CpuTable<families::hopscotch, std::uint32_t> table({.slots = 1024});
  fill(table, 800);
  AsWatched const watched(table);
  erase_some(table, 800);
  watched.looked->changed();
  EXPECT_EQ(watched.looked->statistics().live, 720u);
  EXPECT_EQ(watched.looked->lost_keys().count(), 0u);
}

TEST(WatchedHomesTest, StepsThatGrowAndStepsOfASecondHash)
{
  expect_homes<families::quadratic>(1024, {.slots = 0}, 0.85);
  expect_homes<families::double_hashing>(1024, {.slots = 0}, 0.9);
  expect_homes<families::double_hashing>(1009, {.slots = 0}, 0.9);
  for (std::uint64_t const slots : {1000u, 1024u}) {
    expect_homes<families::warp_cooperative>(slots, {.slots = 0}, 0.95);
    expect_homes<families::swiss>(slots, {.slots = 0}, 0.85);
  }
}

TEST(WatchedHomesTest, ChainsAreFollowedAndTheirLinksAreNoKeys)
{
  for (std::uint64_t const slots : {4000u, 4096u}) {
    expect_homes<families::gel_hash>(slots);
    expect_homes<families::gel_hash, std::uint64_t>(slots, {.slots = 0, .deletion = Deletion::tombstone_reuse});
    expect_homes<families::slab>(slots);
  }
}

TEST(WatchedHomesTest, KeysOfAChainAreCountedToItsEnd)
{
  CpuTable<families::slab, std::uint32_t> table({.slots = 4000});
  fill(table, 2200);
  AsWatched const watched(table);
  Statistics const statistics = watched.looked->statistics();
  std::uint64_t const buckets = watched.description.slots / watched.description.buckets->slots;
  EXPECT_EQ(statistics.groups.count, buckets);
  EXPECT_DOUBLE_EQ(statistics.groups.mean, 2200.0 / static_cast<double>(buckets));
  EXPECT_GT(statistics.groups.max, watched.description.buckets->slots) << "more than fit into the first slab";
  EXPECT_EQ(watched.looked->family().groups.name, "Keys of a chain");
}

TEST(WatchedHomesTest, WhereHomesAreNoFunctionNothingIsGuessed)
{
  CpuTable<families::two_choice, std::uint32_t> table({.slots = 1024});
  fill(table, 700);
  AsWatched const watched(table);
  EXPECT_EQ(watched.looked->counts().live, 700u);
  watch::Check const check = watched.looked->check(true);
  EXPECT_FALSE(check.was_checked);
  EXPECT_TRUE(check.better.empty());
  EXPECT_EQ(watch::text_of(check), "");
  EXPECT_THAT(watch::text_of(watched.description), HasSubstr("Two choices"));
  CpuTable<families::swiss, std::uint32_t> boost({.slots = 1024, .parameters = {{"variant", 2}}});
  fill(boost, 700);
  EXPECT_EQ(AsWatched(boost).looked->counts().live, 700u);
}

TEST(WatchedHomesTest, TheHomeOfASlotsKeyIsThatOfTheTable)
{
  CpuTable<families::hopscotch, std::uint32_t> table({.slots = 1024});
  fill(table, 600);
  AsWatched const watched(table);
  auto const shape = table.layout();
  std::vector<Slot> slots(1024);
  for (Slot slot = 0; slot < 1024; ++slot) { slots[slot] = slot; }
  for (SlotInfo const& info : watched.looked->slots(slots)) {
    if (info.state != SlotState::live) { continue; }
    Slot const home = shape.home(static_cast<std::uint32_t>(info.pair.key));
    EXPECT_EQ(info.home, home);
    EXPECT_EQ(info.probe_length, (info.slot - home) % 1024);
  }
}

}  // namespace
}  // namespace slotscape
