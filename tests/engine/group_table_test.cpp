// Groups of operations that take effect together, and who executes those that do not come in groups.

#include "tests/engine/conformance.hpp"

#include "gpu/engine/level_choice.hpp"
#include "gpu/tables/gel_hash.hpp"
#include "gpu/tables/slab.hpp"
#include "tests/engine/repeated_keys.hpp"

#include <map>

namespace slotscape::testing {
namespace {

static_assert(TakesGroups<GelHash> && !TakesGroups<Slab>);

class GroupTableTest : public EngineTest {
protected:
  static TableSettings in_groups(std::uint64_t slots, int key_bits = 32)
  {
    return {.family = "gel_hash", .slots = slots, .key_bits = key_bits, .parameters = {{"groups", 1}}};
  }
};

struct Operations {
  std::vector<Operation> kinds;
  std::vector<Key> keys;
  std::vector<Value> values;
  std::size_t size() const { return keys.size(); }
};

/// Any operations on any of the keys.
Operations random_operations(std::span<Key const> keys, std::size_t count, std::mt19937& random)
{
  Operations all;
  for (std::size_t i = 0; i < count; ++i) {
    all.kinds.push_back(static_cast<Operation>(random() % 3));
    all.keys.push_back(keys[random() % keys.size()]);
    all.values.push_back(random() >> 1);
  }
  return all;
}

/// What one thread makes of them, in their order: outcomes, and the values that are found.
void expect_in_order(std::map<Key, Value>& model, Operations const& given, std::span<Value const> values,
                     std::span<Outcome const> outcomes)
{
  for (std::size_t i = 0; i < given.size(); ++i) {
    auto const pair = model.find(given.keys[i]);
    bool const there = pair != model.end();
    switch (given.kinds[i]) {
      case Operation::insert:
        ASSERT_EQ(outcomes[i], there ? Outcome::updated : Outcome::inserted) << i;
        model[given.keys[i]] = given.values[i];
        break;
      case Operation::find:
        ASSERT_EQ(outcomes[i], there ? Outcome::found : Outcome::missing) << i;
        ASSERT_EQ(values[i], there ? pair->second : empty_value) << i;
        break;
      case Operation::erase:
        ASSERT_EQ(outcomes[i], there ? Outcome::erased : Outcome::missing) << i;
        if (there) { model.erase(pair); }
        break;
    }
  }
}

/// Few keys, so that operations on one meet everywhere, and many.
TEST_P(GroupTableTest, ABatchTakesEffectInItsOrder)
{
  for (int const bits : {32, 64}) {
    for (std::size_t const distinct : {1u, 3u, 200u, 1000u}) {
      SCOPED_TRACE(distinct);
      std::mt19937 random(static_cast<unsigned>(distinct));
      auto const engine = make(in_groups(4096, bits));
      std::vector<Key> const keys = random_keys(distinct, random, bits);
      std::map<Key, Value> model;
      for (int round = 0; round < 4; ++round) {
        Operations const given = random_operations(keys, 20000, random);
        std::vector<Value> values = given.values;
        std::vector<Outcome> outcomes(given.size());
        engine->mixed(given.kinds, given.keys, values, outcomes);
        expect_in_order(model, given, values, outcomes);
        if (HasFatalFailure()) { return; }
        ASSERT_EQ(engine->pairs().size(), model.size());
        ASSERT_EQ(engine->check_invariants(), "");
      }
    }
  }
}

/// Transactions: one writes the same value to two accounts, another reads both. Whatever runs at once, a reader never
/// sees one of them changed and the other not yet.
TEST_P(GroupTableTest, TwoKeysThatAreWrittenTogetherAreNeverSeenApart)
{
  std::mt19937 random(5);
  auto const engine = make(in_groups(4096));
  std::vector<Key> const keys = random_keys(16, random);
  Operations given;
  for (std::size_t group = 0; group < 30000; ++group) {
    std::size_t const account = random() % 8;
    Operation const kind = random() % 2 == 0 ? Operation::insert : Operation::find;
    for (std::size_t const half : {0u, 1u}) {
      given.kinds.push_back(kind);
      given.keys.push_back(keys[2 * account + half]);
      given.values.push_back(group);
    }
  }
  std::vector<Value> values = given.values;
  engine->mixed(given.kinds, given.keys, values);
  std::size_t read = 0;
  for (std::size_t i = 0; i < given.size(); i += 2) {
    if (given.kinds[i] != Operation::find) { continue; }
    ASSERT_EQ(values[i], values[i + 1]) << "group " << i / 2;
    read += values[i] != empty_value ? 1 : 0;
  }
  EXPECT_GT(read, 10000u);
}

/// All threads of a device meet at one key, or in one list: a batch must end, and soon.
TEST_P(GroupTableTest, BatchesOfOneHotKeyEnd)
{
  std::size_t const count = crowd(GetParam(), 1u << 16);
  for (std::uint32_t const groups : {0u, 1u}) {
    for (std::uint32_t const level : GelHash::level_choices) {
      SCOPED_TRACE(level);
      TableSettings table = in_groups(1024);
      table.parameters = {{"groups", groups}, {"execution", level}};
      auto const engine = make(table);
      std::vector<Key> const keys(count, 5);
      std::vector<Value> values(count);
      std::iota(values.begin(), values.end(), Value{0});
      Tally const tally = engine->insert(keys, values);
      EXPECT_EQ(tally[Outcome::inserted], 1u);
      EXPECT_EQ(tally[Outcome::updated], count - 1);
      if (groups != 0) { EXPECT_EQ(engine->pairs(), (std::vector{Pair{5, count - 1}})) << "the last one wins"; }
      EXPECT_EQ(engine->find(keys)[Outcome::found], count);
      EXPECT_EQ(engine->erase(keys)[Outcome::erased], 1u);
    }
  }
}

TEST_P(GroupTableTest, BatchesOfOneListEnd)
{
  for (std::uint32_t const groups : {0u, 1u}) {
    for (std::uint32_t const level : GelHash::level_choices) {
      TableSettings table = in_groups(4096);
      table.parameters = {{"groups", groups}, {"execution", level}};
      auto const engine = make(table);
      KeySettings one_home;
      one_home.distribution = KeyDistribution::one_home;
      engine->set_keys(one_home, 1);
      constexpr std::uint64_t room = 1799;  // 7 · 257
      Tally const tally = engine->run(BatchRequest::inserts(3000)).outcomes;
      EXPECT_EQ(tally[Outcome::inserted], room);
      EXPECT_EQ(tally[Outcome::full], 3000 - room);
      EXPECT_EQ(engine->check_invariants(), "");
    }
  }
}

/// Where values are combined, each kind has its phase, and a hot key is counted exactly.
TEST_P(GroupTableTest, GroupsCountAHotKeyExactly)
{
  TableSettings table = in_groups(1024);
  table.combine = Combine::add;
  auto const engine = make(table);
  std::vector<Key> const keys(1u << 17, 5);
  engine->insert(keys, std::vector<Value>(keys.size(), 1));
  EXPECT_EQ(engine->pairs(), (std::vector{Pair{5, keys.size()}}));
}

SLOTSCAPE_ON_EVERY_BACKEND(GroupTableTest);

// --- Who executes the operations.

constexpr OperationMask finds = OperationMask::finds;
constexpr OperationMask inserts = OperationMask::inserts;
constexpr std::uint64_t many = LevelChoice::min_learned;
using enum ExecutionLevel;

/// Runs batches on a device on which an operation takes these times, and says how many were measured.
int measured_batches(LevelChoice& choice, OperationMask kinds, std::uint64_t count, std::uint32_t batches,
                     double thread_time, double warp_time)
{
  int measured = 0;
  for (std::uint32_t i = 0; i < batches; ++i) {
    std::uint64_t const part = choice.to_measure(kinds, count);
    EXPECT_LE(4 * part, count);
    if (part == 0) { continue; }
    choice.learn(kinds, count, thread_time, warp_time);
    ++measured;
  }
  return measured;
}

TEST(LevelChoice, TheWantedLevelIsTaken)
{
  for (ExecutionLevel const wanted : {thread, warp}) {
    LevelChoice choice(wanted);
    EXPECT_EQ(choice.to_measure(finds, many), 0u);
    EXPECT_EQ(choice.level(finds), wanted);
  }
}

TEST(LevelChoice, TheFasterLevelRunsAfterOneMeasurement)
{
  LevelChoice choice(adaptive);
  EXPECT_EQ(choice.level(finds), warp);
  EXPECT_EQ(measured_batches(choice, finds, many, 20, 1e-9, 2e-9), 1);
  EXPECT_EQ(choice.level(finds), thread);
  measured_batches(choice, inserts, many, 20, 2e-9, 1e-9);
  EXPECT_EQ(choice.level(inserts), warp) << "each kind by itself";
  EXPECT_EQ(choice.level(finds), thread);
}

TEST(LevelChoice, ALittleFasterIsNotEnough)
{
  LevelChoice choice(adaptive);
  measured_batches(choice, finds, many, 1, 1.00e-9, 1.04e-9);
  EXPECT_EQ(choice.level(finds), warp);
}

TEST(LevelChoice, SmallBatchesTeachNothing)
{
  LevelChoice choice(adaptive);
  EXPECT_EQ(measured_batches(choice, finds, many - 1, 1000, 1e-9, 2e-9), 0);
}

/// Small batches wait for the start of a kernel, whoever executes them.
TEST(LevelChoice, WhatSmallBatchesTaughtDoesNotHoldForLargeOnes)
{
  LevelChoice choice(adaptive);
  measured_batches(choice, finds, many, 1, 1e-9, 2e-9);
  EXPECT_EQ(choice.level(finds), thread);
  EXPECT_EQ(measured_batches(choice, finds, 3 * many, 1, 2e-9, 1e-9), 0);
  EXPECT_EQ(measured_batches(choice, finds, 4 * many, 2, 2e-9, 1e-9), 1);
  EXPECT_EQ(choice.level(finds), warp);
  std::uint64_t const huge = std::uint64_t{1} << 26;
  EXPECT_EQ(choice.to_measure(finds, huge), huge / LevelChoice::parts);
}

TEST(LevelChoice, TheChoiceFollowsTheTable)
{
  LevelChoice choice(adaptive);
  measured_batches(choice, finds, many, 10, 1e-9, 2e-9);
  EXPECT_EQ(choice.level(finds), thread);
  EXPECT_EQ(measured_batches(choice, finds, many, LevelChoice::period, 3e-9, 2e-9), 1);
  EXPECT_EQ(choice.level(finds), warp);
}

/// Batches in which both levels run one after the other do what all batches do.
TEST(LevelChoice, MeasuredBatchesAreRightToo)
{
  std::mt19937 random(3);
  std::size_t const count = LevelChoice::min_learned + 1000;
  auto const engine = make_engine(Backend::cpu, {.family = "gel_hash", .slots = 2 * count});
  std::vector<Key> const keys = random_keys(count, random);
  std::vector<Value> const values = random_values(count, random);
  std::vector<Outcome> outcomes(count);
  EXPECT_EQ(engine->insert(keys, values)[Outcome::inserted], count);
  std::vector<Value> found(count);
  EXPECT_EQ(engine->find(keys, found, outcomes)[Outcome::found], count);
  EXPECT_EQ(found, values);
  EXPECT_EQ(engine->erase(std::span(keys).first(LevelChoice::min_learned))[Outcome::erased], LevelChoice::min_learned);
  engine->find(keys, found, outcomes);
  for (std::size_t i = 0; i < count; ++i) {
    bool const erased = i < LevelChoice::min_learned;
    ASSERT_EQ(outcomes[i], erased ? Outcome::missing : Outcome::found) << i;
    ASSERT_EQ(found[i], erased ? empty_value : values[i]) << i;
  }
  EXPECT_EQ(engine->check_invariants(), "");
}

}  // namespace
}  // namespace slotscape::testing
