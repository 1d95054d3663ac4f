#include "gpu/analysis/theory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace slotscape::theory {
namespace {

/// A table filled by the definition of linear probing, with random homes: what the formulas must describe.
struct Simulated {
  std::vector<bool> taken;
  double mean_probe_length = 0.0;
  std::vector<std::uint64_t> clusters;  ///< lengths
};

Simulated simulate(std::size_t slots, double load, unsigned seed)
{
  std::mt19937_64 random(seed);
  Simulated table{std::vector<bool>(slots, false), 0.0, {}};
  auto const keys = static_cast<std::size_t>(load * static_cast<double>(slots));
  std::uint64_t probes = 0;
  for (std::size_t i = 0; i < keys; ++i) {
    std::size_t slot = random() % slots;
    for (; table.taken[slot]; slot = (slot + 1) % slots) { ++probes; }
    table.taken[slot] = true;
  }
  table.mean_probe_length = static_cast<double>(probes) / static_cast<double>(keys);
  auto const first_empty = static_cast<std::size_t>(std::ranges::find(table.taken, false) - table.taken.begin());
  std::uint64_t run = 0;
  for (std::size_t i = 1; i <= slots; ++i) {
    if (table.taken[(first_empty + i) % slots]) {
      ++run;
    } else if (run != 0) {
      table.clusters.push_back(run);
      run = 0;
    }
  }
  return table;
}

TEST(Theory, ProbesMatchKnuth)
{
  EXPECT_DOUBLE_EQ(mean_probe_length(0.0), 0.0);
  EXPECT_DOUBLE_EQ(mean_probe_length(0.5), 0.5);
  EXPECT_DOUBLE_EQ(mean_probe_length(0.9), 4.5);
  EXPECT_DOUBLE_EQ(mean_probes_of_a_miss(0.0), 1.0);
  EXPECT_DOUBLE_EQ(mean_probes_of_a_miss(0.5), 2.5);
  EXPECT_NEAR(mean_probes_of_a_miss(0.9), 50.5, 1e-9);
}

TEST(Theory, BorelIsADistributionWithItsMean)
{
  for (double const mu : {0.1, 0.5, 0.8, 0.9}) {
    double sum = 0.0;
    double mean = 0.0;
    for (double n = 1.0; n < 20000.0; ++n) {
      sum += borel(mu, n);
      mean += n * borel(mu, n);
    }
    EXPECT_NEAR(sum, 1.0, 1e-6) << mu;
    EXPECT_NEAR(mean, 1.0 / (1.0 - mu), 1e-4) << mu;
  }
  EXPECT_DOUBLE_EQ(borel(0.0, 1.0), 1.0);
  EXPECT_DOUBLE_EQ(borel(0.0, 2.0), 0.0);
}

TEST(Theory, ClusterLengthsAreADistributionWithTheirMean)
{
  for (double const slots : {13.0, 1000.0, 0x1p20}) {
    for (double const load : {0.1, 0.5, 0.9}) {
      double const taken = std::floor(load * slots);
      double clusters = 0.0;
      double keys = 0.0;
      for (double length = 1.0; length <= std::min(taken, 20000.0); ++length) {
        clusters += expected_clusters(slots, taken, length);
        keys += length * expected_clusters(slots, taken, length);
      }
      EXPECT_NEAR(clusters, expected_clusters(slots, taken), 1e-5 * clusters) << slots << ", " << load;
      EXPECT_NEAR(keys, taken, 1e-5 * taken) << slots << ", " << load;
      EXPECT_NEAR(keys / clusters, mean_cluster_length(slots, taken), 1e-4) << slots << ", " << load;
    }
  }
}

/// The clusters of every length, on average over all the ways in which so many keys can have their homes.
std::vector<double> clusters_of_all_homes(std::size_t slots, std::size_t keys)
{
  std::vector<double> clusters(slots + 1, 0.0);
  auto const ways = static_cast<std::size_t>(std::pow(slots, keys));
  for (std::size_t way = 0; way < ways; ++way) {
    std::vector<bool> taken(slots, false);
    std::size_t homes = way;
    for (std::size_t key = 0; key < keys; ++key, homes /= slots) {
      std::size_t slot = homes % slots;
      while (taken[slot]) { slot = (slot + 1) % slots; }
      taken[slot] = true;
    }
    if (keys == slots) {
      clusters[slots] += 1.0;
      continue;
    }
    for (std::size_t begin = 0; begin < slots; ++begin) {
      if (taken[begin]) { continue; }
      std::size_t length = 0;
      while (taken[(begin + 1 + length) % slots]) { ++length; }
      if (length > 0) { clusters[length] += 1.0; }
    }
  }
  for (double& each : clusters) { each /= static_cast<double>(ways); }
  return clusters;
}

TEST(Theory, ClustersOfFewSlotsAreThoseOfAllHomes)
{
  for (auto const& [slots, keys] :
       {std::pair(5, 3), std::pair(6, 5), std::pair(7, 5), std::pair(4, 4), std::pair(6, 1)}) {
    auto const counted = clusters_of_all_homes(static_cast<std::size_t>(slots), static_cast<std::size_t>(keys));
    for (std::size_t length = 1; length < counted.size(); ++length) {
      EXPECT_NEAR(expected_clusters(slots, keys, static_cast<double>(length)), counted[length], 1e-9)
          << keys << " keys in " << slots << " slots, length " << length;
    }
  }
  EXPECT_NEAR(expected_clusters(13.0, 11.0), 2.0 - std::pow(12.0 / 13.0, 10.0), 1e-12);
  EXPECT_DOUBLE_EQ(mean_cluster_length(11.0, 10.0), 10.0);
  EXPECT_DOUBLE_EQ(mean_cluster_length(11.0, 11.0), 11.0);
}

TEST(Theory, ClustersOfManySlotsAreBorels)
{
  double const slots = 0x1p27;
  for (double const load : {0.25, 0.5, 0.75}) {
    for (double const length : {1.0, 2.0, 10.0}) {
      double const by_borel = slots * (1.0 - load) * borel(load, length + 1.0);
      EXPECT_NEAR(expected_clusters(slots, load * slots, length), by_borel, 1e-5 * by_borel) << load << ", " << length;
    }
  }
}

TEST(Theory, AgreesWithASimulatedTable)
{
  std::size_t const slots = std::size_t{1} << 20;
  for (double const load : {0.3, 0.5, 0.8}) {
    Simulated const table = simulate(slots, load, 7);
    EXPECT_NEAR(table.mean_probe_length, mean_probe_length(load), 0.03 * mean_probe_length(load));
    double const taken = std::floor(load * static_cast<double>(slots));
    double const expected = expected_clusters(static_cast<double>(slots), taken);
    EXPECT_NEAR(static_cast<double>(table.clusters.size()), expected, 0.02 * expected);
    for (std::uint64_t const length : {1, 2, 3, 5}) {
      auto const seen = static_cast<double>(std::ranges::count(table.clusters, length));
      double const predicted = expected_clusters(static_cast<double>(slots), taken, static_cast<double>(length));
      EXPECT_NEAR(seen, predicted, 6.0 * std::sqrt(predicted)) << "length " << length << " at " << load;
    }
  }
}

/// How many live keys have each displacement, in a table filled by Robin Hood hashing (Celis 1986).
std::vector<double> simulate_robin_hood(std::size_t slots, double load, unsigned seed)
{
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> displacement(slots, -1);
  auto const keys = static_cast<std::size_t>(load * static_cast<double>(slots));
  for (std::size_t i = 0; i < keys; ++i) {
    std::size_t slot = random() % slots;
    std::int64_t distance = 0;
    for (; displacement[slot] >= 0; slot = (slot + 1) % slots, ++distance) {
      if (displacement[slot] < distance) { std::swap(displacement[slot], distance); }
    }
    displacement[slot] = distance;
  }
  std::vector<double> counts;
  for (std::int64_t const distance : displacement) {
    if (distance < 0) { continue; }
    counts.resize(std::max(counts.size(), static_cast<std::size_t>(distance) + 1));
    ++counts[static_cast<std::size_t>(distance)];
  }
  return counts;
}

struct Moments {
  double sum = 0.0;
  double mean = 0.0;
  double variance = 0.0;
};

Moments moments(std::vector<double> const& weights)
{
  Moments found;
  double squares = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    auto const value = static_cast<double>(i);
    found.sum += weights[i];
    found.mean += value * weights[i];
    squares += value * value * weights[i];
  }
  found.mean /= found.sum;
  found.variance = squares / found.sum - found.mean * found.mean;
  return found;
}

TEST(Theory, RobinHoodIsADistributionWithItsMoments)
{
  for (double const load : {0.01, 0.3, 0.5, 0.8, 0.9, 0.99}) {
    auto const count = static_cast<std::size_t>(30.0 / (1.0 - load) / (1.0 - load)) + 30;
    std::vector<double> const displacement = robin_hood_displacement(load, count);
    ASSERT_TRUE(std::ranges::all_of(displacement, [](double p) { return p >= 0.0 && p <= 1.0; })) << load;
    Moments const found = moments(displacement);
    EXPECT_NEAR(found.sum, 1.0, 1e-10) << load;
    EXPECT_NEAR(found.mean, mean_probe_length(load), 1e-7 * (1.0 + mean_probe_length(load))) << load;
    EXPECT_NEAR(found.variance, robin_hood_variance(load), 1e-6 * robin_hood_variance(load)) << load;
  }
  EXPECT_EQ(robin_hood_displacement(0.0, 3), (std::vector<double>{1.0, 0.0, 0.0}));
  EXPECT_TRUE(robin_hood_displacement(0.5, 0).empty());
}

TEST(Theory, RobinHoodAgreesWithASimulatedTable)
{
  for (double const load : {0.5, 0.8, 0.9}) {
    std::vector<double> const seen = simulate_robin_hood(std::size_t{1} << 19, load, 11);
    Moments const found = moments(seen);
    EXPECT_NEAR(found.mean, mean_probe_length(load), 0.03 * mean_probe_length(load)) << load;
    EXPECT_NEAR(found.variance, robin_hood_variance(load), 0.06 * robin_hood_variance(load)) << load;
    std::vector<double> const displacement = robin_hood_displacement(load, seen.size());
    for (std::size_t i = 0; i < 6; ++i) {
      double const expected = found.sum * displacement[i];
      EXPECT_NEAR(seen[i], expected, 0.02 * expected + 8.0 * std::sqrt(expected)) << i << " at " << load;
    }
  }
}

/// Mean slots that lookups of absent keys read, in one table filled by Robin Hood hashing, where of equally far keys
/// the smaller has priority.
double simulate_robin_hood_misses(std::size_t slots, std::size_t keys, std::mt19937_64& random)
{
  struct Entry {
    std::uint64_t key;
    std::size_t home;
  };
  std::vector<std::optional<Entry>> table(slots);
  auto const fresh = [&] { return Entry{random(), random() % slots}; };
  auto const has_priority = [&](std::size_t slot, Entry const& mine) {
    if (!table[slot]) { return true; }
    std::size_t const distance = (slot + slots - mine.home) % slots;
    std::size_t const other = (slot + slots - table[slot]->home) % slots;
    return distance != other ? distance > other : mine.key < table[slot]->key;
  };
  for (std::size_t i = 0; i < keys; ++i) {
    std::optional<Entry> carried = fresh();
    for (std::size_t slot = carried->home; carried; slot = (slot + 1) % slots) {
      if (has_priority(slot, *carried)) { std::swap(carried, table[slot]); }
    }
  }
  double probes = 0.0;
  constexpr int lookups = 20;
  for (int i = 0; i < lookups; ++i) {
    Entry const absent = fresh();
    std::size_t slot = absent.home;
    for (++probes; !has_priority(slot, absent); slot = (slot + 1) % slots) { ++probes; }
  }
  return probes / lookups;
}

TEST(Theory, RobinHoodMissesAgreeWithSimulatedTables)
{
  std::mt19937_64 random(5);
  struct Case {
    std::size_t slots;
    std::size_t keys;
    int tables;
  };
  for (auto const& [slots, keys, tables] :
       {Case{13, 12, 20000}, Case{64, 32, 20000}, Case{64, 51, 20000}, Case{64, 60, 20000}, Case{1024, 921, 1000}}) {
    double sum = 0.0;
    double squares = 0.0;
    for (int table = 0; table < tables; ++table) {
      double const mean = simulate_robin_hood_misses(slots, keys, random);
      sum += mean;
      squares += mean * mean;
    }
    double const mean = sum / tables;
    double const error = std::sqrt((squares / tables - mean * mean) / tables);
    EXPECT_LT(error, 0.01 * mean) << slots << ", " << keys;
    EXPECT_NEAR(mean, robin_hood_probes_of_a_miss(static_cast<double>(slots), static_cast<double>(keys)), 3.0 * error)
        << slots << ", " << keys;
  }
  EXPECT_DOUBLE_EQ(robin_hood_probes_of_a_miss(100.0, 0.0), 1.0);
}

/// Mean probes of hits and of misses in a table whose keys go along `step(home, second hash, probe)`.
struct ProbesSeen {
  std::vector<double> hits;  ///< keys by their probes
  double miss = 0.0;
};

template <class Step>
ProbesSeen simulate_probing(std::size_t slots, double load, Step step)
{
  std::mt19937_64 random(5);
  std::vector<bool> taken(slots, false);
  auto const probes_to_free = [&](bool takes) {
    std::size_t const home = random() % slots;
    std::size_t const second = random();
    for (std::size_t probe = 0;; ++probe) {
      std::size_t const slot = step(home, second, probe) % slots;
      if (taken[slot]) { continue; }
      taken[slot] = takes;
      return probe + 1;
    }
  };
  ProbesSeen seen;
  auto const keys = static_cast<std::size_t>(load * static_cast<double>(slots));
  for (std::size_t i = 0; i < keys; ++i) {
    std::size_t const probes = probes_to_free(true);
    seen.hits.resize(std::max(seen.hits.size(), probes + 1));
    ++seen.hits[probes];
  }
  for (std::size_t i = 0; i < slots; ++i) { seen.miss += static_cast<double>(probes_to_free(false)); }
  seen.miss /= static_cast<double>(slots);
  return seen;
}

TEST(Theory, UniformProbingAgreesWithDoubleHashing)
{
  std::size_t const prime = 262147;
  auto const step = [&](std::size_t home, std::size_t second, std::size_t probe) {
    return home + probe * (1 + second % (prime - 1));
  };
  for (double const load : {0.5, 0.8, 0.9}) {
    ProbesSeen const seen = simulate_probing(prime, load, step);
    Moments const hits = moments(seen.hits);
    EXPECT_NEAR(hits.mean, uniform_probes_of_a_hit(load), 0.01 * hits.mean) << load;
    EXPECT_NEAR(seen.miss, uniform_probes_of_a_miss(load), 0.02 * seen.miss) << load;
    auto const above = uniform_probes_above(static_cast<double>(prime), hits.sum, 6);
    for (std::size_t probes = 1; probes < 6; ++probes) {
      double const expected = hits.sum * (above[probes - 1] - above[probes]);
      EXPECT_NEAR(seen.hits[probes], expected, 0.03 * expected) << probes << " at " << load;
    }
  }
}

TEST(Theory, UniformProbesAreADistributionWithTheirMean)
{
  for (auto const& [slots, keys] : {std::pair(11.0, 10.0), std::pair(13.0, 13.0), std::pair(1000.0, 900.0)}) {
    auto const above = uniform_probes_above(slots, keys, 1000);
    EXPECT_DOUBLE_EQ(above[0], 1.0);
    EXPECT_DOUBLE_EQ(above[static_cast<std::size_t>(keys)], 0.0);
    EXPECT_NEAR(std::accumulate(above.begin(), above.end(), 0.0), uniform_probes_of_a_hit(slots, keys), 1e-9) << slots;
  }
  EXPECT_NEAR(uniform_probes_above(3.0, 2.0, 2)[1], 1.0 / 6.0, 1e-12);  // the second key's, in one case of three
  EXPECT_NEAR(uniform_probes_of_a_hit(11.0, 10.0), 1.2 * (86021.0 / 27720.0 - 1.5), 1e-12);
  EXPECT_NEAR(uniform_probes_of_a_hit(0x1p27, 0.9 * 0x1p27), uniform_probes_of_a_hit(0.9), 1e-6);
  for (double const keys : {62.0, 63.0, 64.0}) {  // where sums give way to a series
    double exact = 0.0;
    for (double n = 127.0 - keys + 1.0; n <= 127.0; ++n) { exact += 1.0 / n; }
    EXPECT_NEAR(uniform_probes_of_a_hit(126.0, keys), 127.0 / keys * exact, 1e-9);
  }
  EXPECT_DOUBLE_EQ(uniform_probes_of_a_hit(0.0), 1.0);
  EXPECT_NEAR(uniform_probes_of_a_hit(0.9), 2.5584, 1e-4);
  EXPECT_DOUBLE_EQ(uniform_probes_of_a_miss(0.75), 4.0);
}

/// SplitMix64 (Steele, Lea & Flood 2014).
std::uint64_t scrambled(std::uint64_t number)
{
  number += 0x9e3779b97f4a7c15u;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9u;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebu;
  return number ^ (number >> 31);
}

TEST(Theory, SecondaryClusteringAgreesWithRandomPathsFromEachHome)
{
  auto const path = [](std::size_t home, std::size_t, std::size_t probe) {
    return probe == 0 ? home : scrambled(home * 65536 + probe);
  };
  auto const triangular = [](std::size_t home, std::size_t, std::size_t probe) {
    return home + probe * (probe + 1) / 2;
  };
  std::size_t const slots = std::size_t{1} << 18;
  for (double const load : {0.5, 0.8, 0.9}) {
    ProbesSeen const seen = simulate_probing(slots, load, path);
    EXPECT_NEAR(moments(seen.hits).mean, secondary_probes_of_a_hit(load), 0.02 * secondary_probes_of_a_hit(load));
    EXPECT_NEAR(seen.miss, secondary_probes_of_a_miss(load), 0.04 * seen.miss) << load;
    ProbesSeen const near = simulate_probing(slots, load, triangular);
    EXPECT_NEAR(moments(near.hits).mean, secondary_probes_of_a_hit(load), 0.04 * secondary_probes_of_a_hit(load));
    EXPECT_NEAR(near.miss, secondary_probes_of_a_miss(load), 0.08 * near.miss) << load;  // its paths still share slots
  }
}

TEST(Theory, PoissonAgreesWithSimulatedBuckets)
{
  std::mt19937_64 random(3);
  std::vector<int> buckets(100000, 0);
  for (std::size_t key = 0; key < 4 * buckets.size(); ++key) { ++buckets[random() % buckets.size()]; }
  for (int size = 0; size < 9; ++size) {
    double const expected = static_cast<double>(buckets.size()) * poisson(4.0, size);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(buckets, size)), expected, 5.0 * std::sqrt(expected)) << size;
  }
  EXPECT_DOUBLE_EQ(poisson(0.0, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(poisson(0.0, 1.0), 0.0);
}

TEST(Theory, CuckooThresholdsAreThePublishedOnes)
{
  EXPECT_DOUBLE_EQ(cuckoo_threshold(2, 1).value(), 0.5);
  // Dietzfelbinger et al. 2010, table 1; Walzer 2018, table 1.
  EXPECT_NEAR(cuckoo_threshold(3, 1).value(), 0.91794, 1e-5);
  EXPECT_NEAR(cuckoo_threshold(4, 1).value(), 0.97677, 1e-5);
  EXPECT_NEAR(cuckoo_threshold(2, 2).value(), 0.89701, 1e-5);
  EXPECT_NEAR(cuckoo_threshold(2, 3).value(), 0.95915, 1e-5);
  EXPECT_NEAR(cuckoo_threshold(2, 4).value(), 0.98037, 1e-5);
  EXPECT_NEAR(cuckoo_threshold(3, 2).value(), 0.98820, 1e-5);
  for (std::uint32_t const bucket : {8u, 16u}) {
    double const two = cuckoo_threshold(2, bucket).value();
    EXPECT_GT(two, cuckoo_threshold(2, bucket / 2).value());
    EXPECT_GT(cuckoo_threshold(3, bucket).value(), two);
    EXPECT_LT(cuckoo_threshold(4, bucket).value(), 1.0 + 1e-12);
  }
  EXPECT_FALSE(cuckoo_threshold(1, 4).has_value());
  EXPECT_FALSE(cuckoo_threshold(2, 0).has_value());
}

/// Whether cuckoo hashing by a random walk places all keys of this load.
bool cuckoo_places_all(std::uint32_t hashes, std::uint32_t bucket, double load)
{
  std::mt19937_64 random(17);
  std::size_t const buckets = 20000;
  std::vector<std::vector<std::size_t>> table(buckets);
  std::vector<std::array<std::size_t, 4>> choices(
      static_cast<std::size_t>(load * static_cast<double>(buckets * bucket)));
  for (auto& of_key : choices) {
    std::ranges::generate(of_key, [&] { return random() % buckets; });
  }
  for (std::size_t key = 0; key < choices.size(); ++key) {
    std::size_t homeless = key;
    for (int moves = 0;; ++moves) {
      if (moves == 3000) { return false; }
      auto& place = table[choices[homeless][random() % hashes]];
      if (place.size() < bucket) {
        place.push_back(homeless);
        break;
      }
      std::swap(homeless, place[random() % bucket]);
    }
  }
  return true;
}

TEST(Theory, CuckooThresholdsPartTablesThatFillFromThoseThatDoNot)
{
  for (auto const& [hashes, bucket] : {std::pair{3u, 1u}, {2u, 2u}, {2u, 4u}}) {
    double const threshold = cuckoo_threshold(hashes, bucket).value();
    EXPECT_TRUE(cuckoo_places_all(hashes, bucket, threshold - 0.02)) << hashes << " x " << bucket;
    EXPECT_FALSE(cuckoo_places_all(hashes, bucket, threshold + 0.01)) << hashes << " x " << bucket;
  }
}

TEST(Theory, LongestClustersAgreeWithSimulatedTables)
{
  struct Table {
    double slots;
    double load;
  };
  for (auto const [slots, load] : std::vector<Table>{
           {512.0, 0.6}, {4096.0, 0.3}, {4096.0, 0.85}, {65536.0, 0.3}, {65536.0, 0.9}, {65536.0, 0.95}}) {
    unsigned const tables = slots < 65536.0 ? 300 : 40;
    double mean = 0.0;
    for (unsigned seed = 0; seed < tables; ++seed) {
      auto const clusters = simulate(static_cast<std::size_t>(slots), load, seed).clusters;
      mean += static_cast<double>(*std::ranges::max_element(clusters)) / tables;
    }
    double const expected = expected_longest_cluster(slots, load).value();
    EXPECT_NEAR(mean, expected, 0.1 * mean) << slots << ' ' << load;
  }
  // Few gaps among many keys: the formula would say 2 slots of 251, or 12 of 370.
  for (double const taken : {440.0, 480.0, 490.0, 497.0}) {
    EXPECT_FALSE(expected_longest_cluster(500.0, taken / 500.0).has_value()) << taken;
  }
  EXPECT_FALSE(expected_longest_cluster(4096.0, 0.9).has_value()) << "310, where simulated tables have 340";
  EXPECT_FALSE(expected_longest_cluster(1048576.0, 0.999).has_value());
  EXPECT_FALSE(expected_longest_cluster(1024.0, 0.95).has_value());  // most of the table
  EXPECT_FALSE(expected_longest_cluster(65536.0, 0.0).has_value());
  EXPECT_FALSE(expected_longest_cluster(65536.0, 1.0).has_value());
}

TEST(Theory, HomesDealtWithoutReplacementCollideLess)
{
  std::size_t const slots = std::size_t{1} << 15;  // half as many as there are keys
  for (double const load : {0.5, 0.8, 0.9}) {
    auto const keys = static_cast<std::size_t>(load * static_cast<double>(slots));
    constexpr int tables = 30;
    double mean = 0.0;
    for (int seed = 0; seed < tables; ++seed) {
      std::vector<std::uint32_t> hashes(2 * slots);
      std::iota(hashes.begin(), hashes.end(), 0u);
      std::shuffle(hashes.begin(), hashes.end(), std::mt19937_64(static_cast<unsigned>(seed)));
      std::vector<bool> taken(slots, false);
      std::uint64_t probes = 0;
      for (std::size_t i = 0; i < keys; ++i) {
        std::size_t slot = hashes[i] / 2;
        for (; taken[slot]; slot = (slot + 1) % slots) { ++probes; }
        taken[slot] = true;
      }
      mean += static_cast<double>(probes) / static_cast<double>(keys) / tables;
    }
    double const corrected = mean_probe_length(load) * without_replacement(static_cast<double>(slots), 16);
    EXPECT_NEAR(mean, corrected, 0.03 * corrected) << load;
  }
  EXPECT_DOUBLE_EQ(without_replacement(0.0, 32), 1.0);
  EXPECT_DOUBLE_EQ(without_replacement(1 << 27, 32), 1.0 - 1.0 / 32.0);
}

TEST(Theory, TheFullestBucketAgreesWithSimulatedOnes)
{
  constexpr std::size_t buckets = 1000;
  for (double const per_bucket : {0.5, 4.0, 30.0}) {
    std::mt19937_64 random(9);
    constexpr int rounds = 100;
    double mean = 0.0;
    for (int round = 0; round < rounds; ++round) {
      std::vector<int> counts(buckets, 0);
      for (double key = 0.0; key < per_bucket * buckets; ++key) { ++counts[random() % buckets]; }
      mean += static_cast<double>(*std::ranges::max_element(counts)) / rounds;
    }
    double const expected = expected_fullest_bucket(buckets, per_bucket);
    EXPECT_NEAR(mean, expected, 0.04 * expected) << per_bucket;
  }
}

TEST(Theory, TheWorstKeyOfUniformProbingAgreesWithSimulatedOnes)
{
  std::mt19937_64 random(13);
  constexpr std::size_t slots = 4096;
  for (double const load : {0.3, 0.7, 0.9}) {
    constexpr int tables = 60;
    double mean = 0.0;
    auto const keys = static_cast<std::size_t>(load * slots);
    for (int table = 0; table < tables; ++table) {
      std::uint64_t most = 0;
      for (std::size_t stored = 0; stored < keys; ++stored) {  // each probe meets a taken slot with this chance
        std::uint64_t probes = 1;
        while (random() % slots < stored) { ++probes; }
        most = std::max(most, probes);
      }
      mean += static_cast<double>(most) / tables;
    }
    double const expected = uniform_probes_of_the_worst(slots, static_cast<double>(keys));
    EXPECT_NEAR(mean, expected, 0.12 * expected) << load;
  }
}

/// Means over every key and every home, in tables that are filled by random homes: linear probing by steps of 1, or
/// each key by an order of its own.
struct Means {
  double hit = 0.0;
  double miss = 0.0;
};
Means means_of(std::size_t slots, std::size_t keys, bool linear)
{
  constexpr int runs = 20'000;
  std::mt19937 random(1);
  Means mean;
  std::vector<std::size_t> order(slots);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int run = 0; run < runs; ++run) {
    std::vector<bool> taken(slots, false);
    auto const probes = [&](bool takes) {
      if (!linear) { std::ranges::shuffle(order, random); }
      std::size_t const home = random() % slots;
      for (std::size_t i = 0;; ++i) {
        std::size_t const slot = linear ? (home + i) % slots : order[i];
        if (taken[slot]) { continue; }
        taken[slot] = takes;
        return static_cast<double>(i + 1);
      }
    };
    double sum = 0.0;
    for (std::size_t key = 0; key < keys; ++key) { sum += probes(true); }
    mean.hit += sum / static_cast<double>(keys) / runs;
    mean.miss += probes(false) / runs;
  }
  return mean;
}

TEST(Theory, IsExactForTablesOfAFewSlots)
{
  for (auto const& [slots, keys] : {std::pair(16, 14), std::pair(16, 4), std::pair(61, 55)}) {
    Means const linear = means_of(slots, keys, true);
    EXPECT_NEAR(linear_probes_of_a_hit(slots, keys), linear.hit, 0.02 * linear.hit) << slots << ", " << keys;
    EXPECT_NEAR(linear_probes_of_a_miss(slots, keys), linear.miss, 0.03 * linear.miss) << slots << ", " << keys;
    Means const uniform = means_of(slots, keys, false);
    EXPECT_NEAR(uniform_probes_of_a_hit(slots, keys), uniform.hit, 0.02 * uniform.hit) << slots << ", " << keys;
    EXPECT_NEAR(uniform_probes_of_a_miss(slots, keys), uniform.miss, 0.03 * uniform.miss) << slots << ", " << keys;
  }
  EXPECT_NEAR(linear_probes_of_a_miss(0x1p27, 0.9 * 0x1p27), mean_probes_of_a_miss(0.9), 1e-3);
  EXPECT_NEAR(linear_probes_of_a_hit(0x1p27, 0.9 * 0x1p27), mean_probe_length(0.9) + 1.0, 1e-4);
}

TEST(Theory, MissIsMeasuredFromTheClusters)
{
  Statistics statistics;
  statistics.slots = 16;
  statistics.clusters.histogram = {0, 2, 0, 1};  // lengths 1, 1 and 3: 1 + (1 + 1 + 6) / 16
  Distribution const misses = measured_misses(statistics).value();
  EXPECT_DOUBLE_EQ(misses.mean, 1.5);
  EXPECT_EQ(misses.histogram, (std::vector<std::uint32_t>{0, 11, 3, 1, 1})) << "11 empty slots are homes, too";
  EXPECT_EQ(misses.count, 16u);
  EXPECT_EQ(misses.max, 4u);
  statistics.clusters.beyond = 1;
  EXPECT_FALSE(measured_misses(statistics).has_value());
  statistics.clusters = {.count = 1, .mean = 16.0, .max = 16, .histogram = std::vector<std::uint32_t>(17)};
  statistics.clusters.histogram.back() = 1;
  EXPECT_EQ(quantile(measured_misses(statistics).value(), 0.01), 16u) << "each reads the whole table";
  EXPECT_EQ(measured_misses(statistics)->mean, 16.0);
}

/// A table of groups that are tried on triangular paths, filled key by key, without any fingerprints.
class SimulatedGroups {
public:
  SimulatedGroups(std::uint32_t groups, std::uint32_t size, std::uint64_t seed)
      : size_(size), keys_(groups), random_(seed)
  {
  }

  /// The groups that were read on the way.
  std::uint32_t insert()
  {
    std::uint32_t read = 0;
    ++keys_[find(read)];
    return read;
  }
  std::uint32_t miss()
  {
    std::uint32_t read = 0;
    find(read);
    return read;
  }
  std::vector<std::uint32_t> const& keys() const { return keys_; }

private:
  std::size_t find(std::uint32_t& read)
  {
    auto const last = static_cast<std::uint32_t>(keys_.size() - 1);  // of a power of two
    auto group = static_cast<std::uint32_t>(random_() & last);
    for (read = 1; keys_[group] == size_; ++read) { group = (group + read) & last; }
    return group;
  }

  std::uint32_t size_;
  std::vector<std::uint32_t> keys_;
  std::mt19937_64 random_;
};

TEST(Theory, GroupsOnPathsAreANearLowerBoundOfSimulatedOnes)
{
  constexpr std::uint32_t groups = 1u << 13;
  constexpr int tables = 3;
  for (std::uint32_t const size : {15u, 16u}) {
    for (double const load : {0.5, 0.7, 0.8, 0.875, 0.9}) {
      double const count = std::round(load * size * groups);
      double hits = 0.0;
      double misses = 0.0;
      std::vector<double> with_keys(size + 1, 0.0);
      for (int t = 0; t < tables; ++t) {
        SimulatedGroups table(groups, size, std::uint64_t{10} * size + static_cast<std::uint64_t>(t));
        for (double i = 0.0; i < count; ++i) { hits += table.insert() / count / tables; }
        constexpr int lookups = 100'000;
        for (int i = 0; i < lookups; ++i) { misses += table.miss() / static_cast<double>(lookups) / tables; }
        for (std::uint32_t const keys : table.keys()) { with_keys[keys] += 1.0 / groups / tables; }
      }
      auto const expected = groups_on_paths(load, size);
      ASSERT_TRUE(expected);
      EXPECT_NEAR(hits / expected->groups_of_a_hit, 1.005, 0.01) << size << ' ' << load;
      EXPECT_NEAR(misses / expected->groups_of_a_miss, 1.03, 0.06) << size << ' ' << load;
      for (std::uint32_t k = 0; k <= size; ++k) {
        EXPECT_NEAR(with_keys[k], expected->with_keys[k], 0.02) << size << ' ' << load << ' ' << k;
      }
      EXPECT_NEAR(mean_keys(expected->with_keys), load * size, 0.01);
    }
    EXPECT_FALSE(groups_on_paths(0.91, size));
    EXPECT_NEAR(groups_on_paths(0.0, size)->groups_of_a_hit, 1.0, 1e-12);
  }
  EXPECT_THROW(groups_on_paths(0.5, 8), std::invalid_argument);
}

TEST(Theory, YardsAgreeWithSimulatedOnes)
{
  constexpr std::uint32_t fronts = 1u << 13;
  constexpr std::uint32_t back_slots = 8;
  for (std::uint32_t const size : {32u, 64u}) {
    std::uint32_t const backs = fronts * size / (8 * back_slots);
    for (double const mean : {0.7, 0.85, 0.93}) {
      std::mt19937_64 random(size);
      std::vector<std::uint32_t> front(fronts, 0);
      std::vector<std::uint32_t> back(backs, 0);
      auto const keys = static_cast<std::uint64_t>(mean * size * fronts);
      double behind = 0.0;
      double second = 0.0;
      for (std::uint64_t i = 0; i < keys; ++i) {
        std::uint32_t& bucket = front[random() % fronts];
        if (bucket < size) {
          ++bucket;
          continue;
        }
        ++behind;
        std::uint32_t& a = back[random() % backs];
        std::uint32_t& b = back[random() % backs];
        second += b < a ? 1.0 : 0.0;
        ++(b < a ? b : a);
      }
      auto const yards = two_yards(static_cast<double>(keys), fronts, size, backs);
      ASSERT_TRUE(yards) << size << ' ' << mean;
      double const noise = 5.0 * std::sqrt(static_cast<double>(size) / static_cast<double>(keys));
      EXPECT_NEAR(behind / static_cast<double>(keys), yards->behind, noise * std::sqrt(yards->behind) + 1e-5);
      if (behind > 1000.0) { EXPECT_NEAR(second / behind, yards->second, 5.0 / std::sqrt(behind)); }
      EXPECT_NEAR(static_cast<double>(std::ranges::count(front, size)) / fronts, yards->full,
                  5.0 * std::sqrt(yards->full / fronts) + 1e-4);
      EXPECT_NEAR(mean_keys(yards->in_back) * backs, behind, 0.05 * behind + 50.0);
    }
  }
  EXPECT_FALSE(two_yards(64.0 * 1000, 1000, 64, 20)) << "too many keys for the back yard";
}

TEST(Theory, SlotsBeforeAKeyAreThoseOfABucketInOrder)
{
  EXPECT_DOUBLE_EQ(slots_before_a_key({0.0, 0.0, 0.0, 1.0}), 1.0);  // 0, 1 and 2
  EXPECT_DOUBLE_EQ(slots_before_a_key({0.5, 0.5}), 0.0);
  EXPECT_DOUBLE_EQ(slots_before_a_key({1.0}), 0.0);
}

TEST(Theory, KnowsWhereItDoesNotApply)
{
  EXPECT_TRUE(spreads_well(HashKind::murmur3, KeyDistribution::sequential));
  EXPECT_TRUE(spreads_well(HashKind::identity, KeyDistribution::uniform));
  EXPECT_FALSE(spreads_well(HashKind::identity, KeyDistribution::strided));
  EXPECT_FALSE(spreads_well(HashKind::murmur3, KeyDistribution::one_home));
}

}  // namespace
}  // namespace slotscape::theory
