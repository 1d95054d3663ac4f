// What warp-cooperative probing promises by itself, on tiles of lanes that one thread plays.

#include "gpu/tables/warp_cooperative.hpp"
#include "tests/tables/tile_operations.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace slotscape {
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
      auto const layout = WarpCooperative::layout<Narrow>(settings(windows * tile, tile));
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

constexpr auto reuse = Deletion::tombstone_reuse;
constexpr auto keep = Deletion::empty_value;

// Tables of 8 slots; the home of these keys is the first window.
constexpr Narrow::Key k = 8 * 3 + 1;
constexpr Narrow::Key other = 8 * 7;
constexpr Narrow::Key third = 8 * 9 + 1;

template <int Lanes>
using Operations = TileOperations<WarpCooperative, Lanes>;

TEST(WarpCooperativeInterleavings, OneKeyInsertedTwiceIsStoredOnce)
{
  for (Deletion const deletion : {keep, reuse}) {
    Operations<4> const tiles(settings(8, 4, deletion));
    Interleavings all({tiles.insert(k, 10), tiles.insert(k, 11), tiles.insert(other, 12)},
                      [&](std::vector<Narrow::Word> const& end, std::vector<Result<Narrow>> const& results) {
                        tiles.expect_valid(end);
                        EXPECT_EQ(count(results, Outcome::inserted), 2);
                        EXPECT_EQ(count(results, Outcome::updated), 1);
                      });
    EXPECT_GT(all.explore(tiles.memory({{0, pack(third, 1)}})), 3u);
  }
}

/// The first slot of k's second window.
Slot second_window(Operations<2> const& tiles)
{
  auto path = WarpCooperative::path(tiles.layout, k);
  path.next(tiles.layout, k);
  return path.first;
}

TEST(WarpCooperativeInterleavings, AKeyStoredWindowsBehindATombstoneIsUpdated)
{
  Operations<2> const tiles(settings(8, 2, reuse));
  Slot const second = second_window(tiles);
  Interleavings all({tiles.insert(k, 10), tiles.insert(k, 11), tiles.insert(other, 12)},
                    [&](std::vector<Narrow::Word> const& end, std::vector<Result<Narrow>> const& results) {
                      tiles.expect_valid(end);
                      EXPECT_EQ(count(results, Outcome::updated), 2);
                      EXPECT_EQ(key_of(end[second]), k);
                      EXPECT_EQ(key_of(end[0]), other);
                    });
  EXPECT_GT(all.explore(tiles.memory({{0, Narrow::tombstone_word}, {1, pack(third, 1)}, {second, pack(k, 1)}})), 1u);
}

TEST(WarpCooperativeInterleavings, AmongTombstonesOneKeyIsStoredOnce)
{
  Operations<2> const tiles(settings(8, 2, reuse));
  Slot const second = second_window(tiles);
  // Its window: a tombstone and another key. Its next window: a tombstone, then an empty slot.
  auto const start =
      tiles.memory({{0, Narrow::tombstone_word}, {1, pack(other + 1000 * 8, 1)}, {second, Narrow::tombstone_word}});
  Interleavings all({tiles.insert(k, 10), tiles.insert(k, 11), tiles.insert(k + 8 * 1000, 12)},
                    [&](std::vector<Narrow::Word> const& end, std::vector<Result<Narrow>> const& results) {
                      tiles.expect_valid(end);
                      EXPECT_EQ(count(results, Outcome::inserted), 2);
                      EXPECT_EQ(count(results, Outcome::updated), 1);
                    });
  EXPECT_GT(all.explore(start), 3u);
}

TEST(WarpCooperativeInterleavings, TheLastSlotOfTheTableIsTakenOnce)
{
  for (Deletion const deletion : {keep, reuse}) {
    Operations<4> const tiles(settings(8, 4, deletion));
    std::map<Slot, Narrow::Word> words;
    for (Slot slot = 0; slot < 8; ++slot) { words[slot] = pack(800 + slot, 1u); }
    words.erase(6);
    Interleavings all({tiles.insert(k, 10), tiles.insert(other, 11)},
                      [&](std::vector<Narrow::Word> const& end, std::vector<Result<Narrow>> const& results) {
                        tiles.expect_valid(end);
                        EXPECT_EQ(count(results, Outcome::inserted), 1);
                        EXPECT_EQ(count(results, Outcome::full), 1);
                      });
    EXPECT_GT(all.explore(tiles.memory(words)), 1u);
  }
}

TEST(WarpCooperativeInterleavings, OneKeyErasedTwiceIsErasedOnce)
{
  for (Deletion const deletion : {keep, reuse}) {
    Operations<4> const tiles(settings(8, 4, deletion));
    Interleavings all({tiles.erase(k), tiles.erase(k), tiles.find(k)},
                      [&](std::vector<Narrow::Word> const& end, std::vector<Result<Narrow>> const& results) {
                        tiles.expect_valid(end);
                        EXPECT_EQ(count(results, Outcome::erased), 1);
                      });
    EXPECT_GT(all.explore(tiles.memory({{0, pack(other, 1)}, {1, pack(k, 2)}})), 1u);
  }
}

TEST(WarpCooperativeInterleavings, MixesOfAllThreeLeaveTheTableValid)
{
  Operations<2> const tiles(settings(8, 2, keep));
  for (bool const stored : {false, true}) {
    std::map<Slot, Narrow::Word> words{{0, pack(other, 1)}};
    if (stored) { words[1] = pack(k, 2); }
    Interleavings all({tiles.insert(k, 10), tiles.erase(k), tiles.insert(k, 11), tiles.find(k)},
                      [&](std::vector<Narrow::Word> const& end, std::vector<Result<Narrow>> const& results) {
                        tiles.expect_valid(end);
                        std::ptrdiff_t const live =
                            (stored ? 1 : 0) + count(results, Outcome::inserted) - count(results, Outcome::erased);
                        bool const is_live = value_of(end[1]) != Narrow::empty_value;
                        EXPECT_EQ(key_of(end[1]), k);
                        EXPECT_EQ(is_live, live == 1);
                      });
    EXPECT_GT(all.explore(tiles.memory(words)), 1u);
  }
}

}  // namespace
}  // namespace slotscape
