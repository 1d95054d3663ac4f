// What slab tables promise by themselves: chains that grow from the pool, and slots that are free again once erased.

#include "gpu/tables/slab.hpp"
#include "tests/tables/tile_operations.hpp"

#include <gtest/gtest.h>

#include <set>

namespace slotscape {
namespace {

constexpr std::uint64_t pairs_per_slab = 15;
constexpr std::uint64_t slots_per_slab = 16;  // with the link

TableSettings settings(std::uint64_t slots, std::uint32_t pool, HashKind hash = HashKind::murmur3)
{
  return {.family = "slab", .slots = slots, .hash = hash, .parameters = {{"pool", pool}}};
}

Slab::Layout<Narrow> layout(TableSettings const& with)
{
  return Slab::layout<Narrow>(with);
}

TEST(Slab, SlotsAreRoundedUpToSlabsOfBucketsAndPool)
{
  EXPECT_EQ(make_engine(Backend::cpu, settings(16, 50))->table().slots, 32u);
  EXPECT_EQ(make_engine(Backend::cpu, settings(1001, 50))->table().slots, 1008u);
  EXPECT_EQ(layout(settings(125 * slots_per_slab, 25)).pool, 25u);
  EXPECT_EQ(layout(settings(150 * slots_per_slab, 50)).pool, 50u);
  EXPECT_EQ(layout(settings(150 * slots_per_slab, 50)).buckets, 100u);
  EXPECT_EQ(layout(settings(200 * slots_per_slab, 100)).pool, 100u);
}

TEST(Slab, EveryBucketIsTheHomeOfSomeKeys)
{
  for (std::uint64_t const slots : {32u, 1008u, 1024u, 4800u}) {
    auto const with = layout(settings(slots, 50, HashKind::identity));
    std::set<Slot> homes;
    for (Narrow::Key key = 0; key < slots; ++key) { homes.insert(with.home(key)); }
    EXPECT_EQ(homes.size(), with.buckets);
    EXPECT_EQ(*homes.rbegin(), (with.buckets - 1) * Slab::size);
  }
}

class SlabTables : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(SlabTables, DoAsAMapDoesUpToTheirSafeLoad)
{
  for (std::uint64_t const slots : {1024u, 2000u}) {
    auto const engine = make_engine(Backend::cpu, settings(slots, GetParam()));
    double const load = Slab::guarantees(engine->table()).safe_load;
    std::uint64_t const pairs = engine->statistics().slots;
    EXPECT_EQ(pairs, engine->table().slots / Slab::size * pairs_per_slab);
    expect_history_of_a_map(*engine, static_cast<std::size_t>(load * static_cast<double>(pairs)), 60);
  }
}

TEST_P(SlabTables, ALookupReadsASlabForEachThatItsMeasureCounts)
{
  auto const engine = make_engine(Backend::cpu, settings(4096, GetParam()));
  engine->run(BatchRequest::inserts(4096 * 6 / 10));
  std::uint32_t longest = 0;
  for (Pair const& pair : engine->pairs()) {
    Trace const trace = engine->trace(Operation::find, pair.key, 0);
    auto const& seen = trace.steps.back().seen;
    auto const own =
        std::ranges::find_if(seen, [&](SlotInfo const& slot) { return slot.has_key && slot.pair.key == pair.key; });
    ASSERT_NE(own, seen.end());
    EXPECT_EQ(trace.steps.size(), own->probe_length + 1);
    longest = std::max(longest, own->probe_length);
  }
  EXPECT_GT(longest, 0u);
  Statistics const statistics = engine->statistics();
  EXPECT_EQ(statistics.probe_length.max, longest);
  EXPECT_EQ(statistics.groups.count, layout(engine->table()).buckets);
  EXPECT_EQ(statistics.groups.max, longest + 1);
}

TEST_P(SlabTables, OneChainTakesThePoolUntilItIsExhausted)
{
  auto const engine = make_engine(Backend::cpu, settings(1600, GetParam()));
  std::uint64_t const room = pairs_per_slab * (1 + layout(engine->table()).pool);
  KeySettings one_home;
  one_home.distribution = KeyDistribution::one_home;
  engine->set_keys(one_home, 1);
  BatchReport const filled = engine->run(BatchRequest::inserts(room + 100));
  EXPECT_EQ(filled.outcomes[Outcome::inserted], room);
  EXPECT_EQ(filled.outcomes[Outcome::full], 100u);
  EXPECT_EQ(engine->check_invariants(), "");
  EXPECT_EQ(engine->statistics().groups.max, 1 + layout(engine->table()).pool);

  EXPECT_EQ(engine->run(BatchRequest::erases(40)).outcomes[Outcome::erased], 40u);
  EXPECT_EQ(engine->statistics().live, room - 40);
  EXPECT_EQ(engine->statistics().tombstones, 0u);
  BatchReport const refilled = engine->run(BatchRequest::inserts(60));
  EXPECT_EQ(refilled.outcomes[Outcome::inserted], 40u);
  EXPECT_EQ(refilled.outcomes[Outcome::full], 20u);
  EXPECT_EQ(engine->check_invariants(), "");
}

INSTANTIATE_TEST_SUITE_P(Pools, SlabTables, ::testing::ValuesIn(Slab::pool_choices));

TEST(Slab, StepsTellOfThePool)
{
  auto const engine = make_engine(Backend::cpu, settings(1600, 50, HashKind::identity));
  std::vector<Key> keys;
  for (Key i = 0; i < pairs_per_slab; ++i) { keys.push_back(i * 1600); }
  engine->insert(keys, std::vector<Value>(keys.size(), 1));
  Trace const trace = engine->trace(Operation::insert, Key{1600} * 100, 1);
  EXPECT_EQ(trace.outcome, Outcome::inserted);
  auto const of_kind = [&](Step::Kind kind) { return std::ranges::find(trace.steps, kind, &Step::kind); };
  ASSERT_NE(of_kind(Step::Kind::metadata), trace.steps.end());
  EXPECT_NE(of_kind(Step::Kind::metadata)->text.find("becomes part of this one"), std::string::npos);
  EXPECT_EQ(trace.steps.back().after->pair.key, 1600u * 100);
  EXPECT_GE(trace.steps.back().after->slot, layout(engine->table()).buckets * Slab::size);
}

// A table of two buckets and a pool of two; the home of these keys is the first bucket.
constexpr Narrow::Key k = 64 * 3;
constexpr Narrow::Key other = 64 * 7;
constexpr Narrow::Key third = 64 * 9;

class SlabInterleavings : public ::testing::Test {
protected:
  TileOperations<Slab, 16> tiles_{settings(64, 100, HashKind::identity)};

  /// The first slab is full but for its last `free` slots.
  std::vector<Narrow::Word> start(Slot free) const
  {
    std::map<Slot, Narrow::Word> words;
    for (Slot slot = 0; slot < pairs_per_slab - free; ++slot) { words[slot] = pack(64 * (20 + slot), 1u); }
    return tiles_.memory(words, tiles_.layout.metadata());
  }
  std::size_t slabs_in_use(std::vector<Narrow::Word> const& memory) const
  {
    return static_cast<std::size_t>(std::count_if(memory.begin() + static_cast<std::ptrdiff_t>(tiles_.layout.slots()),
                                                  memory.end(), [](Narrow::Word owner) { return owner != 0; }));
  }
};

TEST_F(SlabInterleavings, TwoKeysThatExtendOneChainTakeOneSlab)
{
  Interleavings all({tiles_.insert(k, 10), tiles_.insert(other, 11)},
                    [&](std::vector<Narrow::Word> const& end, std::vector<Result<Narrow>> const& results) {
                      tiles_.expect_valid(end);
                      EXPECT_EQ(count(results, Outcome::inserted), 2);
                      EXPECT_EQ(slabs_in_use(end), 1u);
                    });
  EXPECT_GT(all.explore(start(0)), 1u);
}

TEST_F(SlabInterleavings, OfThreeKeysForOneSlotTwoGoOnToTheNextSlab)
{
  Interleavings all({tiles_.insert(k, 10), tiles_.insert(other, 11), tiles_.insert(third, 12)},
                    [&](std::vector<Narrow::Word> const& end, std::vector<Result<Narrow>> const& results) {
                      tiles_.expect_valid(end);
                      EXPECT_EQ(count(results, Outcome::inserted), 3);
                      EXPECT_EQ(slabs_in_use(end), 1u);
                    });
  EXPECT_GT(all.explore(start(1)), 1u);
}

}  // namespace
}  // namespace slotscape
