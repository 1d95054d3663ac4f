#include "gpu/base/random.hpp"
#include "tests/soak/slope.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace slotscape {
namespace {

using soak::Allowance;
using soak::Point;
using soak::Slope;

constexpr Allowance soak_allowance{4.0, 4.0};

/// Runs of nine minutes with twelve points each, at levels far apart, with noise of one in either direction.
std::vector<Point> soak_points(double an_hour)
{
  constexpr std::size_t runs = 14;
  constexpr std::size_t points_each = 12;
  std::vector<Point> points;
  for (std::size_t run = 0; run < runs; ++run) {
    double const level = 1000.0 * random_unit(1, run);
    for (std::size_t i = 0; i < points_each; ++i) {
      double const hours = 0.15 * static_cast<double>(i) / points_each;
      double const noise = 2.0 * random_unit(2, points.size()) - 1.0;
      points.push_back({run, hours, level + noise + an_hour * hours});
    }
  }
  return points;
}

TEST(SoakSlope, IsThatOfAllRunsWhateverTheirLevels)
{
  for (double const an_hour : {-20.0, 0.0, 3.0, 50.0}) {
    Slope const slope = soak::slope_of(soak_points(an_hour));
    EXPECT_NEAR(slope.an_hour, an_hour, 4.0 * slope.error);
    EXPECT_NEAR(slope.error, 1.0, 0.3) << "noise of sigma 0.58 on 168 points that lie 0.043 hours from their middle";
    EXPECT_NEAR(slope.hours, 14 * 0.15 * 11 / 12, 1e-9);
  }
}

TEST(SoakSlope, IsExactWithoutNoise)
{
  std::vector<Point> const points{{1, 0.0, 10.0}, {1, 1.0, 12.0}, {1, 2.0, 14.0}, {2, 0.0, 90.0}, {2, 0.5, 91.0}};
  Slope const slope = soak::slope_of(points);
  EXPECT_DOUBLE_EQ(slope.an_hour, 2.0);
  EXPECT_NEAR(slope.error, 0.0, 1e-12);
  EXPECT_DOUBLE_EQ(slope.hours, 2.5);
}

TEST(SoakSlope, OfFewPointsSaysNothing)
{
  EXPECT_FALSE(soak::leaks(soak::slope_of({}), soak_allowance));
  std::vector<Point> const two{{1, 0.0, 0.0}, {1, 0.1, 1000.0}};
  EXPECT_FALSE(soak::leaks(soak::slope_of(two), soak_allowance));
}

TEST(SoakSlope, FindsALeakBeyondWhatIsAllowed)
{
  EXPECT_FALSE(soak::leaks(soak::slope_of(soak_points(0.0)), soak_allowance));
  EXPECT_FALSE(soak::leaks(soak::slope_of(soak_points(5.0)), soak_allowance));
  EXPECT_FALSE(soak::leaks(soak::slope_of(soak_points(-50.0)), soak_allowance));
  EXPECT_TRUE(soak::leaks(soak::slope_of(soak_points(12.0)), soak_allowance));
}

}  // namespace
}  // namespace slotscape
