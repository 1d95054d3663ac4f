// What every family must do with batches that hold the same keys many times, so that threads meet at them.

#include "tests/engine/conformance.hpp"
#include "tests/engine/repeated_keys.hpp"

#include <map>

namespace slotscape::testing {
namespace {

class ConformanceCopiesTest : public FamilyTest {};

/// Counts per key what became of the operations on it.
struct KeyHistory {
  bool was_live = false;
  Tally outcomes;
  std::array<std::uint64_t, 3> operations{};
  std::uint64_t of(Operation operation) const { return operations[static_cast<std::size_t>(operation)]; }

  bool is_live() const { return (was_live ? 1 : 0) + outcomes[Outcome::inserted] == outcomes[Outcome::erased] + 1; }

  void expect_right(Concurrency concurrency) const
  {
    std::uint64_t const live = was_live ? 1 : 0;
    std::uint64_t const inserted = outcomes[Outcome::inserted];
    std::uint64_t const erased = outcomes[Outcome::erased];
    EXPECT_EQ(inserted + outcomes[Outcome::updated], of(Operation::insert)) << "every insertion finds the key a place";
    EXPECT_TRUE(live + inserted == erased || live + inserted == erased + 1) << "the key goes in and out in turn";
    EXPECT_LE(outcomes[Outcome::found], of(Operation::find));
    if (concurrency == Concurrency::mixed) { return; }
    bool const comes_in = of(Operation::insert) != 0;
    EXPECT_EQ(inserted, !was_live && comes_in ? 1u : 0u);
    EXPECT_EQ(erased, of(Operation::erase) != 0 && (was_live || comes_in) ? 1u : 0u);
    bool const surely_there = was_live || (comes_in && concurrency != Concurrency::erases_apart);
    if (surely_there) { EXPECT_EQ(outcomes[Outcome::found], of(Operation::find)); }
    if (!was_live && !comes_in) { EXPECT_EQ(outcomes[Outcome::found], 0u); }
  }
};

/// Runs a batch in which the same keys come many times, and holds the family to what it says of such batches.
void run_repeated(Engine& engine, RepeatedKeys const& batch, std::span<Operation const> operations)
{
  bool const is_set = engine.table().keys_only;
  std::map<Key, KeyHistory> histories;
  std::map<Key, Value> before;
  for (Pair const& pair : engine.pairs()) {
    histories[pair.key].was_live = true;
    before[pair.key] = pair.value;
  }
  std::vector<Value> values = batch.values;
  std::vector<Outcome> outcomes(batch.keys.size());
  Tally const tally = engine.mixed(operations, batch.keys, values, outcomes);
  EXPECT_EQ(tally, tally_of(outcomes));
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    KeyHistory& history = histories[batch.keys[i]];
    ++history.outcomes[outcomes[i]];
    ++history.operations[static_cast<std::size_t>(operations[i])];
    if (outcomes[i] != Outcome::found) { continue; }
    auto const old = before.find(batch.keys[i]);
    bool const is_old = old != before.end() && old->second == values[i];
    ASSERT_TRUE(is_set ? values[i] == 0 : is_old || batch.gave({batch.keys[i], values[i]})) << "key " << batch.keys[i];
  }
  std::vector<Key> live;
  for (auto const& [key, history] : histories) {
    SCOPED_TRACE(key);
    history.expect_right(engine.family().guarantees(engine.table()).concurrency);
    if (history.is_live()) { live.push_back(key); }
    if (::testing::Test::HasFailure()) { return; }
  }
  EXPECT_EQ(sorted_keys(engine), live);
  for (Pair const& pair : engine.pairs()) {
    bool const written = histories[pair.key].of(Operation::insert) != 0;
    ASSERT_TRUE(is_set    ? pair.value == 0
                : written ? batch.gave(pair)
                          : before.at(pair.key) == pair.value)
        << "key " << pair.key;
  }
  EXPECT_EQ(engine.check_invariants(), "");
}

TEST_P(ConformanceCopiesTest, OfOneKeysCopiesInABatchExactlyOneCounts)
{
  for (TableSettings const& table : tables(512)) {
    SCOPED_TRACE(describe(table));
    for (unsigned round = 0; round < static_cast<unsigned>(rounds(24)); ++round) {
      std::mt19937 random(round);
      auto const engine = make(table);
      std::vector<Key> const keys = some_keys(room(*engine, small), random);
      std::size_t const third = keys.size() / 3;
      std::span<Key const> const all(keys);
      engine->insert(all.first(2 * third), std::vector<Value>(2 * third, 7));
      engine->erase(all.first(third));
      RepeatedKeys const batch = round % 2 == 0 ? RepeatedKeys(all, 6) : RepeatedKeys(all, 6, random);
      run_repeated(*engine, batch, std::vector(batch.keys.size(), Operation::insert));
      RepeatedKeys const half(all.first(keys.size() / 2), 6, random);
      run_repeated(*engine, half, std::vector(half.keys.size(), Operation::erase));
      if (HasFailure()) { return; }
    }
  }
}

TEST_P(ConformanceCopiesTest, MixesOfTheSameFewKeysKeepEachStory)
{
  for (TableSettings const& table : tables(256)) {
    SCOPED_TRACE(describe(table));
    std::mt19937 random(21);
    auto const engine = make(table);
    std::vector<Key> const keys = some_keys(room(*engine, small), random);
    for (int round = 0; round < rounds(40); ++round) {
      std::size_t const few = 1 + random() % keys.size();
      int const copies = static_cast<int>(1 + 2000 / few);
      RepeatedKeys const batch(std::span<Key const>(keys).first(few), copies, random);
      std::vector<Operation> operations(batch.keys.size());
      std::ranges::generate(operations, [&] { return static_cast<Operation>(random() % 3); });
      run_repeated(*engine, batch, operations);
      if (HasFailure()) { return; }
    }
  }
}

TEST_P(ConformanceCopiesTest, CopiesOfMoreKeysThanSlotsAreEachPlacedOrNot)
{
  for (TableSettings const& table : tables(64)) {
    SCOPED_TRACE(describe(table));
    for (unsigned round = 0; round < 4; ++round) {
      std::mt19937 random(round);
      auto const engine = make(table);
      std::vector<Key> const distinct = some_keys(engine->places() * 5 / 2, random);
      RepeatedKeys const batch(distinct, 4, random);
      std::vector<Outcome> outcomes(batch.keys.size());
      engine->insert(batch.keys, batch.values, outcomes);
      std::map<Key, Tally> of_key;
      for (std::size_t i = 0; i < outcomes.size(); ++i) { ++of_key[batch.keys[i]][outcomes[i]]; }
      std::vector<Key> placed;
      for (auto const& [key, tally] : of_key) {
        ASSERT_LE(tally[Outcome::inserted], 1u) << "key " << key;
        ASSERT_EQ(tally[Outcome::inserted] + tally[Outcome::updated] + tally[Outcome::full], 4u) << "key " << key;
        if (tally[Outcome::full] != 4) {
          ASSERT_EQ(tally[Outcome::inserted], 1u) << "key " << key << " was updated, and never inserted";
          placed.push_back(key);
        }
      }
      EXPECT_EQ(sorted_keys(*engine), placed);
      for (Pair const& pair : engine->pairs()) {
        ASSERT_TRUE(table.keys_only || batch.gave(pair)) << "key " << pair.key;
      }
      EXPECT_EQ(engine->check_invariants(), "");
    }
  }
}

/// What shows in a few of a hundred tables at most, and only where a load may be stale: many sizes, and up to the safe
/// load, where groups and buckets become full. scripts/stress goes on with it for as long as wanted.
TEST_P(ConformanceCopiesTest, KeysThatRepeatAreStoredOnce)
{
  bool const is_on_device = GetParam().backend == Backend::cuda;
  int const tables_of_each = rounds(is_on_device ? 48 : 4);
  std::mt19937 random(52);
  for (int i = 0; i < tables_of_each; ++i) {
    std::uint64_t const slots = std::uint64_t{1024} << (random() % (is_on_device ? 8 : 4));
    for (TableSettings const& table : tables(slots)) {
      SCOPED_TRACE(describe(table));
      auto const engine = make(table);
      std::vector<Key> const keys = some_keys(room(*engine, i % 2 == 0 ? small : 1.0), random);
      RepeatedKeys const batch(keys, static_cast<int>(2 + random() % 6), random);
      std::size_t missing = keys.size();
      for (int again = 0; again < 3; ++again) {
        Tally const tally = engine->insert(batch.keys, batch.values);
        if (tally[Outcome::full] != 0) { break; }  // a safe load is no promise
        ASSERT_EQ(tally[Outcome::inserted], missing);
        ASSERT_EQ(engine->pairs().size(), keys.size()) << "some key is stored twice";
        missing = std::max<std::size_t>(1, keys.size() / (2 + random() % 4));  // tombstones, among keys that stay
        ASSERT_EQ(engine->erase(std::span<Key const>(keys).first(missing))[Outcome::erased], missing);
      }
    }
  }
}

SLOTSCAPE_FOR_EVERY_FAMILY(ConformanceCopiesTest);

}  // namespace
}  // namespace slotscape::testing
