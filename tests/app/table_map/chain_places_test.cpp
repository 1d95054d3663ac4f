#include "app/table_map/chain_places.hpp"

#include "app/table_map/camera.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>

namespace slotscape {
namespace {

using Chains = std::vector<std::vector<Slot>>;

/// Nodes from the first one on, in chains by chance.
Chains random_chains(std::size_t heads, Slot nodes, std::mt19937& random)
{
  Chains chains(heads);
  for (Slot node = 0; node != nodes; ++node) { chains[random() % heads].push_back(node); }
  return chains;
}

TEST(ChainPlaces, EveryNodeHasACellOfItsOwnAndIsFoundThere)
{
  std::mt19937 random(1);
  for (std::size_t const heads : {4u, 9u, 64u, 256u}) {
    for (Slot const used : {Slot{0}, static_cast<Slot>(heads), static_cast<Slot>(2 * heads)}) {
      ChainPlaces const places(random_chains(heads, used, random), 2 * heads, 950.0, 640.0);
      std::set<std::pair<std::uint32_t, std::uint32_t>> taken;
      auto const take = [&](Position at) {
        ASSERT_LT(at.x, places.columns());
        ASSERT_LT(at.y, places.rows());
        ASSERT_TRUE(taken.insert({at.x, at.y}).second);
      };
      for (std::size_t head = 0; head != heads; ++head) { take(places.head(head)); }
      for (Slot node = 0; node != 2 * heads; ++node) {
        take(places.position(node));
        ASSERT_EQ(places.node(places.position(node)), node);
      }
      EXPECT_EQ(places.unused().size(), 2 * heads - used);
    }
  }
}

TEST(ChainPlaces, AChainLiesOnTheRightOfItsHeadWithRoomForArrows)
{
  ChainPlaces const places({{}, {5, 3, 0}, {1}}, 8, 950.0, 640.0);
  Position const head = places.head(1);
  for (std::uint32_t place = 0; place != 3; ++place) {
    Position const node = places.position(places.chain(1)[place]);
    EXPECT_EQ(node.y, head.y);
    EXPECT_EQ(node.x, head.x + 2 * place + 2);
    EXPECT_EQ(places.node({node.x - 1, node.y}), std::nullopt);
  }
  EXPECT_EQ(places.unused(), (std::vector<Slot>{2, 4, 6, 7}));
  for (Slot const node : places.unused()) { EXPECT_GT(places.position(node).y, places.line_above_unused()); }
}

TEST(ChainPlaces, ManyHeadsStandInSeveralColumns)
{
  std::mt19937 random(2);
  ChainPlaces const places(random_chains(200, 200, random), 400, 950.0, 640.0);
  EXPECT_GT(places.head(199).x, places.head(0).x);
  double const cell = std::min(950.0 / places.columns(), 640.0 / places.rows());
  EXPECT_GT(cell, 9.0) << "200 heads can be told apart";
}

TEST(ChainPlaces, APlaneOfThemAnswersTheMouse)
{
  auto const places = std::make_shared<ChainPlaces const>(Chains{{2}, {}, {0, 1}, {}}, 4, 400.0, 300.0);
  Camera const camera(Plane(Grid::of(4, Layout::rows), places), 400.0, 300.0, 0.0, 4);
  for (Slot node = 0; node != 4; ++node) {
    Point const corner = camera.slot_corner(node);
    EXPECT_EQ(camera.slot_at({corner.x + 1.0, corner.y + 1.0}), node);
    EXPECT_EQ(camera.slot_at({corner.x - 1.0, corner.y + 1.0}), std::nullopt) << "an arrow or the margin";
  }
  EXPECT_EQ(camera.visible_slots(100).size(), 4u);
}

}  // namespace
}  // namespace slotscape
