#include "tests/engine/engine_fixture.hpp"

#include "gpu/base/error.hpp"
#include "gpu/tables/hash_formula.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace slotscape::testing {
namespace {

using ::testing::HasSubstr;

HashChoice formula(std::string const& text, HashReduction reduction = HashReduction::usual)
{
  HashChoice choice(parse_hash_formula(text));
  choice.reduction = reduction;
  return choice;
}

class FormulaHashTest : public EngineTest {};
SLOTSCAPE_ON_EVERY_BACKEND(FormulaHashTest);

/// 15 and 26 have the home 9, and 1 has 10, where 26 is by then.
TEST_P(FormulaHashTest, PutsKeysWhereTheFormulaSays)
{
  auto const engine = make({.slots = 11, .hash = formula("(7*k + 3) % 11")});
  for (Key const key : {15u, 26u, 1u, 2u}) { engine->insert(std::vector<Key>{key}, std::vector<Value>{1}); }
  std::vector<SlotInfo> const slots = all_slots(*engine);
  EXPECT_EQ(slots[9].pair.key, 15u);
  EXPECT_EQ(slots[10].pair.key, 26u);
  EXPECT_EQ(slots[0].pair.key, 1u);
  EXPECT_EQ(slots[6].pair.key, 2u);
  expect_valid(*engine);
}

TEST_P(FormulaHashTest, HomesAreThoseOfTheHostsEvaluator)
{
  for (int const key_bits : {32, 64}) {
    for (ReadyFormula const& ready : ready_formulas()) {
      for (HashReduction const reduction : {HashReduction::usual, HashReduction::mask, HashReduction::prime}) {
        HashChoice const hash = formula(std::string(ready.name), reduction);
        auto const engine = make({.slots = 1024, .hash = hash, .key_bits = key_bits});
        std::mt19937 random(3);
        std::vector<Key> const keys = random_keys(500, random, key_bits);
        engine->insert(keys, random_values(500, random, key_bits));
        FormulaHasher<std::uint64_t> const wide(hash, 1024);
        FormulaHasher<std::uint32_t> const narrow(hash, 1024);
        for (SlotInfo const& slot : all_slots(*engine)) {
          if (slot.state != SlotState::live) { continue; }
          Slot const home =
              key_bits == 64 ? wide.home(slot.pair.key) : narrow.home(static_cast<std::uint32_t>(slot.pair.key));
          ASSERT_EQ(slot.home, home) << ready.name << " of " << slot.pair.key;
        }
        expect_valid(*engine);
      }
    }
  }
}

TEST_P(FormulaHashTest, SetsTakeFormulas)
{
  for (std::string const family : {"linear_probing", "simple_hash", "double_hashing", "quadratic"}) {
    for (int const key_bits : {32, 64}) {
      SCOPED_TRACE(family + ", " + std::to_string(key_bits));
      HashChoice const hash = formula("boost", HashReduction::mask);
      auto const engine = make({.family = family,
                                .slots = 1024,
                                .deletion = Deletion::tombstone_reuse,
                                .hash = hash,
                                .key_bits = key_bits,
                                .keys_only = true});
      std::mt19937 random(4);
      std::vector<Key> const keys = random_keys(600, random, key_bits);
      EXPECT_EQ(engine->insert(keys, std::vector<Value>(keys.size()))[Outcome::inserted], keys.size());
      EXPECT_EQ(engine->find(keys)[Outcome::found], keys.size());
      FormulaHasher<std::uint64_t> const wide(hash, 1024);
      FormulaHasher<std::uint32_t> const narrow(hash, 1024);
      for (SlotInfo const& slot : all_slots(*engine)) {
        if (slot.state != SlotState::live) { continue; }
        auto const key = slot.pair.key;
        ASSERT_EQ(slot.home, key_bits == 64 ? wide.home(key) : narrow.home(static_cast<std::uint32_t>(key)));
      }
      expect_valid(*engine);
    }
  }
}

TEST_P(FormulaHashTest, FollowsTheSizeOfTheTable)
{
  auto const engine = make({.slots = 64, .hash = formula("floor(m * frac(0.6180339887 * k))")});
  std::vector<Key> keys;
  for (Key key = 1; key <= 40; ++key) { keys.push_back(key); }
  engine->insert(keys, std::vector<Value>(40, 7));
  engine->rehash(256);
  FormulaHasher<std::uint32_t> const hasher(engine->table().hash, 256);
  for (SlotInfo const& slot : all_slots(*engine)) {
    if (slot.state == SlotState::live) { EXPECT_EQ(slot.home, hasher.home(static_cast<std::uint32_t>(slot.pair.key))); }
  }
  expect_valid(*engine);
}

/// Chaining by the division method, as textbooks begin: 28, 19 and 10 share the head 1 of 9.
TEST_P(FormulaHashTest, LeadsToTheHeadsOfChains)
{
  auto const engine = make({.family = "separate_chaining", .slots = 9, .hash = formula("k % m")});
  for (Key const key : {5u, 28u, 19u, 15u, 20u, 33u, 12u, 17u, 10u}) {
    engine->insert(std::vector<Key>{key}, std::vector<Value>{1});
  }
  std::vector<std::size_t> keys_of_heads(9);
  for (SlotInfo const& slot : all_slots(*engine)) {
    if (slot.state == SlotState::live) { ++keys_of_heads[slot.home]; }
  }
  EXPECT_THAT(keys_of_heads, ::testing::ElementsAre(0, 3, 1, 1, 0, 1, 2, 0, 1));  // CLRS, exercise 11.2-2
  expect_valid(*engine);
}

TEST_P(FormulaHashTest, StepModeShowsEachValue)
{
  auto const engine = make({.slots = 11, .hash = formula("(7*k + 3) % 11")});
  Trace const trace = engine->trace(Operation::insert, 15, 1);
  ASSERT_FALSE(trace.steps.empty());
  EXPECT_THAT(trace.steps.front().text, HasSubstr("15 hashes to slot 9: 7 · 15 + 3 = 108; 108 mod 11 = 9."));
}

TEST_P(FormulaHashTest, RefusesWhatItCannotDo)
{
  auto const why = [&](TableSettings const& table, KeySettings const& keys = {}) {
    try {
      make(table)->set_keys(keys, 1);
    } catch (Error const& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(why({.slots = 100, .hash = formula("k", HashReduction::mask)}), HasSubstr("must be a power of two"));
  KeySettings aimed;
  aimed.distribution = KeyDistribution::one_home;
  EXPECT_THAT(why({.slots = 64, .hash = formula("k")}, aimed), HasSubstr("a hash that runs backwards"));
}

}  // namespace
}  // namespace slotscape::testing
