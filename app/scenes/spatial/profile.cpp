#include "app/scenes/spatial/profile.hpp"

#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/state.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr std::size_t most_points = 20'000;  // limit for each model; a chart has far fewer pixels

std::vector<HeightProfile::Point> thinned(std::vector<HeightProfile::Point> points)
{
  std::size_t const step = (points.size() + most_points - 1) / most_points;
  if (step < 2) { return points; }
  std::vector<HeightProfile::Point> kept;
  for (std::size_t i = 0; i < points.size(); i += step) { kept.push_back(points[i]); }
  return kept;
}

}  // namespace

HeightProfile height_profile(SpatialState const& state, clouds::Position const& from, clouds::Position const& to,
                             LengthUnit const& unit)
{
  clouds::Position const line{to.x - from.x, to.y - from.y, 0.0};
  double const length = clouds::length(line);
  clouds::Position const along = clouds::normalized(line);
  double const half_width = 0.5 * static_cast<double>(state.settings.hashing.grid.voxel());
  HeightProfile profile{.points = {},
                        .length = length / unit.in_scene,
                        .width = 2.0 * half_width / unit.in_scene,
                        .unit = unit};
  for (spatial::Model const model : both_models) {
    if (is_absent(state, model)) { continue; }
    clouds::PointCloud const& cloud = state.clouds[model];
    Similarity const to_scene = scene_of_file(state, model);
    std::vector<HeightProfile::Point> points;
    for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
      clouds::Position const at = cloud.original(i);
      clouds::Position const seen = to_scene(at);
      clouds::Position const from_start = seen - from;
      double const place = dot(from_start, along);
      double const beside = from_start.x * along.y - from_start.y * along.x;
      bool const is_beside = place >= 0.0 && place <= length && std::abs(beside) <= half_width;
      if (!is_beside || !state.settings.section.contains(clouds::to_vector(seen))) { continue; }
      std::size_t const number = cloud.numbers.empty() ? i : cloud.numbers[i];
      points.push_back({place / unit.in_scene, from_start.z / unit.in_scene, number, at});
    }
    points = thinned(std::move(points));
    std::ranges::sort(points, {}, &HeightProfile::Point::along);
    profile.points[model] = std::move(points);
  }
  return profile;
}

}  // namespace slotscape
