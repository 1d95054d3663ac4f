#include "gpu/tables/slot_mark.hpp"

#include <gtest/gtest.h>

namespace slotscape::slot_mark_tests {
namespace {

std::uint32_t kept(std::uint32_t measure)
{
  return measure_of(make_mark({SlotState::live, true, measure}));
}

TEST(SlotMark, KeepsStateAndKey)
{
  for (SlotState const state : {SlotState::empty, SlotState::live, SlotState::tombstone, SlotState::link}) {
    for (bool const key : {false, true}) {
      SlotMark const mark = make_mark({state, key, 123'456});
      EXPECT_EQ(state_of(mark), state);
      EXPECT_EQ(has_key(mark), key);
    }
  }
}

TEST(SlotMark, KeepsSmallMeasuresAndAboutAllOthers)
{
  for (std::uint32_t measure = 0; measure < 4096; ++measure) { ASSERT_EQ(kept(measure), measure); }
  std::uint32_t last = kept(4095);
  for (std::uint32_t measure = 4096; measure < 1u << 28; measure += measure / 1000) {
    std::uint32_t const now = kept(measure);
    ASSERT_GE(now, last) << measure;
    ASSERT_LE(now, measure);
    if (measure < 1u << 27) { ASSERT_GT(now, 0.996 * measure) << measure; }
    last = now;
  }
}

TEST(SlotMark, CapsTheLargestMeasure)
{
  EXPECT_EQ(kept(0xffffffffu), 511u << 19);
}

}  // namespace
}  // namespace slotscape::slot_mark_tests
