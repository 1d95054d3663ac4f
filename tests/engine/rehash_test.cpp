#include "tests/engine/engine_fixture.hpp"

#include "gpu/base/error.hpp"

namespace slotscape::testing {
namespace {

class RehashTest : public EngineTest {
protected:
  /// A table of 4096 slots with 1500 live keys and 1000 tombstones.
  static std::unique_ptr<Engine> make_used(TableSettings table)
  {
    table.slots = 4096;
    auto engine = make(table);
    std::mt19937 random(3);
    std::vector<Key> const keys = random_keys(2500, random);
    engine->insert(keys, random_values(keys.size(), random));
    engine->erase(std::span(keys).first(1000));
    return engine;
  }
};

TEST_P(RehashTest, KeepsThePairsAndDropsTheTombstones)
{
  for (TableSettings const& table : linear_tables(4096)) {
    SCOPED_TRACE(describe(table));
    for (std::uint64_t const slots : {2000u, 2048u, 4096u, 5000u, 8192u, 65536u}) {
      auto const engine = make_used(table);
      std::vector<Pair> const before = sorted_pairs(*engine);
      ASSERT_EQ(engine->statistics().tombstones, 1000u);
      engine->rehash(slots);
      EXPECT_EQ(engine->table().slots, slots);
      EXPECT_EQ(sorted_pairs(*engine), before);
      Statistics const after = engine->statistics();
      EXPECT_EQ(after.slots, slots);
      EXPECT_EQ(after.live, 1500u);
      EXPECT_EQ(after.tombstones, 0u);
      expect_valid(*engine);
    }
  }
}

TEST_P(RehashTest, FillsTheNewTableToTheLastSlot)
{
  auto const engine = make({.slots = 64});
  std::mt19937 random(4);
  std::vector<Key> const keys = random_keys(16, random);
  engine->insert(keys, random_values(16, random));
  std::vector<Pair> const before = sorted_pairs(*engine);
  engine->rehash(16);
  EXPECT_EQ(sorted_pairs(*engine), before);
  EXPECT_EQ(engine->statistics().clusters.max, 16u);
}

TEST_P(RehashTest, RefusesWhatIsTooSmallOrNoTable)
{
  for (Deletion const deletion : deletions) {
    auto const engine = make_used({.deletion = deletion});
    std::vector<Pair> const before = sorted_pairs(*engine);
    for (std::uint64_t const slots :
         {std::uint64_t{1024}, std::uint64_t{16}, std::uint64_t{0}, std::uint64_t{1} << 50}) {
      EXPECT_THROW(engine->rehash(slots), Error) << slots;
      EXPECT_EQ(engine->table().slots, 4096u);
      EXPECT_EQ(sorted_pairs(*engine), before);
      EXPECT_EQ(engine->statistics().tombstones, 1000u);
    }
    engine->rehash(2048);
    EXPECT_EQ(sorted_pairs(*engine), before);
  }
  auto const quadratic = make_used({.family = "quadratic"});
  EXPECT_THROW(quadratic->rehash(5000), Error);
  EXPECT_EQ(quadratic->table().slots, 4096u);
}

/// Families that store buckets round up: what counts is how many slots a table really has.
TEST_P(RehashTest, TheSlotsAskedForAreRoundedAsTheyWereWhenTheTableWasMade)
{
  for (std::string const& family : family_names()) {
    for (std::uint64_t const asked : {16u, 17u, 31u, 53u, 100u, 577u, 1000u, 4099u}) {
      if (!suits(family_info(family).slot_counts, asked)) { continue; }
      SCOPED_TRACE(family + ", " + std::to_string(asked));
      auto const engine = make({.family = family, .slots = asked});
      std::uint64_t const slots = engine->table().slots;
      std::mt19937 random(7);
      std::vector<Key> const keys = random_keys(slots * 3 / 10, random);
      engine->insert(keys, random_values(keys.size(), random));
      std::vector<Pair> const before = sorted_pairs(*engine);
      engine->rehash(asked);
      EXPECT_EQ(engine->table().slots, slots);
      EXPECT_EQ(sorted_pairs(*engine), before);
      engine->rehash(slots);
      EXPECT_EQ(engine->table().slots, slots);
      EXPECT_EQ(sorted_pairs(*engine), before);
      expect_valid(*engine);
    }
  }
}

TEST_P(RehashTest, ARefusalNamesTheSlotsThatTheTableWouldHave)
{
  auto const engine = make({.family = "two_level_cuckoo", .slots = 2000});
  std::mt19937 random(8);
  std::vector<Key> const keys = random_keys(1000, random);
  engine->insert(keys, random_values(keys.size(), random));
  std::uint64_t const smallest = make({.family = "two_level_cuckoo", .slots = 16})->table().slots;
  ASSERT_LT(smallest, 1000u);
  try {
    engine->rehash(16);
    FAIL() << "1000 keys in " << smallest << " slots";
  } catch (Error const& error) {
    EXPECT_NE(std::string(error.what()).find("1000 live keys do not fit in " + std::to_string(smallest) + " slots"),
              std::string::npos)
        << error.what();
  }
  EXPECT_EQ(engine->pairs().size(), 1000u);
}

TEST_P(RehashTest, LeavesTheOldTableWhereItIsCancelled)
{
  std::uint64_t const slots = GetParam() == Backend::cuda ? 1u << 26 : 1u << 21;  // several steps' worth
  auto const engine = make({.slots = slots});
  engine->set_keys({}, 5);
  std::uint64_t inserted = 0;
  while (inserted < 1'000'000) { inserted += engine->run(BatchRequest::inserts(250'000)).outcomes[Outcome::inserted]; }
  engine->rehash_begin(2 * slots);
  engine->rehash_step();
  EXPECT_GT(engine->rehash_progress(), 0.0);
  EXPECT_EQ(engine->table().slots, slots) << "the old table serves until the end";
  EXPECT_EQ(engine->statistics().live, inserted);
  engine->rehash_cancel();
  EXPECT_EQ(engine->table().slots, slots);
  EXPECT_EQ(engine->statistics().live, inserted);
  engine->rehash(2 * slots);
  EXPECT_EQ(engine->table().slots, 2 * slots);
  EXPECT_EQ(engine->statistics().live, inserted);
}

TEST_P(RehashTest, GeneratedBatchesGoOnAfterIt)
{
  for (Deletion const deletion : deletions) {
    auto const engine = make({.slots = 4096, .deletion = deletion});
    engine->set_keys({}, 6);
    engine->run(BatchRequest::inserts(2000));
    engine->rehash(8192);
    EXPECT_EQ(engine->run(BatchRequest::finds(1000, KeyChoice::hits)).outcomes[Outcome::found], 1000u);
    EXPECT_EQ(engine->run(BatchRequest::erases(1500)).outcomes[Outcome::erased], 1500u);
    EXPECT_EQ(engine->run(BatchRequest::inserts(3000)).outcomes[Outcome::inserted], 3000u);
    EXPECT_EQ(engine->pairs().size(), 3500u);
  }
}

SLOTSCAPE_ON_EVERY_BACKEND(RehashTest);

}  // namespace
}  // namespace slotscape::testing
