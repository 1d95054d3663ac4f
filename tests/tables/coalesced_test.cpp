// What coalesced hashing promises besides what every family does: keys lie as on paper, chains that meet grow together,
// and threads that want the same free slot agree whose it is.

#include "gpu/tables/coalesced.hpp"

#include "gpu/analysis/chain_theory.hpp"
#include "gpu/races/shared_table.hpp"
#include "tests/engine/engine_fixture.hpp"
#include "tests/tables/insert_in_order.hpp"
#include "tests/tables/scheduled_operations.hpp"
#include "tests/tables/tile_operations.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <optional>

namespace slotscape::coalesced_tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TableSettings settings(std::uint64_t slots, std::uint32_t cellar = 0, HashKind hash = HashKind::identity)
{
  return {.family = "coalesced", .slots = slots, .hash = hash, .parameters = {{"cellar", cellar}}};
}

/// Nothing stands for an erased key, too.
using Slots = std::vector<std::optional<Key>>;

Slots slots_of(Engine& engine)
{
  Slots slots;
  for (SlotInfo const& slot : testing::all_slots(engine)) {
    slots.push_back(slot.has_key ? std::optional(slot.pair.key) : std::nullopt);
  }
  return slots;
}

/// Knuth, TAOCP 3, 6.4, Algorithm C, with a cellar and tombstones that keys of their chains take again.
class OnPaper {
public:
  OnPaper(std::size_t slots, std::size_t cellar) : keys_(slots), links_(slots), used_(slots), homes_(slots - cellar) {}

  bool insert(Key key)
  {
    std::size_t at = key % homes_;
    std::optional<std::size_t> erased;
    while (used_[at]) {
      if (keys_[at] == key) { return true; }
      if (!keys_[at] && !erased) { erased = at; }
      if (!links_[at]) { break; }
      at = *links_[at];
    }
    if (erased) {
      keys_[*erased] = key;
      return true;
    }
    if (used_[at]) {
      std::size_t free = keys_.size();
      while (free != 0 && used_[free - 1]) { --free; }
      if (free == 0) { return false; }
      links_[at] = free - 1;
      at = free - 1;
    }
    used_[at] = true;
    keys_[at] = key;
    return true;
  }
  void erase(Key key) { std::ranges::replace(keys_, std::optional(key), std::optional<Key>()); }
  Slots const& slots() const { return keys_; }
  std::uint32_t place(Key key) const
  {
    std::uint32_t steps = 0;
    for (std::size_t at = key % homes_; keys_[at] != key; at = *links_[at]) { ++steps; }
    return steps;
  }

private:
  Slots keys_;
  std::vector<std::optional<std::size_t>> links_;
  std::vector<bool> used_;
  std::size_t homes_;
};

class CoalescedTest : public testing::EngineTest {};

/// Key 37, whose home another chain has taken, lies in that chain, and so does 55 behind it.
TEST_P(CoalescedTest, ChainsThatMeetGrowTogether)
{
  auto const engine = make(settings(10));
  testing::insert_in_order(*engine, {20, 35, 16, 40, 45, 25, 32, 37, 22, 55});
  EXPECT_THAT(slots_of(*engine), ElementsAre(20, 55, 32, 22, 37, 35, 16, 25, 45, 40));
  EXPECT_THAT(engine->nodes_by_head(),
              ElementsAre(ElementsAre(0, 9), ElementsAre(2, 3), ElementsAre(5, 8, 7, 4, 1), ElementsAre(6)));
  EXPECT_EQ(engine->slot(4).probe_length, 1u);
  EXPECT_EQ(engine->slot(1).probe_length, 4u) << "5, 8, 7, 4, 1";
  Key const another = 7;
  EXPECT_EQ(engine->insert(std::span(&another, 1), std::span(&another, 1))[Outcome::full], 1u);
  EXPECT_EQ(engine->check_invariants(), "");
}

TEST_P(CoalescedTest, ACellarTakesThemFirst)
{
  auto const engine = make(settings(16, 14));  // 14 homes
  testing::insert_in_order(*engine, {3, 17, 31, 45});
  EXPECT_EQ(engine->slot(3).pair.key, 3u);
  EXPECT_EQ(engine->slot(15).pair.key, 17u);
  EXPECT_EQ(engine->slot(14).pair.key, 31u);
  EXPECT_EQ(engine->slot(13).pair.key, 45u);
  EXPECT_EQ(engine->slot(13).probe_length, 3u);
}

TEST_P(CoalescedTest, HistoriesGoAsOnPaper)
{
  for (std::uint32_t const cellar : Coalesced::cellar_choices) {
    for (std::uint64_t const slots : {7u, 50u, 300u}) {
      std::mt19937 random(slots);
      auto const engine = make(settings(slots, cellar));
      OnPaper paper(slots, slots * cellar / 100);
      for (int round = 0; round < testing::rounds(600); ++round) {
        Key const key = random() % (slots + slots / 4);
        if (random() % 3 != 0) {
          bool const fits = paper.insert(key);
          Tally const tally = engine->insert(std::span(&key, 1), std::span(&key, 1));
          ASSERT_EQ(tally[Outcome::full], fits ? 0u : 1u) << key;
        } else {
          engine->erase(std::span(&key, 1));
          paper.erase(key);
        }
        if (round % 16 != 0) { continue; }
        ASSERT_EQ(slots_of(*engine), paper.slots()) << slots << " slots, round " << round;
        for (SlotInfo const& slot : testing::all_slots(*engine)) {
          if (slot.has_key) { ASSERT_EQ(slot.probe_length, paper.place(slot.pair.key)); }
        }
        ASSERT_EQ(engine->check_invariants(), "");
      }
    }
  }
}

TEST_P(CoalescedTest, ALookupReadsASlotAndALinkForEachBeforeItsKey)
{
  auto const engine = make(settings(1024, 14, HashKind::murmur3));
  engine->run(BatchRequest::inserts(1000));
  for (SlotInfo const& slot : testing::all_slots(*engine)) {
    if (slot.state != SlotState::live) { continue; }
    ProbePath const path = engine->probe_path(slot.pair.key);
    ASSERT_EQ(path.slots.size(), slot.probe_length + 1);
    ASSERT_EQ(path.slots.back(), slot.slot);
    ASSERT_EQ(engine->trace(Operation::find, slot.pair.key, 0).steps.size(), 2 * slot.probe_length + 1);
  }
}

TEST_P(CoalescedTest, OneChainTakesTheTableToItsLastSlot)
{
  for (std::uint32_t const cellar : Coalesced::cellar_choices) {
    auto const engine = make(settings(1000, cellar, HashKind::murmur3));
    KeySettings one_home;
    one_home.distribution = KeyDistribution::one_home;
    engine->set_keys(one_home, 1);
    EXPECT_EQ(engine->run(BatchRequest::inserts(1000)).outcomes[Outcome::inserted], 1000u);
    EXPECT_EQ(engine->run(BatchRequest::inserts(9)).outcomes[Outcome::full], 9u);
    EXPECT_EQ(engine->run(BatchRequest::erases(7)).outcomes[Outcome::erased], 7u);
    BatchReport const refilled = engine->run(BatchRequest::inserts(9));
    EXPECT_EQ(refilled.outcomes[Outcome::inserted], 7u);
    EXPECT_EQ(refilled.outcomes[Outcome::full], 2u);
    EXPECT_EQ(engine->statistics().probe_length.max, 999u);
    EXPECT_EQ(engine->check_invariants(), "");
  }
}

TEST_P(CoalescedTest, ManyCopiesOfOneKeyTakeTheLastSlot)
{
  for (int round = 0; round < testing::rounds(50); ++round) {
    auto const engine = make(settings(8));
    testing::insert_in_order(*engine, {0, 8, 16, 24, 32, 40, 48});
    std::vector<Key> const copies(512, 56);
    std::vector<Value> values(copies.size());
    std::iota(values.begin(), values.end(), Value{1});
    Tally const tally = engine->insert(copies, values);
    ASSERT_EQ(tally[Outcome::inserted], 1u);
    ASSERT_EQ(tally[Outcome::updated], 511u);
    ASSERT_EQ(engine->statistics().live, 8u);
    ASSERT_EQ(engine->check_invariants(), "");
  }
}

/// In a larger table, where chains do not take the last free slot, and with a cellar, which then is not quite full
/// before other slots are taken.
TEST_P(CoalescedTest, RandomKeysLieAsFarAsKnuthAndVitterSay)
{
  constexpr std::uint64_t slots = 1u << 16;
  for (std::uint32_t const cellar : Coalesced::cellar_choices) {
    for (double const load : {0.5, 0.9, 0.99}) {
      auto const engine = make(settings(slots, cellar, HashKind::murmur3));
      auto const keys = static_cast<std::uint64_t>(load * slots);
      for (std::uint64_t inserted = 0; inserted != keys;) {  // a few at a time, so that their order is nearly as given
        std::uint64_t const part = std::min<std::uint64_t>(256, keys - inserted);
        inserted += engine->run(BatchRequest::inserts(part)).outcomes[Outcome::inserted];
      }
      double const homes = slots - slots * cellar / 100;
      theory::CoalescedProbes const expected = theory::coalesced_probes(slots, homes, static_cast<double>(keys));
      EXPECT_NEAR(engine->statistics().probe_length.mean + 1.0, expected.hit, 0.02 * expected.hit) << load;
      EXPECT_EQ(engine->check_invariants(), "");
    }
  }
}

/// Where all come at once, keys whose homes are empty take these first, so that fewer chains meet; at best none do.
TEST_P(CoalescedTest, KeysThatComeAtOnceLieNoFartherFromHome)
{
  constexpr std::uint64_t slots = 1u << 16;
  for (double const load : {0.5, 0.9, 0.99}) {
    auto const engine = make(settings(slots, 0, HashKind::murmur3));
    auto const keys = static_cast<std::uint64_t>(load * slots);
    EXPECT_EQ(engine->run(BatchRequest::inserts(keys)).outcomes[Outcome::inserted], keys);
    double const hit = engine->statistics().probe_length.mean + 1.0;
    EXPECT_GT(hit, 0.98 * (1.0 + load / 2.0)) << load;
    EXPECT_LT(hit, 1.02 * theory::coalesced_probes(slots, slots, static_cast<double>(keys)).hit) << load;
    EXPECT_EQ(engine->check_invariants(), "");
  }
}

TEST_P(CoalescedTest, MemoryIsThatOfPairsAndLinks)
{
  EXPECT_EQ(make(settings(100, 14))->memory_bytes(), 100u * (8 + 8));
}

TEST_P(CoalescedTest, StepsTellOfLinks)
{
  auto const engine = make(settings(9));
  testing::insert_in_order(*engine, {5, 14});
  std::vector<std::string> said;
  for (Step const& step : engine->trace(Operation::insert, 23, 1).steps) { said.push_back(step.text); }
  EXPECT_THAT(said, ::testing::Contains(HasSubstr("23 hashes to slot 5: 23 mod 9 = 5")));
  EXPECT_THAT(said, ::testing::Contains(HasSubstr("Slot 5 links to slot 8")));
  EXPECT_THAT(said, ::testing::Contains(HasSubstr("Slot 7 is free: it comes behind slot 8")));
  EXPECT_THAT(said, ::testing::Contains(HasSubstr("Slot 8 now links to slot 7")));
}

SLOTSCAPE_ON_EVERY_BACKEND(CoalescedTest);

/// --- every order of accesses, in 4 slots.
class CoalescedInterleavings : public ::testing::Test {
protected:
  using Words = std::vector<Narrow::Word>;
  using Results = std::vector<Result<Narrow>>;

  ScheduledOperations<Coalesced> operations_{settings(4)};

  /// After these keys, of which some are erased again.
  Words start(std::vector<Narrow::Key> const& keys, std::vector<Narrow::Key> const& erased = {}) const
  {
    Words memory = operations_.memory({}, operations_.layout.metadata());
    for (Narrow::Key const key : keys) { races::run_alone(operations_.insert(key, 1), memory); }
    for (Narrow::Key const key : erased) { races::run_alone(operations_.erase(key), memory); }
    return memory;
  }
  /// Each key must be found where it is, and once.
  void expect_keys(Words memory, std::vector<Narrow::Key> const& keys) const
  {
    auto const& layout = operations_.layout;
    View<Coalesced::Layout<Narrow>, HostMachine<Narrow>> const table{{memory.data(), memory.data() + layout.slots()},
                                                                     layout};
    std::vector<Narrow::Key> found;
    for (Slot slot = 0; slot < layout.slots(); ++slot) {
      ASSERT_TRUE(Coalesced::is_valid(table, slot, memory[slot])) << "slot " << slot;
      if (!Coalesced::describe(table, slot, memory[slot]).has_key) { continue; }
      found.push_back(key_of(memory[slot]));
      ASSERT_EQ(Coalesced::find(table, found.back()).slot, slot);
    }
    std::ranges::sort(found);
    ASSERT_EQ(found, keys);
  }
};

TEST_F(CoalescedInterleavings, CopiesOfAKeyTakeOneSlot)
{
  Interleavings all({operations_.insert(5, 10), operations_.insert(5, 11), operations_.insert(5, 12)},
                    [&](Words const& end, Results const& results) {
                      EXPECT_EQ(count(results, Outcome::inserted), 1);
                      EXPECT_EQ(count(results, Outcome::updated), 2);
                      expect_keys(end, {1, 5});
                    });
  EXPECT_GT(all.explore(start({1})), 1u);
}

/// Key 3 has the slot as its home that the chain of slot 1 is extended to.
TEST_F(CoalescedInterleavings, AHomeMayBecomeASlotOfAnotherChain)
{
  Interleavings all({operations_.insert(5, 10), operations_.insert(3, 11), operations_.insert(7, 12)},
                    [&](Words const& end, Results const& results) {
                      EXPECT_EQ(count(results, Outcome::inserted), 3);
                      expect_keys(end, {1, 3, 5, 7});
                    });
  EXPECT_GT(all.explore(start({1})), 1u);
}

TEST_F(CoalescedInterleavings, OneOfTwoKeysTakesTheLastSlot)
{
  Interleavings all({operations_.insert(9, 10), operations_.insert(8, 11), operations_.insert(9, 12)},
                    [&](Words const& end, Results const& results) {
                      bool const has_8 = results[0].outcome == Outcome::full;
                      EXPECT_EQ(results[1].outcome == Outcome::full, !has_8);
                      EXPECT_EQ(results[2].outcome == Outcome::full, has_8);
                      expect_keys(end, has_8 ? std::vector{1u, 2u, 5u, 8u} : std::vector{1u, 2u, 5u, 9u});
                    });
  EXPECT_GT(all.explore(start({1, 2, 5})), 1u);
}

TEST_F(CoalescedInterleavings, ATombstoneIsTakenOnce)
{
  Interleavings all({operations_.insert(13, 10), operations_.insert(9, 11), operations_.insert(13, 12)},
                    [&](Words const& end, Results const& results) {
                      EXPECT_EQ(count(results, Outcome::inserted), 2);
                      EXPECT_EQ(count(results, Outcome::updated), 1);
                      expect_keys(end, {5, 9, 13});
                    });
  EXPECT_GT(all.explore(start({1, 5}, {1})), 1u);
}

}  // namespace
}  // namespace slotscape::coalesced_tests
