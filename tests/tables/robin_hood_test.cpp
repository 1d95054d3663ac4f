// What Robin Hood hashing promises: the order of priority, whatever the interleaving; dead keys that give way.

#include "gpu/tables/robin_hood.hpp"

#include "gpu/engine/engine.hpp"
#include "tests/tables/moving_keys.hpp"

#include <numeric>
#include <random>

namespace slotscape::robin_hood_tests {
namespace {

using Words = std::vector<Narrow::Word>;
using Results = std::vector<Result<Narrow>>;
using Keys = std::vector<Narrow::Key>;

MovingKeys<RobinHood> const table({.slots = 16, .hash = HashKind::identity});

/// The n-th key of a home slot.
constexpr Narrow::Key key(Slot home, unsigned n)
{
  return 16 * n + home;
}

TEST(RobinHood, InsertsOfAnyInterleavingEndInOneOrder)
{
  Words const start = table.memory({{5, pack(key(5, 3), 1u)}, {6, pack(key(6, 1), 1u)}});
  std::set<Words> ends;
  Interleavings all({table.insert(key(5, 2), 10), table.insert(key(5, 1), 11), table.insert(key(6, 0), 12)},
                    [&](Words const& end, Results const& results) {
                      table.expect_valid(end);
                      EXPECT_EQ(count(results, Outcome::inserted), 3);
                      ends.insert(end);
                    });
  all.explore(start);
  EXPECT_EQ(ends, std::set<Words>{table.memory({{5, pack(key(5, 1), 11u)},
                                                {6, pack(key(5, 2), 10u)},
                                                {7, pack(key(5, 3), 1u)},
                                                {8, pack(key(6, 0), 12u)},
                                                {9, pack(key(6, 1), 1u)}})});
}

TEST(RobinHood, CarriersRoundTheEndOfTheTableFindTheLastEmptySlots)
{
  std::map<Slot, Narrow::Word> words;
  Keys expected{key(14, 5), key(14, 6)};
  for (Slot slot = 0; slot < 16; ++slot) {
    if (slot == 1 || slot == 12) { continue; }
    words[slot] = pack(key(slot, 9), 1u);
    expected.push_back(key(slot, 9));
  }
  std::ranges::sort(expected);
  Interleavings all({table.insert(key(14, 5), 10), table.insert(key(14, 6), 11)},
                    [&](Words const& end, Results const& results) {
                      table.expect_valid(end);
                      EXPECT_EQ(count(results, Outcome::inserted), 2);
                      EXPECT_EQ(keys_in(end), expected);
                    });
  EXPECT_GT(all.explore(table.memory(words)), 0u);
}

TEST(RobinHood, AnInsertionThatMeetsADeadKeyTakesItsSlotAndCarriesNothingOn)
{
  Words const start =
      table.memory({{5, pack(key(5, 1), 1u)}, {6, pack(key(6, 1), Narrow::empty_value)}, {7, pack(key(7, 1), 1u)}});
  Interleavings one({table.insert(key(5, 2), 10)}, [&](Words const& end, Results const& results) {
    EXPECT_EQ(end, table.memory({{5, pack(key(5, 1), 1u)}, {6, pack(key(5, 2), 10u)}, {7, pack(key(7, 1), 1u)}}));
    EXPECT_EQ(results.front().outcome, Outcome::inserted);
    EXPECT_EQ(results.front().moves, 0u);
  });
  one.explore(start);
  Interleavings two({table.insert(key(5, 2), 10), table.insert(key(5, 3), 11)},
                    [&](Words const& end, Results const& results) {
                      table.expect_valid(end);
                      EXPECT_EQ(count(results, Outcome::inserted), 2);
                      EXPECT_EQ(keys_in(end), (Keys{key(5, 1), key(7, 1), key(5, 2), key(5, 3)}));
                    });
  EXPECT_GT(two.explore(start), 0u);
}

TEST(RobinHood, ErasingOneKeyTwiceErasesItOnceAndKeepsThePriorities)
{
  Words const start = table.memory({{5, pack(key(5, 1), 1u)}, {6, pack(key(5, 2), 2u)}, {7, pack(key(5, 3), 3u)}});
  Interleavings all({table.erase(key(5, 2)), table.erase(key(5, 2)), table.erase(key(5, 1))},
                    [&](Words const& end, Results const& results) {
                      table.expect_valid(end);
                      EXPECT_EQ(count(results, Outcome::erased), 2);
                    });
  EXPECT_GT(all.explore(start), 0u);
}

TEST(RobinHood, StaleLoadsDoNoHarm)
{
  expect_inserts_despite_stale_loads(MovingKeys<RobinHood>({.slots = 1000}), 1000);
}

TEST(RobinHood, TheOrderOfInsertionsLeavesNoTrace)
{
  TableSettings const settings{.family = "robin_hood", .slots = 1000};
  std::vector<Key> keys(990);
  std::iota(keys.begin(), keys.end(), Key{1});
  std::mt19937 random(1);
  std::vector<SlotInfo> first;
  for (int order = 0; order < 3; ++order) {
    auto const engine = make_engine(Backend::cpu, settings);
    for (std::size_t i = 0; i < keys.size(); i += 90) {
      std::vector<Key> const part(keys.begin() + i, keys.begin() + i + 90);
      ASSERT_EQ(engine->insert(part, part)[Outcome::inserted], 90u);
    }
    ASSERT_EQ(engine->check_invariants(), "");
    std::vector<Slot> slots(1000);
    std::iota(slots.begin(), slots.end(), Slot{0});
    std::vector<SlotInfo> const now = engine->slots(slots);
    if (first.empty()) { first = now; }
    for (std::size_t i = 0; i < 1000; ++i) { ASSERT_EQ(now[i].pair, first[i].pair); }
    std::ranges::shuffle(keys, random);
  }
}

TEST(RobinHood, DeadKeysAreClearedAwayWhenTheirSlotsAreNeeded)
{
  auto const engine = make_engine(Backend::cpu, {.family = "robin_hood", .slots = 17});
  for (Key round = 0; round < 20; ++round) {
    std::vector<Key> keys(17);
    std::iota(keys.begin(), keys.end(), 100 * round);
    ASSERT_EQ(engine->insert(keys, keys)[Outcome::inserted], 17u);
    ASSERT_EQ(engine->insert(std::vector<Key>{1}, std::vector<Value>{1})[Outcome::full], round == 0 ? 0u : 1u);
    ASSERT_EQ(engine->check_invariants(), "");
    ASSERT_EQ(engine->erase(keys)[Outcome::erased], 17u);
    ASSERT_TRUE(engine->pairs().empty());
  }
}

TEST(RobinHood, DisplacementsStayCloserTogetherThanUnderLinearProbing)
{
  std::uint64_t most[2];
  for (int i = 0; i < 2; ++i) {
    auto const engine =
        make_engine(Backend::cpu, {.family = i == 0 ? "robin_hood" : "linear_probing", .slots = 1u << 14});
    engine->run(BatchRequest::inserts(14745));
    most[i] = engine->statistics().probe_length.max;
  }
  EXPECT_LT(4 * most[0], most[1]);
}

}  // namespace
}  // namespace slotscape::robin_hood_tests
