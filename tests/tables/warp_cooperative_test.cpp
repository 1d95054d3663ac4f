// What warp-cooperative probing promises by itself, on tiles of lanes that one thread plays.

#include "gpu/tables/warp_cooperative.hpp"
#include "tests/tables/tile_operations.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace slotscape::warp_cooperative_tests {
namespace {

TableSettings settings(std::uint64_t slots, std::uint32_t tile, Deletion deletion = Deletion::empty_value)
{
  return {.family = "warp_cooperative",
          .slots = slots,
          .deletion = deletion,
          .hash = HashKind::identity,
          .parameters = {{"tile", tile}}};
}

TEST(WarpCooperative, APathVisitsEveryWindowOnce)
{
  for (std::uint32_t const tile : WarpCooperative::lane_choices) {
    for (std::uint32_t const windows : {1u, 2u, 3u, 12u, 30u, 49u, 64u}) {
      auto const layout = WarpCooperative::layout<Narrow>(settings(std::uint64_t{windows} * tile, tile));
      for (Narrow::Key key = 0; key < 300; ++key) {
        auto path = WarpCooperative::path(layout, key * 37);
        std::set<Slot> firsts{path.first};
        while (path.next(layout, key * 37)) { EXPECT_TRUE(firsts.insert(path.first).second); }
        ASSERT_EQ(firsts.size(), windows);
        EXPECT_LT(*firsts.rbegin(), layout.slots());
        EXPECT_TRUE(std::ranges::all_of(firsts, [=](Slot first) { return first % tile == 0; }));
      }
    }
  }
}

TEST(WarpCooperative, SlotsAreRoundedUpToWindows)
{
  auto const engine = make_engine(Backend::cpu, settings(37, 16));
  EXPECT_EQ(engine->table().slots, 48u);
  EXPECT_EQ(make_engine(Backend::cpu, settings(37, 1))->table().slots, 37u);
}

class WarpCooperativeTables : public ::testing::TestWithParam<std::tuple<std::uint32_t, Deletion, int>> {
protected:
  std::unique_ptr<Engine> table(std::uint64_t slots) const
  {
    auto const [tile, deletion, key_bits] = GetParam();
    TableSettings with = settings(slots, tile, deletion);
    with.hash = HashKind::murmur3;
    with.key_bits = key_bits;
    return make_engine(Backend::cpu, with);
  }
};

TEST_P(WarpCooperativeTables, DoAsAMapDoesUpToTheLastSlot)
{
  for (std::uint64_t const slots : {100u, 333u}) {
    auto const engine = table(slots);
    expect_history_of_a_map(*engine, engine->table().slots, 60);
  }
}

TEST_P(WarpCooperativeTables, RefuseWhatNoSlotIsLeftFor)
{
  auto const engine = table(77);
  std::uint64_t const slots = engine->table().slots;
  std::vector<Key> keys(slots + 5);
  std::iota(keys.begin(), keys.end(), Key{1000});
  Tally const tally = engine->insert(keys, std::vector<Value>(keys.size(), 1));
  EXPECT_EQ(tally[Outcome::inserted], slots);
  EXPECT_EQ(tally[Outcome::full], 5u);
  EXPECT_EQ(engine->find(keys)[Outcome::found], slots);
}

TEST_P(WarpCooperativeTables, ALookupReadsAWindowForEachThatItsMeasureCounts)
{
  auto const engine = table(256);
  engine->run(BatchRequest::inserts(engine->table().slots * 19 / 20));
  std::uint32_t longest = 0;
  for (Pair const& pair : engine->pairs()) {
    Trace const trace = engine->trace(Operation::find, pair.key, 0);
    Slot const window = trace.steps.back().seen.front().slot;
    auto const own = std::ranges::find_if(trace.steps.back().seen, [&](SlotInfo const& slot) {
      return slot.has_key && slot.pair.key == pair.key;
    });
    ASSERT_NE(own, trace.steps.back().seen.end()) << "window at slot " << window;
    EXPECT_EQ(trace.steps.size(), own->probe_length + 1);
    longest = std::max(longest, own->probe_length);
  }
  EXPECT_GT(longest, 0u);
}

INSTANTIATE_TEST_SUITE_P(Tiles, WarpCooperativeTables,
                         ::testing::Combine(::testing::ValuesIn(WarpCooperative::lane_choices),
                                            ::testing::Values(Deletion::empty_value, Deletion::tombstone_reuse),
                                            ::testing::Values(32, 64)));

}  // namespace
}  // namespace slotscape::warp_cooperative_tests
