#pragma once

#include "tests/engine/engine_fixture.hpp"

#include "gpu/tables/shards.hpp"

#include <unordered_map>

namespace slotscape::testing {

/// Runs batches of distinct keys on a table and on `std::unordered_map`, and compares what they answer.
class Model {
public:
  Model(Engine& engine, std::mt19937& random) : engine_{engine}, random_{random} {}

  /// From now on new keys may be answered `full`; until now, none may.
  void allow_full() { may_be_full_ = true; }

  std::size_t live() const { return map_.size(); }
  std::uint64_t full() const { return full_; }
  std::vector<Key> live_keys() const
  {
    std::vector<Key> keys;
    for (auto const& [key, value] : map_) { keys.push_back(key); }
    std::ranges::sort(keys);
    return keys;
  }

  void insert(std::span<Key const> keys)
  {
    std::vector<Value> const values = some_values(keys.size());
    std::vector<Outcome> outcomes(keys.size());
    Tally const tally = engine_.insert(keys, values, outcomes);
    std::vector<Outcome> expected;
    for (std::size_t i = 0; i < keys.size(); ++i) { expected.push_back(insert_one(keys[i], values[i], outcomes[i])); }
    expect_outcomes(keys, outcomes, expected, tally);
  }

  void find(std::span<Key const> keys)
  {
    std::vector<Value> values(keys.size());
    std::vector<Outcome> outcomes(keys.size());
    Tally const tally = engine_.find(keys, values, outcomes);
    std::vector<Value> expected_values;
    std::vector<Outcome> expected;
    for (Key const key : keys) {
      expected_values.push_back(value_of(key));
      expected.push_back(map_.contains(key) ? Outcome::found : Outcome::missing);
    }
    EXPECT_TRUE(values == expected_values) << "found values that were not stored";
    expect_outcomes(keys, outcomes, expected, tally);
  }

  void erase(std::span<Key const> keys)
  {
    std::vector<Outcome> outcomes(keys.size());
    Tally const tally = engine_.erase(keys, outcomes);
    std::vector<Outcome> expected;
    for (Key const key : keys) { expected.push_back(erase_one(key)); }
    expect_outcomes(keys, outcomes, expected, tally);
  }

  /// An operation of a random kind for each key.
  void mixed(std::span<Key const> keys)
  {
    std::vector<Operation> operations(keys.size());
    std::ranges::generate(operations, [&] { return static_cast<Operation>(random_() % 3); });
    mixed(operations, keys);
  }

  void mixed(std::span<Operation const> operations, std::span<Key const> keys)
  {
    std::vector<Value> values = some_values(keys.size());
    std::vector<Outcome> outcomes(keys.size());
    std::vector<Value> const given = values;
    Tally const tally = engine_.mixed(operations, keys, values, outcomes);
    std::vector<Outcome> expected;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (operations[i] == Operation::insert) {
        expected.push_back(insert_one(keys[i], given[i], outcomes[i]));
      } else if (operations[i] == Operation::find) {
        expected.push_back(map_.contains(keys[i]) ? Outcome::found : Outcome::missing);
        EXPECT_EQ(values[i], value_of(keys[i]));
      } else {
        expected.push_back(erase_one(keys[i]));
      }
    }
    expect_outcomes(keys, outcomes, expected, tally);
  }

  void clear()
  {
    engine_.clear();
    map_.clear();
  }

  /// Families that store buckets may take some slots more.
  void rehash(std::uint64_t slots)
  {
    engine_.rehash(slots);
    EXPECT_GE(engine_.table().slots, slots);
    Statistics const after = engine_.statistics();
    std::uint64_t const free = after.slots - after.live;
    std::uint64_t const graves = engine_.family().name == "graveyard" ? 2 * free / 3 : 0;
    EXPECT_LE(after.tombstones, graves) << "none of an erased key; half of what was free at a rebuild became graves";
  }

  /// What is in the table, and how it lies there.
  void compare()
  {
    std::vector<Pair> expected;
    for (auto const& [key, value] : map_) { expected.push_back({key, value}); }
    std::ranges::sort(expected, {}, &Pair::key);
    bool const ordered = guarantees_of(engine_.family(), engine_.table()).ordered;
    EXPECT_EQ(ordered ? engine_.pairs() : sorted_pairs(engine_), expected);
    EXPECT_EQ(engine_.check_invariants(), "");
  }

private:
  /// Tells the first difference in words.
  static void expect_outcomes(std::span<Key const> keys, std::vector<Outcome> const& actual,
                              std::vector<Outcome> const& expected, Tally const& tally)
  {
    auto const name = [](Outcome outcome) { return outcome_names[static_cast<std::size_t>(outcome)]; };
    auto const [wrong, wanted] = std::ranges::mismatch(actual, expected);
    if (wrong != actual.end()) {
      ADD_FAILURE() << "key " << keys[static_cast<std::size_t>(wrong - actual.begin())] << " is '" << name(*wrong)
                    << "' instead of '" << name(*wanted) << "'";
    }
    EXPECT_EQ(tally, tally_of(actual)) << "outcomes are miscounted";
  }

  int key_bits() const { return engine_.table().key_bits; }
  std::vector<Value> some_values(std::size_t count) { return random_values(count, random_, key_bits()); }

  Outcome insert_one(Key key, Value value, Outcome actual)
  {
    if (may_be_full_ && actual == Outcome::full && !map_.contains(key)) {
      ++full_;
      return Outcome::full;
    }
    Value const stored = engine_.table().keys_only ? 0 : value;
    return map_.insert_or_assign(key, stored).second ? Outcome::inserted : Outcome::updated;
  }
  Outcome erase_one(Key key) { return map_.erase(key) == 1 ? Outcome::erased : Outcome::missing; }
  Value value_of(Key key) const
  {
    auto const found = map_.find(key);
    return found == map_.end() ? empty_value : found->second;
  }

  Engine& engine_;
  std::mt19937& random_;
  std::unordered_map<Key, Value> map_;
  bool may_be_full_ = false;
  std::uint64_t full_ = 0;
};

}  // namespace slotscape::testing
