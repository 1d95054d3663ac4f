#pragma once

#include "gpu/neighbours/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace slotscape::neighbours::test {

/// A test body that runs on every backend, and is skipped, visibly, where there is no device for one.
class NeighboursTest : public ::testing::TestWithParam<Backend> {
protected:
  void SetUp() override
  {
    if (GetParam() == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
    engine = make_neighbour_engine(GetParam());
  }
  std::unique_ptr<NeighbourEngine> engine;
};

#define SLOTSCAPE_NEIGHBOURS_ON_EVERY_BACKEND(Suite)                                                            \
  INSTANTIATE_TEST_SUITE_P(On, Suite, ::testing::Values(::slotscape::Backend::cpu, ::slotscape::Backend::cuda), \
                           [](auto const& info) { return info.param == Backend::cpu ? "cpu" : "cuda"; })

/// Those within a radius of each query by comparing it with every point: the nearest first, then by number.
/// `is_self`: query i is point i, and not its own neighbour.
inline std::vector<std::vector<Neighbour>> all_pairs(std::vector<Point> const& queries,
                                                     std::vector<Point> const& points, float radius, std::uint32_t k,
                                                     bool is_self)
{
  std::vector<std::vector<Neighbour>> answers(queries.size());
  float const limit = radius * radius;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    for (std::size_t j = 0; j < points.size(); ++j) {
      float const x = queries[i].x - points[j].x;
      float const y = queries[i].y - points[j].y;
      float const z = queries[i].z - points[j].z;
      float squared = x * x;
      squared += y * y;
      squared += z * z;
      if (squared <= limit && !(is_self && i == j)) { answers[i].push_back({static_cast<std::uint32_t>(j), squared}); }
    }
    std::ranges::sort(answers[i], [](Neighbour const& a, Neighbour const& b) {
      return a.squared != b.squared ? a.squared < b.squared : a.number < b.number;
    });
    if (k != 0 && answers[i].size() > k) { answers[i].resize(k); }
  }
  return answers;
}

/// The lists that an answer consists of.
inline std::vector<std::vector<Neighbour>> lists_of(Neighbours const& found)
{
  std::vector<std::vector<Neighbour>> lists;
  for (std::size_t i = 0; i + 1 < found.offsets.size(); ++i) {
    auto& list = lists.emplace_back();
    for (std::uint64_t at = found.offsets[i]; at < found.offsets[i + 1]; ++at) {
      list.push_back({found.indices.at(at), found.squared.at(at)});
    }
  }
  return lists;
}

/// Points of a box, each coordinate drawn between its ends.
inline std::vector<Point> random_points(std::size_t count, Point low, Point high, unsigned seed)
{
  std::mt19937 random(seed);
  auto const draw = [&](float from, float to) { return std::uniform_real_distribution<float>(from, to)(random); };
  std::vector<Point> points(count);
  for (Point& point : points) { point = {draw(low.x, high.x), draw(low.y, high.y), draw(low.z, high.z)}; }
  return points;
}

/// side^3 points, a spacing apart from each other, in an order that says nothing of their places.
inline std::vector<Point> lattice(int side, float spacing, Point low)
{
  std::vector<Point> points;
  for (int i = 0; i < side * side * side; ++i) {
    auto const at = [&](int number) { return spacing * static_cast<float>(number % side); };
    points.push_back({low.x + at(i), low.y + at(i / side), low.z + at(i / side / side)});
  }
  std::shuffle(points.begin(), points.end(), std::mt19937(7));
  return points;
}

/// What points can look like.
struct Shape {
  std::string name;
  std::vector<Point> points;
  float radius;
};
inline std::vector<Shape> shapes()
{
  std::vector<Shape> shapes{
      {"none", {}, 1.0f},
      {"one", {{3.0f, -2.0f, 1.0f}}, 1.0f},
      {"two at one place", {{1.0f, 2.0f, 3.0f}, {1.0f, 2.0f, 3.0f}}, 0.5f},
      {"two a radius apart", {{0.0f, 0.0f, 0.0f}, {1.5f, 0.0f, 0.0f}}, 1.5f},
      {"two a little more than a radius apart", {{0.0f, 0.0f, 0.0f}, {std::nextafter(1.5f, 2.0f), 0.0f, 0.0f}}, 1.5f},
      {"a cube", random_points(700, {0, 0, 0}, {1, 1, 1}, 1), 0.15f},
      {"around the origin", random_points(700, {-1, -1, -1}, {1, 1, 1}, 2), 0.3f},
      {"all in one cell", random_points(300, {0, 0, 0}, {1, 1, 1}, 3), 5.0f},
      {"far apart", random_points(300, {0, 0, 0}, {1e6f, 1e6f, 1e6f}, 4), 20.0f},
      {"far from the origin", random_points(500, {1e6f, -1e6f, 5e5f}, {1e6f + 10, -1e6f + 10, 5e5f + 10}, 5), 1.25f},
      {"flat", random_points(700, {-5, -5, 2}, {5, 5, 2}, 6), 0.5f},
      {"on a line", random_points(500, {-100, 0, 0}, {100, 0, 0}, 7), 1.0f},
      {"anisotropic", random_points(700, {0, 0, 0}, {1000, 10, 0.1f}, 8), 3.0f},
      {"a lattice", lattice(9, 0.5f, {-2.0f, -2.0f, -2.0f}), 0.5f},
      {"a lattice of thirds", lattice(8, 1.0f / 3.0f, {10.0f, 0.0f, -1.0f}), 0.67f},
      {"tiny", random_points(300, {0, 0, 0}, {1e-12f, 1e-12f, 1e-12f}, 9), 2e-13f},
      {"huge", random_points(300, {-1e14f, -1e14f, -1e14f}, {1e14f, 1e14f, 1e14f}, 10), 4e13f},
  };
  std::vector<Point> repeated = random_points(60, {0, 0, 0}, {1, 1, 1}, 11);
  for (int times = 0; times < 3; ++times) { repeated.insert(repeated.end(), repeated.begin(), repeated.begin() + 60); }
  shapes.push_back({"each four times", repeated, 0.3f});
  shapes.push_back({"all at one place", std::vector<Point>(1100, Point{0.5f, 0.5f, 0.5f}), 0.1f});
  std::vector<Point> clusters = random_points(400, {0, 0, 0}, {0.01f, 0.01f, 0.01f}, 12);
  std::ranges::copy(random_points(300, {0, 0, 0}, {1, 1, 1}, 13), std::back_inserter(clusters));
  shapes.push_back({"one dense place", clusters, 0.02f});
  return shapes;
}

}  // namespace slotscape::neighbours::test
