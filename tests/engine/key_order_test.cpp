// Sorts by segments, and the tables that are built from sorted pairs, which only large batches are.

#include "tests/engine/conformance.hpp"
#include "tests/engine/key_sorts.hpp"

#include "gpu/execution/cpu.hpp"

namespace slotscape::testing {
namespace {

TEST(KeyRanges, AscendAndAreEqual)
{
  auto const expect_even = [](auto const& ranges, auto from, auto to) {
    std::uint32_t last = 0;
    std::vector<int> counts(ranges.segments);
    for (int i = 0; i <= 100'000; ++i) {
      auto const key = static_cast<decltype(from)>(from + (to - from) / 100'000 * static_cast<decltype(from)>(i));
      EXPECT_GE(ranges.segment(key), last);
      last = ranges.segment(key);
      ASSERT_LT(last, ranges.segments);
      ++counts[last];
    }
    EXPECT_LE(*std::ranges::max_element(counts), 100'000 / static_cast<int>(ranges.segments) + 2);
    EXPECT_EQ(ranges.segment(0), 0u);
    EXPECT_EQ(ranges.segment(~decltype(from){0}), last);
  };
  for (std::uint32_t const segments : {1u, 3u, 513u, 20'000u}) {
    expect_even(KeyRanges<Narrow>::of(0u, 0xffffffffu, segments), 0u, 0xffffffffu);
    expect_even(KeyRanges<Narrow>::of(1'000'000u, 3'000'000'000u, segments), 1'000'000u, 3'000'000'000u);
    expect_even(KeyRanges<Wide>::of(0ull, ~0ull, segments), std::uint64_t{0}, ~std::uint64_t{0});
    expect_even(KeyRanges<Wide>::of(1ull << 40, 1ull << 41, segments), std::uint64_t{1} << 40, std::uint64_t{1} << 41);
  }
  EXPECT_EQ(KeyRanges<Narrow>::of(5u, 5u, 64).segment(5), 0u);
}

TEST(KeySorts, OfEvenKeysAreBySegments)
{
  KeySorts<exec::Cpu, Narrow>().expect_to_sort_by_segments();
}
TEST(KeySorts, OfEvenWideKeysAreBySegments)
{
  KeySorts<exec::Cpu, Wide>().expect_to_sort_by_segments();
}
TEST(KeySorts, OfOtherKeysFallBack)
{
  KeySorts<exec::Cpu, Narrow>().expect_to_fall_back();
}
TEST(KeySorts, OfOtherWideKeysFallBack)
{
  KeySorts<exec::Cpu, Wide>().expect_to_fall_back();
}

class LargeBatches : public FamilyTest {
protected:
  std::size_t half() const { return GetParam().backend == Backend::cpu ? 100'000 : 1'500'000; }

  /// Half of the keys into an empty table, then all of them: the values are those of the last batch.
  void expect_to_hold(std::vector<Key> const& keys)
  {
    std::mt19937 random(7);
    std::vector<Value> const first = random_values(keys.size(), random, key_bits());
    std::vector<Value> const values = random_values(keys.size(), random, key_bits());
    auto const engine = make({.family = GetParam().family, .slots = keys.size() + 5, .key_bits = key_bits()});
    std::size_t const some = keys.size() / 2;
    std::vector<Outcome> outcomes(some);
    EXPECT_EQ(engine->insert(std::span(keys).first(some), std::span(first).first(some), outcomes)[Outcome::inserted],
              some);
    EXPECT_EQ(engine->check_invariants(), "");
    outcomes.resize(keys.size());
    Tally const tally = engine->insert(keys, values, outcomes);
    EXPECT_EQ(tally[Outcome::updated], some);
    EXPECT_EQ(tally[Outcome::inserted], keys.size() - some);
    std::vector<Value> found(keys.size());
    EXPECT_EQ(engine->find(keys, found)[Outcome::found], keys.size());
    EXPECT_EQ(found, values);
    EXPECT_EQ(engine->check_invariants(), "");
  }
  std::vector<Key> shuffled(Key first, Key distance) const
  {
    std::vector<Key> keys(2 * half());
    for (std::size_t i = 0; i < keys.size(); ++i) { keys[i] = first + i * distance; }
    std::mt19937 random(5);
    std::ranges::shuffle(keys, random);
    return keys;
  }
};

TEST_P(LargeBatches, HoldRandomKeys)
{
  std::mt19937 random(2);
  expect_to_hold(random_keys(2 * half(), random, key_bits()));
}
TEST_P(LargeBatches, HoldKeysInARow)
{
  expect_to_hold(shuffled(100, 1));
}
TEST_P(LargeBatches, HoldKeysAtEqualDistances)
{
  expect_to_hold(shuffled(0, 1000));
}
TEST_P(LargeBatches, HoldSkewedKeys)
{
  std::vector<Key> keys = shuffled(0, 1);
  double const largest = static_cast<double>(keys.size());
  for (Key& key : keys) {  // ever closer together towards the first
    double const share = static_cast<double>(key) / largest;
    key += static_cast<Key>(share * share * share * static_cast<double>(largest_key(32) - keys.size()));
  }
  expect_to_hold(keys);
}

/// The stream says that its keys differ, so the first batch is not looked through.
TEST_P(LargeBatches, HoldDistinctKeysOfAStream)
{
  std::uint64_t const count = half();
  for (auto const distribution :
       {KeyDistribution::uniform, KeyDistribution::sequential, KeyDistribution::strided, KeyDistribution::clustered}) {
    SCOPED_TRACE(static_cast<int>(distribution));
    auto const engine = make({.family = GetParam().family, .slots = 2 * count, .key_bits = key_bits()});
    KeySettings keys;
    keys.distribution = distribution;
    engine->set_keys(keys, 1);
    for (int batch = 0; batch < 2; ++batch) {
      EXPECT_EQ(engine->run(BatchRequest::inserts(count)).outcomes[Outcome::inserted], count);
      EXPECT_EQ(engine->check_invariants(), "");
    }
    EXPECT_EQ(engine->run(BatchRequest::finds(2 * count, KeyChoice::hits)).outcomes[Outcome::found], 2 * count);
    EXPECT_EQ(engine->run(BatchRequest::inserts(count)).outcomes[Outcome::full], count);
  }
}

/// In whatever order: of many copies of a key the first counts as inserted, and its value stays.
TEST_P(LargeBatches, TellCopiesApart)
{
  std::mt19937 random(4);
  std::vector<Key> keys(2 * half());
  for (std::size_t i = 0; i < keys.size(); ++i) { keys[i] = 1 + i / 20 * 17; }
  std::ranges::shuffle(keys, random);
  std::vector<Value> values(keys.size());
  std::iota(values.begin(), values.end(), Value{0});
  std::vector<Outcome> outcomes(keys.size());
  auto const engine = make({.family = GetParam().family, .slots = keys.size(), .key_bits = key_bits()});
  Tally const tally = engine->insert(keys, values, outcomes);
  EXPECT_EQ(tally[Outcome::inserted], keys.size() / 20);
  EXPECT_EQ(tally[Outcome::updated], keys.size() - keys.size() / 20);
  std::unordered_set<Key> seen;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    bool const is_first = seen.insert(keys[i]).second;
    wrong += (outcomes[i] == Outcome::inserted) == is_first ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0u);
  std::vector<Value> found(keys.size());
  EXPECT_EQ(engine->find(keys, found)[Outcome::found], keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) { wrong += keys[found[i]] == keys[i] ? 0 : 1; }
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(engine->check_invariants(), "");
}

TEST_P(LargeBatches, RefuseWhatIsReservedOrTooMuch)
{
  std::vector<Key> keys = shuffled(0, 3);
  std::vector<Value> values(keys.size(), 1);
  keys[1] = keys[half()] = ~Key{0};
  values[2] = ~Value{0};
  std::size_t const slots = keys.size() - 3 - 1000;
  std::vector<Outcome> outcomes(keys.size());
  auto const engine = make({.family = GetParam().family, .slots = slots, .key_bits = key_bits()});
  Tally const tally = engine->insert(keys, values, outcomes);
  EXPECT_EQ(tally[Outcome::rejected], 3u);
  EXPECT_EQ(tally[Outcome::inserted], slots);
  EXPECT_EQ(tally[Outcome::full], 1000u);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(outcomes, Outcome::inserted)), slots);
  EXPECT_EQ(engine->check_invariants(), "");
}

INSTANTIATE_TEST_SUITE_P(
    Of, LargeBatches,
    ::testing::Values(Subject{Backend::cpu, "sorted_array", 32}, Subject{Backend::cpu, "sorted_array", 64},
                      Subject{Backend::cpu, "hash_graph", 64}, Subject{Backend::cuda, "sorted_array", 32},
                      Subject{Backend::cuda, "sorted_array", 64}, Subject{Backend::cuda, "hash_graph", 64}),
    subject_name);

}  // namespace
}  // namespace slotscape::testing
