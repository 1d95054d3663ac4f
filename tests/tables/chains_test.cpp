// What all tables of chains promise alike: chains grow from the pool until it is exhausted, a key's measure says what a
// lookup of it reads, and threads that extend one chain take one node.

#include "gpu/tables/gel_hash.hpp"
#include "gpu/tables/slab.hpp"
#include "tests/tables/tile_operations.hpp"

#include <gtest/gtest.h>

#include <set>

namespace slotscape::chains_tests {
namespace {

template <class Chained>
class ChainedTables : public ::testing::Test {
protected:
  static constexpr std::uint64_t pairs_per_node = Chained::size - 1;  // and a link
  /// Of two ways to delete, the one after which slots can be used again.
  static constexpr bool has_tombstones = Chained::info.deletes_two_ways;

  static TableSettings table_of(std::uint64_t slots, std::uint32_t pool, HashKind hash = HashKind::murmur3)
  {
    return {.family = std::string(Chained::info.name),
            .slots = slots,
            .deletion = has_tombstones ? Deletion::tombstone_reuse : Deletion::empty_value,
            .hash = hash,
            .parameters = {{"pool", pool}}};
  }
  static auto layout_of(TableSettings const& with) { return Chained::template layout<Narrow>(with); }
};

struct ChainedNames {
  template <class Chained>
  static std::string GetName(int)
  {
    return std::string(Chained::info.name);
  }
};
using ChainedFamilies = ::testing::Types<Slab, GelHash>;
TYPED_TEST_SUITE(ChainedTables, ChainedFamilies, ChainedNames);

TYPED_TEST(ChainedTables, EveryChainIsTheHomeOfSomeKeys)
{
  for (std::uint64_t const slots : {std::uint64_t{2} * TypeParam::size, std::uint64_t{1008}, std::uint64_t{4800}}) {
    auto const with = this->layout_of(this->table_of(slots, 100, HashKind::identity));
    std::set<Slot> homes;
    for (Narrow::Key key = 0; key < slots; ++key) { homes.insert(with.home(key)); }
    EXPECT_EQ(homes.size(), with.buckets);
    EXPECT_EQ(*homes.rbegin(), (with.buckets - 1) * TypeParam::size);
  }
}

TYPED_TEST(ChainedTables, ALookupReadsANodeForEachThatItsMeasureCounts)
{
  for (std::uint32_t const pool : TypeParam::pool_choices) {
    auto const engine = make_engine(Backend::cpu, this->table_of(4096, pool));
    engine->run(BatchRequest::inserts(4096 / 2));
    std::uint32_t longest = 0;
    for (Pair const& pair : engine->pairs()) {
      Trace const trace = engine->trace(Operation::find, pair.key, 0);
      auto const& seen = trace.steps.back().seen;
      auto const own =
          std::ranges::find_if(seen, [&](SlotInfo const& slot) { return slot.has_key && slot.pair.key == pair.key; });
      ASSERT_NE(own, seen.end());
      ASSERT_EQ(trace.steps.size(), own->probe_length + 1);
      longest = std::max(longest, own->probe_length);
    }
    EXPECT_GT(longest, 0u);
    Statistics const statistics = engine->statistics();
    EXPECT_EQ(statistics.probe_length.max, longest);
    EXPECT_EQ(statistics.groups.count, this->layout_of(engine->table()).buckets);
    EXPECT_EQ(statistics.groups.max, longest + 1);
  }
}

TYPED_TEST(ChainedTables, OneChainTakesThePoolUntilItIsExhausted)
{
  for (std::uint32_t const pool : TypeParam::pool_choices) {
    auto const engine = make_engine(Backend::cpu, this->table_of(100 * TypeParam::size, pool));
    std::uint64_t const nodes = 1 + this->layout_of(engine->table()).pool;
    std::uint64_t const room = this->pairs_per_node * nodes;
    KeySettings one_home;
    one_home.distribution = KeyDistribution::one_home;
    engine->set_keys(one_home, 1);
    BatchReport const filled = engine->run(BatchRequest::inserts(room + 100));
    EXPECT_EQ(filled.outcomes[Outcome::inserted], room);
    EXPECT_EQ(filled.outcomes[Outcome::full], 100u);
    EXPECT_EQ(engine->check_invariants(), "");
    EXPECT_EQ(engine->statistics().groups.max, nodes);

    EXPECT_EQ(engine->run(BatchRequest::erases(40)).outcomes[Outcome::erased], 40u);
    EXPECT_EQ(engine->statistics().live, room - 40);
    EXPECT_EQ(engine->statistics().tombstones, this->has_tombstones ? 40u : 0u);
    BatchReport const refilled = engine->run(BatchRequest::inserts(60));
    EXPECT_EQ(refilled.outcomes[Outcome::inserted], 40u);
    EXPECT_EQ(refilled.outcomes[Outcome::full], 20u);
    EXPECT_EQ(engine->statistics().tombstones, 0u);
    EXPECT_EQ(engine->check_invariants(), "");
  }
}

/// In every order of their accesses, in a table of two chains and a pool of two: the first node is full.
TYPED_TEST(ChainedTables, TwoKeysThatExtendOneChainTakeOneNode)
{
  constexpr Slot slots = 4 * TypeParam::size;
  TileOperations<TypeParam, TypeParam::size> const tiles{this->table_of(slots, 100, HashKind::identity)};
  std::map<Slot, Narrow::Word> words;
  for (Slot slot = 0; slot < this->pairs_per_node; ++slot) { words[slot] = pack(slots * (20 + slot), 1u); }
  Interleavings all({tiles.insert(slots * 3, 10), tiles.insert(slots * 7, 11)},
                    [&](std::vector<Narrow::Word> const& end, std::vector<Result<Narrow>> const& results) {
                      tiles.expect_valid(end);
                      EXPECT_EQ(count(results, Outcome::inserted), 2);
                      auto const owners = end.begin() + static_cast<std::ptrdiff_t>(tiles.layout.slots());
                      EXPECT_EQ(std::count_if(owners, end.end(), [](Narrow::Word owner) { return owner != 0; }), 1);
                    });
  EXPECT_GT(all.explore(tiles.memory(words, tiles.layout.metadata())), 1u);
}

}  // namespace
}  // namespace slotscape::chains_tests
