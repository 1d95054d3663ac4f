#include "app/clouds/geometry.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>

namespace slotscape::clouds {

namespace {

/// Larger polygons are treated as convex to bound the running time.
constexpr std::size_t largest_ear_clipped = 256;

struct Flat {
  double x;
  double y;
};

double turn(Flat a, Flat b, Flat c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool contains(Flat a, Flat b, Flat c, Flat p)
{
  return turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0;
}

/// The polygon projected onto its plane and seen from its front: its corners run counterclockwise.
std::vector<Flat> flattened(std::vector<Position> const& corners)
{
  Position facing;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    facing = facing + cross(corners[i] - corners[0], corners[i + 1] - corners[0]);
  }
  Position const up = normalized(facing);
  Position const across = std::abs(up.x) < 0.6 ? Position{1.0, 0.0, 0.0} : Position{0.0, 1.0, 0.0};
  Position const x = normalized(cross(across, up));
  Position const y = cross(up, x);
  std::vector<Flat> flat;
  flat.reserve(corners.size());
  for (Position const& corner : corners) { flat.push_back({dot(corner - corners[0], x), dot(corner - corners[0], y)}); }
  return flat;
}

bool is_ear(std::vector<Flat> const& flat, std::vector<std::uint32_t> const& left, std::size_t at)
{
  std::size_t const n = left.size();
  Flat const a = flat[left[(at + n - 1) % n]];
  Flat const b = flat[left[at]];
  Flat const c = flat[left[(at + 1) % n]];
  if (turn(a, b, c) <= 0.0) { return false; }
  for (std::size_t step = 2; step + 1 < n; ++step) {
    Flat const other = flat[left[(at + step) % n]];
    if (contains(a, b, c, other)) { return false; }
  }
  return true;
}

/// Ear clipping (Meisters 1975): triples of indices into the polygon. A remainder without ears is treated as convex.
std::vector<std::array<std::uint32_t, 3>> ears(std::vector<Position> const& corners)
{
  std::vector<Flat> const flat = flattened(corners);
  std::vector<std::uint32_t> left(corners.size());
  for (std::uint32_t i = 0; i < left.size(); ++i) { left[i] = i; }
  std::vector<std::array<std::uint32_t, 3>> triangles;
  while (left.size() > 3) {
    std::size_t at = 0;
    while (at < left.size() && !is_ear(flat, left, at)) { ++at; }
    if (at == left.size()) { break; }
    std::size_t const n = left.size();
    triangles.push_back({left[(at + n - 1) % n], left[at], left[(at + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
  }
  for (std::size_t i = 1; i + 1 < left.size(); ++i) { triangles.push_back({left[0], left[i], left[i + 1]}); }
  return triangles;
}

void check_range(std::span<std::uint32_t const> indices, std::size_t count, std::uint64_t polygon, char const* what,
                 std::string const& name)
{
  for (std::uint32_t const index : indices) {
    if (index < count) { continue; }
    std::string const which = index == impossible_index ? tr("invalid index") : tr("number {}", index + 1);
    throw Error(tr("{}: face {} refers to a {} that does not exist ({}; the file has {}); export the file again", name,
                   polygon + 1, tr(what), which, count));
  }
}

}  // namespace

std::uint64_t Polygons::count_of_faces() const
{
  std::uint64_t faces = 0;
  for (std::uint64_t polygon = 0; polygon < count(); ++polygon) { faces += ends[polygon] - begin_of(polygon) >= 3; }
  return faces;
}

std::vector<Triangle> triangulated(Geometry const& geometry, std::string const& name, Progress const& progress)
{
  Polygons const& polygons = geometry.polygons;
  std::vector<std::uint32_t> const& normals = polygons.normals.empty() ? polygons.corners : polygons.normals;
  std::vector<Triangle> triangles;
  if (polygons.count() >= impossible_index) { throw Error(tr("{}: it has too many faces; cut it into parts", name)); }
  triangles.reserve(polygons.count());
  for (std::uint64_t polygon = 0; polygon < polygons.count(); ++polygon) {
    if (polygon % 65536 == 0) { progress.require(); }
    std::uint64_t const begin = polygons.begin_of(polygon);
    std::uint64_t const size = polygons.ends[polygon] - begin;
    std::span<std::uint32_t const> const corners(polygons.corners.data() + begin, size);
    check_range(corners, geometry.positions.size(), polygon, translatable("vertex"), name);
    if (!polygons.normals.empty()) {
      check_range({normals.data() + begin, size}, geometry.normals.size(), polygon, translatable("normal"), name);
    }
    auto const add = [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
      triangles.push_back({{corners[a], corners[b], corners[c]},
                           {normals[begin + a], normals[begin + b], normals[begin + c]},
                           static_cast<std::uint32_t>(polygon)});
    };
    if (size > 3 && size <= largest_ear_clipped) {
      std::vector<Position> places;
      for (std::uint32_t const corner : corners) { places.push_back(geometry.positions[corner]); }
      for (auto const& [a, b, c] : ears(places)) { add(a, b, c); }
    } else {
      for (std::uint64_t i = 1; i + 1 < size; ++i) { add(0, i, i + 1); }
    }
  }
  return triangles;
}

}  // namespace slotscape::clouds
