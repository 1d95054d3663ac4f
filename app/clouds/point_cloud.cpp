#include "app/clouds/point_cloud.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace slotscape::clouds {

namespace {

Position lower(Position a, Position b)
{
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
Position upper(Position a, Position b)
{
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

/// A unit's length in metres as a quotient of whole numbers, so that 1234 mm become exactly 1.234 m.
struct UnitLength {
  std::string_view name;
  double times;
  double over;
};
/// Indexed by `FileUnit`.
constexpr std::array<UnitLength, 7> unit_lengths{{{"", 1.0, 1.0},
                                                  {"m", 1.0, 1.0},
                                                  {"cm", 1.0, 100.0},
                                                  {"mm", 1.0, 1000.0},
                                                  {"ft", 3048.0, 10000.0},
                                                  {"US survey ft", 1200.0, 3937.0},
                                                  {"in", 254.0, 10000.0}}};

}  // namespace

std::string_view short_name_of(FileUnit unit)
{
  return unit_lengths.at(static_cast<std::size_t>(unit)).name;
}

double in_metres(FileUnit unit, double length)
{
  auto const& [name, times, over] = unit_lengths.at(static_cast<std::size_t>(unit));
  return length * times / over;
}

bool has_survey_coordinates(Frame const& frame)
{
  constexpr double farthest_of_graphics = 100.0;  // times the model's radius
  return length(frame.center) * frame.scale > farthest_of_graphics;
}

bool is_part_of_a_site(Frame const& frame)
{
  constexpr double farthest_by_itself = 4.0;  // times the model's radius
  return length(frame.center) * frame.scale > farthest_by_itself;
}

Box box_around(std::span<Position const> positions)
{
  Box box{positions.front(), positions.front()};
  for (Position const& p : positions) { box = {lower(box.low, p), upper(box.high, p)}; }
  return box;
}

double diagonal_of(Box const& box)
{
  return length(box.high - box.low);
}

double width_of(Box const& box)
{
  Position const size = box.high - box.low;
  return std::max({size.x, size.y, size.z});
}

double distance_between(Box const& a, Box const& b)
{
  return length(upper(upper(b.low - a.high, a.low - b.high), {}));
}

bool adjoin(Box const& a, Box const& b)
{
  constexpr double farthest = 0.1;
  return distance_between(a, b) <= farthest * std::min(diagonal_of(a), diagonal_of(b));
}

Box box_of(PointCloud const& cloud)
{
  if (cloud.positions.empty()) { return {}; }
  Box box{cloud.original(0), cloud.original(0)};
  for (std::size_t i = 1; i < cloud.positions.size(); ++i) {
    Position const at = cloud.original(i);
    box = {lower(box.low, at), upper(box.high, at)};
  }
  return box;
}

void convert_to_metres(PointCloud& cloud, FileUnit unit)
{
  auto const convert = [unit](Position& at) {
    at = {in_metres(unit, at.x), in_metres(unit, at.y), in_metres(unit, at.z)};
  };
  convert(cloud.frame.center);
  cloud.frame.scale /= in_metres(unit, 1.0);
  std::ranges::for_each(cloud.originals, convert);
  if (cloud.scanner) { convert(*cloud.scanner); }
  convert(cloud.steps);
  cloud.system.unit = cloud.system.unit_of_z = short_name_of(FileUnit::metre);
}

Frame frame_of(std::span<Position const> positions)
{
  if (positions.empty()) { return {}; }
  auto const& [low, high] = box_around(positions);
  Position const center = 0.5 * (low + high);
  double radius = 0.0;
  for (Position const& p : positions) { radius = std::max(radius, length(p - center)); }
  constexpr double smallest = 1e-150;
  return {center, radius > smallest ? 1.0 / radius : 1.0};
}

std::string name_of(CoordinateSystem const& system)
{
  auto const& [horizontal, vertical, unit, unit_of_z] = system;
  constexpr std::string_view codes = "EPSG:";
  if (horizontal.empty() || vertical.empty()) { return horizontal + vertical; }
  bool const are_codes = horizontal.starts_with(codes) && vertical.starts_with(codes);
  return are_codes ? fmt::format("{}+{}", horizontal, vertical.substr(codes.size()))
                   : fmt::format("{} + {}", horizontal, vertical);
}

std::string units_text(CoordinateSystem const& system, std::string const& otherwise)
{
  if (system.has_one_unit()) { return system.unit.empty() ? otherwise : system.unit; }
  if (system.unit.empty()) {
    return otherwise.empty() ? tr("{} in z", system.unit_of_z) : tr("{}, z in {}", otherwise, system.unit_of_z);
  }
  return system.unit_of_z.empty() ? tr("{} in x and y", system.unit) : tr("{}, z in {}", system.unit, system.unit_of_z);
}

std::string with_units(std::string const& number, CoordinateSystem const& system)
{
  if (system.has_one_unit()) { return system.unit.empty() ? number : fmt::format("{} {}", number, system.unit); }
  auto const with = [&](std::string const& unit) { return unit.empty() ? number : fmt::format("{} {}", number, unit); };
  return tr("{} in x and y, {} in z", with(system.unit), with(system.unit_of_z));
}

std::string note_of_units(CoordinateSystem const& system)
{
  if (system.unit == "degrees") {
    return tr("x and y are longitude and latitude in degrees: for true proportions, project them to metres first");
  }
  if (system.has_one_unit() || system.unit.empty() || system.unit_of_z.empty()) { return {}; }
  return tr("x and y are in {0}, but z is in {1}, so heights are out of proportion; convert z to {0}", system.unit,
            system.unit_of_z);
}

bool span_area(std::span<Vector const> positions)
{
  constexpr float thinnest = 1e-6f;  // for a model of radius 1
  if (positions.empty()) { return false; }
  Vector const& first = positions.front();
  auto const distance = [&](Vector const& p) { return spatial::length(p - first); };
  Vector const along = *std::ranges::max_element(positions, {}, distance) - first;
  return std::ranges::any_of(positions,
                             [&](Vector const& p) { return spatial::length(cross(along, p - first)) > thinnest; });
}

std::string origin_of_normals(PointCloud const& cloud)
{
  if (cloud.normals_from_source) { return "given"; }
  return cloud.scanner ? "estimated, towards the scanner" : "estimated; which way they point is a guess";
}

void add_missing_normals(PointCloud& cloud, NormalEstimator const& estimate)
{
  if (cloud.has_normals()) { return; }
  cloud.normals = estimate(cloud.positions);
  cloud.normals_from_source = false;
  if (cloud.scanner) {
    for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
      Position const towards = *cloud.scanner - cloud.original(i);
      if (dot(to_position(cloud.normals[i]), towards) < 0.0) { cloud.normals[i] = -1.0f * cloud.normals[i]; }
    }
  }
  if (!span_area(cloud.positions)) { return; }
  cloud.notes_on_sides.emplace_back(
      cloud.scanner ? tr("Normals were estimated from neighbouring points, and point towards the scanner")
                    : tr("Normals were estimated from neighbouring points; which way they point is a guess, so inside "
                         "and outside, or front and back, may be swapped"));
}

}  // namespace slotscape::clouds
