#include "app/scenes/spatial/ruler.hpp"

#include "app/base/text.hpp"
#include "app/clouds/builtin.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace slotscape {
namespace {

using spatial::Model;
using spatial::Vector;

constexpr std::size_t max_ruler_points = 3;

bool is_own_file(SpatialState const& state, Model model)
{
  return !clouds::is_builtin(state.settings.models[model].source);
}

/// The index of the point in this voxel nearest to a line of sight; nothing if no point is in the section.
std::optional<std::size_t> nearest_point(SpatialState const& state, spatial::VoxelInfo const& voxel,
                                         spatial::Ray const& sight)
{
  spatial::VoxelGrid const& grid = state.settings.hashing.grid;
  clouds::PointCloud const& cloud = state.clouds[voxel.model];
  spatial::Pose const& pose = state.engine_poses[voxel.model];
  std::optional<std::size_t> found;
  float nearest = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    Vector const at = pose.point(engine_point(cloud, state.frames[voxel.model], i));
    Vector const in_grid = grid.to_grid(at);
    bool const is_here = grid.contains(in_grid) && spatial::VoxelGrid::cell_of(in_grid) == voxel.cell;
    if (!is_here || !state.settings.section.contains(at)) { continue; }
    float const off_line = length(cross(sight.direction, at - sight.origin));
    if (off_line >= nearest) { continue; }
    nearest = off_line;
    found = i;
  }
  return found;
}

double angle_between(clouds::Position const& a, clouds::Position const& b)
{
  double const share = dot(a, b) / (length(a) * length(b));
  return std::acos(std::clamp(share, -1.0, 1.0)) * 180.0 / std::numbers::pi;
}

std::string_view name_of(RulerKind kind)
{
  switch (kind) {
    case RulerKind::distance: return "distance";
    case RulerKind::angle: return "angle";
    case RulerKind::profile: break;
  }
  return "profile";
}

/// The position in the coordinates used to export its model.
clouds::Position exported_place(SpatialState const& state, RulerPoint const& point)
{
  if (is_own_file(state, point.model)) { return point.at; }
  clouds::Position const scene = place_in_scene(state, point);
  auto const home = home_of(state, point.model);
  return home ? file_of_scene(state, *home)(scene) : scene;
}

/// The points of a profile: `value` is the place along the line.
std::string profile_rows(SpatialState const& state, HeightProfile const& profile)
{
  std::string rows;
  for (Model const model : {Model::a, Model::b}) {
    for (HeightProfile::Point const& point : profile.points[model]) {
      clouds::Position const at = exported_place(state, {model, point.at, {}});
      rows += fmt::format("profile_point,{:.12g},{},{},point {},{:.12g},{:.12g},{:.12g},,,,,,,,,,\n", point.along,
                          in_csv(profile.unit.name), letter_of(model), point.number, at.x, at.y, at.z);
    }
  }
  return rows;
}

}  // namespace

void Ruler::take(RulerPoint point)
{
  pending.push_back(std::move(point));
  if (pending.size() < points_of(kind)) { return; }
  done.push_back({kind, std::exchange(pending, {})});
}

void convert_ruler(SpatialState& state, Model model, double factor)
{
  auto const convert = [&](std::vector<RulerPoint>& points) {
    for (RulerPoint& point : points) {
      if (point.model == model) { point.at = factor * point.at; }
    }
  };
  convert(state.ruler.pending);
  for (RulerMeasurement& measured : state.ruler.done) {
    convert(measured.points);
    if (!measured.profile) { continue; }
    measured.profile = std::make_shared<HeightProfile const>(profile_between(state, measured.points));
  }
  for (ShownVoxels& body : state.ruler.bodies) {
    if (body.model != model || body.unit == "scene") { continue; }
    body.width *= factor;
    body.unit = length_unit_between(state, model, model).name;
  }
}

HeightProfile profile_between(SpatialState const& state, std::vector<RulerPoint> const& points)
{
  return height_profile(state, place_in_scene(state, points[0]), place_in_scene(state, points[1]),
                        length_unit_between(state, points[0].model, points[1].model));
}

RulerPoint ruler_point(SpatialState const& state, spatial::VoxelInfo const& voxel, spatial::Ray const& sight)
{
  if (state.settings.view.kind == spatial::InstanceKind::points) {
    if (auto const point = nearest_point(state, voxel, sight)) {
      clouds::PointCloud const& cloud = state.clouds[voxel.model];
      std::size_t const number = cloud.numbers.empty() ? *point : cloud.numbers[*point];
      return {voxel.model, cloud.original(*point), fmt::format("point {}", number)};
    }
  }
  clouds::Position const middle = clouds::to_position(state.settings.hashing.grid.middle(voxel.cell));
  return {voxel.model, file_of_scene(state, voxel.model)(middle),
          fmt::format("voxel {} {} {}", voxel.cell.x, voxel.cell.y, voxel.cell.z)};
}

clouds::Position place_in_scene(SpatialState const& state, RulerPoint const& point)
{
  return scene_of_file(state, point.model)(point.at);
}

RulerValue ruler_value(SpatialState const& state, RulerMeasurement const& measurement)
{
  auto const& points = measurement.points;
  clouds::Position const first = place_in_scene(state, points[0]);
  clouds::Position const second = place_in_scene(state, points[1]);
  if (measurement.kind == RulerKind::angle) {
    clouds::Position const third = place_in_scene(state, points[2]);
    return {angle_between(first - second, third - second), "degrees"};
  }
  if (measurement.profile) { return {measurement.profile->length, measurement.profile->unit.name}; }
  LengthUnit const unit = length_unit_between(state, points[0].model, points[1].model);
  bool const in_one_file =
      unit.name != "scene" && points[0].model == points[1].model && is_own_file(state, points[0].model);
  double const distance = in_one_file ? length(points[1].at - points[0].at) : length(second - first) / unit.in_scene;
  return {distance, unit.name};
}

std::string text_of(RulerValue const& measured)
{
  if (measured.unit == "degrees") { return fmt::format("{:.2f}°", measured.value); }
  std::string const number = fmt::format("{:.6g}", measured.value);
  if (measured.unit == "scene") { return tr("{} in the scene", number); }
  return measured.unit == "file" ? tr("{} in the file", number) : fmt::format("{} {}", number, measured.unit);
}

std::string ruler_csv(SpatialState const& state)
{
  std::string csv = "measure,value,unit";
  for (std::size_t i = 1; i <= max_ruler_points; ++i) {
    csv += fmt::format(",model_{0},what_{0},x_{0},y_{0},z_{0}", i);
  }
  csv += "\n";
  for (RulerMeasurement const& measurement : state.ruler.done) {
    RulerValue const result = ruler_value(state, measurement);
    csv += fmt::format("{},{:.12g},{}", name_of(measurement.kind), result.value, in_csv(result.unit));
    for (std::size_t i = 0; i < max_ruler_points; ++i) {
      if (i >= measurement.points.size()) {
        csv += ",,,,,";
        continue;
      }
      RulerPoint const& point = measurement.points[i];
      clouds::Position const at = exported_place(state, point);
      csv += fmt::format(",{},{},{:.12g},{:.12g},{:.12g}", letter_of(point.model), point.what, at.x, at.y, at.z);
    }
    csv += "\n";
    if (measurement.profile) { csv += profile_rows(state, *measurement.profile); }
  }
  for (ShownVoxels const& body : state.ruler.bodies) { csv += csv_rows(body); }
  return csv;
}

}  // namespace slotscape
