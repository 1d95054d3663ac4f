#include "app/table_map/camera.hpp"

#include <gtest/gtest.h>

#include <set>

namespace slotscape {
namespace {

Camera square(std::uint64_t slots, double side, Layout layout = Layout::rows)
{
  return Camera(Grid::of(slots, layout), side, side);
}

TEST(Camera, FitShowsTheWholeTable)
{
  for (std::uint64_t const slots : {16ull, 32ull, 65536ull, 1ull << 20, 1ull << 27}) {
    Camera const camera(Grid::of(slots, Layout::rows), 960.0, 900.0, 12.0);
    Point const top_left = camera.to_screen({0.0, 0.0});
    Grid const& grid = camera.plane().grid();
    Point const bottom_right = camera.to_screen({static_cast<double>(grid.columns), static_cast<double>(grid.rows)});
    EXPECT_GE(top_left.x, 11.0);
    EXPECT_GE(top_left.y, 11.0);
    EXPECT_LE(bottom_right.x, 949.0);
    EXPECT_LE(bottom_right.y, 889.0);
    PictureRequest const request = camera.request(ViewSettings{});
    EXPECT_EQ(request.x, 0u);
    EXPECT_EQ(request.y, 0u);
    std::uint64_t const cell = std::uint64_t{1} << request.level;
    EXPECT_GE(request.width * cell, grid.columns);
    EXPECT_GE(request.height * cell, grid.rows);
  }
}

TEST(Camera, OneSlotPerPixelIsLevelZeroWithEverySlot)
{
  Camera const camera = square(65536, 256.0);
  EXPECT_DOUBLE_EQ(camera.slot_pixels(), 1.0);
  PictureRequest const request = camera.request(ViewSettings{});
  EXPECT_EQ(request.level, 0u);
  EXPECT_EQ(request.width, 256u);
  EXPECT_EQ(request.height, 256u);
}

TEST(Camera, CellsAreBetweenOneAndTwoPixelsWhenZoomedOut)
{
  for (double side = 100.0; side < 2000.0; side += 37.0) {
    Camera camera = square(1u << 22, side);
    for (int step = 0; step < 30 && camera.slot_pixels() < 1.0; ++step) {
      PictureRequest const request = camera.request(ViewSettings{});
      double const cell = camera.placement(request).cell;
      EXPECT_GE(cell, 1.0 - 1e-6);
      EXPECT_LT(cell, 2.0);
      camera.zoom_at({side / 3.0, side / 4.0}, 1.13);
    }
  }
}

TEST(Camera, ZoomKeepsWhatIsUnderTheCursor)
{
  Camera camera = square(1u << 20, 900.0);
  camera.look({3.0, {0.5, 0.5}});  // far from the limits, where the grid's edges are kept in sight
  Point const cursor{301.0, 622.0};
  Point const before = camera.to_grid(cursor);
  double const pixel = 1.0 / camera.slot_pixels();
  for (int step = 0; step < 20; ++step) {
    camera.zoom_at(cursor, 1.2);
    Point const after = camera.to_grid(cursor);
    EXPECT_NEAR(after.x, before.x, pixel);
    EXPECT_NEAR(after.y, before.y, pixel);
  }
}

TEST(Camera, StaysInItsLimits)
{
  Camera camera = square(1u << 16, 700.0);
  camera.zoom_at({350.0, 350.0}, 1e-6);
  EXPECT_DOUBLE_EQ(camera.zoom(), 1.0);
  camera.zoom_at({350.0, 350.0}, 1e9);
  EXPECT_NEAR(camera.slot_pixels(), Camera::widest_slot, 1e-6);
  camera.pan(1e9, -1e9);
  PictureRequest const request = camera.request(ViewSettings{});
  EXPECT_GE(request.width, 1u);
  EXPECT_LE(request.x + request.width, 256u);
  EXPECT_LE(request.y + request.height, 256u);
}

TEST(Camera, RequestCoversWhatIsSeenAndNoMore)
{
  Camera camera = square(1u << 16, 700.0);
  camera.look({20.0, {0.37, 0.61}});
  PictureRequest const request = camera.request(ViewSettings{});
  EXPECT_EQ(request.level, 0u);
  Placement const place = camera.placement(request);
  EXPECT_LE(place.origin.x, 0.0);
  EXPECT_GT(place.origin.x + place.cell, 0.0);
  EXPECT_GE(place.origin.x + place.cell * request.width, 700.0);
  EXPECT_LT(place.origin.x + place.cell * (request.width - 1), 700.0);
}

TEST(Camera, FindsTheSlotUnderAPixelAndBack)
{
  for (Layout const layout : {Layout::rows, Layout::hilbert}) {
    Camera camera = square(1u << 16, 800.0, layout);
    camera.look({9.0, {0.4, 0.7}});
    for (Slot const slot : camera.visible_slots(1u << 16)) {
      Point const corner = camera.slot_corner(slot);
      Point const middle{corner.x + camera.slot_pixels() / 2.0, corner.y + camera.slot_pixels() / 2.0};
      if (middle.x < 0.0 || middle.y < 0.0 || middle.x >= 800.0 || middle.y >= 800.0) { continue; }
      EXPECT_EQ(camera.slot_at(middle), slot);
      EXPECT_TRUE(camera.shows(slot));
    }
  }
  EXPECT_FALSE(square(1u << 16, 800.0).slot_at({-1.0, 5.0}).has_value());
}

TEST(Camera, KnowsWhereTheTableEnds)
{
  for (Layout const layout : {Layout::rows, Layout::hilbert}) {
    Camera const camera(Grid::of(700, layout), 640.0, 640.0, 0.0, 700);  // 32 x 32 places
    std::set<Slot> found;
    std::size_t outside = 0;
    for (int y = 10; y < 640; y += 20) {
      for (int x = 10; x < 640; x += 20) {
        auto const slot = camera.slot_at({static_cast<double>(x), static_cast<double>(y)});
        outside += slot ? 0 : 1;
        if (slot) { found.insert(*slot); }
      }
    }
    EXPECT_EQ(found.size(), 700u);
    EXPECT_EQ(*found.rbegin(), 699u);
    EXPECT_EQ(outside, 1024u - 700u);
    std::vector<Slot> const visible = camera.visible_slots(5000);
    EXPECT_EQ(std::set<Slot>(visible.begin(), visible.end()), found);
  }
}

TEST(Camera, VisibleSlotsAreDistinctAndLimited)
{
  Camera camera = square(1u << 16, 800.0);
  EXPECT_TRUE(camera.visible_slots(100).empty());
  camera.zoom_at({400.0, 400.0}, 30.0);
  std::vector<Slot> const slots = camera.visible_slots(10000);
  EXPECT_FALSE(slots.empty());
  EXPECT_EQ(std::set<Slot>(slots.begin(), slots.end()).size(), slots.size());
}

TEST(Camera, FlightEndsWhereItWasSent)
{
  Camera camera = square(1u << 16, 800.0);
  Flight flight(camera, {40.0, {0.25, 0.75}}, 0.6);
  for (int frame = 0; frame < 40; ++frame) { flight.advance(camera, 1.0 / 60.0); }
  EXPECT_TRUE(flight.done());
  EXPECT_NEAR(camera.zoom(), 40.0, 1e-9);
  EXPECT_NEAR(camera.center().x, 0.25, 1e-9);
  EXPECT_NEAR(camera.center().y, 0.75, 1e-9);
}

}  // namespace
}  // namespace slotscape
