#include "app/clouds/nearest.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace slotscape::clouds {
namespace {

using neighbours::Point;

Point to_point(Vector const& v)
{
  return {v.x, v.y, v.z};
}

float width_of(std::span<Vector const> points)
{
  float width = 0.0f;
  for (auto const part : {&Vector::x, &Vector::y, &Vector::z}) {
    auto const [low, high] = std::ranges::minmax(points, {}, part);
    width = std::max(width, high.*part - low.*part);
  }
  return width;
}

/// About the distance between neighbours on a surface. Cells must not be too many along an axis.
float first_radius(std::span<Vector const> points)
{
  constexpr float most_cells = 1u << 20;
  float const width = width_of(points);
  float const spacing = width / std::sqrt(static_cast<float>(points.size()));
  return std::clamp(std::max(spacing, width / most_cells), neighbours::min_radius, neighbours::max_radius);
}

std::vector<Point> places_at(std::span<Vector const> places, std::span<std::size_t const> numbers)
{
  std::vector<Point> chosen;
  chosen.reserve(numbers.size());
  for (std::size_t const number : numbers) { chosen.push_back(to_point(places[number])); }
  return chosen;
}

}  // namespace

Nearest nearest_points(neighbours::NeighbourEngine& engine, std::span<Vector const> points,
                       std::span<Vector const> places, Progress const& progress)
{
  if (points.empty()) { throw Error(tr("There are no points to measure the distance to.")); }
  std::vector<Point> all(points.size());
  std::ranges::transform(points, all.begin(), to_point);
  engine.set_points(all);
  Nearest nearest{std::vector<std::uint32_t>(places.size()), std::vector<float>(places.size())};
  std::vector<std::size_t> left(places.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  for (float radius = first_radius(points); !left.empty(); radius *= 2.0f) {
    double const done = 1.0 - static_cast<double>(left.size()) / static_cast<double>(places.size());
    progress.require(done);
    engine.build({.radius = std::min(radius, neighbours::max_radius)});
    auto const found = engine.search(places_at(places, left), 1, true, progress.part(done, 1.0));
    std::vector<std::size_t> farther;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (found.offsets[i] == found.offsets[i + 1]) {
        farther.push_back(left[i]);
        continue;
      }
      nearest.numbers[left[i]] = found.indices[found.offsets[i]];
      nearest.distances[left[i]] = std::sqrt(found.squared[found.offsets[i]]);
    }
    if (radius >= neighbours::max_radius) { break; }  // nothing is farther
    left = std::move(farther);
  }
  return nearest;
}

}  // namespace slotscape::clouds
