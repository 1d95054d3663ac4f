#include "tests/engine/brute_force.hpp"
#include "tests/engine/engine_fixture.hpp"

#include "gpu/analysis/theory.hpp"
#include "gpu/tables/hash.hpp"

#include <bit>
#include <cmath>

namespace slotscape::testing {
namespace {

class StatisticsTest : public EngineTest {
protected:
  /// Compares everything that says what is in a table with a count of its slots.
  static void check(Engine& engine)
  {
    std::vector<SlotInfo> const slots = all_slots(engine);
    Statistics const expected = count_statistics(slots);
    expect_equal(engine.statistics(), expected);
    expect_equal(engine.analyse({}, {}).statistics, expected);
    for (SlotInfo const& info : slots) {
      if (info.has_key) { ASSERT_EQ(info.probe_length, (info.slot + slots.size() - info.home) % slots.size()); }
    }
  }

  static void check_clusters(Engine& engine)
  {
    std::vector<SlotInfo> const slots = all_slots(engine);
    for (SlotInfo const& info : slots) {
      Cluster const expected = walk_cluster(slots, info.slot);
      Cluster const actual = engine.cluster(info.slot);
      ASSERT_EQ(actual.length, expected.length) << "slot " << info.slot;
      if (expected.length != 0) { ASSERT_EQ(actual.start, expected.start) << "slot " << info.slot; }
    }
  }
};

TEST_P(StatisticsTest, MatchACountOfTheSlotsAtEveryLoad)
{
  for (std::uint64_t const slots : {16u, 32u, 33u, 64u, 100u, 577u, 4096u}) {
    for (TableSettings const& table : linear_tables(slots)) {
      SCOPED_TRACE(describe(table));
      std::mt19937 random(11);
      std::vector<Key> const keys = random_keys(slots, random);
      auto const engine = make(table);
      check(*engine);
      std::size_t filled = 0;
      for (double const load : {0.1, 0.5, 0.8, 0.9, 0.99, 1.0}) {
        auto const end = static_cast<std::size_t>(load * static_cast<double>(slots));
        std::span<Key const> const batch = std::span(keys).subspan(filled, end - filled);
        engine->insert(batch, random_values(batch.size(), random));
        filled = end;
        check(*engine);
      }
      EXPECT_EQ(engine->statistics().empty(), 0u);
      for (std::size_t i = 0; i < slots; i += 4) { engine->erase(std::span(keys).subspan(i, 2)); }
      check(*engine);
      engine->erase(keys);
      check(*engine);
      EXPECT_EQ(engine->statistics().tombstones, slots);
      engine->clear();
      check(*engine);
      if (HasFailure()) { return; }
    }
  }
}

TEST_P(StatisticsTest, ClustersOfSlotsMatchAWalk)
{
  for (Deletion const deletion : deletions) {
    for (double const load : {0.0, 0.3, 0.7, 0.95, 1.0}) {
      auto const engine = make({.slots = 256, .deletion = deletion});
      std::mt19937 random(12);
      std::vector<Key> const keys = random_keys(static_cast<std::size_t>(load * 256.0), random);
      engine->insert(keys, random_values(keys.size(), random));
      engine->erase(std::span(keys).first(keys.size() / 3));
      check_clusters(*engine);
    }
  }
}

TEST_P(StatisticsTest, LongClustersAreMeasuredWhole)
{
  std::uint64_t const slots = 1u << 14;
  auto const engine = make({.slots = slots});
  HasherOf<Narrow> const hasher{HashKind::murmur3, slots};
  std::vector<Key> keys;
  for (std::uint32_t i = 0; i < 9000; ++i) { keys.push_back(hasher.key_with_home(slots - 3000, i)); }
  engine->insert(keys, std::vector<Value>(keys.size()));
  check(*engine);
  Statistics const statistics = engine->statistics();
  EXPECT_EQ(statistics.clusters.count, 1u);
  EXPECT_EQ(statistics.clusters.max, 9000u);
  EXPECT_EQ(statistics.probe_length.max, 8999u);
  EXPECT_DOUBLE_EQ(statistics.probe_length.mean, 4499.5);
  Cluster const cluster = engine->cluster(17);
  EXPECT_EQ(cluster.start, slots - 3000);
  EXPECT_EQ(cluster.length, 9000u);
}

TEST_P(StatisticsTest, LiveHistogramsAreCutAtTheirLimitAndSaySo)
{
  std::uint64_t const slots = 1u << 17;
  std::uint32_t const count = 70'000;
  auto const engine = make({.slots = slots, .hash = HashKind::identity});
  std::vector<Key> keys(count);
  std::iota(keys.begin(), keys.end(), Key{5});
  engine->insert(keys, std::vector<Value>(count));
  Statistics const live = engine->analyse({}, {}).statistics;
  EXPECT_EQ(live.clusters.max, count);
  EXPECT_LE(live.clusters.histogram.size(), live_histogram_limit);
  EXPECT_EQ(live.clusters.beyond, 1u);
  EXPECT_LT(live.miss_accesses.max, live.miss_accesses.histogram.size()) << "lookups are given up before";
  Statistics const complete = engine->statistics();
  EXPECT_EQ(complete.clusters.beyond, 0u);
  ASSERT_EQ(complete.clusters.histogram.size(), count + 1u);
  EXPECT_EQ(complete.clusters.histogram[count], 1u);
  EXPECT_EQ(complete.miss_accesses.beyond, 0u);
  EXPECT_EQ(complete.miss_accesses.max, count + 1u) << "by the cluster; the histogram is of a sample";
  EXPECT_LE(complete.miss_accesses.histogram.size(), complete.miss_accesses.max + 1);
}

struct Measured {
  double mean = 0.0;
  double error = 0.0;  ///< standard error of the mean
};

Measured mean_and_error(std::span<double const> values)
{
  auto const n = static_cast<double>(values.size());
  double const mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0.0;
  for (double const value : values) { squares += (value - mean) * (value - mean); }
  return {mean, std::sqrt(squares / (n - 1.0) / n)};
}

TEST_P(StatisticsTest, ProbeAndClusterLengthsMatchTheory)
{
  std::uint64_t const slots = is_sanitized() ? 1u << 17 : 1u << 20;
  std::vector<std::vector<double>> probe_lengths(3);
  std::vector<std::vector<double>> cluster_lengths(3);
  std::array<double, 3> const loads{0.5, 0.8, 0.9};
  int const seeds = 8;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    auto const engine = make({.slots = slots});
    engine->set_keys({}, seed);
    std::uint64_t live = 0;
    for (std::size_t i = 0; i < loads.size(); ++i) {
      auto const goal = static_cast<std::uint64_t>(loads[i] * static_cast<double>(slots));
      live += engine->run(BatchRequest::inserts(goal - live)).outcomes[Outcome::inserted];
      ASSERT_EQ(live, goal);
      Statistics const statistics = engine->statistics();
      probe_lengths[i].push_back(statistics.probe_length.mean);
      cluster_lengths[i].push_back(statistics.clusters.mean);
    }
  }
  for (std::size_t i = 0; i < loads.size(); ++i) {
    SCOPED_TRACE(loads[i]);
    double const five_standard_errors = 5.0;  // of 8 seeds: Student's t, once in 600
    double const finite_table = 1e-4;         // relative: the formulas are for tables without end
    Measured const probes = mean_and_error(probe_lengths[i]);
    double const probes_expected = theory::mean_probe_length(loads[i]);
    EXPECT_NEAR(probes.mean, probes_expected, five_standard_errors * probes.error + finite_table * probes_expected);
    Measured const clusters = mean_and_error(cluster_lengths[i]);
    double const clusters_expected =
        theory::mean_cluster_length(static_cast<double>(slots), std::floor(loads[i] * static_cast<double>(slots)));
    EXPECT_NEAR(clusters.mean, clusters_expected,
                five_standard_errors * clusters.error + finite_table * clusters_expected);
  }
}

TEST_P(StatisticsTest, ProbePathsMatchAWalk)
{
  for (TableSettings const& table : linear_tables(256)) {
    SCOPED_TRACE(describe(table));
    std::mt19937 random(13);
    std::vector<Key> const keys = random_keys(300, random);
    auto const engine = make(table);
    std::span<Key const> const stored = std::span(keys).first(230);
    engine->insert(stored, random_values(stored.size(), random));
    engine->erase(stored.first(60));
    std::vector<SlotInfo> const slots = all_slots(*engine);
    HasherOf<Narrow> const hasher{table.hash, 256};
    for (Key const key : keys) {
      ProbePath const path = engine->probe_path(key);
      std::vector<Slot> expected;
      std::optional<Value> value;
      for (Slot slot = hasher.home(key);; slot = (slot + 1) % 256) {
        expected.push_back(slot);
        SlotInfo const& info = slots[slot];
        bool const is_here = info.has_key && info.pair.key == key;
        if (is_here && info.state == SlotState::live) { value = info.pair.value; }
        if (is_here || info.state == SlotState::empty) { break; }
      }
      ASSERT_EQ(path.slots, expected);
      ASSERT_EQ(path.value, value);
    }
  }
}

SLOTSCAPE_ON_EVERY_BACKEND(StatisticsTest);

}  // namespace
}  // namespace slotscape::testing
