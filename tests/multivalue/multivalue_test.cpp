#include "gpu/base/error.hpp"
#include "gpu/tables/hash.hpp"
#include "tests/multivalue/multivalue_fixture.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>

namespace slotscape::multivalue::testing {
namespace {

using Kind = Distribution::Kind;

class Constructions : public MultiValueTest {};
SLOTSCAPE_FOR_EVERY_CONSTRUCTION(Constructions);

TEST_P(Constructions, AreEmptyAtFirst)
{
  auto engine = make();
  expect_holds(*engine, {});
  EXPECT_EQ(engine->ranges(std::vector<Key>{1, 2}), (std::vector<Range>{{}, {}}));
}

TEST_P(Constructions, HoldOnePair)
{
  auto engine = make();
  Pairs const one{{42}, {7}};
  EXPECT_EQ(engine->build(one.keys, one.values).pairs, 1u);
  expect_holds(*engine, one);
  EXPECT_THAT(engine->retrieve(std::vector<Key>{41, 42, 42}).values, ::testing::ElementsAre(7, 7));
}

/// Both below and above the size from which pairs are partitioned, on one object: its memory is used again.
TEST_P(Constructions, HoldEveryDistribution)
{
  auto engine = make();
  for (std::uint64_t const pairs : {3'000, 100'000}) {
    std::vector<Distribution> const distributions{{"distinct", Kind::equal, pairs, 1},
                                                  {"twice", Kind::equal, pairs, 2},
                                                  {"seven times", Kind::equal, pairs, 7},
                                                  {"a thousand times", Kind::equal, pairs, 1000},
                                                  {"drawn, four on average", Kind::drawn, pairs, 4},
                                                  {"one key", Kind::equal, pairs, pairs},
                                                  {"half with one key", Kind::half, pairs, 1},
                                                  {"Zipf", Kind::zipf, pairs, 2}};
    for (Distribution const& distribution : distributions) {
      SCOPED_TRACE(distribution.name + ", " + std::to_string(pairs) + " pairs");
      Pairs const drawn = draw(distribution, pairs + distribution.multiplicity, bits());
      engine->build(drawn.keys, drawn.values);
      expect_holds(*engine, drawn);
    }
  }
}

TEST_P(Constructions, HoldThemWithOtherSeeds)
{
  auto engine = make();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    Pairs const drawn = draw({"Zipf", Kind::zipf, 5'000 * seed * seed, 3}, seed, bits());
    engine->build(drawn.keys, drawn.values);
    expect_holds(*engine, drawn);
  }
}

TEST_P(Constructions, HoldTheSameKeyAMillionTimes)
{
  auto engine = make();
  Pairs const drawn = draw({"one key", Kind::equal, 1'000'000, 1'000'000}, 1, bits());
  Statistics const found = engine->build(drawn.keys, drawn.values);
  EXPECT_EQ(found.distinct, 1u);
  EXPECT_EQ(found.multiplicity.max, 1'000'000u);
  EXPECT_EQ(found.multiplicity.beyond, 1u);
  Retrieved retrieved = engine->retrieve(std::vector<Key>{drawn.keys.front()});
  std::ranges::sort(retrieved.values);
  EXPECT_TRUE(retrieved.values == drawn.values);
}

/// A pair that is given several times is stored as often.
TEST_P(Constructions, HoldEqualPairs)
{
  auto engine = make();
  Pairs drawn = draw({"drawn", Kind::drawn, 80'000, 40}, 4, bits());
  for (std::size_t i = 0; i < drawn.keys.size(); ++i) { drawn.values[i] = drawn.keys[i] % 3; }
  engine->build(drawn.keys, drawn.values);
  expect_holds(*engine, drawn);
}

/// So many are partitioned in two passes.
TEST_P(Constructions, HoldMillionsOfPairs)
{
  if (GetParam().construction != Construction::count_scan_scatter || bits() != 32) { return; }
  auto engine = make();
  Pairs const drawn = draw({"half", Kind::half, 3'300'000, 1}, 5, bits());
  engine->build(drawn.keys, drawn.values);
  auto const sorted = [](auto&& key_of, auto&& value_of, std::size_t count) {
    std::vector<std::uint64_t> words(count);
    for (std::size_t i = 0; i < count; ++i) { words[i] = key_of(i) << 32 | value_of(i); }
    std::ranges::sort(words);
    return words;
  };
  std::vector<Pair> const pairs = engine->pairs();
  ASSERT_EQ(pairs.size(), drawn.keys.size());
  auto const found =
      sorted([&](std::size_t i) { return pairs[i].key; }, [&](std::size_t i) { return pairs[i].value; }, pairs.size());
  auto const given = sorted([&](std::size_t i) { return drawn.keys[i]; },
                            [&](std::size_t i) { return drawn.values[i]; }, drawn.keys.size());
  EXPECT_TRUE(found == given) << "pairs are lost, or there twice";
  std::vector<Range> const ranges = engine->ranges(std::span(drawn.keys).first(10'000));
  EXPECT_TRUE(std::ranges::none_of(ranges, [](Range const& range) { return range.count == 0; }));
  EXPECT_EQ(engine->keys().check_invariants(), "");
}

/// Keys below the reserved ones are as good as any; any value is.
TEST_P(Constructions, RefuseReservedKeysAlone)
{
  auto engine = make();
  Pairs drawn = draw({"twice", Kind::equal, 70'000, 2}, 3, bits());
  drawn.keys[5] = largest_key(bits());
  drawn.values[6] = largest_value(bits()) + 1;
  Pairs given = drawn;
  for (Key key = largest_key(bits()) + 1; key != 0 && given.keys.size() < 70'050; ++key) {
    given.keys.insert(given.keys.begin() + static_cast<std::ptrdiff_t>(given.keys.size() / 2), key);
    given.values.insert(given.values.begin() + static_cast<std::ptrdiff_t>(given.values.size() / 2), 1);
  }
  EXPECT_EQ(engine->build(given.keys, given.values).refused, given.keys.size() - drawn.keys.size());
  expect_holds(*engine, drawn);
  EXPECT_EQ(engine->ranges(std::vector<Key>{largest_key(bits()) + 1, ~Key{0}}), (std::vector<Range>{{}, {}}));
  Pairs const reserved{std::vector<Key>(100, ~Key{0}), std::vector<Value>(100, 1)};
  EXPECT_EQ(engine->build(reserved.keys, reserved.values).refused, 100u);
  expect_holds(*engine, {});
}

TEST_P(Constructions, KeepTheirContentsIfAValueIsTooLarge)
{
  if (bits() == 64) { return; }
  auto engine = make();
  Pairs const one{{42}, {7}};
  engine->build(one.keys, one.values);
  EXPECT_THROW(engine->build(std::vector<Key>{1}, std::vector<Value>{Value{1} << 32}), Error);
  expect_holds(*engine, one);
}

/// Keys of one segment, more than a block takes.
TEST_P(Constructions, HoldKeysWithHashesInARow)
{
  if (bits() == 64) { return; }
  auto engine = make();
  Pairs pairs;
  HashRounds<Narrow::Key> const hash = HashRounds<Narrow::Key>::of(HashKind::murmur3);
  for (std::uint32_t i = 0; i < 24'000; ++i) {
    Narrow::Key const key = hash.undo(i / 2);
    if (Narrow::is_reserved(key)) { continue; }
    pairs.keys.push_back(key);
    pairs.values.push_back(i);
  }
  engine->build(pairs.keys, pairs.values);
  Statistics const found = engine->statistics();
  EXPECT_EQ(found.pairs, pairs.keys.size());
  std::vector<Key> const some(pairs.keys.begin(), pairs.keys.begin() + 1000);
  for (Range const& range : engine->ranges(some)) { ASSERT_EQ(range.count, 2u); }
}

TEST(MultiValueSettings, AreChecked)
{
  EXPECT_THROW(validate({.key_bits = 16}), Error);
  EXPECT_THROW(validate({.construction = Construction::two_level_cuckoo, .key_bits = 64}), Error);
  EXPECT_THROW(validate({.load_factor = 0.0}), Error);
  EXPECT_THROW(validate({.load_factor = 1.0}), Error);
  EXPECT_NO_THROW(validate({}));
}

TEST(MultiValueSettings, SayHowFullTheTableOfKeysIs)
{
  for (double const load : {0.1, 0.3, 0.7, 0.9}) {
    for (std::uint64_t const partition_from : {0, 1'000'000}) {
      auto engine = make_engine(Backend::cpu, {.load_factor = load, .partition_from = partition_from});
      Pairs const drawn = draw({"distinct", Kind::equal, 50'000, 1}, 9, 32);
      engine->build(drawn.keys, drawn.values);
      expect_holds(*engine, drawn);
      EXPECT_NEAR(engine->statistics().load_factor(), load, 0.01);
      // So do keys that repeat, in any order: keys of one chunk are not those of another.
      Pairs const repeated = draw({"repeated", Kind::drawn, 50'000, 4}, 9, 32);
      engine->build(repeated.keys, repeated.values);
      expect_holds(*engine, repeated);
      EXPECT_NEAR(engine->statistics().load_factor(), load, 0.01);
    }
  }
}

/// A key with half of all values must not keep everything waiting.
TEST(MultiValueSkew, TakesHardlyMoreTimeThanNone)
{
  for (Construction const construction : {Construction::count_scan_scatter, Construction::two_level_cuckoo}) {
    auto engine = make_engine(Backend::cpu, {.construction = construction});
    auto const seconds = [&](Pairs const& pairs) {
      double best = 1e9;
      for (int round = 0; round < 3; ++round) {
        best = std::min(best, engine->build(pairs.keys, pairs.values).seconds());
      }
      return best;
    };
    double const uniform = seconds(draw({"drawn", Kind::drawn, 500'000, 2}, 1, 32));
    double const skewed = seconds(draw({"half", Kind::half, 500'000, 1}, 1, 32));
    EXPECT_LT(skewed, 5.0 * uniform) << construction_names[static_cast<std::size_t>(construction)];
  }
}

}  // namespace
}  // namespace slotscape::multivalue::testing
