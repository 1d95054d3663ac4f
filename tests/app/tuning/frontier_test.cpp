#include "app/tuning/frontier.hpp"

#include <gmock/gmock.h>

namespace slotscape::tuning {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TuningFrontier, HasThosePointsThatNoOtherBeats)
{
  std::vector<Tradeoff> const points{{10.0, 50.0}, {12.0, 40.0}, {8.0, 20.0}, {16.0, 60.0}, {20.0, 60.0}, {10.0, 45.0}};
  EXPECT_THAT(frontier_of(points), ElementsAre(2u, 0u, 3u));
}

TEST(TuningFrontier, TakesTheFirstOfEqualPoints)
{
  std::vector<Tradeoff> const points{{10.0, 50.0}, {10.0, 50.0}};
  EXPECT_THAT(frontier_of(points), ElementsAre(0u));
  EXPECT_THAT(frontier_of({}), IsEmpty());
}

TEST(TuningFrontier, HasItsKneeWhereMoreMemoryStopsToPay)
{
  // from 8 to 10 bytes (+25 %) speed doubles; from 10 to 20 (+100 %) it grows by a fifth
  std::vector<Tradeoff> const points{{8.0, 50.0}, {10.0, 100.0}, {20.0, 120.0}};
  EXPECT_EQ(knee_of(points, frontier_of(points)), 1u);
  std::vector<Tradeoff> const two{{8.0, 50.0}, {8.1, 150.0}};
  EXPECT_EQ(knee_of(two, frontier_of(two)), 1u);
  std::vector<Tradeoff> const equal{{16.0, 100.0}, {8.0, 50.0}};
  EXPECT_EQ(knee_of(equal, frontier_of(equal)), 1u) << "of equal ones the smaller";
  EXPECT_FALSE(knee_of({}, {}));
}

Measured measured(double bytes, double throughput, Stage stage = Stage::refined)
{
  Measured result;
  result.stage = stage;
  result.bytes_per_key = bytes;
  result.throughput = throughput;
  return result;
}

TEST(TuningChoice, IsTheKneeOrTheFastestWithinTheBudget)
{
  Results results;
  results.measured = {measured(8.0, 50.0), measured(10.0, 100.0), measured(20.0, 120.0)};
  EXPECT_EQ(choose(results).winner, 1u);
  EXPECT_EQ(choose(results).fastest, 2u);
  results.workload.max_bytes = 9.0;
  EXPECT_EQ(choose(results).winner, 0u);
  results.workload.max_bytes = 32.0;
  EXPECT_EQ(choose(results).winner, 2u);
  EXPECT_EQ(choose(results).knee, 1u);
  results.workload.max_bytes = 4.0;
  EXPECT_FALSE(choose(results).winner);
}

TEST(TuningChoice, KeepsThePresentSettingWhereNothingIsShownToBeBetter)
{
  Results results;
  results.different = 1u << 20;
  results.measured = {measured(10.0, 280.0, Stage::checked), measured(8.0, 170.0, Stage::checked),
                      measured(32.0, 310.0, Stage::checked)};
  for (Measured& each : results.measured) { each.uncertainty = 2.0; }
  EXPECT_EQ(choose(results).winner, 0u) << "the smaller one is a tie that seems a quarter worse";
  results.present = 2;
  EXPECT_EQ(choose(results).winner, 2u);
  EXPECT_FALSE(choose(results).passed_over);
  for (Measured& each : results.measured) { each.uncertainty = 0.01; }
  EXPECT_EQ(choose(results).winner, 0u) << "now it is shown to be better";
}

TEST(TuningChoice, TakesFewerShardsWhereNothingTellsThemApart)
{
  Results results;
  results.measured = {measured(10.0, 110.0, Stage::checked), measured(10.05, 105.0, Stage::checked)};
  for (Measured& each : results.measured) { each.uncertainty = 0.1; }
  results.measured[0].candidate.table.shards = 2;
  EXPECT_EQ(choose(results).winner, 1u);
  results.measured[1].bytes_per_key = 10.5;
  EXPECT_EQ(choose(results).winner, 0u) << "the one with the least memory";
  results.measured[1].bytes_per_key = 10.05;
  results.present = 0;
  EXPECT_EQ(choose(results).winner, 0u) << "it is in use";
  results.present.reset();
  results.measured[0].throughput = 150.0;
  EXPECT_EQ(choose(results).winner, 0u) << "it is faster";
}

TEST(TuningChoice, PassesOverWhatFailed)
{
  Results results;
  results.measured = {measured(10.0, 100.0), measured(10.0, 300.0), measured(10.0, 200.0)};
  results.measured[1].failed = 3;
  EXPECT_EQ(choose(results).winner, 2u);
  results.measured[2].clogged_after = 0.5;
  EXPECT_EQ(choose(results).winner, 0u);
}

TEST(TuningChoice, TrustsSmallTablesOnlyWhereThereAreNoFullOnes)
{
  Results results;
  results.measured = {measured(10.0, 100.0, Stage::coarse), measured(10.0, 300.0, Stage::coarse)};
  EXPECT_EQ(choose(results).winner, 1u);
  results.measured[0].stage = Stage::refined;
  EXPECT_EQ(choose(results).winner, 0u);
}

TEST(TuningChoice, TakesWhatWasCheckedAtLast)
{
  Results results;
  results.measured = {measured(10.0, 100.0, Stage::checked), measured(10.0, 110.0),
                      measured(8.0, 70.0, Stage::checked)};
  EXPECT_THAT(choose(results).frontier, ElementsAre(2u, 0u));
  EXPECT_THAT(choose(results).rough, ElementsAre(1u));
  EXPECT_EQ(choose(results).winner, 0u);
}

/// 289 KiB for a quarter of the speed are a change for the worse.
TEST(TuningChoice, KeepsThePresentSettingWhereLittleMemoryIsSavedForItsSpeed)
{
  Results results;
  results.measured = {measured(32.0, 56.0, Stage::checked), measured(17.8, 42.8, Stage::checked)};
  results.present = 0;
  for (Measured& each : results.measured) { each.uncertainty = 0.05; }
  results.different = 20'839;
  Choice choice = choose(results);
  EXPECT_EQ(choice.winner, 0u);
  EXPECT_EQ(choice.passed_over, 1u);
  EXPECT_EQ(choice.best(), 1u);
  results.different = 20'839'000;
  EXPECT_EQ(choose(results).winner, 0u) << "44 % of memory are less than twice the 24 % of speed";
  results.measured[1].throughput = 46.0;
  choice = choose(results);
  EXPECT_EQ(choice.winner, 1u) << "now they are more";
  EXPECT_FALSE(choice.passed_over);
  results.different = 20'839;
  EXPECT_EQ(choose(results).winner, 0u) << "but not a MiB";
  results.measured.push_back(measured(30.0, 70.0, Stage::checked));
  EXPECT_EQ(choose(results).winner, 2u) << "this one is faster and smaller";
  results.workload.max_bytes = 20.0;
  EXPECT_EQ(choose(results).winner, 1u) << "a budget that was asked for decides alone";
}

}  // namespace
}  // namespace slotscape::tuning
