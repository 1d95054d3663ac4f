#include "app/clouds/builtin.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/spatial/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace slotscape::clouds {

namespace {

using Parametrisation = std::vector<Patch> (*)();

struct Shape {
  Builtin builtin;
  Parametrisation surface;  ///< null for the gyroid, which has no parametrisation
};

constexpr std::array shapes{
    Shape{{"sphere", translatable("Sphere"), translatable("A ball of radius 1")}, sphere_patches},
    Shape{{"torus", translatable("Torus"), translatable("A torus with radii 0.7 and 0.3")}, torus_patches},
    Shape{{"torus_knot", translatable("Torus knot"), translatable("A tube around the (2, 3) torus knot")},
          torus_knot_patches},
    Shape{{"cube", translatable("Cube"), translatable("A cube with sides of length 1.14")}, cube_patches},
    Shape{{"gyroid", translatable("Gyroid"),
           translatable("One of the two labyrinths of a gyroid, clipped to a ball and closed")},
          nullptr},
    Shape{{"rings", translatable("Rings"), translatable("Two interlocking rings")}, ring_patches},
    Shape{{"terrain", translatable("Terrain"), translatable("Hills on a solid block")}, terrain_patches},
};

constexpr auto builtin_list = [] {
  std::array<Builtin, shapes.size()> list;
  for (std::size_t i = 0; i < list.size(); ++i) { list[i] = shapes[i].builtin; }
  return list;
}();

Shape const* find_shape(std::string_view name)
{
  auto const plain = [](char letter) {
    return letter == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  };
  auto const same = [&](Shape const& shape) { return std::ranges::equal(name, shape.builtin.name, {}, plain); };
  auto const found = std::ranges::find_if(shapes, same);
  return found == shapes.end() ? nullptr : &*found;
}

double torus_distance(Position p)
{
  return std::hypot(std::hypot(p.x, p.y) - torus_radius, p.z) - torus_tube_radius;
}

double cube_distance(Position p)
{
  Position const beyond{std::abs(p.x) - cube_half_side, std::abs(p.y) - cube_half_side, std::abs(p.z) - cube_half_side};
  Position const outside{std::max(beyond.x, 0.0), std::max(beyond.y, 0.0), std::max(beyond.z, 0.0)};
  return length(outside) + std::min(std::max({beyond.x, beyond.y, beyond.z}), 0.0);
}

}  // namespace

std::span<Builtin const> builtins()
{
  return builtin_list;
}

std::vector<std::string_view> builtin_names()
{
  std::vector<std::string_view> names;
  for (Builtin const& builtin : builtins()) { names.push_back(builtin.name); }
  return names;
}

bool is_builtin(std::string_view name)
{
  return find_shape(name) != nullptr;
}

PointCloud make_builtin(std::string_view name, std::uint64_t points, std::uint64_t seed, Progress const& progress)
{
  Shape const* const shape = find_shape(name);
  if (shape == nullptr) {
    throw Error(tr("there is no built-in shape '{}'; {}", name, suggest(name, builtin_names())));
  }
  if (points < 1 || points > spatial::max_points) {
    throw Error(tr("cannot sample {} points on {}; choose 1 to {}", points, shape->builtin.name, spatial::max_points));
  }
  PointCloud cloud;
  cloud.name = shape->builtin.name;
  cloud.normals_from_source = true;
  cloud.positions.reserve(points);
  cloud.normals.reserve(points);
  if (shape->surface != nullptr) {
    sample_patches(cloud, shape->surface(), points, seed, progress);
  } else {
    sample_gyroid(cloud, points, seed, progress);
  }
  progress.require(1.0);
  return cloud;
}

std::optional<double> distance_to_builtin(std::string_view name, Position place)
{
  Shape const* const shape = find_shape(name);
  if (shape == nullptr) { return std::nullopt; }
  if (shape->surface == sphere_patches) { return length(place) - 1.0; }
  if (shape->surface == torus_patches) { return torus_distance(place); }
  if (shape->surface == cube_patches) { return cube_distance(place); }
  return std::nullopt;
}

}  // namespace slotscape::clouds
