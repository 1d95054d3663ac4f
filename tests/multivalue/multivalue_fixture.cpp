#include "tests/multivalue/multivalue_fixture.hpp"

#include "gpu/base/random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace slotscape::multivalue::testing {
namespace {

/// The number-th key: distinct, since it is a bijection of small numbers, spread over the width, and never reserved.
Key key_number(std::uint64_t number, std::uint64_t seed, int key_bits)
{
  std::uint64_t const low = static_cast<std::uint32_t>((number + 1) * 0x9e3779b1u + seed * 977u);
  if (key_bits == 32) { return low >= Narrow::locked_key ? low - 0x80000000u : low; }
  return (random64(seed, number) << 32 >> 1) | low;
}

std::uint64_t key_index(Distribution const& distribution, std::uint64_t i, std::uint64_t seed)
{
  std::uint64_t const keys = std::max<std::uint64_t>(distribution.pairs / distribution.multiplicity, 1);
  switch (distribution.kind) {
    case Distribution::Kind::equal: return i % keys;
    case Distribution::Kind::drawn: return random_below(seed + 1, i, keys);
    case Distribution::Kind::half: return i % 2 == 0 ? 0 : i;
    case Distribution::Kind::zipf: break;
  }
  double const rank = std::pow(static_cast<double>(keys), random_unit(seed + 1, i));
  return static_cast<std::uint64_t>(rank) - 1;
}

using Model = std::unordered_multimap<Key, Value>;

std::vector<Value> values_of(Model const& model, Key key)
{
  auto const [first, last] = model.equal_range(key);
  std::vector<Value> values;
  std::transform(first, last, std::back_inserter(values), [](auto const& pair) { return pair.second; });
  std::ranges::sort(values);
  return values;
}

/// Some keys of the pairs, and some that are not there.
std::vector<Key> questions(Pairs const& pairs, Model const& model)
{
  std::vector<Key> asked;
  std::uint64_t const step = pairs.keys.size() / 997 + 1;
  for (std::size_t i = 0; i < pairs.keys.size(); i += step) { asked.push_back(pairs.keys[i]); }
  std::ranges::sort(asked);
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  for (Key key = 1; key < 100; ++key) {
    if (!model.contains(key)) { asked.insert(asked.begin() + static_cast<std::ptrdiff_t>(asked.size() / 2), key); }
  }
  return asked;
}

void expect_retrieved(Engine& engine, Pairs const& pairs, Model const& model)
{
  std::vector<Key> const asked = questions(pairs, model);
  std::vector<Range> const ranges = engine.ranges(asked);
  Retrieved const retrieved = engine.retrieve(asked);
  ASSERT_EQ(retrieved.offsets.size(), asked.size() + 1);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    std::vector<Value> values(retrieved.values.begin() + static_cast<std::ptrdiff_t>(retrieved.offsets[i]),
                              retrieved.values.begin() + static_cast<std::ptrdiff_t>(retrieved.offsets[i + 1]));
    ASSERT_EQ(ranges[i].count, values.size());
    if (engine.settings().construction != Construction::sort) {
      std::ranges::sort(values);
    }  // else they kept their order
    ASSERT_EQ(values, values_of(model, asked[i])) << "of key " << asked[i];
  }
}

void expect_groups(Engine& engine, Pairs const& pairs, Model const& model)
{
  std::vector<KeyRange> const groups = engine.groups();
  std::uint64_t end = 0;
  for (KeyRange const& group : groups) {
    ASSERT_EQ(group.range.first, end);
    ASSERT_GT(group.range.count, 0u);
    end += group.range.count;
  }
  EXPECT_EQ(end, pairs.keys.size());
  auto const by_pair = [](Pair const& a, Pair const& b) { return std::tie(a.key, a.value) < std::tie(b.key, b.value); };
  std::vector<Pair> found = engine.pairs();
  std::vector<Pair> expected;
  for (auto const& [key, value] : model) { expected.push_back({key, value}); }
  std::ranges::sort(found, by_pair);
  std::ranges::sort(expected, by_pair);
  EXPECT_TRUE(found == expected) << "pairs are lost, or there twice";
}

void expect_statistics(Engine& engine, Pairs const& pairs)
{
  std::unordered_map<Key, std::uint64_t> counts;
  for (Key const key : pairs.keys) { ++counts[key]; }
  Statistics const found = engine.statistics();
  EXPECT_EQ(found.pairs, pairs.keys.size());
  EXPECT_EQ(found.distinct, counts.size());
  EXPECT_EQ(found.multiplicity.count, counts.size());
  std::uint64_t most = 0;
  std::vector<std::uint32_t> histogram(live_histogram_limit);
  for (auto const& [key, count] : counts) {
    most = std::max(most, count);
    if (count < histogram.size()) { ++histogram[count]; }
  }
  while (!histogram.empty() && histogram.back() == 0) { histogram.pop_back(); }
  EXPECT_EQ(found.multiplicity.max, most);
  EXPECT_EQ(found.multiplicity.histogram, histogram);
  if (!counts.empty()) {
    double const mean = static_cast<double>(pairs.keys.size()) / static_cast<double>(counts.size());
    EXPECT_NEAR(found.multiplicity.mean, mean, 1e-9 * mean);
  }
  EXPECT_GE(found.bytes, pairs.keys.size() * 4);
}

/// The table of keys has each once, numbered as in `groups`.
void expect_keys(Engine& engine)
{
  InspectedTable& table = engine.keys();
  EXPECT_EQ(table.check_invariants(), "");
  std::vector<KeyRange> const groups = engine.groups();
  EXPECT_EQ(table.counts().live, groups.size());
  std::vector<Slot> slots(table.table().slots);
  std::iota(slots.begin(), slots.end(), Slot{0});
  for (SlotInfo const& slot : table.slots(slots)) {
    if (slot.state != SlotState::live) { continue; }
    ASSERT_LT(slot.pair.value, groups.size());
    ASSERT_EQ(groups[slot.pair.value].key, slot.pair.key);
  }
}

}  // namespace

Pairs draw(Distribution const& distribution, std::uint64_t seed, int key_bits)
{
  Pairs pairs;
  if (distribution.pairs == 0) { return pairs; }
  Shuffle const shuffle = make_shuffle(seed, distribution.pairs);
  for (std::uint64_t i = 0; i < distribution.pairs; ++i) {
    std::uint64_t const place = shuffle(static_cast<std::uint32_t>(i));
    pairs.keys.push_back(key_number(key_index(distribution, place, seed), seed, key_bits));
    pairs.values.push_back(key_bits == 64 ? (i << 33 | i) : i);
  }
  return pairs;
}

void expect_holds(Engine& engine, Pairs const& pairs)
{
  Model model;
  model.reserve(pairs.keys.size());
  for (std::size_t i = 0; i < pairs.keys.size(); ++i) { model.emplace(pairs.keys[i], pairs.values[i]); }
  expect_retrieved(engine, pairs, model);
  expect_groups(engine, pairs, model);
  expect_statistics(engine, pairs);
  expect_keys(engine);
}

}  // namespace slotscape::multivalue::testing
