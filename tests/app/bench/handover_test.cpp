#include "app/bench/handover.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <tbb/global_control.h>

namespace slotscape {
namespace {

int allowed_cores()
{
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  return sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
}

TEST(Handover, IsMeasuredBetweenTwoCores)
{
  if (allowed_cores() < 2) { GTEST_SKIP() << "there is one core only"; }
  int const before = allowed_cores();
  Handover handover;
  // Others may be at work on one of them.
  for (int attempt = 0; attempt < 20 && handover.most == 0.0; ++attempt) { handover.measure(); }
  EXPECT_GT(handover.least, 1e-9);
  EXPECT_LT(handover.most, 1e-3);
  EXPECT_EQ(allowed_cores(), before);
}

TEST(Handover, IsNotMeasuredWithOneThread)
{
  tbb::global_control const one(tbb::global_control::max_allowed_parallelism, 1);
  Handover handover;
  handover.measure();
  EXPECT_EQ(handover.most, 0.0);
  EXPECT_EQ(text_of(handover), "");
}

TEST(Handover, KeepsLeastAndMost)
{
  Handover handover;
  handover.add({});
  EXPECT_EQ(handover.most, 0.0);
  handover.add({30e-9, 30e-9});
  EXPECT_EQ(text_of(handover), "Passing a cache line from one core to another took 30 ns.");
  handover.add({25e-9, 25e-9});
  EXPECT_FALSE(handover.changed());
  handover.add({168e-9, 168e-9});
  handover.add({});
  EXPECT_EQ(text_of(handover), "Passing a cache line from one core to another took 25 to 168 ns.");
  EXPECT_TRUE(handover.changed());
}

}  // namespace
}  // namespace slotscape
