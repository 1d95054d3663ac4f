#include "gpu/analysis/theory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
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
  for (double const load : {0.1, 0.5, 0.9}) {
    double sum = 0.0;
    double mean = 0.0;
    for (double length = 1.0; length < 20000.0; ++length) {
      sum += cluster_length_probability(load, length);
      mean += length * cluster_length_probability(load, length);
    }
    EXPECT_NEAR(sum, 1.0, 1e-6) << load;
    EXPECT_NEAR(mean, mean_cluster_length(load), 1e-4) << load;
  }
}

TEST(Theory, ClustersHoldEveryLiveKey)
{
  double const slots = 1 << 20;
  for (double const load : {0.25, 0.5, 0.75}) {
    EXPECT_NEAR(expected_clusters(slots, load) * mean_cluster_length(load), load * slots, 1e-3);
    double clusters = 0.0;
    for (double length = 1.0; length < 5000.0; ++length) { clusters += expected_clusters(slots, load, length); }
    EXPECT_NEAR(clusters, expected_clusters(slots, load), 1e-3 * clusters);
  }
}

TEST(Theory, AgreesWithASimulatedTable)
{
  std::size_t const slots = std::size_t{1} << 20;
  for (double const load : {0.5, 0.8}) {
    Simulated const table = simulate(slots, load, 7);
    EXPECT_NEAR(table.mean_probe_length, mean_probe_length(load), 0.03 * mean_probe_length(load));
    double const expected = expected_clusters(static_cast<double>(slots), load);
    EXPECT_NEAR(static_cast<double>(table.clusters.size()), expected, 0.02 * expected);
    for (std::uint64_t const length : {1, 2, 3, 5}) {
      auto const seen = static_cast<double>(std::ranges::count(table.clusters, length));
      double const predicted = expected_clusters(static_cast<double>(slots), load, static_cast<double>(length));
      EXPECT_NEAR(seen, predicted, 6.0 * std::sqrt(predicted)) << "length " << length << " at " << load;
    }
  }
}

TEST(Theory, MissIsMeasuredFromTheClusters)
{
  Statistics statistics;
  statistics.slots = 16;
  statistics.clusters.histogram = {0, 2, 0, 1};  // lengths 1, 1 and 3: 1 + (1 + 1 + 6) / 16
  EXPECT_DOUBLE_EQ(measured_probes_of_a_miss(statistics).value(), 1.5);
  statistics.clusters.beyond = 1;
  EXPECT_FALSE(measured_probes_of_a_miss(statistics).has_value());
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
