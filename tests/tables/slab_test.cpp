// What slab tables promise besides what all tables of chains do (chains_test.cpp): slots that are free again once
// erased.

#include "gpu/tables/slab.hpp"
#include "tests/tables/tile_operations.hpp"

#include <gtest/gtest.h>

namespace slotscape::slab_tests {
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
}  // namespace slotscape::slab_tests
