#include "tests/engine/model.hpp"
#include "tests/engine/engine_fixture.hpp"
#include "tests/engine/repeated_keys.hpp"

#include <map>

namespace slotscape::testing {
namespace {

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
