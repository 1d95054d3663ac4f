// Load factors above 1: of tables of chains, whose slots are heads.

#include "app/simulation/simulation.hpp"
#include "app/simulation/theory_fit.hpp"
#include "gpu/base/error.hpp"
#include "gpu/engine/families.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace slotscape {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t heads = 1009;

TableSettings chained(std::uint32_t nodes)
{
  return {.family = "separate_chaining", .slots = heads, .parameters = {{"nodes", nodes}}};
}

void fill(Simulation& simulation, double load)
{
  simulation.submit(FillTo{load});
  for (int steps = 0; !simulation.idle(); ++steps) {
    ASSERT_LT(steps, 100'000);
    simulation.step({}, 1.0 / 60.0, 60.0);
  }
}

TEST(ChainedTables, AreFilledToMoreKeysThanHeads)
{
  Simulation simulation{Backend::cpu, chained(8), {}, 1};
  for (double const load : {0.5, 2.0, 4.0, 8.0, 3.0}) {
    fill(simulation, load);
    Statistics const statistics = simulation.engine().statistics();
    EXPECT_EQ(statistics.live, static_cast<std::uint64_t>(std::llround(load * heads)));
    EXPECT_NEAR(statistics.load_factor(), load, 0.5 / heads);
    EXPECT_DOUBLE_EQ(simulation.load_factor(), statistics.load_factor());
    EXPECT_EQ(statistics.heads, heads);
    EXPECT_EQ(statistics.slots, 8 * heads);
  }
}

TEST(ChainedTables, RefuseLoadsThatTheirNodesDoNotAllow)
{
  Simulation simulation{Backend::cpu, chained(2), {}, 1};
  EXPECT_NO_THROW(simulation.submit(FillTo{2.0}));
  EXPECT_THROW(simulation.submit(FillTo{2.1}), Error);
  Simulation compared{Backend::cpu, std::vector{chained(8), TableSettings{.slots = 1024}}, {}, 1};
  try {
    compared.submit(FillTo{1.5});
    FAIL();
  } catch (Error const& error) {
    EXPECT_THAT(error.what(), HasSubstr("choose one from 0 to 1"));
  }
}

TEST(ChainedTables, AreAsTheorySays)
{
  FamilyInfo const& family = family_info("separate_chaining");
  TableSettings table = chained(8);
  table.slots = 1u << 16;
  Simulation simulation{Backend::cpu, table, {}, 1};
  for (double const load : {0.5, 1.0, 4.0}) {
    fill(simulation, load);
    Statistics const statistics = simulation.engine().statistics();
    TheoryFit const fit = theory_fit(family, table, {}, statistics);
    EXPECT_EQ(fit.reason, "");
    EXPECT_NEAR(*fit.measure_mean, load / 2.0, 1e-4) << "a hit examines 1 + α/2 nodes";
    EXPECT_NEAR(statistics.probe_length.mean, *fit.measure_mean, 0.02 * load);
    EXPECT_NEAR(statistics.hit_accesses.mean, *fit.hit_accesses, 0.04 * load);
    EXPECT_NEAR(*fit.miss_accesses, 1.0 + 2.0 * load - (1.0 - std::exp(-load)), 1e-3);
    EXPECT_NEAR(statistics.miss_accesses.mean, *fit.miss_accesses, 0.06 * load);
    EXPECT_NEAR(static_cast<double>(statistics.groups.max), *fit.fullest_group, 3.0);
    auto const lengths = buckets_by_size(family, fit, statistics);
    auto const places = keys_by_measure(family, fit, statistics, statistics.probe_length.max);
    for (std::size_t i = 0; i < statistics.groups.histogram.size(); ++i) {
      double const expected = lengths(static_cast<double>(i));
      EXPECT_NEAR(statistics.groups.histogram[i], expected, 5.0 * std::sqrt(expected) + 5.0) << i;
    }
    for (std::size_t i = 0; i < statistics.probe_length.histogram.size(); ++i) {
      double const expected = places(static_cast<double>(i));
      EXPECT_NEAR(statistics.probe_length.histogram[i], expected, 6.0 * std::sqrt(expected) + 6.0) << i;
    }
  }
}

/// Some heads of the round have been split, and have half as many keys as the others.
TEST(ChainedTables, LinearHashingIsAsTheorySays)
{
  FamilyInfo const& family = family_info("linear_hashing");
  for (std::uint32_t const keys_per_head : {1u, 4u}) {
    TableSettings const table{.family = "linear_hashing",
                              .slots = 1u << 16,
                              .parameters = {{"nodes", 8}, {"keys_per_head", keys_per_head}}};
    Simulation simulation{Backend::cpu, table, {}, 1};
    for (double const heads_in_use : {0.5, 0.7, 0.9}) {
      fill(simulation, heads_in_use * keys_per_head);
      Statistics const statistics = simulation.engine().statistics();
      auto const load = static_cast<double>(keys_per_head);  // keys for each head in use
      EXPECT_NEAR(static_cast<double>(statistics.groups.count), heads_in_use * (1u << 16), 1.0);
      TheoryFit const fit = theory_fit(family, table, {}, statistics);
      EXPECT_EQ(fit.reason, "");
      EXPECT_NEAR(*fit.measure_mean, statistics.probe_length.mean, 0.02 * load);
      EXPECT_NEAR(*fit.hit_accesses, statistics.hit_accesses.mean, 0.04 * load);
      EXPECT_NEAR(*fit.miss_accesses, statistics.miss_accesses.mean, 0.06 * load);
      EXPECT_NEAR(*fit.fullest_group, static_cast<double>(statistics.groups.max), 3.0);
      auto const lengths = buckets_by_size(family, fit, statistics);
      auto const places = keys_by_measure(family, fit, statistics, statistics.probe_length.max);
      for (std::size_t i = 0; i < statistics.groups.histogram.size(); ++i) {
        double const expected = lengths(static_cast<double>(i));
        EXPECT_NEAR(statistics.groups.histogram[i], expected, 5.0 * std::sqrt(expected) + 5.0) << i;
      }
      for (std::size_t i = 0; i < statistics.probe_length.histogram.size(); ++i) {
        double const expected = places(static_cast<double>(i));
        EXPECT_NEAR(statistics.probe_length.histogram[i], expected, 6.0 * std::sqrt(expected) + 6.0) << i;
      }
    }
  }
}

TEST(ChainedTables, TombstonesCountForMissesAlone)
{
  Simulation simulation{Backend::cpu, chained(4), {}, 1};
  fill(simulation, 2.0);
  fill(simulation, 1.0);
  Statistics const statistics = simulation.engine().statistics();
  EXPECT_NEAR(statistics.effective_load(), 2.0, 0.01);
  TheoryFit const fit = theory_fit(family_info("separate_chaining"), chained(4), {}, statistics);
  EXPECT_FALSE(fit.measure_mean);
  EXPECT_NEAR(*fit.miss_accesses, statistics.miss_accesses.mean, 0.3);
  EXPECT_THAT(fit.reason, HasSubstr("With tombstones"));
}

}  // namespace
}  // namespace slotscape
