#include "app/widgets/controls.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace slotscape {
namespace {

constexpr Rectangle canvas{100, 50, 800, 600};
Look const look;

bool covers(CardPlace const& card, Rectangle const& place)
{
  int const width = static_cast<int>(card.size.x);
  int const height = static_cast<int>(card.size.y);
  int const x = card.right ? canvas.x + canvas.width - width : canvas.x;
  int const y = card.bottom ? canvas.y + canvas.height - height : canvas.y;
  return x < place.x + place.width && place.x < x + width && y < place.y + place.height && place.y < y + height;
}

TEST(Card, LiesWhereItCoversNothingThatMatters)
{
  CardPlace const card{.size = {290.0f, 190.0f}};
  EXPECT_FALSE(clear_of(look, card, canvas, {}).right);
  EXPECT_FALSE(clear_of(look, card, canvas, {}).bottom) << "it stays in its corner";
  std::vector<Rectangle> places;
  for (Rectangle const& place : {Rectangle{120, 70, 60, 60}, {120, 560, 60, 60}, {800, 70, 60, 60}}) {
    places.push_back(place);
    CardPlace const moved = clear_of(look, card, canvas, places);
    for (Rectangle const& each : places) { EXPECT_FALSE(covers(moved, each)) << places.size() << " corners are taken"; }
  }
  places.push_back({800, 560, 60, 60});
  places.push_back({820, 580, 60, 60});
  CardPlace const least = clear_of(look, card, canvas, places);
  EXPECT_FALSE(least.right && least.bottom) << "two places are there, and one in each other corner";
}

}  // namespace
}  // namespace slotscape
