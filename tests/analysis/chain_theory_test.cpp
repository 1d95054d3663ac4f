#include "gpu/analysis/chain_theory.hpp"

#include "gpu/analysis/theory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <random>
#include <utility>

namespace slotscape::theory {
namespace {

using Homes = std::vector<std::size_t>;

/// Calls `use` with the homes of n keys, for all ways to choose them among m.
template <class Use>
void for_all_ways(std::size_t m, std::size_t n, Use const& use)
{
  Homes homes(n, 0);
  while (true) {
    use(homes);
    auto const next = std::ranges::find_if(homes, [&](std::size_t home) { return home + 1 != m; });
    if (next == homes.end()) { return; }
    std::fill(homes.begin(), next, 0);
    ++*next;
  }
}

struct Mean {
  double sum = 0.0;
  double count = 0.0;

  void add(double value, double times = 1.0)
  {
    sum += times * value;
    count += times;
  }
  double value() const { return sum / count; }
};

/// Chains of these heads, for all ways in which n keys hash to one of `hashes` numbers.
void expect_exact_chains(Heads const& heads, std::size_t hashes, std::size_t n, auto const& head_of)
{
  Mean before;
  Mean nodes;
  Mean links;
  for_all_ways(hashes, n, [&](Homes const& keys) {
    std::vector<std::size_t> lengths(hashes, 0);
    for (std::size_t const key : keys) { before.add(static_cast<double>(lengths[head_of(key)]++)); }
    for (std::size_t absent = 0; absent < hashes; ++absent) {
      std::size_t const length = lengths[head_of(absent)];
      nodes.add(static_cast<double>(length));
      links.add(static_cast<double>(length == 0 ? 0 : length - 1));
    }
  });
  auto const keys = static_cast<double>(n);
  EXPECT_NEAR(chained_nodes_before_a_key(keys, heads), before.value(), 1e-12);
  EXPECT_NEAR(chained_nodes_of_a_miss(keys, heads), nodes.value(), 1e-12);
  EXPECT_NEAR(chained_links_of_a_miss(keys, heads), links.value(), 1e-12);
}

TEST(ChainTheory, IsExactForAFewKeys)
{
  for (auto const& [m, n] : {std::pair{2, 3}, std::pair{3, 4}, std::pair{4, 5}}) {
    auto const heads = static_cast<std::size_t>(m);
    expect_exact_chains(equal_heads(m), heads, static_cast<std::size_t>(n), [](std::size_t hash) { return hash; });
  }
  for (std::size_t const in_use : {2, 3, 4, 5, 7}) {
    std::size_t const of_round = std::bit_floor(in_use);
    expect_exact_chains(heads_split_in_turn(in_use), 2 * of_round, 4,
                        [&](std::size_t hash) { return hash < in_use ? hash : hash - of_round; });
  }
  EXPECT_EQ(chained_nodes_before_a_key(0.0, equal_heads(7.0)), 0.0);
}

TEST(ChainTheory, LinearHashingIsAsLarsonSays)
{
  for (std::uint64_t const in_use : {1024u, 1100u, 1536u, 2047u}) {
    double const x = static_cast<double>(in_use) / 1024.0 - 1.0;
    double const load = 1.5;
    double const keys = load * static_cast<double>(in_use);
    EXPECT_NEAR(chained_nodes_of_a_miss(keys, heads_split_in_turn(in_use)), load / 2.0 * (2.0 + x - x * x), 1e-9);
  }
}

TEST(ChainTheory, LengthsAndPlacesAreDistributions)
{
  constexpr double keys = 3000.0;
  for (Heads const& heads : {equal_heads(1000.0), heads_split_in_turn(1300)}) {
    double sum = 0.0;
    double nodes = 0.0;
    std::vector<double> const lengths = chain_lengths(keys, heads, 60);
    for (std::size_t length = 0; length < lengths.size(); ++length) {
      sum += lengths[length];
      nodes += static_cast<double>(length) * lengths[length];
    }
    double const count = heads.front().count + (heads.size() > 1 ? heads.back().count : 0.0);
    EXPECT_NEAR(sum, 1.0, 1e-9);
    EXPECT_NEAR(nodes, keys / count, 1e-9);
    double before = 0.0;
    std::vector<double> const places = chained_places(keys, heads, 60);
    for (std::size_t place = 0; place < places.size(); ++place) {
      before += static_cast<double>(place) * places[place];
    }
    EXPECT_NEAR(before, chained_nodes_before_a_key(keys + 1.0, heads), 1e-9) << "a random number of keys";
  }
  EXPECT_NEAR(expected_longest_chain(keys, equal_heads(1000.0)), expected_fullest_bucket(1000.0, 3.0), 1e-9);
  EXPECT_GT(expected_longest_chain(keys, heads_split_in_turn(1300)), expected_fullest_bucket(1300.0, keys / 1300.0));
}

/// Coalesced hashing as in textbooks: the last free slot is linked to the chain.
class CoalescedTable {
public:
  CoalescedTable(std::size_t slots, std::size_t homes) : next_(slots), taken_(slots, false), homes_(homes) {}

  /// The number of slots that a lookup reads: up to the empty home or the end of the chain.
  std::size_t slots_of_a_miss(std::size_t home) const
  {
    std::size_t read = 1;
    for (std::optional<std::size_t> at = next_[home]; at; at = next_[*at]) { ++read; }
    return read;
  }
  /// The number of slots that a lookup of the new key reads.
  std::size_t insert(std::size_t home)
  {
    if (!taken_[home]) {
      taken_[home] = true;
      return 1;
    }
    std::size_t const read = slots_of_a_miss(home) + 1;
    std::size_t last = home;
    while (next_[last]) { last = *next_[last]; }
    std::size_t free = taken_.size() - 1;
    while (taken_[free]) { --free; }
    taken_[free] = true;
    next_[last] = free;
    return read;
  }
  CoalescedProbes misses() const
  {
    Mean misses;
    Mean empty;
    for (std::size_t home = 0; home < homes_; ++home) {
      misses.add(static_cast<double>(slots_of_a_miss(home)));
      empty.add(taken_[home] ? 0.0 : 1.0);
    }
    return {0.0, misses.value(), empty.value()};
  }

private:
  std::vector<std::optional<std::size_t>> next_;
  std::vector<bool> taken_;
  std::size_t homes_;
};

TEST(ChainTheory, CoalescedHashingIsExactWithoutACellar)
{
  for (auto const& [m, n] : {std::pair{1, 1}, std::pair{3, 2}, std::pair{4, 4}, std::pair{5, 5}}) {
    auto const slots = static_cast<std::size_t>(m);
    Mean hits;
    Mean misses;
    Mean empty;
    for_all_ways(slots, static_cast<std::size_t>(n), [&](Homes const& homes) {
      CoalescedTable table(slots, slots);
      for (std::size_t const home : homes) { hits.add(static_cast<double>(table.insert(home))); }
      misses.add(table.misses().miss);
      empty.add(table.misses().empty_home);
    });
    CoalescedProbes const expected = coalesced_probes(m, m, n);
    EXPECT_NEAR(expected.hit, hits.value(), 1e-12) << m << ", " << n;
    EXPECT_NEAR(expected.miss, misses.value(), 1e-12) << m << ", " << n;
    EXPECT_NEAR(expected.empty_home, empty.value(), 1e-12) << m << ", " << n;
  }
}

TEST(ChainTheory, CoalescedHashingWithACellarIsAsSimulated)
{
  constexpr std::size_t slots = 10'000;
  for (std::size_t const homes : {8600u, 9900u, 10'000u}) {
    std::mt19937_64 random(homes);
    CoalescedTable table(slots, homes);
    Mean hits;
    for (std::size_t taken = 1; taken <= slots; ++taken) {
      hits.add(static_cast<double>(table.insert(random() % homes)));
      if (taken % 2500 != 0) { continue; }
      CoalescedProbes const expected = coalesced_probes(slots, static_cast<double>(homes), static_cast<double>(taken));
      CoalescedProbes const found = table.misses();
      EXPECT_NEAR(hits.value(), expected.hit, 0.02 * expected.hit) << homes << ", " << taken;
      EXPECT_NEAR(found.miss, expected.miss, 0.02 * expected.miss) << homes << ", " << taken;
      EXPECT_NEAR(found.empty_home, expected.empty_home, 0.01) << homes << ", " << taken;
    }
  }
  EXPECT_EQ(coalesced_probes(16.0, 14.0, 0.0).miss, 1.0);
}

/// The buckets of keys that share `bits` bits, in which each is counted with its keys, and the slots that misses read.
void split(std::vector<std::uint64_t> const& keys, int bits, std::size_t size, std::vector<double>& buckets,
           Mean& misses)
{
  if (keys.size() <= size) {
    ++buckets[keys.size()];
    misses.add(static_cast<double>(std::min(keys.size() + 1, size)), std::ldexp(1.0, -bits));
    return;
  }
  std::vector<std::uint64_t> halves[2];
  for (std::uint64_t const key : keys) { halves[key >> bits & 1].push_back(key); }
  for (std::vector<std::uint64_t> const& half : halves) { split(half, bits + 1, size, buckets, misses); }
}

TEST(ChainTheory, SplitBucketsAreAsSimulated)
{
  for (auto const& [n, size] : {std::pair{3, 2}, std::pair{5, 4}, std::pair{12, 4}, std::pair{40, 16}, {4000, 8}}) {
    std::mt19937_64 random(n);
    auto const bucket = static_cast<std::size_t>(size);
    int const tables = 400'000 / n;
    std::vector<double> buckets(bucket + 1, 0.0);
    Mean misses;
    for (int i = 0; i < tables; ++i) {
      std::vector<std::uint64_t> keys(static_cast<std::size_t>(n));
      std::ranges::generate(keys, std::ref(random));
      split(keys, 0, bucket, buckets, misses);
    }
    SplitBuckets const expected = split_buckets(static_cast<std::uint64_t>(n), static_cast<std::uint32_t>(size));
    double sum = 0.0;
    for (std::size_t keys = 0; keys <= bucket; ++keys) {
      double const mean = tables * expected.count * expected.with_keys[keys];
      EXPECT_NEAR(buckets[keys], mean, 6.0 * std::sqrt(mean) + 1.0) << n << ", " << keys;
      sum += expected.with_keys[keys];
    }
    EXPECT_NEAR(sum, 1.0, 1e-9);
    EXPECT_NEAR(mean_keys(expected.with_keys) * expected.count, n, 1e-6 * n);
    EXPECT_NEAR(misses.value(), expected.slots_of_a_miss, 0.01 * expected.slots_of_a_miss) << n;
  }
}

TEST(ChainTheory, SplitBucketsAreFullToTheLogarithmOfTwo)
{
  for (std::uint32_t const size : {2u, 4u, 16u}) {
    Mean full;
    for (double octave = 20.0; octave < 21.0; octave += 0.05) {  // it fluctuates within an octave
      auto const keys = static_cast<std::uint64_t>(std::exp2(octave));
      double const share = mean_keys(split_buckets(keys, size).with_keys) / size;
      EXPECT_NEAR(share, std::numbers::ln2, 0.02);
      full.add(share);
    }
    EXPECT_NEAR(full.value(), std::numbers::ln2, 1e-3) << size;
  }
  EXPECT_EQ(split_buckets(4, 4).with_keys.back(), 1.0) << "one bucket, which is full";
  EXPECT_EQ(split_buckets(4, 4).slots_of_a_miss, 4.0);
  EXPECT_EQ(split_buckets(0, 4).slots_of_a_miss, 1.0);
}

}  // namespace
}  // namespace slotscape::theory
