#include "tests/engine/engine_fixture.hpp"

namespace slotscape::testing {
namespace {

/// Many threads on the same few keys and slots. ThreadSanitizer cannot see into the thread pool's library, and so runs
/// the same table on threads of its own (tests/tables/threads_test.cpp).
class ContentionTest : public EngineTest {
protected:
  /// Each key so many times that threads meet at it: every thread runs through all of them in the same order.
  static std::vector<Key> repeated(std::span<Key const> keys, int times)
  {
    std::vector<Key> all;
    for (int i = 0; i < times; ++i) { all.insert(all.end(), keys.begin(), keys.end()); }
    return all;
  }
};

TEST_P(ContentionTest, InsertsOfTheSameKeysAmongTombstones)
{
  for (Deletion const deletion : deletions) {
    for (unsigned round = 0; round < static_cast<unsigned>(rounds(60)); ++round) {
      std::mt19937 random(round);
      auto const engine = make({.slots = 1024, .deletion = deletion});
      std::vector<Key> const keys = random_keys(900, random);
      std::span<Key const> const all(keys);
      engine->insert(all.first(800), random_values(800, random));
      engine->erase(all.first(500));
      std::size_t const new_keys = 100;
      std::size_t const erased = 64;
      std::size_t const stored = 64;
      std::vector<Key> batch(keys.begin() + 800, keys.end());
      batch.insert(batch.end(), keys.begin(), keys.begin() + erased);
      batch.insert(batch.end(), keys.begin() + 500, keys.begin() + 500 + stored);
      std::ranges::shuffle(batch, random);
      std::vector<Key> const copies = repeated(batch, 40);
      Tally const tally = engine->insert(copies, random_values(copies.size(), random));
      ASSERT_EQ(tally[Outcome::inserted], new_keys + erased);
      ASSERT_EQ(tally[Outcome::updated], copies.size() - new_keys - erased);
      ASSERT_EQ(engine->pairs().size(), 300 + new_keys + erased);
      expect_valid(*engine);
      if (HasFailure()) { return; }
    }
  }
}

TEST_P(ContentionTest, InsertsIntoTheLastSlots)
{
  for (Deletion const deletion : deletions) {
    for (unsigned round = 0; round < static_cast<unsigned>(rounds(60)); ++round) {
      std::mt19937 random(round);
      auto const engine = make({.slots = 64, .deletion = deletion});
      std::vector<Key> const keys = random_keys(200, random);
      engine->insert(std::span(keys).first(60), random_values(60, random));
      engine->erase(std::span(keys).first(30));
      std::vector<Key> const copies = repeated(std::span(keys).subspan(60), 30);
      std::uint64_t const free = deletion == Deletion::tombstone_reuse ? 34 : 4;
      Tally const tally = engine->insert(copies, random_values(copies.size(), random));
      ASSERT_EQ(tally[Outcome::inserted], free);
      ASSERT_EQ(tally[Outcome::updated], free * 29);
      ASSERT_EQ(tally[Outcome::full], (140 - free) * 30);
      expect_valid(*engine);
      if (HasFailure()) { return; }
    }
  }
}

TEST_P(ContentionTest, ErasesOfTheSameKeys)
{
  for (Deletion const deletion : deletions) {
    for (unsigned round = 0; round < static_cast<unsigned>(rounds(40)); ++round) {
      std::mt19937 random(round);
      auto const engine = make({.slots = 256, .deletion = deletion});
      std::vector<Key> const keys = random_keys(200, random);
      engine->insert(keys, random_values(200, random));
      std::vector<Key> const copies = repeated(std::span(keys).first(90), 40);
      Tally const tally = engine->erase(copies);
      ASSERT_EQ(tally[Outcome::erased], 90u);
      ASSERT_EQ(tally[Outcome::missing], copies.size() - 90);
      ASSERT_EQ(engine->pairs().size(), 110u);
      expect_valid(*engine);
    }
  }
}

TEST_P(ContentionTest, MixedBatchesOfTheSameKeys)
{
  for (Deletion const deletion : deletions) {
    std::mt19937 random(21);
    auto const engine = make({.slots = 512, .deletion = deletion});
    std::vector<Key> const keys = random_keys(450, random);
    std::uint64_t live = 0;
    for (int round = 0; round < rounds(80); ++round) {
      std::size_t const count = 4000;
      std::vector<Key> batch(count);
      std::vector<Operation> operations(count);
      std::size_t const few = 1 + random() % keys.size();
      std::ranges::generate(batch, [&] { return keys[random() % few]; });
      std::ranges::generate(operations, [&] { return static_cast<Operation>(random() % 3); });
      std::vector<Value> values = random_values(count, random);
      std::vector<Outcome> outcomes(count);
      Tally const tally = engine->mixed(operations, batch, values, outcomes);
      live += tally[Outcome::inserted];
      live -= tally[Outcome::erased];
      ASSERT_EQ(tally, tally_of(outcomes));
      ASSERT_EQ(tally[Outcome::full], 0u);
      ASSERT_EQ(engine->pairs().size(), live);
      expect_valid(*engine);
      if (HasFailure()) { return; }
    }
  }
}

TEST_P(ContentionTest, RecordingChangesDisturbsNothing)
{
  auto const engine = make({.slots = 1024});
  engine->record_recent(true);
  engine->set_keys({}, 3);
  engine->run(BatchRequest::inserts(500));
  for (int i = 0; i < rounds(40); ++i) {
    engine->run({.count = 4000, .insert = 0.05, .find = 0.9, .erase = 0.05});
    engine->analyse({.fade = 8}, {});
    engine->rehash(1024);  // as erased keys keep their slots
  }
  expect_valid(*engine);
}

SLOTSCAPE_ON_EVERY_BACKEND(ContentionTest);

}  // namespace
}  // namespace slotscape::testing
