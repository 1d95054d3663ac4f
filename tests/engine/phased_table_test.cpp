// The table that runs families whose insertions move keys: one outcome for each operation, phases in order, stories.

#include "gpu/engine/engine.hpp"
#include "tests/engine/conformance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace slotscape {
namespace {

class Phased : public ::testing::TestWithParam<char const*> {
protected:
  std::unique_ptr<Engine> table(std::uint64_t slots, int key_bits = 32) const
  {
    return make_engine(Backend::cpu, {.family = GetParam(), .slots = slots, .key_bits = key_bits});
  }
};

TEST_P(Phased, OfRepeatedKeysOneIsInsertedAndOneValueStays)
{
  for (int const key_bits : {32, 64}) {
    auto const engine = table(2000, key_bits);
    std::vector<Key> keys(6000);
    std::vector<Value> values(6000);
    std::iota(values.begin(), values.end(), Value{0});
    for (std::size_t i = 0; i < keys.size(); ++i) { keys[i] = i * 7 % 1500; }
    std::vector<Outcome> outcomes(6000);
    Tally const tally = engine->insert(keys, values, outcomes);
    EXPECT_EQ(tally[Outcome::inserted], 1500u);
    EXPECT_EQ(tally[Outcome::updated], 4500u);
    std::vector<int> inserted(1500);
    for (std::size_t i = 0; i < keys.size(); ++i) { inserted[keys[i]] += outcomes[i] == Outcome::inserted; }
    EXPECT_EQ(std::ranges::count(inserted, 1), 1500);
    EXPECT_EQ(engine->check_invariants(), "");
    for (Pair const& pair : engine->pairs()) { EXPECT_EQ(keys[pair.value], pair.key); }
    EXPECT_EQ(engine->insert(keys, values)[Outcome::updated], 6000u);
  }
}

TEST_P(Phased, RepeatedKeysThatFindNoPlaceAreAllFull)
{
  auto const engine = table(16);
  std::vector<Key> keys(300);
  for (std::size_t i = 0; i < keys.size(); ++i) { keys[i] = i % 100; }
  std::vector<Outcome> outcomes(300);
  Tally const tally = engine->insert(keys, keys, outcomes);
  EXPECT_EQ(tally[Outcome::inserted], 16u);
  EXPECT_EQ(tally[Outcome::updated], 32u);
  EXPECT_EQ(tally[Outcome::full], 252u);
  for (std::size_t i = 0; i < 100; ++i) {
    bool const full = outcomes[i] == Outcome::full;
    EXPECT_EQ(outcomes[i + 100] == Outcome::full, full);
    EXPECT_EQ(outcomes[i + 200] == Outcome::full, full);
  }
  EXPECT_EQ(engine->check_invariants(), "");
}

TEST_P(Phased, InsertsComeFirstAndErasesLast)
{
  auto const engine = table(64);
  std::vector<Operation> const operations{Operation::erase, Operation::find, Operation::insert, Operation::erase,
                                          Operation::insert};
  std::vector<Key> const keys{5, 5, 5, 5, 6};
  std::vector<Value> values{0, 0, 50, 0, 60};
  std::vector<Outcome> outcomes(5);
  engine->mixed(operations, keys, values, outcomes);
  EXPECT_EQ(outcomes[1], Outcome::found);
  EXPECT_EQ(values[1], 50u);
  EXPECT_EQ(outcomes[2], Outcome::inserted);
  EXPECT_EQ((outcomes[0] == Outcome::erased) + (outcomes[3] == Outcome::erased), 1);
  EXPECT_EQ(engine->pairs(), (std::vector<Pair>{{6, 60}}));
}

TEST_P(Phased, AnErasedKeyComesBackOnceHoweverOftenItIsInserted)
{
  auto const engine = table(64);
  std::vector<Key> const key{9};
  std::vector<Key> const copies(200, 9);
  for (int round = 0; round < 10; ++round) {
    EXPECT_EQ(engine->insert(copies, copies)[Outcome::inserted], 1u);
    EXPECT_EQ(engine->erase(copies)[Outcome::erased], 1u);
    EXPECT_EQ(engine->find(key)[Outcome::missing], 1u);
  }
}

TEST_P(Phased, FilledToTheLastSlotAndEmptiedAgain)
{
  auto const engine = table(333);
  std::uint64_t const slots = engine->table().slots;
  std::vector<Key> keys(3 * slots);
  std::iota(keys.begin(), keys.end(), Key{10});
  std::uint64_t live = 0;
  for (int round = 0; round < 12; ++round) {
    live += engine->insert(keys, keys)[Outcome::inserted];
    ASSERT_LE(live, slots);
    ASSERT_GE(live, slots * 9 / 10);
    ASSERT_EQ(engine->check_invariants(), "");
    std::shuffle(keys.begin(), keys.end(), std::mt19937(static_cast<unsigned>(round)));
    live -= engine->erase(
        std::vector<Key>(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(slots)))[Outcome::erased];
    ASSERT_EQ(engine->pairs().size(), live);
    ASSERT_EQ(engine->check_invariants(), "");
  }
}

TEST_P(Phased, AStoryEndsAsTheOperationDoesAndChangesNothing)
{
  auto const engine = table(100);
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    std::vector<Key> const key{random() % 120};
    std::vector<Value> const value{random() % 1000};
    std::vector<Pair> const before = engine->pairs();
    Trace const insert = engine->trace(Operation::insert, key[0], value[0]);
    Trace const erase = engine->trace(Operation::erase, key[0], 0);
    ASSERT_EQ(engine->pairs(), before);
    ASSERT_FALSE(insert.summary.empty());
    if (random() % 4 == 0) {
      ASSERT_EQ(engine->erase(key)[erase.outcome], 1u);
    } else if (engine->insert(key, value)[insert.outcome] != 1u) {
      ASSERT_EQ(insert.outcome, Outcome::full);  // the table was rebuilt, as the story says at its end
      ASSERT_NE(insert.summary.find("rebuilt"), std::string::npos);
    }
  }
}

TEST_P(Phased, AMoveIsToldWithTheSlotThatTheKeyCameFrom)
{
  auto const engine = table(512);
  engine->run(BatchRequest::inserts(470));
  for (Key key = 1; key < 42; ++key) {
    Trace const trace = engine->trace(Operation::insert, key, 1);
    auto const moved = std::ranges::find_if(trace.steps, [](Step const& step) { return step.moved_from.has_value(); });
    if (moved != trace.steps.end()) {
      ASSERT_TRUE(moved->after);
      EXPECT_NE(*moved->moved_from, moved->after->slot);
      EXPECT_NE(moved->after->pair.key, key);
      EXPECT_EQ(trace.outcome, Outcome::inserted);
      return;
    }
    engine->insert(std::vector<Key>{key}, std::vector<Value>{1});
  }
  FAIL() << "no insertion moved a key";
}

INSTANTIATE_TEST_SUITE_P(Of, Phased, ::testing::Values("robin_hood", "hopscotch", "cuckoo", "segmented_cuckoo"),
                         [](::testing::TestParamInfo<char const*> const& info) { return std::string(info.param); });

class ClosedGaps : public testing::FamilyTest {
protected:
  /// As many keys as slots. With the identity, their homes crowd the end of the table, and most keys go round it.
  static std::vector<Key> keys_for(TableSettings const& settings)
  {
    std::uint64_t const homes = settings.hash == HashKind::identity ? settings.slots / 10 + 1 : settings.slots;
    std::vector<Key> keys(settings.slots);
    for (std::uint64_t i = 0; i < settings.slots; ++i) {
      keys[i] = settings.slots * (i / homes + 1) - homes + i % homes;
    }
    return keys;
  }
};

/// The order of the keys does not depend on history: without the erased ones, the table is what the others would have
/// made by themselves.
TEST_P(ClosedGaps, LeaveTheTableThatTheOtherKeysMake)
{
  std::mt19937_64 random(7);
  for (std::uint64_t const slots : {16u, 17u, 1000u, 1024u, 1025u, 5000u}) {
    for (HashKind const hash : {HashKind::murmur3, HashKind::identity}) {
      TableSettings const settings{.family = GetParam().family,
                                   .slots = slots,
                                   .hash = hash,
                                   .key_bits = GetParam().key_bits};
      std::vector<Key> keys = keys_for(settings);
      auto const engine = make(settings);
      ASSERT_EQ(engine->insert(keys, keys)[Outcome::inserted], slots);
      std::ranges::shuffle(keys, random);
      std::size_t const kept = random() % slots;
      engine->erase(std::span(keys).subspan(kept));
      keys.resize(kept);
      auto const fresh = make(settings);
      fresh->insert(keys, keys);
      EXPECT_EQ(engine->check_invariants(), "");
      EXPECT_EQ(engine->counts().tombstones, 0u);
      EXPECT_EQ(engine->pairs(), fresh->pairs()) << slots << " slots";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, ClosedGaps,
                         ::testing::Values(testing::Subject{Backend::cpu, "robin_hood", 32},
                                           testing::Subject{Backend::cpu, "robin_hood", 64},
                                           testing::Subject{Backend::cuda, "robin_hood", 32},
                                           testing::Subject{Backend::cuda, "robin_hood", 64}),
                         testing::subject_name);

/// Cuckoo hashing with two functions and buckets of one slot, worked out without a table: keys have places for all if
/// no part of the graph that has slots as vertices, and for each key an edge between its two, has more edges than
/// vertices (Pagh & Rodler 2004).
class CuckooGraph {
public:
  CuckooGraph(std::uint64_t seed, std::uint64_t slots) : seed_(seed), slots_(slots) {}

  Slot slot(Key key, std::uint64_t function) const
  {
    return static_cast<Slot>(((random64(seed_ + function, key) >> 32) * slots_) >> 32);
  }
  bool holds_keys_up_to(Key last) const
  {
    std::vector<Slot> part(slots_);
    std::iota(part.begin(), part.end(), Slot{0});
    std::vector<std::size_t> edges(slots_);
    for (Key key = 1; key <= last; ++key) {
      Slot const from = part[slot(key, 0)];
      Slot const to = part[slot(key, 1)];
      if (from != to) { edges[to] += std::exchange(edges[from], 0); }
      ++edges[to];
      std::ranges::replace(part, from, to);
    }
    for (Slot i = 0; i < slots_; ++i) {
      if (edges[i] > static_cast<std::size_t>(std::ranges::count(part, i))) { return false; }
    }
    return true;
  }

private:
  std::uint64_t seed_;
  std::uint64_t slots_;
};

TEST(Cuckoo, StepsSayWhatARebuildComesToAndRebuildsAreCounted)
{
  constexpr std::uint64_t slots = 16;
  auto const engine =
      make_engine(Backend::cpu, {.family = "cuckoo", .slots = slots, .parameters = {{"functions", 2}, {"bucket", 1}}});
  std::uint64_t seed = 1;
  std::uint64_t rebuilds = 0;
  for (Key key = 1; key <= 15; ++key) {
    bool const fits = CuckooGraph(seed, slots).holds_keys_up_to(key);
    while (!CuckooGraph(seed, slots).holds_keys_up_to(key)) {
      seed += 2;
      rebuilds += CuckooGraph(seed, slots).holds_keys_up_to(key - 1) ? 1 : 0;
    }
    Trace const trace = engine->trace(Operation::insert, key, key);
    EXPECT_EQ(trace.outcome, Outcome::inserted);
    EXPECT_EQ(trace.summary.find("The table is rebuilt with other hash functions") == std::string::npos, fits)
        << trace.summary;
    EXPECT_EQ(trace.rebuild.empty(), fits);
    ASSERT_TRUE(trace.steps.back().after);
    engine->insert(std::span(&key, 1), std::span(&key, 1));
    SlotInfo const info = engine->slot(trace.steps.back().after->slot);
    EXPECT_EQ(info.pair.key, key);
    EXPECT_EQ(info.home, CuckooGraph(seed, slots).slot(key, 0));
    EXPECT_EQ(engine->rebuilds(), rebuilds) << "after key " << key;
    EXPECT_EQ(engine->counts().live, key);
  }
  EXPECT_GT(rebuilds, 1u) << "else this tells nothing";
  EXPECT_EQ(engine->statistics().rebuilds, rebuilds);

  Trace const full = engine->trace(Operation::insert, 16, 16);
  EXPECT_EQ(full.outcome, Outcome::full);
  EXPECT_EQ(full.summary.find("the table is full"), std::string::npos) << "a slot is empty: " << full.summary;
  EXPECT_EQ(full.empty_slots, 1u);
  EXPECT_NE(full.summary.find("It is not rebuilt"), std::string::npos) << full.summary;
  Key const sixteen = 16;
  EXPECT_EQ(engine->insert(std::span(&sixteen, 1), std::span(&sixteen, 1))[Outcome::full], 1u);
  EXPECT_EQ(engine->rebuilds(), rebuilds);
  engine->clear();
  EXPECT_EQ(engine->rebuilds(), 0u);
}

}  // namespace
}  // namespace slotscape
