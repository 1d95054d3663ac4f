#include "app/base/text.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

TEST(Text, HalvesAreRoundedAsInTextbooks)
{
  EXPECT_EQ(with_decimals(0.625, 2), "0.63");
  EXPECT_EQ(with_decimals(0.0625, 3), "0.063");
  EXPECT_EQ(with_decimals(-0.125, 2), "-0.13");
  EXPECT_EQ(percent(0.0625), "6.3 %");
  EXPECT_EQ(milliseconds(0.0125), "12.5 ms");
  EXPECT_EQ(milliseconds(0.00125), "1.25 ms");
  EXPECT_EQ(milliseconds(0.0022250), "2.23 ms");
}

TEST(Text, HalvesAreRoundedAwayFromZero)
{
  EXPECT_EQ(short_number(2.625), "2.63");
  EXPECT_EQ(short_number(-2.625), "-2.63");
  EXPECT_EQ(short_number(0.125), "0.13");
  EXPECT_EQ(short_number(2625.0), "2.63 k");
  EXPECT_EQ(short_number(2.6249), "2.62");
  EXPECT_EQ(short_number(2.0), "2");
}

}  // namespace
}  // namespace slotscape
