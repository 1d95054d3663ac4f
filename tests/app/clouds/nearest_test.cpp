// The nearest point of each place, beside a search through all points.

#include "app/clouds/nearest.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

namespace slotscape::clouds {
namespace {

std::vector<Vector> random_points(int count, Vector low, Vector high, unsigned seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> share;
  std::vector<Vector> points;
  for (int i = 0; i < count; ++i) {
    Vector const at{share(random), share(random), share(random)};
    points.push_back(
        {low.x + at.x * (high.x - low.x), low.y + at.y * (high.y - low.y), low.z + at.z * (high.z - low.z)});
  }
  return points;
}

Nearest by_brute_force(std::vector<Vector> const& points, std::vector<Vector> const& places)
{
  Nearest nearest;
  for (Vector const& place : places) {
    float least = std::numeric_limits<float>::infinity();
    std::uint32_t number = 0;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      float const squared =
          neighbours::squared_distance({place.x, place.y, place.z}, {points[i].x, points[i].y, points[i].z});
      if (squared >= least) { continue; }
      least = squared;
      number = i;
    }
    nearest.numbers.push_back(number);
    nearest.distances.push_back(std::sqrt(least));
  }
  return nearest;
}

void expect_as_brute_force(std::vector<Vector> const& points, std::vector<Vector> const& places)
{
  auto const engine = neighbours::make_neighbour_engine(Backend::cpu);
  Nearest const nearest = nearest_points(*engine, points, places);
  Nearest const expected = by_brute_force(points, places);
  EXPECT_EQ(nearest.numbers, expected.numbers);
  EXPECT_EQ(nearest.distances, expected.distances);
}

TEST(NearestPoints, AreThoseOfBruteForce)
{
  expect_as_brute_force(random_points(2000, {0, 0, 0}, {1, 1, 1}, 1), random_points(1000, {0, 0, 0}, {1, 1, 1}, 2));
}

TEST(NearestPoints, OfAPlaneAndOfPlacesFarBesideIt)
{
  auto const plane = random_points(3000, {-1, -1, 0}, {1, 1, 0}, 3);
  expect_as_brute_force(plane, random_points(500, {-1, -1, -0.2f}, {1, 1, 0.2f}, 4));
  expect_as_brute_force(plane, random_points(200, {30, -5, 40}, {50, 5, 90}, 5));
}

TEST(NearestPoints, OfPointsInOnePlaceAndOfEquallyNearOnes)
{
  expect_as_brute_force({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{1, 2, 3}, {4, 6, 3}, {-1000, 0, 0}});
  expect_as_brute_force({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}}, {{0, 0, 0}});
}

TEST(NearestPoints, NoPlacesHaveNone)
{
  auto const engine = neighbours::make_neighbour_engine(Backend::cpu);
  EXPECT_TRUE(nearest_points(*engine, random_points(10, {0, 0, 0}, {1, 1, 1}, 6), {}).numbers.empty());
}

TEST(NearestPoints, NoPointsAreAnError)
{
  auto const engine = neighbours::make_neighbour_engine(Backend::cpu);
  std::vector<Vector> const place{{0, 0, 0}};
  EXPECT_THROW(nearest_points(*engine, {}, place), Error);
}

}  // namespace
}  // namespace slotscape::clouds
