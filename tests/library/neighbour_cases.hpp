#pragma once

#include "gpu/library/basic_neighbour_grid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace slotscape {

/// How many neighbours a thread finds through a view, and the sum of their numbers.
struct LookAround {
  NeighbourGridView view;
  GridPoint const* places;
  std::uint32_t* counts;
  std::uint64_t* sums;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    counts[i] = view.count_neighbours(places[i]);
    std::uint64_t sum = 0;
    view.for_each_neighbour(places[i], [&](std::uint32_t number, float) { sum += number; });
    sums[i] = sum;
  }
};

template <class Backend>
class LibraryNeighbours : public testing::Test {
protected:
  template <class T>
  using Array = typename Backend::template Array<T>;
  struct Near {
    std::uint32_t number;
    float squared;
    friend bool operator==(Near const&, Near const&) = default;
  };
  using AllNear = std::vector<std::vector<Near>>;

  static constexpr float radius = 0.12f;

  void SetUp() override
  {
    if (std::string const why = Backend::why_not(); !why.empty()) { GTEST_SKIP() << why; }
  }
  static std::vector<GridPoint> points(std::size_t count, unsigned seed)
  {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> along(-0.5f, 0.5f);
    std::vector<GridPoint> points(count);
    for (GridPoint& point : points) { point = {along(random), along(random), along(random)}; }
    return points;
  }
  static AllNear by_comparing(std::vector<GridPoint> const& queries, std::vector<GridPoint> const& points, bool is_self,
                              std::uint32_t k)
  {
    AllNear all(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      for (std::size_t j = 0; j < points.size(); ++j) {
        float const x = queries[i].x - points[j].x;
        float const y = queries[i].y - points[j].y;
        float const z = queries[i].z - points[j].z;
        float const xx = x * x;
        float const yy = y * y;
        float const zz = z * z;
        float const squared = (xx + yy) + zz;
        if (squared <= radius * radius && !(is_self && i == j)) {
          all[i].push_back({static_cast<std::uint32_t>(j), squared});
        }
      }
      std::ranges::sort(all[i], {}, [](Near const& near) { return std::pair(near.squared, near.number); });
      if (k != 0 && all[i].size() > k) { all[i].resize(k); }
    }
    return all;
  }
  template <class Lists>
  AllNear on_host(Lists const& lists)
  {
    auto const offsets = backend_.copied(lists.offsets(), lists.queries() + 1);
    auto const numbers = backend_.copied(lists.numbers(), lists.size());
    auto const squared = backend_.copied(lists.squared_distances(), lists.size());
    AllNear all(lists.queries());
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::uint32_t at = offsets[i]; at < offsets[i + 1]; ++at) { all[i].push_back({numbers[at], squared[at]}); }
    }
    return all;
  }

  Backend backend_;
};
TYPED_TEST_SUITE_P(LibraryNeighbours);

TYPED_TEST_P(LibraryNeighbours, FindsThoseOfAllPoints)
{
  auto const points = this->points(1500, 1);
  typename TypeParam::template Array<GridPoint> array(points);
  for (int const divisor : {1, 2}) {
    auto grid = this->backend_.make_grid({.radius = this->radius, .divisor = divisor});
    grid.build(array.data(), points.size());
    EXPECT_EQ(grid.size(), points.size());
    for (std::uint32_t const k : {0u, 4u}) {
      EXPECT_EQ(this->on_host(grid.find_all({.k = k})), this->by_comparing(points, points, true, k));
    }
  }
}

TYPED_TEST_P(LibraryNeighbours, FindsThoseOfOtherPlaces)
{
  auto const points = this->points(1500, 2);
  auto const queries = this->points(700, 3);
  typename TypeParam::template Array<GridPoint> array(points);
  typename TypeParam::template Array<GridPoint> places(queries);
  auto grid = this->backend_.make_grid({.radius = this->radius});
  grid.build(array.data(), points.size());
  EXPECT_EQ(this->on_host(grid.find(places.data(), queries.size())), this->by_comparing(queries, points, false, 0));
  EXPECT_EQ(this->on_host(grid.find(places.data(), queries.size(), {.k = 3})),
            this->by_comparing(queries, points, false, 3));
  EXPECT_EQ(grid.find(places.data(), 0).size(), 0u);
}

TYPED_TEST_P(LibraryNeighbours, AViewFindsTheSame)
{
  auto const points = this->points(1500, 4);
  auto const queries = this->points(500, 5);
  typename TypeParam::template Array<GridPoint> array(points);
  typename TypeParam::template Array<GridPoint> places(queries);
  typename TypeParam::template Array<std::uint32_t> counts(queries.size());
  typename TypeParam::template Array<std::uint64_t> sums(queries.size());
  auto grid = this->backend_.make_grid({.radius = this->radius});
  grid.build(array.data(), points.size());
  this->backend_.for_each(queries.size(), LookAround{grid.view(), places.data(), counts.data(), sums.data()});
  auto const expected = this->by_comparing(queries, points, false, 0);
  auto const found = counts.host();
  auto const sum_of_numbers = sums.host();
  for (std::size_t i = 0; i < queries.size(); ++i) {
    EXPECT_EQ(found[i], expected[i].size());
    std::uint64_t sum = 0;
    for (auto const& near : expected[i]) { sum += near.number; }
    EXPECT_EQ(sum_of_numbers[i], sum);
  }
}

TYPED_TEST_P(LibraryNeighbours, IsBuiltAgain)
{
  auto grid = this->backend_.make_grid({.radius = this->radius});
  EXPECT_THAT([&] { grid.view(); }, testing::ThrowsMessage<Error>(testing::HasSubstr("call build first")));
  EXPECT_THAT([&] { grid.find_all(); }, testing::ThrowsMessage<Error>(testing::HasSubstr("call build first")));
  for (std::size_t const count : {900u, 20u, 0u, 1u, 1300u}) {
    auto const points = this->points(count, 6);
    typename TypeParam::template Array<GridPoint> array(points);
    grid.build(array.data(), points.size());
    EXPECT_EQ(this->on_host(grid.find_all()), this->by_comparing(points, points, true, 0));
  }
}

TYPED_TEST_P(LibraryNeighbours, RefusesWhatCannotBe)
{
  EXPECT_THAT([&] { this->backend_.make_grid({.radius = 0.0f}); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("The radius must be")));
  EXPECT_THAT([&] { this->backend_.make_grid({.radius = 1.0f, .divisor = 9}); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("spans 1 to 4 cells")));
  auto points = this->points(10, 7);
  points[3].z = std::numeric_limits<float>::quiet_NaN();
  typename TypeParam::template Array<GridPoint> array(points);
  auto grid = this->backend_.make_grid({.radius = this->radius});
  EXPECT_THAT([&] { grid.build(array.data(), points.size()); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("Point 3 has a coordinate")));
  EXPECT_EQ(grid.size(), 0u);
}

REGISTER_TYPED_TEST_SUITE_P(LibraryNeighbours, FindsThoseOfAllPoints, FindsThoseOfOtherPlaces, AViewFindsTheSame,
                            IsBuiltAgain, RefusesWhatCannotBe);

}  // namespace slotscape
