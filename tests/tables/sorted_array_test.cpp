#include "gpu/tables/sorted_array.hpp"

#include "gpu/engine/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace slotscape::sorted_array_tests {
namespace {

class SortedArrays : public ::testing::TestWithParam<int> {
protected:
  static std::unique_ptr<Engine> make(std::uint64_t slots)
  {
    return make_engine(Backend::cpu, {.family = "sorted_array", .slots = slots, .key_bits = GetParam()});
  }
  static void insert(Engine& engine, std::vector<Key> const& keys)
  {
    engine.insert(keys, std::vector<Value>(keys.size(), 1));
  }
  static std::vector<Key> keys_of(Engine& engine)
  {
    std::vector<Key> keys;
    for (Slot slot = 0; slot < engine.table().slots; ++slot) {
      SlotInfo const info = engine.slot(slot);
      if (info.state == SlotState::live) { keys.push_back(info.pair.key); }
    }
    return keys;
  }
};

TEST_P(SortedArrays, NewKeysAreSortedIn)
{
  auto const engine = make(1000);
  std::mt19937_64 random(1);
  std::vector<Key> all;
  for (std::size_t const count : {0u, 1u, 2u, 300u, 31u, 600u}) {
    std::vector<Key> keys(count);
    for (Key& key : keys) { key = random() & largest_key(GetParam()) >> 1; }
    insert(*engine, keys);
    all.insert(all.end(), keys.begin(), keys.end());
    std::ranges::sort(all);
    EXPECT_EQ(keys_of(*engine), all);
    EXPECT_EQ(engine->check_invariants(), "");
  }
}

TEST_P(SortedArrays, ALookupHalvesUntilItMeetsTheKey)
{
  auto const engine = make(100);
  std::vector<Key> keys(100);
  for (Key key = 0; key < 100; ++key) { keys[key] = key * 3; }
  insert(*engine, keys);
  EXPECT_EQ(engine->slot(49).probe_length, 0u);
  EXPECT_EQ(engine->slot(24).probe_length, 1u);
  for (Slot slot = 0; slot < 100; ++slot) {
    SlotInfo const info = engine->slot(slot);
    EXPECT_EQ(info.home, 49u);
    EXPECT_EQ(engine->trace(Operation::find, info.pair.key, 0).steps.size(), info.probe_length + 1);
    EXPECT_LE(engine->trace(Operation::find, info.pair.key + 1, 0).steps.size(), 7u);
  }
  EXPECT_EQ(engine->statistics().hit_accesses.max, 7u);
}

/// Of arrays of every size up to some, and of a few large ones.
TEST(SortedArraySearch, MeetsEverySlotAtItsDepthAndNoneTwice)
{
  std::vector<Slot> counts{(1u << 31) - 1, 1u << 31, 1'000'000'007};
  for (Slot count = 1; count < 300; ++count) { counts.push_back(count); }
  for (Slot const count : counts) {
    Slot const step = std::max<Slot>(1, count / 300);
    for (std::uint64_t target = 0; target < count; target += step) {
      std::uint32_t depth = 0;
      sorted::Search search(count);
      for (; !search.ends() && search.slot() != target; ++depth) {
        ASSERT_LE(depth, 31u);
        search.slot() < target ? search.go_right() : search.go_left();
      }
      ASSERT_FALSE(search.ends()) << count;
      ASSERT_EQ(depth, sorted::Search::depth(static_cast<Slot>(target), count)) << count;
      ASSERT_LE(depth, std::bit_width(count));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Format, SortedArrays, ::testing::Values(32, 64));

}  // namespace
}  // namespace slotscape::sorted_array_tests
