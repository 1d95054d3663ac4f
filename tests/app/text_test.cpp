#include "app/base/text.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

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
