#include "app/table_map/several_maps.hpp"

#include <gtest/gtest.h>

namespace slotscape {
namespace {

using Which = std::vector<std::size_t>;

TEST(Turns, AreForAllWhereTheFrameHasTime)
{
  Turns turns(3, 0.010);
  for (int frame = 0; frame < 4; ++frame) {
    EXPECT_EQ(turns.begin_frame(0.1).size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_DOUBLE_EQ(turns.since(i), 0.1);
      turns.done(i, 0.003);
    }
  }
}

TEST(Turns, AreForAsManyAsFitAndForEveryOneInTheEnd)
{
  Turns turns(3, 0.010);
  turns.begin_frame(0.1);
  for (std::size_t i = 0; i < 3; ++i) { turns.done(i, 0.004); }
  auto const frame = [&](double seconds) {
    Which which = turns.begin_frame(0.1);
    for (std::size_t const i : which) { turns.done(i, seconds); }
    return which;
  };
  EXPECT_EQ(frame(0.004), (Which{0, 1}));
  EXPECT_EQ(frame(0.004), (Which{2, 0}));
  EXPECT_EQ(frame(1.0), (Which{1, 2}));
  EXPECT_EQ(frame(1.0), Which{0});  // one at least, and not two, as the next took long
  EXPECT_EQ(frame(1.0), Which{1});
  EXPECT_EQ(turns.begin_frame(0.1), Which{2});
  EXPECT_NEAR(turns.since(2), 0.3, 1e-12);
}

}  // namespace
}  // namespace slotscape
