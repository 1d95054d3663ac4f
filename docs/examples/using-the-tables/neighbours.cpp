// Points that have hardly any neighbours are outliers: they are found through a view, by as many threads as there are
// cores, and the nearest neighbours of all points by one call.

#include <slotscape/neighbour_grid.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

namespace {

using slotscape::GridPoint;

/// A square of points, 0.01 apart, and three far above it.
std::vector<GridPoint> scanned()
{
  constexpr int side = 300;
  std::vector<GridPoint> points;
  for (int i = 0; i < side * side; ++i) {
    points.push_back({0.01f * static_cast<float>(i % side), 0.01f * static_cast<float>(i / side), 0.0f});
  }
  for (float const x : {0.5f, 1.5f, 2.5f}) { points.push_back({x, x, 1.0f}); }
  return points;
}

}  // namespace

int main()
{
  try {
    std::vector<GridPoint> const points = scanned();
    slotscape::CpuNeighbourGrid grid({.radius = 0.025f});
    grid.build(points.data(), points.size());

    auto const view = grid.view();
    auto const outliers = std::ranges::count_if(points, [&](GridPoint const& at) {
      return view.count_neighbours(at) < 4;  // itself among them
    });

    auto const nearest = grid.find_all({.k = 1});
    float largest = 0.0f;
    for (std::uint64_t i = 0; i < nearest.size(); ++i) { largest = std::max(largest, nearest.squared_distances()[i]); }
    std::printf("%zu points, %td of them outliers; the others have a neighbour within %.3f\n", points.size(), outliers,
                static_cast<double>(std::sqrt(largest)));
    return outliers == 3 && std::abs(std::sqrt(largest) - 0.01f) < 1e-4f ? 0 : 1;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
