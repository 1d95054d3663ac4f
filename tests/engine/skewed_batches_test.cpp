// Batches in which some keys are frequent, in a table that partitions them: operations on one key that meet in a block
// become one, and the outcomes are those of all.

#include "gpu/tables/segmented_cuckoo.hpp"

#include "tests/engine/engine_fixture.hpp"

#include <cmath>
#include <map>
#include <set>

namespace slotscape::testing {
namespace {

constexpr std::array ways_to_combine{Combine::replace, Combine::keep_first, Combine::add, Combine::min, Combine::max};

class SkewedBatchesTest : public EngineTest {
protected:
  /// In 128 slots a segment, so many of them need two passes to part a batch; otherwise one pass does.
  static TableSettings settings(std::uint64_t slots, std::uint32_t segment, int key_bits)
  {
    return {.family = "segmented_cuckoo",
            .slots = slots,
            .key_bits = key_bits,
            .parameters = {{"segment", segment}, {"partition", SegmentedCuckoo::always}}};
  }
  static Value value_after(Combine combine, Value old, Value more, int key_bits)
  {
    return key_bits == 64
               ? combined<Wide>(combine, old, more)
               : combined<Narrow>(combine, static_cast<Narrow::Value>(old), static_cast<Narrow::Value>(more));
  }
};

/// Keys of which the first are by far the most frequent, with values of which some add up to the largest one.
struct Skewed {
  std::vector<Key> keys;
  std::vector<Value> values;

  Skewed(std::span<Key const> distinct, std::size_t count, double exponent, std::mt19937& random, int key_bits)
      : values(random_values(count, random, key_bits))
  {
    std::uniform_real_distribution<double> uniform;
    keys.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      values[i] >>= random() % 64 == 0 ? 0 : key_bits * 3 / 4;
      keys.push_back(distinct[static_cast<std::size_t>(static_cast<double>(distinct.size()) *
                                                       std::pow(uniform(random), exponent))]);
    }
  }

  /// What insertions one after the other make of the model.
  void insert_into(std::map<Key, Value>& model, auto const& value_after) const
  {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      auto const [pair, is_new] = model.try_emplace(keys[i], values[i]);
      if (!is_new) { pair->second = value_after(pair->second, values[i]); }
    }
  }
  bool gave(Key key, Value value) const
  {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] == key && values[i] == value) { return true; }
    }
    return false;
  }
  /// How often an operation on each key had the outcome.
  std::map<Key, int> times(Outcome outcome, std::span<Outcome const> outcomes) const
  {
    std::map<Key, int> times;
    for (std::size_t i = 0; i < keys.size(); ++i) { times[keys[i]] += outcomes[i] == outcome ? 1 : 0; }
    return times;
  }
};

TEST_P(SkewedBatchesTest, EveryCopyCountsAndOneOfThemInserts)
{
  std::size_t const count = is_sanitized() ? 15'000 : 60'000;
  for (int const key_bits : {32, 64}) {
    for (std::uint32_t const segment : {128u, 8192u}) {
      for (Combine const combine : ways_to_combine) {
        SCOPED_TRACE(std::to_string(key_bits) + " bits, segments of " + std::to_string(segment) + ", combine " +
                     std::to_string(static_cast<int>(combine)));
        std::mt19937 random(7);
        TableSettings table = settings(1u << 17, segment, key_bits);
        table.combine = combine;
        auto const engine = make(table);
        std::vector<Key> const distinct = random_keys(30'000, random, key_bits);
        Skewed const batch(distinct, count, 6.0, random, key_bits);
        std::map<Key, Value> model;
        for (bool const again : {false, true}) {
          batch.insert_into(model, [&](Value old, Value more) { return value_after(combine, old, more, key_bits); });
          std::vector<Outcome> outcomes(count);
          Tally const tally = engine->insert(batch.keys, batch.values, outcomes);
          EXPECT_EQ(tally, tally_of(outcomes));
          EXPECT_EQ(tally[Outcome::inserted], again ? 0 : model.size());
          EXPECT_EQ(tally[Outcome::updated], count - tally[Outcome::inserted]);
          for (auto const& [key, times] : batch.times(Outcome::inserted, outcomes)) {
            ASSERT_EQ(times, again ? 0 : 1) << "key " << key;
          }
          std::vector<Pair> const pairs = sorted_pairs(*engine);
          ASSERT_EQ(pairs.size(), model.size());
          bool const any = combine == Combine::replace || combine == Combine::keep_first;
          for (std::size_t i = 0; i < pairs.size(); i += any ? 97 : 1) {
            Pair const& pair = pairs[i];
            ASSERT_TRUE(model.contains(pair.key));
            ASSERT_TRUE(any ? batch.gave(pair.key, pair.value) : pair.value == model.at(pair.key))
                << "key " << pair.key << " has " << pair.value << ", not " << model.at(pair.key);
          }
          ASSERT_EQ(engine->check_invariants(), "");
        }
      }
    }
  }
}

TEST_P(SkewedBatchesTest, OfCopiesExactlyOneErases)
{
  std::size_t const count = is_sanitized() ? 15'000 : 60'000;
  for (int const key_bits : {32, 64}) {
    for (std::uint32_t const segment : {128u, 8192u}) {
      SCOPED_TRACE(segment);
      std::mt19937 random(8);
      auto const engine = make(settings(1u << 17, segment, key_bits));
      std::vector<Key> const distinct = random_keys(30'000, random, key_bits);
      std::span<Key const> const there = std::span(distinct).first(20'000);
      engine->insert(there, there);
      Skewed const batch(distinct, count, 3.0, random, key_bits);
      std::set<Key> left(there.begin(), there.end());
      std::vector<Outcome> outcomes(count);
      Tally const tally = engine->erase(batch.keys, outcomes);
      EXPECT_EQ(tally, tally_of(outcomes));
      EXPECT_EQ(tally[Outcome::erased] + tally[Outcome::missing], count);
      for (auto const& [key, times] : batch.times(Outcome::erased, outcomes)) {
        ASSERT_EQ(times, left.erase(key)) << "key " << key;
      }
      EXPECT_EQ(sorted_keys(*engine), std::vector(left.begin(), left.end()));
    }
  }
}

TEST_P(SkewedBatchesTest, WithoutOutcomesTheCountsAreTheSame)
{
  std::mt19937 random(9);
  auto const engine = make(settings(1u << 17, 128, 32));
  std::vector<Key> const distinct = random_keys(20'000, random);
  Skewed batch(distinct, 50'000, 5.0, random, 32);
  for (std::size_t i = 0; i < batch.keys.size(); i += 50) { batch.keys[i] = largest_key(32) + 1; }
  for (std::size_t i = 1; i < batch.keys.size(); i += 50) { batch.values[i] = empty_value; }
  std::set<Key> inserted, all;
  for (std::size_t i = 0; i < batch.keys.size(); ++i) {
    if (i % 50 == 0) { continue; }
    all.insert(batch.keys[i]);
    if (i % 50 != 1) { inserted.insert(batch.keys[i]); }
  }
  Tally tally = engine->insert(batch.keys, batch.values);
  EXPECT_EQ(tally[Outcome::rejected], 2000u);
  EXPECT_EQ(tally[Outcome::inserted], inserted.size());
  EXPECT_EQ(tally[Outcome::updated], 48'000 - inserted.size());
  tally = engine->erase(batch.keys);
  EXPECT_EQ(tally[Outcome::rejected], 1000u);
  EXPECT_EQ(tally[Outcome::erased], inserted.size());
  EXPECT_EQ(tally[Outcome::missing], 49'000 - inserted.size());
  EXPECT_TRUE(engine->pairs().empty());
}

/// So few that the partition meets next to none: they are placed like other keys, and merged in the end.
TEST_P(SkewedBatchesTest, RareCopiesBecomeOnePair)
{
  std::mt19937 random(14);
  for (int const key_bits : {32, 64}) {
    for (std::size_t const count : {60'000u, 115'000u}) {  // into an empty table, of which a part comes a second time
      auto const engine = make(settings(1u << 17, 8192, key_bits));
      std::vector<Key> const distinct = random_keys(count, random);
      std::map<Key, Value> model;
      for (std::size_t const half : {count / 2, count}) {
        std::vector<Key> keys(distinct.begin() + static_cast<std::ptrdiff_t>(half / 4),
                              distinct.begin() + static_cast<std::ptrdiff_t>(half));
        std::size_t const before = keys.size();
        for (std::size_t i = 0; i < 300; ++i) { keys.push_back(keys[random() % before]); }
        std::ranges::shuffle(keys, random);
        std::vector<Value> const values = random_values(keys.size(), random, key_bits / 2);
        std::map<Key, std::set<Value>> given;
        for (std::size_t i = 0; i < keys.size(); ++i) { given[keys[i]].insert(values[i]); }
        std::size_t const known = model.size();
        for (Key const key : keys) { model.try_emplace(key, 0); }
        Tally const tally = engine->insert(keys, values);
        ASSERT_EQ(tally[Outcome::inserted], model.size() - known);
        ASSERT_EQ(tally[Outcome::updated], keys.size() - tally[Outcome::inserted]);
        std::vector<Pair> const pairs = sorted_pairs(*engine);
        ASSERT_EQ(pairs.size(), model.size());
        for (Pair const& pair : pairs) {
          auto const values_of = given.find(pair.key);
          Value const old = model.at(pair.key);
          ASSERT_TRUE(values_of == given.end() ? pair.value == old : values_of->second.contains(pair.value));
          model[pair.key] = pair.value;
        }
        ASSERT_EQ(engine->check_invariants(), "");
      }
    }
  }
}

TEST_P(SkewedBatchesTest, AllCopiesOfAKeyThatFindsNoPlaceAreFull)
{
  for (bool const keeps_outcomes : {true, false}) {
    std::mt19937 random(10);
    auto const engine = make(settings(4096, 128, 32));
    std::uint64_t const slots = engine->table().slots;
    std::vector<Key> const distinct = random_keys(2 * slots, random);
    Skewed const batch(distinct, 20 * slots, 1.5, random, 32);
    std::vector<Outcome> outcomes(keeps_outcomes ? batch.keys.size() : 0);
    Tally const tally =
        keeps_outcomes ? engine->insert(batch.keys, batch.values, outcomes) : engine->insert(batch.keys, batch.values);
    std::vector<Key> const stored = sorted_keys(*engine);
    std::uint64_t full = 0;
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
      bool const is_full = !std::ranges::binary_search(stored, batch.keys[i]);
      full += is_full ? 1 : 0;
      if (keeps_outcomes) { ASSERT_EQ(outcomes[i] == Outcome::full, is_full) << "key " << batch.keys[i]; }
    }
    EXPECT_GT(full, 0u);
    EXPECT_EQ(tally[Outcome::full], full);
    EXPECT_EQ(tally[Outcome::inserted], stored.size());
    EXPECT_EQ(tally[Outcome::updated], batch.keys.size() - full - stored.size());
    if (keeps_outcomes) { EXPECT_EQ(tally, tally_of(outcomes)); }
    EXPECT_EQ(engine->check_invariants(), "");
  }
}

TEST_P(SkewedBatchesTest, MoreOperationsOnFewKeysThanABlockTakes)
{
  TableSettings const table = settings(1u << 14, 8192, 32);
  auto const layout = SegmentedCuckoo::layout<Narrow>(table);
  std::vector<Key> of_one_segment;
  for (std::uint32_t key = 1; of_one_segment.size() < 3000; ++key) {
    if (layout.segment(key) == 1) { of_one_segment.push_back(key); }
  }
  std::mt19937 random(11);
  auto const engine = make(table);
  Skewed const batch(of_one_segment, 300'000, 1.0, random, 32);
  for (bool const again : {false, true}) {
    std::vector<Outcome> outcomes(batch.keys.size());
    Tally const tally = engine->insert(batch.keys, batch.values, outcomes);
    EXPECT_EQ(tally, tally_of(outcomes));
    EXPECT_EQ(tally[Outcome::inserted], again ? 0u : of_one_segment.size());
    EXPECT_EQ(tally[Outcome::updated], batch.keys.size() - tally[Outcome::inserted]);
    EXPECT_EQ(sorted_keys(*engine), of_one_segment);
    EXPECT_EQ(engine->check_invariants(), "");
  }
  EXPECT_EQ(engine->erase(batch.keys)[Outcome::erased], of_one_segment.size());
  EXPECT_TRUE(engine->pairs().empty());
}

SLOTSCAPE_ON_EVERY_BACKEND(SkewedBatchesTest);

}  // namespace
}  // namespace slotscape::testing
