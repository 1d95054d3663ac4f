#include "tests/engine/engine_fixture.hpp"

#include <map>
#include <set>
#include <unordered_map>

namespace slotscape::testing {
namespace {

/// Runs batches on a table and on `std::unordered_map`, and compares what they answer.
class Model {
public:
  Model(Engine& engine, std::mt19937& random) : engine_{engine}, random_{random} {}

  void insert(std::span<Key const> keys)
  {
    std::vector<Value> const values = random_values(keys.size(), random_);
    std::vector<Outcome> outcomes(keys.size());
    Tally const tally = engine_.insert(keys, values, outcomes);
    std::vector<Outcome> expected;
    for (std::size_t i = 0; i < keys.size(); ++i) { expected.push_back(insert_one(keys[i], values[i])); }
    EXPECT_EQ(outcomes, expected);
    EXPECT_EQ(tally, tally_of(expected));
  }

  void find(std::span<Key const> keys)
  {
    std::vector<Value> values(keys.size());
    std::vector<Outcome> outcomes(keys.size());
    Tally const tally = engine_.find(keys, values, outcomes);
    std::vector<Value> expected_values;
    std::vector<Outcome> expected;
    for (Key const key : keys) {
      expected_values.push_back(value_of(key));
      expected.push_back(map_.contains(key) ? Outcome::found : Outcome::missing);
    }
    EXPECT_EQ(values, expected_values);
    EXPECT_EQ(outcomes, expected);
    EXPECT_EQ(tally, tally_of(expected));
  }

  void erase(std::span<Key const> keys)
  {
    std::vector<Outcome> outcomes(keys.size());
    Tally const tally = engine_.erase(keys, outcomes);
    std::vector<Outcome> expected;
    for (Key const key : keys) { expected.push_back(erase_one(key)); }
    EXPECT_EQ(outcomes, expected);
    EXPECT_EQ(tally, tally_of(expected));
  }

  void mixed(std::span<Key const> keys)
  {
    std::vector<Operation> operations(keys.size());
    std::vector<Value> values = random_values(keys.size(), random_);
    std::vector<Outcome> outcomes(keys.size());
    std::ranges::generate(operations, [&] { return static_cast<Operation>(random_() % 3); });
    std::vector<Value> const given = values;
    Tally const tally = engine_.mixed(operations, keys, values, outcomes);
    std::vector<Outcome> expected;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (operations[i] == Operation::insert) {
        expected.push_back(insert_one(keys[i], given[i]));
      } else if (operations[i] == Operation::find) {
        expected.push_back(map_.contains(keys[i]) ? Outcome::found : Outcome::missing);
        EXPECT_EQ(values[i], value_of(keys[i]));
      } else {
        expected.push_back(erase_one(keys[i]));
      }
    }
    EXPECT_EQ(outcomes, expected);
    EXPECT_EQ(tally, tally_of(expected));
  }

  void clear()
  {
    engine_.clear();
    map_.clear();
  }

  void rehash(std::uint64_t slots)
  {
    engine_.rehash(slots);
    EXPECT_EQ(engine_.table().slots, slots);
    EXPECT_EQ(engine_.statistics().tombstones, 0u);
  }

  void compare()
  {
    std::vector<Pair> expected;
    for (auto const& [key, value] : map_) { expected.push_back({key, value}); }
    std::ranges::sort(expected, {}, &Pair::key);
    EXPECT_EQ(sorted_pairs(engine_), expected);
    EXPECT_EQ(engine_.statistics().live, map_.size());
  }

private:
  Outcome insert_one(Key key, Value value)
  {
    return map_.insert_or_assign(key, value).second ? Outcome::inserted : Outcome::updated;
  }
  Outcome erase_one(Key key) { return map_.erase(key) == 1 ? Outcome::erased : Outcome::missing; }
  Value value_of(Key key) const
  {
    auto const found = map_.find(key);
    return found == map_.end() ? empty_value : found->second;
  }

  Engine& engine_;
  std::mt19937& random_;
  std::unordered_map<Key, Value> map_;
};

class ModelTest : public EngineTest {};

TEST_P(ModelTest, RandomHistoriesMatchUnorderedMap)
{
  for (TableSettings const& table : linear_tables(1024)) {
    SCOPED_TRACE(describe(table));
    std::mt19937 random(7);
    auto const engine = make(table);
    Model model(*engine, random);
    std::vector<Key> universe = random_keys(1000, random);  // never more keys than slots
    for (int batch = 0; batch < rounds(160); ++batch) {
      std::ranges::shuffle(universe, random);
      std::span<Key const> const keys(universe.data(), random() % 300);
      switch (random() % 10) {
        case 0:
        case 1:
        case 2: model.insert(keys); break;
        case 3:
        case 4: model.erase(keys); break;
        case 5: model.find(keys); break;
        case 6:
        case 7:
        case 8: model.mixed(keys); break;
        default: random() % 4 == 0 ? model.clear() : model.rehash(1024u << (random() % 3)); break;
      }
      model.compare();
      if (HasFailure()) { return; }
    }
  }
}

TEST_P(ModelTest, LargeBatchesMatchUnorderedMap)
{
  for (Deletion const deletion : deletions) {
    TableSettings const table{.slots = 1u << 17, .deletion = deletion};
    SCOPED_TRACE(describe(table));
    std::mt19937 random(8);
    auto const engine = make(table);
    Model model(*engine, random);
    std::vector<Key> universe = random_keys(120'000, random);
    std::span<Key const> const keys(universe);
    model.insert(keys.first(100'000));
    model.erase(keys.subspan(50'000, 60'000));
    model.find(keys);
    model.mixed(keys.subspan(20'000, 100'000));
    model.insert(keys.subspan(70'000));
    model.find(keys);
    model.compare();
  }
}

/// The keys of a batch, each several times over, in random order, with a different value each time.
struct RepeatedKeys {
  std::vector<Key> keys;
  std::vector<Value> values;

  RepeatedKeys(std::span<Key const> distinct, int copies, std::mt19937& random)
  {
    for (int i = 0; i < copies; ++i) { keys.insert(keys.end(), distinct.begin(), distinct.end()); }
    std::ranges::shuffle(keys, random);
    values.resize(keys.size());
    std::iota(values.begin(), values.end(), Value{1000});
  }

  bool gave(Pair const& pair) const { return keys.at(pair.value - 1000) == pair.key; }
};

TEST_P(ModelTest, OfDuplicatesInABatchExactlyOneSurvives)
{
  for (TableSettings const& table : linear_tables(4096)) {
    SCOPED_TRACE(describe(table));
    std::mt19937 random(9);
    auto const engine = make(table);
    std::vector<Key> const universe = random_keys(800, random);
    std::span<Key const> const distinct(universe);

    RepeatedKeys const first(distinct.first(500), 9, random);
    std::vector<Outcome> outcomes(first.keys.size());
    Tally const inserted = engine->insert(first.keys, first.values, outcomes);
    EXPECT_EQ(inserted[Outcome::inserted], 500u);
    EXPECT_EQ(inserted[Outcome::updated], 500u * 8);
    std::map<Key, int> insertions;
    for (std::size_t i = 0; i < outcomes.size(); ++i) { insertions[first.keys[i]] += outcomes[i] == Outcome::inserted; }
    for (auto const& [key, count] : insertions) { ASSERT_EQ(count, 1) << "key " << key; }
    for (Pair const& pair : sorted_pairs(*engine)) { ASSERT_TRUE(first.gave(pair)) << "key " << pair.key; }
    expect_valid(*engine);

    RepeatedKeys const second(distinct.subspan(300), 5, random);
    EXPECT_EQ(engine->find(second.keys)[Outcome::found], 200u * 5);
    Tally const erased = engine->erase(second.keys);
    EXPECT_EQ(erased[Outcome::erased], 200u);
    EXPECT_EQ(erased[Outcome::missing], 500u * 5 - 200u);
    Tally const again = engine->insert(second.keys, second.values);
    EXPECT_EQ(again[Outcome::inserted], 500u);
    EXPECT_EQ(again[Outcome::updated], 500u * 4);
    EXPECT_EQ(engine->pairs().size(), 800u);
    expect_valid(*engine);
  }
}

TEST_P(ModelTest, EmptyBatchesDoNothing)
{
  auto const engine = make({.slots = 16});
  EXPECT_EQ(engine->insert({}, {}), Tally{});
  EXPECT_EQ(engine->find({}), Tally{});
  EXPECT_EQ(engine->erase({}), Tally{});
  EXPECT_EQ(engine->mixed({}, {}, {}), Tally{});
  EXPECT_EQ(engine->run(BatchRequest::inserts(0)).count, 0u);
  EXPECT_TRUE(engine->pairs().empty());
}

SLOTSCAPE_ON_EVERY_BACKEND(ModelTest);

}  // namespace
}  // namespace slotscape::testing
