#include "tests/engine/engine_fixture.hpp"

#include "gpu/base/error.hpp"
#include "gpu/tables/hash.hpp"

#include <set>

namespace slotscape::testing {
namespace {

class EdgesTest : public EngineTest {
protected:
  static Outcome insert(Engine& engine, Key key, Value value)
  {
    Outcome outcome{};
    engine.insert(std::span(&key, 1), std::span(&value, 1), std::span(&outcome, 1));
    return outcome;
  }
  static Outcome find(Engine& engine, Key key, Value& value)
  {
    Outcome outcome{};
    engine.find(std::span(&key, 1), std::span(&value, 1), std::span(&outcome, 1));
    return outcome;
  }
  static Outcome find(Engine& engine, Key key)
  {
    Value value{};
    return find(engine, key, value);
  }
  static Outcome erase(Engine& engine, Key key)
  {
    Outcome outcome{};
    engine.erase(std::span(&key, 1), std::span(&outcome, 1));
    return outcome;
  }
};

TEST_P(EdgesTest, TinyTablesFillToTheLastSlotAndBeyond)
{
  for (TableSettings const& table : linear_tables(16)) {
    SCOPED_TRACE(describe(table));
    std::mt19937 random(1);
    std::vector<Key> const keys = random_keys(40, random);
    auto const engine = make(table);
    for (Key i = 0; i < 16; ++i) { ASSERT_EQ(insert(*engine, keys[i], i), Outcome::inserted) << i; }
    for (Key i = 16; i < 40; ++i) { ASSERT_EQ(insert(*engine, keys[i], i), Outcome::full) << i; }
    for (Key i = 0; i < 16; ++i) {
      Value value{};
      ASSERT_EQ(find(*engine, keys[i], value), Outcome::found);
      ASSERT_EQ(value, i);
      ASSERT_EQ(insert(*engine, keys[i], i + 100), Outcome::updated) << "a full table still takes new values";
    }
    for (Key i = 16; i < 40; ++i) {
      ASSERT_EQ(find(*engine, keys[i]), Outcome::missing);
      ASSERT_EQ(erase(*engine, keys[i]), Outcome::missing);
    }
    expect_valid(*engine);
  }
}

TEST_P(EdgesTest, FullTablesTakeKeysAgainAfterAnErase)
{
  for (TableSettings const& table : linear_tables(16)) {
    SCOPED_TRACE(describe(table));
    bool const reuses = table.deletion == Deletion::tombstone_reuse;
    std::mt19937 random(2);
    std::vector<Key> const keys = random_keys(17, random);
    auto const engine = make(table);
    for (Key i = 0; i < 16; ++i) { insert(*engine, keys[i], i); }
    for (Key i = 0; i < 16; ++i) {
      ASSERT_EQ(erase(*engine, keys[i]), Outcome::erased);
      ASSERT_EQ(erase(*engine, keys[i]), Outcome::missing);
      ASSERT_EQ(find(*engine, keys[i]), Outcome::missing);
      ASSERT_EQ(insert(*engine, keys[16], 5), reuses ? Outcome::inserted : Outcome::full);
      ASSERT_EQ(erase(*engine, keys[16]), reuses ? Outcome::erased : Outcome::missing);
      ASSERT_EQ(insert(*engine, keys[i], i + 50), Outcome::inserted) << "its own slot, or a tombstone";
    }
    expect_valid(*engine);
    engine->erase(keys);
    EXPECT_TRUE(engine->pairs().empty());
    EXPECT_EQ(engine->statistics().tombstones, 16u);
    for (Key const key : keys) { ASSERT_EQ(find(*engine, key), Outcome::missing); }
    for (Key i = 0; i < 16; ++i) { ASSERT_EQ(insert(*engine, keys[i], i), Outcome::inserted); }
    expect_valid(*engine);
  }
}

TEST_P(EdgesTest, MoreKeysThanSlotsInOneBatch)
{
  for (TableSettings const& table : linear_tables(16)) {
    SCOPED_TRACE(describe(table));
    for (unsigned round = 0; round < 20; ++round) {
      std::mt19937 random(round);
      std::vector<Key> keys = random_keys(40, random);
      std::vector<Key> const distinct = keys;
      for (int copy = 0; copy < 3; ++copy) { keys.insert(keys.end(), distinct.begin(), distinct.end()); }
      auto const engine = make(table);
      std::vector<Outcome> outcomes(keys.size());
      Tally const tally = engine->insert(keys, random_values(keys.size(), random), outcomes);
      ASSERT_EQ(tally[Outcome::inserted], 16u);
      ASSERT_EQ(tally[Outcome::updated], 16u * 3) << "a key that found a place has it for all of its copies";
      ASSERT_EQ(tally[Outcome::full], 24u * 4);
      std::set<Key> placed;
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (outcomes[i] != Outcome::full) { placed.insert(keys[i]); }
      }
      std::vector<Key> const live = sorted_keys(*engine);
      ASSERT_EQ(std::vector<Key>(placed.begin(), placed.end()), live);
      expect_valid(*engine);
    }
  }
}

TEST_P(EdgesTest, ClustersWrapRoundTheEnd)
{
  for (TableSettings const& table : linear_tables(64)) {
    SCOPED_TRACE(describe(table));
    HasherOf<Narrow> const hasher{table.hash, 64};
    auto const engine = make(table);
    std::vector<Key> keys;
    for (std::uint32_t i = 0; i < 5; ++i) { keys.push_back(hasher.key_with_home(63, i)); }
    for (std::size_t i = 0; i < keys.size(); ++i) { ASSERT_EQ(insert(*engine, keys[i], 7), Outcome::inserted); }
    for (Slot i = 0; i < 5; ++i) {
      SlotInfo const info = engine->slot((63 + i) % 64);
      EXPECT_EQ(info.state, SlotState::live);
      EXPECT_EQ(info.pair, (Pair{keys[i], 7}));
      EXPECT_EQ(info.home, 63u);
      EXPECT_EQ(info.probe_length, i);
      Cluster const cluster = engine->cluster(info.slot);
      EXPECT_EQ(cluster.start, 63u);
      EXPECT_EQ(cluster.length, 5u);
    }
    EXPECT_EQ(engine->cluster(62).length, 0u);
    EXPECT_EQ(engine->cluster(4).length, 0u);
    Statistics const statistics = engine->statistics();
    EXPECT_EQ(statistics.clusters.count, 1u);
    EXPECT_EQ(statistics.clusters.max, 5u);
    EXPECT_EQ(statistics.probe_length.max, 4u);

    EXPECT_EQ(erase(*engine, keys[1]), Outcome::erased) << "in slot 0";
    for (Key const key : {keys[0], keys[2], keys[3], keys[4]}) { EXPECT_EQ(find(*engine, key), Outcome::found); }
    Key const next = hasher.key_with_home(63, 5);
    EXPECT_EQ(insert(*engine, next, 8), Outcome::inserted);
    Slot const expected = table.deletion == Deletion::tombstone_reuse ? 0 : 4;
    EXPECT_EQ(engine->slot(expected).pair.key, next);
    expect_valid(*engine);
  }
}

TEST_P(EdgesTest, ReservedValuesAreRefusedAndCounted)
{
  for (Deletion const deletion : deletions) {
    auto const engine = make({.slots = 64, .deletion = deletion});
    Key const last_key = largest_key(32);
    Value const last_value = largest_value(32);
    std::vector<Key> const keys{1, Narrow::empty_key, 2, Narrow::tombstone_key, 3, 0, last_key, Key{1} << 32, ~Key{0}};
    std::vector<Value> const values{10, 1, Narrow::empty_value, 1, 30, 0, last_value, 1, 1};
    std::vector<Outcome> outcomes(keys.size());
    using enum Outcome;
    EXPECT_EQ(engine->insert(keys, values, outcomes)[rejected], 5u);
    EXPECT_EQ(outcomes,
              (std::vector{inserted, rejected, rejected, rejected, inserted, inserted, inserted, rejected, rejected}));
    EXPECT_EQ(sorted_pairs(*engine), (std::vector<Pair>{{0, 0}, {1, 10}, {3, 30}, {last_key, last_value}}));

    std::vector<Value> found_values(keys.size());
    EXPECT_EQ(engine->find(keys, found_values, outcomes)[rejected], 4u);
    EXPECT_EQ(outcomes, (std::vector{found, rejected, missing, rejected, found, found, found, rejected, rejected}));
    EXPECT_EQ(found_values, (std::vector<Value>{10, empty_value, empty_value, empty_value, 30, 0, last_value,
                                                empty_value, empty_value}));

    EXPECT_EQ(engine->erase(keys, outcomes)[rejected], 4u);
    EXPECT_EQ(outcomes, (std::vector{erased, rejected, missing, rejected, erased, erased, erased, rejected, rejected}));
    EXPECT_EQ(engine->find(keys, {}, outcomes)[rejected], 4u) << "also with tombstones about";

    std::vector<Operation> const operations{Operation::insert, Operation::find, Operation::erase};
    std::vector<Key> const reserved{Narrow::empty_key, Narrow::tombstone_key, Narrow::empty_key};
    std::vector<Value> mixed_values{1, 1, 1};
    EXPECT_EQ(engine->mixed(operations, reserved, mixed_values)[rejected], 3u);
    EXPECT_TRUE(engine->pairs().empty());
  }
}

TEST_P(EdgesTest, AbsentKeysEndAtTheFirstEmptySlotAndFullTablesAreWalkedOnce)
{
  for (TableSettings const& table : linear_tables(16)) {
    SCOPED_TRACE(describe(table));
    HasherOf<Narrow> const hasher{table.hash, 16};
    auto const engine = make(table);
    for (std::uint32_t i = 0; i < 3; ++i) { insert(*engine, hasher.key_with_home(14, i), i); }
    ProbePath const miss = engine->probe_path(hasher.key_with_home(14, 9));
    EXPECT_EQ(miss.slots, (std::vector<Slot>{14, 15, 0, 1}));
    EXPECT_FALSE(miss.value);
    ProbePath const hit = engine->probe_path(hasher.key_with_home(14, 2));
    EXPECT_EQ(hit.slots, (std::vector<Slot>{14, 15, 0}));
    EXPECT_EQ(hit.value, 2u);
    for (std::uint32_t i = 3; i < 16; ++i) { insert(*engine, hasher.key_with_home(14, i), i); }
    EXPECT_EQ(engine->probe_path(hasher.key_with_home(14, 99)).slots.size(), 16u);
    EXPECT_EQ(engine->cluster(3).length, 16u);
  }
}

TEST_P(EdgesTest, BadSettingsAreExplained)
{
  EXPECT_THROW(make({.family = "quadratic", .slots = 1000}), Error);
  EXPECT_THROW(make({.family = "double_hashing", .slots = 1000}), Error);
  EXPECT_THROW(make({.key_bits = 48}), Error);
  EXPECT_THROW(make({.parameters = {{"no_such_parameter", 1}}}), Error);
  EXPECT_THROW(make({.slots = 3}), Error);
  EXPECT_THROW(make({.slots = 0}), Error);
  EXPECT_THROW(make({.slots = std::uint64_t{1} << 50}), Error);
  EXPECT_THROW(make({.family = "no_such_family"}), Error);
}

SLOTSCAPE_ON_EVERY_BACKEND(EdgesTest);

}  // namespace
}  // namespace slotscape::testing
