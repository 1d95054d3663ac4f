// What every family must do with repeated keys whose values it combines.

#include "tests/engine/conformance.hpp"
#include "tests/engine/repeated_keys.hpp"

#include <array>
#include <map>

namespace slotscape::testing {
namespace {

constexpr std::array combinations{Combine::keep_first, Combine::add, Combine::min, Combine::max};

class ConformanceCombineTest : public FamilyTest {
protected:
  /// Every way to combine values, for every way to set up a table.
  static std::vector<TableSettings> combining_tables(std::uint64_t slots)
  {
    std::vector<TableSettings> result;
    for (TableSettings table : tables_with_values(slots)) {
      for (Combine const combine : combinations) {
        table.combine = combine;
        result.push_back(table);
      }
    }
    return result;
  }
  static std::string describe(TableSettings const& table)
  {
    return FamilyTest::describe(table) + ", combine " + std::to_string(static_cast<int>(table.combine));
  }
  static Value value_after(Combine combine, Value old, Value more)
  {
    return key_bits() == 64
               ? combined<Wide>(combine, old, more)
               : combined<Narrow>(combine, static_cast<Narrow::Value>(old), static_cast<Narrow::Value>(more));
  }
};

/// The values of keys, as insertions one after the other leave them.
struct Insertions {
  std::vector<Key> keys;
  std::vector<Value> values;

  Insertions(std::span<Key const> distinct, std::size_t count, std::mt19937& random, int key_bits)
      : values(random_values(count, random, key_bits))
  {
    // Some sums stop at the largest value, others stay far below it.
    for (std::size_t i = 0; i < count; ++i) { values[i] >>= random() % 3 == 0 ? 0 : key_bits * 3 / 4; }
    keys.reserve(count);
    for (std::size_t i = 0; i < count; ++i) { keys.push_back(distinct[random() % distinct.size()]); }
  }

  bool gave(Key key, Value value) const
  {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] == key && values[i] == value) { return true; }
    }
    return false;
  }
};

TEST_P(ConformanceCombineTest, RepeatedKeysGetTheCombinedValue)
{
  for (TableSettings const& table : combining_tables(512)) {
    SCOPED_TRACE(describe(table));
    std::mt19937 random(31);
    auto const engine = make(table);
    std::vector<Key> const keys = some_keys(room(*engine, small), random);
    std::map<Key, Value> model;
    for (int round = 0; round < rounds(8); ++round) {
      std::size_t const few = round % 2 == 0 ? keys.size() : 3;
      Insertions const batch(std::span<Key const>(keys).first(few), 3000, random, key_bits());
      std::map<Key, Value> const before = model;
      for (std::size_t i = 0; i < batch.keys.size(); ++i) {
        auto const [pair, is_new] = model.try_emplace(batch.keys[i], batch.values[i]);
        if (!is_new) { pair->second = value_after(table.combine, pair->second, batch.values[i]); }
      }
      Tally const tally = engine->insert(batch.keys, batch.values);
      ASSERT_EQ(tally[Outcome::inserted], model.size() - before.size());
      ASSERT_EQ(tally[Outcome::updated], batch.keys.size() - tally[Outcome::inserted]);
      std::vector<Pair> const pairs = sorted_pairs(*engine);
      ASSERT_EQ(pairs.size(), model.size());
      for (Pair const& pair : pairs) {
        bool const any_is_first = table.combine == Combine::keep_first && !before.contains(pair.key);
        ASSERT_TRUE(any_is_first ? batch.gave(pair.key, pair.value) : pair.value == model.at(pair.key))
            << "key " << pair.key << " has " << pair.value << ", not " << model.at(pair.key);
        model[pair.key] = pair.value;
      }
      ASSERT_EQ(engine->check_invariants(), "");
      auto const third = std::span<Key const>(keys).first(few / 3);
      engine->erase(third);
      for (Key const key : third) { model.erase(key); }
    }
  }
}

/// A value is combined with that of its own key, not with what a table keeps elsewhere under the same number.
TEST_P(ConformanceCombineTest, NumbersOfSlotsGetTheCombinedValue)
{
  for (std::uint64_t const slots : allowed({40, 64, 72, 100, 136, 200, 577})) {
    for (TableSettings const& table : combining_tables(slots)) {
      SCOPED_TRACE(describe(table));
      std::mt19937 random(34);
      auto const engine = make(table);
      std::vector<Key> const keys = numbers_of_slots(*engine, random);
      std::map<Key, Value> model;
      for (Value const value : {Value{500}, Value{20}, Value{700}}) {
        std::vector<Value> const values(keys.size(), value);
        std::vector<Outcome> outcomes(keys.size());
        engine->insert(keys, values, outcomes);
        for (std::size_t i = 0; i < keys.size(); ++i) {
          if (outcomes[i] == Outcome::inserted) { model[keys[i]] = value; }
          if (outcomes[i] == Outcome::updated) {
            model[keys[i]] = value_after(table.combine, model.at(keys[i]), value);
          }
        }
        std::vector<Pair> expected;
        expected.reserve(model.size());
        for (auto const& [key, its_value] : model) { expected.push_back({key, its_value}); }
        ASSERT_EQ(sorted_pairs(*engine), expected);
      }
    }
  }
}

/// Inserts come first in a batch, finds see what they made of all values, and erases come last.
TEST_P(ConformanceCombineTest, LookupsOfABatchSeeWhatItsInsertsMade)
{
  for (TableSettings const& table : combining_tables(256)) {
    SCOPED_TRACE(describe(table));
    std::mt19937 random(32);
    auto const engine = make(table);
    EXPECT_GE(engine->family().guarantees(engine->table()).concurrency, Concurrency::phased);
    std::vector<Key> const keys = some_keys(room(*engine, small), random);
    Insertions const batch(keys, 2000, random, key_bits());
    std::vector<Value> values = batch.values;
    std::vector<Operation> operations(batch.keys.size());
    std::ranges::generate(operations, [&] { return static_cast<Operation>(random() % 3); });
    std::map<Key, Value> model;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (operations[i] != Operation::insert) { continue; }
      auto const [pair, is_new] = model.try_emplace(batch.keys[i], values[i]);
      if (!is_new) { pair->second = value_after(table.combine, pair->second, values[i]); }
    }
    std::vector<Outcome> outcomes(operations.size());
    engine->mixed(operations, batch.keys, values, outcomes);
    for (std::size_t i = 0; i < operations.size(); ++i) {
      Key const key = batch.keys[i];
      if (operations[i] != Operation::find) { continue; }
      ASSERT_EQ(outcomes[i], model.contains(key) ? Outcome::found : Outcome::missing);
      if (outcomes[i] == Outcome::missing) { continue; }
      ASSERT_TRUE(table.combine == Combine::keep_first ? batch.gave(key, values[i]) : values[i] == model.at(key));
    }
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (operations[i] == Operation::erase) { model.erase(batch.keys[i]); }
    }
    EXPECT_EQ(sorted_keys(*engine).size(), model.size());
  }
}

/// What all threads of a device do at one key at once.
TEST_P(ConformanceCombineTest, OneKeyIsCountedExactly)
{
  for (TableSettings table : tables_with_values(64)) {
    table.combine = Combine::add;
    SCOPED_TRACE(describe(table));
    auto const engine = make(table);
    std::size_t const count = crowd(GetParam().backend, 1u << 14);
    std::vector<Key> const keys(count, 5);
    for (std::size_t round = 1; round < 3; ++round) {
      Tally const tally = engine->insert(keys, std::vector<Value>(count, 1));
      EXPECT_EQ(tally[Outcome::updated], round == 1 ? count - 1 : count);
      ASSERT_EQ(engine->pairs(), (std::vector{Pair{5, round * count}}));
    }
    Value const largest = largest_value(key_bits());
    engine->insert(keys, std::vector<Value>(count, largest / 7));
    ASSERT_EQ(engine->pairs(), (std::vector{Pair{5, largest}})) << "a sum stops at the largest value";
  }
}

SLOTSCAPE_FOR_EVERY_FAMILY(ConformanceCombineTest);

}  // namespace
}  // namespace slotscape::testing
