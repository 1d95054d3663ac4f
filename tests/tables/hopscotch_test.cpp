// What hopscotch hashing promises: a key within its neighbourhood, once, whatever the interleaving of moves.

#include "gpu/tables/hopscotch.hpp"

#include "gpu/engine/engine.hpp"
#include "gpu/engine/phased_passes.hpp"
#include "tests/tables/moving_keys.hpp"

#include <numeric>

namespace slotscape::hopscotch_tests {
namespace {

using Words = std::vector<Narrow::Word>;
using Results = std::vector<Result<Narrow>>;
using Keys = std::vector<Narrow::Key>;

/// Neighbourhoods of 3 slots.
MovingKeys<Hopscotch> const table({.slots = 16, .hash = HashKind::identity, .parameters = {{"neighbourhood", 3}}});

/// The n-th key of a home slot.
constexpr Narrow::Key key(Slot home, unsigned n)
{
  return 16 * n + home;
}

/// Slots 5 to 9 are taken, each by a key at home.
Words run_of_five()
{
  std::map<Slot, Narrow::Word> words;
  for (Slot slot = 5; slot < 10; ++slot) { words[slot] = pack(key(slot, 1), 1u); }
  return table.memory(words);
}
Keys with_run_of_five(Keys keys)
{
  for (Slot slot = 5; slot < 10; ++slot) { keys.push_back(key(slot, 1)); }
  std::ranges::sort(keys);
  return keys;
}

TEST(Hopscotch, AnEmptySlotIsBroughtNearer)
{
  Interleavings one({table.insert(key(5, 2), 10)}, [&](Words const& end, Results const& results) {
    table.expect_valid(end);
    EXPECT_EQ(results.front().outcome, Outcome::inserted);
    EXPECT_EQ(results.front().moves, 2u);
    EXPECT_EQ(end[results.front().slot], pack(key(5, 2), 10u));
    EXPECT_EQ(keys_in(end), with_run_of_five({key(5, 2)}));
  });
  EXPECT_EQ(one.explore(run_of_five()), 1u);
}

TEST(Hopscotch, InsertsThatMoveTheSameKeysLoseAndRepeatNone)
{
  Interleavings all({table.insert(key(5, 2), 10), table.insert(key(6, 2), 11)},
                    [&](Words const& end, Results const& results) {
                      table.expect_valid(end);
                      Keys kept;
                      if (results[0].outcome == Outcome::inserted) { kept.push_back(key(5, 2)); }
                      if (results[1].outcome == Outcome::inserted) { kept.push_back(key(6, 2)); }
                      EXPECT_GE(kept.size(), 1u);
                      EXPECT_EQ(keys_in(end), with_run_of_five(kept));
                    });
  EXPECT_GT(all.explore(run_of_five()), 2u);
}

TEST(Hopscotch, WhereNoKeyMayMoveTheTableStaysAsItWas)
{
  std::map<Slot, Narrow::Word> words;
  for (Slot slot = 5; slot < 10; ++slot) { words[slot] = pack(key(slot < 8 ? 5 : 7, slot), 1u); }  // all at their ends
  Words const start = table.memory(words);
  Interleavings one({table.insert(key(5, 2), 10)}, [&](Words const& end, Results const& results) {
    EXPECT_EQ(results.front().outcome, Outcome::full);
    EXPECT_EQ(end, start);
  });
  EXPECT_EQ(one.explore(start), 1u);
}

TEST(Hopscotch, AnErasedSlotIsEmptyAndEndsNoSearch)
{
  Words const start = table.memory({{5, pack(key(5, 1), 1u)}, {6, pack(key(5, 2), 2u)}, {7, pack(key(5, 3), 3u)}});
  Interleavings all({table.erase(key(5, 1)), table.erase(key(5, 1)), table.erase(key(5, 2))},
                    [&](Words const& end, Results const& results) {
                      EXPECT_EQ(count(results, Outcome::erased), 2);
                      EXPECT_EQ(end, table.memory({{7, pack(key(5, 3), 3u)}}));
                      table.expect_valid(end);
                    });
  EXPECT_GT(all.explore(start), 0u);
}

TEST(Hopscotch, StaleLoadsDoNoHarm)
{
  expect_inserts_despite_stale_loads(MovingKeys<Hopscotch>({.slots = 5000}), 4400);
}

TEST(Hopscotch, AHomeHasAsManyKeysAsItsNeighbourhoodHasSlots)
{
  for (std::uint32_t const neighbourhood : Hopscotch::neighbourhoods) {
    auto const engine = make_engine(Backend::cpu, {.family = "hopscotch",
                                                   .slots = 256,
                                                   .hash = HashKind::identity,
                                                   .parameters = {{"neighbourhood", neighbourhood}}});
    std::vector<Key> keys(100);
    for (Key i = 0; i < 100; ++i) { keys[i] = 200 + 256 * i; }
    Tally const tally = engine->insert(keys, keys);
    EXPECT_EQ(tally[Outcome::inserted], neighbourhood);
    EXPECT_EQ(tally[Outcome::full], 100 - neighbourhood);
    EXPECT_EQ(engine->check_invariants(), "");
    EXPECT_EQ(engine->statistics().probe_length.max, neighbourhood - 1);
    EXPECT_EQ(engine->statistics().miss_accesses.max, neighbourhood);
  }
}

TEST(Hopscotch, UntilAKeyIsErasedAnEmptySlotEndsASearch)
{
  auto const engine = make_engine(Backend::cpu, {.family = "hopscotch", .slots = 1u << 14});
  std::vector<Key> keys(12000);
  std::iota(keys.begin(), keys.end(), Key{5});
  auto const find_all = [&] { return engine->find(keys)[Outcome::found]; };
  ASSERT_EQ(engine->insert(keys, keys)[Outcome::inserted], keys.size());
  EXPECT_GT(engine->statistics().moves.count, 0u);  // keys were moved, and none is beyond an empty slot
  EXPECT_EQ(find_all(), keys.size());
  EXPECT_LT(engine->statistics().miss_accesses.mean, 16.0);

  EXPECT_EQ(engine->erase(std::span(keys).first(1))[Outcome::erased], 1u);
  EXPECT_EQ(engine->statistics().miss_accesses.mean, 32.0);
  EXPECT_EQ(engine->erase(std::span(keys).first(6000))[Outcome::erased], 5999u);
  EXPECT_EQ(find_all(), keys.size() - 6000);
  EXPECT_EQ(engine->insert(keys, keys)[Outcome::inserted], 6000u);
  EXPECT_EQ(find_all(), keys.size());
  EXPECT_EQ(engine->check_invariants(), "");

  EXPECT_EQ(engine->erase(keys)[Outcome::erased], keys.size());
  ASSERT_EQ(engine->insert(keys, keys)[Outcome::inserted], keys.size());
  EXPECT_LT(engine->statistics().miss_accesses.mean, 16.0);
}

TEST(Hopscotch, AnInsertionThatFindsNoPlaceMayLeaveAnEmptySlotBeforeAKey)
{
  auto const engine =
      make_engine(Backend::cpu, {.family = "hopscotch", .slots = 4099, .parameters = {{"neighbourhood", 8}}});
  std::vector<Key> keys(4099);
  std::iota(keys.begin(), keys.end(), Key{1});
  std::vector<Outcome> outcomes(keys.size());
  ASSERT_GT(engine->insert(keys, keys, outcomes)[Outcome::full], 0u);
  EXPECT_EQ(engine->statistics().miss_accesses.mean, 8.0);
  std::vector<Value> values(keys.size());
  std::vector<Outcome> found(keys.size());
  engine->find(keys, values, found);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(found[i] == Outcome::found, outcomes[i] == Outcome::inserted);
  }
  EXPECT_EQ(engine->check_invariants(), "");
}

TEST(Hopscotch, InsertionsOfOneKeyThatMoveNothingStoreItOnce)
{
  Words const start = table.memory({{5, pack(key(5, 1), 1u)}});
  for (bool const ends_at_empty : {false, true}) {
    MovingKeys<WithoutMoves<Hopscotch>> unmoved(
        {.slots = 16, .hash = HashKind::identity, .parameters = {{"neighbourhood", 3}}});
    unmoved.layout.ends_at_empty = ends_at_empty;
    Interleavings all({unmoved.insert(key(5, 2), 10), unmoved.insert(key(5, 2), 11), unmoved.insert(key(6, 2), 12)},
                      [&](Words const& end, Results const& results) {
                        EXPECT_EQ(count(results, Outcome::inserted), 2);
                        EXPECT_EQ(count(results, Outcome::updated), 1);
                        EXPECT_EQ(keys_in(end), (Keys{key(5, 1), key(5, 2), key(6, 2)}));
                        unmoved.expect_valid(end);
                      });
    EXPECT_GT(all.explore(start), 2u);
  }
}

TEST(Hopscotch, KeysStayInTheirNeighbourhoodsAtHighLoad)
{
  auto const engine =
      make_engine(Backend::cpu, {.family = "hopscotch", .slots = 10007, .parameters = {{"neighbourhood", 16}}});
  std::uint64_t live = 0;
  for (int batch = 0; batch < 40; ++batch) {
    Tally const in = engine->run(BatchRequest::inserts(2000)).outcomes;
    live += in[Outcome::inserted];
    live -= engine->run(BatchRequest::erases(live / 8)).outcomes[Outcome::erased];
    ASSERT_EQ(engine->check_invariants(), "");
    Statistics const statistics = engine->statistics();
    ASSERT_EQ(statistics.live, live);
    ASSERT_EQ(statistics.tombstones, 0u);
    ASSERT_LT(statistics.probe_length.max, 16u);
  }
  EXPECT_GT(engine->statistics().moves.count, 100u);
}

TEST(Hopscotch, TheSafeLoadIsSafe)
{
  for (std::uint32_t const neighbourhood : Hopscotch::neighbourhoods) {
    TableSettings const settings{.family = "hopscotch",
                                 .slots = 1u << 14,
                                 .parameters = {{"neighbourhood", neighbourhood}}};
    double const safe = Hopscotch::guarantees(settings).safe_load;
    EXPECT_GT(safe, neighbourhood == 8 ? 0.2 : 0.45);
    auto const engine = make_engine(Backend::cpu, settings);
    auto const keys = static_cast<std::uint64_t>(safe * static_cast<double>(settings.slots));
    EXPECT_EQ(engine->run(BatchRequest::inserts(keys)).outcomes[Outcome::inserted], keys);
  }
}

}  // namespace
}  // namespace slotscape::hopscotch_tests
