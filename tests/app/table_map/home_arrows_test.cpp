#include "app/table_map/home_arrows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

constexpr float side = 60.0f;  ///< pixels: 64 slots in a window of 1280 x 720
constexpr float band = 12.0f;
constexpr Slot columns = 8;

ImVec2 corner_of(Slot slot)
{
  Slot const row = slot / columns;
  return {side * static_cast<float>(slot % columns), side * static_cast<float>(row)};
}

AwayKey away(Slot home, Slot slot)
{
  return {home, slot, corner_of(home), corner_of(slot)};
}

/// Keys at random homes of 64 slots, by linear probing, as many as that.
std::vector<AwayKey> probed(std::mt19937& random, std::size_t count, Slot homes)
{
  constexpr Slot slots = 64;
  std::set<Slot> taken;
  std::vector<AwayKey> keys;
  while (taken.size() < count) {
    Slot const home = static_cast<Slot>(random() % homes) * (slots / homes);
    Slot slot = home;
    while (!taken.insert(slot).second) { slot = (slot + 1) % slots; }
    if (slot != home) { keys.push_back(away(home, slot)); }
  }
  return keys;
}

/// The least distance of two parallel segments that run beside each other; large if there are none.
float closest(HomeArrow const& a, HomeArrow const& b)
{
  constexpr float end = 1.5f;  // what only meets at an end does not hide anything
  float least = side;
  for (std::size_t i = 1; i < a.points.size(); ++i) {
    for (std::size_t j = 1; j < b.points.size(); ++j) {
      auto const along = [](ImVec2 from, ImVec2 to, bool level) {
        return level ? std::pair(std::min(from.x, to.x), std::max(from.x, to.x))
                     : std::pair(std::min(from.y, to.y), std::max(from.y, to.y));
      };
      auto const is_level = [](ImVec2 from, ImVec2 to) { return std::abs(from.y - to.y) < 0.01f; };
      bool const level = is_level(a.points[i - 1], a.points[i]);
      if (level != is_level(b.points[j - 1], b.points[j])) { continue; }
      auto const [low, high] = along(a.points[i - 1], a.points[i], level);
      auto const [other_low, other_high] = along(b.points[j - 1], b.points[j], level);
      if (std::min(high, other_high) - std::max(low, other_low) < end) { continue; }
      least =
          std::min(least, level ? std::abs(a.points[i].y - b.points[j].y) : std::abs(a.points[i].x - b.points[j].x));
    }
  }
  return least;
}

void expect_apart(std::vector<HomeArrow> const& arrows, float least)
{
  for (std::size_t i = 0; i < arrows.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_GE(closest(arrows[i], arrows[j]), least) << arrows[i].key.home << " to " << arrows[i].key.slot << " and "
                                                      << arrows[j].key.home << " to " << arrows[j].key.slot;
      ImVec2 const start = arrows[i].points.front();
      ImVec2 const other = arrows[j].points.front();
      EXPECT_GT(std::hypot(start.x - other.x, start.y - other.y), least)
          << "starts of " << arrows[i].key.slot << " and " << arrows[j].key.slot;
    }
  }
}

TEST(HomeArrows, OfOneHomeRunApart)
{
  expect_apart(home_arrows({away(2, 3), away(2, 4), away(2, 5), away(2, 6)}, side, band), 2.0f);        // one row
  expect_apart(home_arrows({away(7, 8), away(7, 9), away(7, 10), away(7, 11)}, side, band), 2.0f);      // the row below
  expect_apart(home_arrows({away(9, 16), away(9, 24), away(9, 32), away(9, 40)}, side, band), 2.0f);    // one column
  expect_apart(home_arrows({away(60, 8), away(60, 16), away(60, 3), away(60, 57)}, side, band), 2.0f);  // upwards
}

TEST(HomeArrows, OfManyHomesRunApart)
{
  std::mt19937 random(11);
  for (Slot const homes : {4u, 16u, 64u}) {
    for (int table = 0; table < 20; ++table) { expect_apart(home_arrows(probed(random, 30, homes), side, band), 1.5f); }
  }
}

/// As in cuckoo tables, where the other slot of a key may be anywhere.
TEST(HomeArrows, ToAnywhereRunApart)
{
  std::mt19937 random(12);
  for (int table = 0; table < 20; ++table) {
    std::set<Slot> taken;
    std::vector<AwayKey> keys;
    while (keys.size() < 12) {
      auto const home = static_cast<Slot>(random() % 64);
      auto const slot = static_cast<Slot>(random() % 64);
      if (home != slot && taken.insert(slot).second) { keys.push_back(away(home, slot)); }
    }
    expect_apart(home_arrows(keys, side, band), 1.0f);
  }
}

TEST(HomeArrows, EndInTheCellsOfTheirKeys)
{
  std::mt19937 random(13);
  for (HomeArrow const& arrow : home_arrows(probed(random, 40, 16), side, band)) {
    ImVec2 const tip = arrow.points.back();
    ImVec2 const start = arrow.points.front();
    auto const is_in = [](ImVec2 at, ImVec2 corner) {
      return at.x > corner.x && at.x < corner.x + side && at.y > corner.y && at.y < corner.y + side;
    };
    EXPECT_TRUE(is_in(start, arrow.key.home_corner)) << arrow.key.slot;
    EXPECT_TRUE(is_in(tip, arrow.key.corner)) << arrow.key.slot;
  }
}

TEST(HomeArrows, DoNotDependOnTheOrderOfTheKeys)
{
  std::mt19937 random(14);
  std::vector<AwayKey> keys = probed(random, 40, 16);
  auto const ways = [&] {
    std::set<std::pair<Slot, std::vector<std::pair<float, float>>>> all;
    for (HomeArrow const& arrow : home_arrows(keys, side, band)) {
      std::vector<std::pair<float, float>> way;
      for (ImVec2 const& point : arrow.points) { way.emplace_back(point.x, point.y); }
      all.emplace(arrow.key.slot, std::move(way));
    }
    return all;
  };
  auto const before = ways();
  std::ranges::shuffle(keys, random);
  EXPECT_EQ(ways(), before);
}

}  // namespace
}  // namespace slotscape
