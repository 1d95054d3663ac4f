#include "app/simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace slotscape {
namespace {

/// Other tables than those of the simulation get the pairs themselves.
std::vector<Pair> pairs_for_other_tables(Simulation const& simulation)
{
  for (Action const& action : simulation.recipe_for_others(64).steps) {
    if (auto const* given = std::get_if<OnKeys>(&action)) { return *given->pairs; }
  }
  return {};
}

Simulation empty_table()
{
  return Simulation{Backend::cpu, TableSettings{.slots = 1u << 15}, {}, 1};
}

TEST(Recipes, DrawnKeysComeInTheOrderInWhichTheyWereDrawn)
{
  Simulation simulation = empty_table();
  simulation.submit(BatchRequest::inserts(20'000));  // values of two digits of 11 bits
  ASSERT_TRUE(simulation.finish());
  std::vector<Pair> const pairs = pairs_for_other_tables(simulation);
  ASSERT_EQ(pairs.size(), 20'000u);
  EXPECT_TRUE(std::ranges::is_sorted(pairs, {}, &Pair::value));
}

/// Counts how often pairs are put in order.
class Counting final : public SharedPairs::Order {
public:
  Counting(int kind, int& calls) : kind_(kind), calls_(calls) {}
  void arrange(std::vector<Pair>& pairs) const override
  {
    ++calls_;
    std::ranges::sort(pairs, {}, &Pair::key);
  }
  bool same(Order const& other) const override { return dynamic_cast<Counting const&>(other).kind_ == kind_; }

private:
  int kind_;
  int& calls_;
};

TEST(SharedPairs, AreComparedWithoutBeingPutInOrder)
{
  int calls = 0;
  auto const unordered = [&](std::vector<Pair> pairs, int kind) {
    return SharedPairs(std::move(pairs), std::make_unique<Counting const>(kind, calls));
  };
  SharedPairs const first = unordered({{1, 5}, {2, 6}, {3, 7}}, 0);
  EXPECT_EQ(first, unordered({{3, 7}, {1, 5}, {2, 6}}, 0));
  EXPECT_NE(first, unordered({{3, 7}, {1, 6}, {2, 5}}, 0));
  EXPECT_NE(first, unordered({{3, 7}, {1, 5}}, 0));
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(first, unordered({{3, 7}, {1, 5}, {2, 6}}, 1)) << "the orders may come to the same";
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(first, SharedPairs(std::make_shared<std::vector<Pair> const>(std::vector<Pair>{{1, 5}, {2, 6}, {3, 7}})));
}

TEST(Recipes, AreAlikeWhenNothingWasDoneAndNotWhenKeysWereGivenInAnotherOrder)
{
  auto const used = [](Key first, Key second) {
    Simulation simulation = empty_table();
    simulation.submit(BatchRequest::inserts(500));
    for (Key const key : {first, second}) { simulation.submit(OnKey{Operation::insert, key, 9}); }
    EXPECT_TRUE(simulation.finish());
    return simulation.recipe_for_others(64).steps;
  };
  EXPECT_EQ(used(7, 8), used(7, 8));
  EXPECT_NE(used(7, 8), used(8, 7));
}

TEST(Recipes, GivenKeysComeLastInTheOrderInWhichTheyWereGiven)
{
  Simulation simulation = empty_table();
  std::vector<Pair> const given{{900, 1}, {7, 5'000'000'000}, {800, 0}, {6, 1}};
  simulation.submit(OnKeys{Operation::insert, std::make_shared<std::vector<Pair> const>(given)});
  simulation.submit(BatchRequest::inserts(3000));
  simulation.submit(OnKey{Operation::erase, 7});
  simulation.submit(OnKey{Operation::insert, 7, 3});
  ASSERT_TRUE(simulation.finish());
  std::vector<Pair> const pairs = pairs_for_other_tables(simulation);
  ASSERT_EQ(pairs.size(), 3004u);
  EXPECT_TRUE(std::ranges::is_sorted(pairs.begin(), pairs.end() - 4, {}, &Pair::value));
  std::vector<Key> last;
  for (auto pair = pairs.end() - 4; pair != pairs.end(); ++pair) { last.push_back(pair->key); }
  EXPECT_EQ(last, (std::vector<Key>{900, 800, 6, 7}));
}

TEST(Recipes, OnlyKeysGivenSinceTheTableWasClearedHaveAnOrder)
{
  Simulation simulation = empty_table();
  simulation.submit(
      OnKeys{Operation::insert, std::make_shared<std::vector<Pair> const>(std::vector<Pair>{{5, 0}, {4, 0}})});
  simulation.submit(Clear{});
  simulation.submit(OnKey{Operation::erase, 4});
  simulation.submit(OnKey{Operation::insert, 4, 9});
  simulation.submit(OnKey{Operation::insert, 5, 9});
  simulation.submit(BatchRequest::inserts(3000));
  ASSERT_TRUE(simulation.finish());
  std::vector<Pair> const pairs = pairs_for_other_tables(simulation);
  ASSERT_EQ(pairs.size(), 3002u);
  EXPECT_EQ(pairs[3000].key, 4u);
  EXPECT_EQ(pairs[3001].key, 5u);
}

}  // namespace
}  // namespace slotscape
