#include "app/serve/pace.hpp"

#include <gtest/gtest.h>

namespace slotscape::serve {
namespace {

using Seconds = std::chrono::duration<double>;

/// A line on which everything takes as long as it is told to.
struct Line {
  Pace pace;
  Pace::Clock::time_point now{};
  std::uint64_t picture = 0;

  void pass(double seconds) { now += std::chrono::duration_cast<Pace::Clock::duration>(Seconds(seconds)); }
  /// One more picture, which is seen after this time.
  void show(double seconds, std::size_t bytes = 100'000)
  {
    ++picture;
    std::uint32_t const frame = pace.sent(picture, pace.wanted(picture).value(), bytes, now);
    pass(seconds);
    pace.seen(frame, now);
  }
};

TEST(ServePace, NothingIsSentWhileAPictureIsOnItsWay)
{
  Line line;
  EXPECT_EQ(line.pace.wanted(1), first_level);
  std::uint32_t const frame = line.pace.sent(1, first_level, 1000, line.now);
  EXPECT_EQ(line.pace.wanted(2), std::nullopt);
  line.pace.seen(frame + 1, line.now);  // of no picture
  EXPECT_EQ(line.pace.wanted(2), std::nullopt);
  line.pass(3.0);
  EXPECT_DOUBLE_EQ(line.pace.seconds_on_the_way(line.now), 3.0);
  line.pace.seen(frame, line.now);
  EXPECT_DOUBLE_EQ(line.pace.seconds_on_the_way(line.now), 0.0);
  EXPECT_TRUE(line.pace.wanted(2));
}

TEST(ServePace, ASlowLineGetsSmallerPictures)
{
  Line line;
  line.show(0.3);
  EXPECT_EQ(line.pace.level(), first_level + 1);
  line.show(2.0);
  EXPECT_EQ(line.pace.level(), first_level + 3);
  for (int i = 0; i < 10; ++i) { line.show(2.0); }
  EXPECT_EQ(line.pace.level(), levels.size() - 1);
}

TEST(ServePace, AQuickLineGetsBetterOnes)
{
  Line line;
  for (int i = 0; i < 3; ++i) { line.show(0.3); }
  std::size_t const before = line.pace.level();
  for (int i = 0; i < 7; ++i) { line.show(0.02); }
  EXPECT_EQ(line.pace.level(), before);
  line.show(0.02);
  EXPECT_EQ(line.pace.level(), before - 1);
  for (int i = 0; i < 100; ++i) { line.show(0.02); }
  EXPECT_EQ(line.pace.level(), 0U);
}

TEST(ServePace, WhatStandsStillGetsBetterStepByStep)
{
  Line line;
  line.show(0.1);
  for (std::size_t level = first_level; level > 0; --level) {
    ASSERT_EQ(line.pace.wanted(line.picture), level - 1);
    std::uint32_t const frame = line.pace.sent(line.picture, level - 1, 250'000, line.now);
    line.pass(0.4);
    line.pace.seen(frame, line.now);
  }
  EXPECT_EQ(line.pace.wanted(line.picture), std::nullopt);
  EXPECT_EQ(line.pace.level(), first_level);  // what moves is not the worse for it
}

TEST(ServePace, ASlowLineIsNotBlockedByASharperPicture)
{
  Line line;
  line.show(0.5, 100'000);  // 200 kB/s: 250 kB more would take over a second
  EXPECT_EQ(line.pace.wanted(line.picture), std::nullopt);
  EXPECT_TRUE(line.pace.wanted(line.picture + 1));
}

}  // namespace
}  // namespace slotscape::serve
