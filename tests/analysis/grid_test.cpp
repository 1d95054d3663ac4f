#include "gpu/analysis/grid.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace slotscape {
namespace {

int steps_between(Position a, Position b)
{
  return std::abs(static_cast<int>(a.x) - static_cast<int>(b.x)) +
         std::abs(static_cast<int>(a.y) - static_cast<int>(b.y));
}

TEST(Grid, HoldsEachSlotOnce)
{
  for (Layout const layout : {Layout::rows, Layout::hilbert}) {
    for (int bits = 4; bits <= 14; ++bits) {
      std::uint64_t const slots = std::uint64_t{1} << bits;
      Grid const grid = Grid::of(slots, layout);
      ASSERT_EQ(std::uint64_t{grid.columns} * grid.rows, slots);
      ASSERT_EQ(grid.columns, bits % 2 == 0 ? grid.rows : 2 * grid.rows);
      std::vector<bool> taken(slots);
      for (Slot slot = 0; slot < slots; ++slot) {
        Position const p = grid.position(slot);
        ASSERT_LT(p.x, grid.columns);
        ASSERT_LT(p.y, grid.rows);
        ASSERT_FALSE(taken[p.y * grid.columns + p.x]);
        taken[p.y * grid.columns + p.x] = true;
        ASSERT_EQ(grid.slot(p), slot);
      }
    }
  }
}

TEST(Grid, NeighboursAlongTheHilbertCurveTouch)
{
  for (int bits = 4; bits <= 14; ++bits) {
    std::uint64_t const slots = std::uint64_t{1} << bits;
    Grid const grid = Grid::of(slots, Layout::hilbert);
    for (Slot slot = 1; slot < slots; ++slot) {
      ASSERT_EQ(steps_between(grid.position(slot - 1), grid.position(slot)), 1) << slot << " of " << slots;
    }
  }
}

TEST(Grid, SquaresOfTheHilbertCurveAreRunsOfSlots)
{
  Grid const grid = Grid::of(1u << 11, Layout::hilbert);
  for (std::uint32_t level = 1; level <= 5; ++level) {
    std::uint32_t const in_square = 1u << (2 * level);
    for (Slot slot = 0; slot < 1u << 11; ++slot) {
      Position const first = grid.position(slot & ~(in_square - 1));
      Position const p = grid.position(slot);
      ASSERT_EQ(p.x >> level, first.x >> level);
      ASSERT_EQ(p.y >> level, first.y >> level);
    }
  }
}

TEST(Grid, ReachesToTheLargestTables)
{
  for (Layout const layout : {Layout::rows, Layout::hilbert}) {
    Grid const grid = Grid::of(std::uint64_t{1} << 31, layout);
    for (Slot const slot : {0u, 1u, 12345678u, (1u << 30) - 1, 1u << 30, (1u << 31) - 1}) {
      Position const p = grid.position(slot);
      EXPECT_LT(p.x, grid.columns);
      EXPECT_LT(p.y, grid.rows);
      EXPECT_EQ(grid.slot(p), slot);
    }
  }
}

}  // namespace
}  // namespace slotscape
