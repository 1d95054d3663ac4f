#include "app/table_map/plane.hpp"
#include "app/table_map/camera.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <set>

namespace slotscape {
namespace {

constexpr double width = 950.0;
constexpr double height = 640.0;

Plane plane_of(std::uint64_t slots, Arrangement arrangement, double wide = width, double high = height)
{
  return Plane::of(slots, {.arrangement = arrangement}, wide, high);
}

int distance(Position a, Position b)
{
  return std::abs(static_cast<int>(a.x) - static_cast<int>(b.x)) +
         std::abs(static_cast<int>(a.y) - static_cast<int>(b.y));
}

TEST(Plane, EverySlotHasAPlaceOfItsOwnAndIsFoundThere)
{
  for (Arrangement const arrangement : {Arrangement::fitting, Arrangement::row, Arrangement::ring, Arrangement::grid}) {
    for (std::uint64_t slots = 2; slots <= max_arranged_slots; ++slots) {
      Plane const plane = plane_of(slots, arrangement);
      std::set<std::pair<std::uint32_t, std::uint32_t>> taken;
      for (Slot slot = 0; slot < slots; ++slot) {
        Position const at = plane.position(slot);
        ASSERT_LT(at.x, plane.columns());
        ASSERT_LT(at.y, plane.rows());
        ASSERT_TRUE(taken.insert({at.x, at.y}).second) << slot << " of " << slots;
        ASSERT_EQ(plane.slot(at), slot);
      }
    }
  }
}

TEST(Plane, ARowIsOneRowAndARingClosesUp)
{
  EXPECT_EQ(plane_of(16, Arrangement::row).rows(), 1u);
  for (std::uint64_t const slots : {16u, 31u, 32u, 64u}) {
    Plane const ring = plane_of(slots, Arrangement::ring);
    auto const last = static_cast<Slot>(slots - 1);
    for (Slot slot = 0; slot < last; ++slot) { EXPECT_EQ(distance(ring.position(slot), ring.position(slot + 1)), 1); }
    EXPECT_EQ(distance(ring.position(last), ring.position(0)), slots % 2 == 0 ? 1 : 2) << slots;
    EXPECT_EQ(ring.slot({1, 1}), std::nullopt) << "the middle is free";
  }
}

TEST(Plane, SmallTablesUseTheScreen)
{
  for (std::uint64_t slots = 16; slots <= 64; ++slots) {
    for (auto const& [wide, high] : {std::pair{950.0, 640.0}, std::pair{1600.0, 300.0}, std::pair{500.0, 900.0}}) {
      Camera const camera(plane_of(slots, Arrangement::fitting, wide, high), wide, high, 0.0, slots);
      double const used = static_cast<double>(slots) * camera.slot_pixels() * camera.slot_pixels();
      EXPECT_GT(used / (wide * high), 0.45) << slots << " slots in " << wide << " x " << high;
    }
  }
}

TEST(Plane, AFlatCanvasShowsARowAndCountableColumnsArePreferred)
{
  EXPECT_EQ(plane_of(16, Arrangement::fitting, 1600.0, 120.0).rows(), 1u);
  EXPECT_EQ(plane_of(16, Arrangement::grid).columns(), 4u);
  EXPECT_EQ(plane_of(64, Arrangement::grid).columns(), 8u);
}

TEST(Plane, LargeTablesAndHilbertCurvesLieAsTheAnalysisLaysThemOut)
{
  EXPECT_EQ(plane_of(256, Arrangement::ring).kind(), Plane::Kind::grid);
  Plane const curve = Plane::of(64, {.layout = Layout::hilbert, .arrangement = Arrangement::row}, width, height);
  EXPECT_EQ(curve.kind(), Plane::Kind::grid);
}

TEST(Plane, TheCameraFindsSlotsWhereverTheyLie)
{
  for (Arrangement const arrangement : {Arrangement::row, Arrangement::ring, Arrangement::grid}) {
    Camera camera(plane_of(20, arrangement), width, height, 14.0, 20);
    camera.look({1.0, {0.5, 0.5}});
    EXPECT_EQ(camera.visible_slots(100).size(), 20u);
    for (Slot slot = 0; slot < 20; ++slot) {
      Point const corner = camera.slot_corner(slot);
      double const half = camera.slot_pixels() / 2.0;
      EXPECT_EQ(camera.slot_at({corner.x + half, corner.y + half}), slot);
    }
  }
}

/// Each in a line of its own, below one that is free for its name and for arrows.
TEST(Plane, ArraysLieInLinesOfTheirOwn)
{
  Plane const plane = Plane::of(22, {}, width, height, 11);
  EXPECT_EQ(plane.kind(), Plane::Kind::arrays);
  EXPECT_EQ(plane.columns(), 11u);
  for (Slot slot = 0; slot < 22; ++slot) {
    Position const at = plane.position(slot);
    EXPECT_EQ(at.x, slot % 11);
    EXPECT_EQ(at.y, slot < 11 ? 1u : 3u);
    EXPECT_EQ(plane.slot(at), slot);
    EXPECT_FALSE(plane.slot({at.x, at.y - 1})) << "free";
  }
  EXPECT_EQ(Plane::of(22, {.arrangement = Arrangement::row}, width, height, 11).rows(), 1u) << "as was asked for";
}

/// As where a caption comes above the map, or a panel goes: the columns stay, and change only where they waste the
/// room.
TEST(Plane, StaysAsItWasWhereTheRoomChangesALittle)
{
  for (Arrangement const arrangement : {Arrangement::fitting, Arrangement::grid, Arrangement::ring}) {
    for (std::uint64_t slots = 4; slots <= max_arranged_slots; ++slots) {
      for (auto const& [wide, high] : {std::pair{950.0, 540.0}, {700.0, 640.0}, {1200.0, 640.0}}) {
        Plane const before = plane_of(slots, arrangement);
        Plane const after = Plane::of(slots, {.arrangement = arrangement}, wide, high, before);
        ASSERT_EQ(after.columns(), before.columns()) << slots << " slots";
        ASSERT_EQ(after.rows(), before.rows()) << slots << " slots";
      }
    }
  }
  Plane const wide = plane_of(16, Arrangement::grid, 2000.0, 200.0);
  Plane const high = Plane::of(16, {.arrangement = Arrangement::grid}, 200.0, 2000.0, wide);
  EXPECT_LT(high.columns(), wide.columns());
}

}  // namespace
}  // namespace slotscape
