// What insertions into tables that grow take: seldom much where all chains are split at once, never where one is.

#include "app/simulation/insertion_costs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace slotscape {
namespace {

TableSettings linear_hashing(std::uint32_t heads_at_once, std::uint64_t slots = 1u << 16)
{
  return {.family = "linear_hashing", .slots = slots, .parameters = {{"heads_at_once", heads_at_once}}};
}

std::vector<std::uint32_t> costs_of(TableSettings const& settings)
{
  InsertionCosts costs;
  for (std::uint64_t i = 0; i != InsertionCosts::most; ++i) { costs.advance(settings); }
  return costs.accesses();
}

double mean_of(std::vector<std::uint32_t> const& accesses)
{
  return std::accumulate(accesses.begin(), accesses.end(), 0.0) / static_cast<double>(accesses.size());
}

TEST(InsertionCosts, DoublingIsAsCheapOnTheWholeAndFarWorseAtWorst)
{
  auto const at_once = costs_of(linear_hashing(0));
  auto const bit_by_bit = costs_of(linear_hashing(4));
  auto const in_turn = costs_of(linear_hashing(1));
  ASSERT_EQ(at_once.size(), InsertionCosts::most);
  ASSERT_EQ(in_turn.size(), InsertionCosts::most);
  EXPECT_GT(std::ranges::max(at_once), 128u * 3u) << "128 heads were split, and 129 nodes linked anew";
  EXPECT_LT(std::ranges::max(bit_by_bit), 90u);
  EXPECT_LT(std::ranges::max(in_turn), 60u);
  EXPECT_NEAR(mean_of(at_once), mean_of(in_turn), 0.25 * mean_of(in_turn));
}

TEST(InsertionCosts, DoNotGrowWithATableThatSplitsOneHeadAtATime)
{
  auto const costs = costs_of(linear_hashing(1));
  std::vector<std::uint32_t> const early(costs.begin() + 32, costs.begin() + 96);
  std::vector<std::uint32_t> const late(costs.end() - 64, costs.end());
  EXPECT_LT(mean_of(late), 1.3 * mean_of(early));
}

TEST(InsertionCosts, BeginAnewWithOtherSettings)
{
  InsertionCosts costs;
  costs.advance(linear_hashing(0));
  costs.advance(linear_hashing(0));
  std::size_t const after_two = costs.accesses().size();
  costs.advance(linear_hashing(1));
  EXPECT_EQ(costs.accesses().size(), after_two / 2);
}

TEST(InsertionCosts, EndWhereTheTableIsFull)
{
  auto const costs = costs_of({.family = "extendible", .slots = 32, .parameters = {{"bucket", 4}}});
  EXPECT_GT(costs.size(), 10u);
  EXPECT_LE(costs.size(), 32u);
}

}  // namespace
}  // namespace slotscape
