#include "app/clouds/builtin.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace slotscape::clouds {

namespace {

constexpr double full_turn = 2.0 * std::numbers::pi;

struct CurvePoint {
  Position position;
  Position first;  ///< first derivative
  Position second;
};
using Curve = std::function<CurvePoint(double t)>;

/// A tube of `radius` around a closed curve (t from 0 to 1), as `pieces` patches along it.
std::vector<Patch> tube_patches(Curve const& curve, double radius, int pieces)
{
  std::vector<Patch> patches;
  patches.reserve(static_cast<std::size_t>(pieces));
  for (int piece = 0; piece < pieces; ++piece) {
    patches.emplace_back([=](double u, double v) {
      CurvePoint const c = curve((piece + u) / pieces);
      double const speed = length(c.first);
      Position const tangent = (1.0 / speed) * c.first;
      Position const bend = c.second - dot(c.second, tangent) * tangent;
      double const curvature = length(bend) / (speed * speed);
      Position const inwards = normalized(bend);
      Position const sideways = cross(tangent, inwards);
      double const angle = full_turn * v;
      Position const normal = std::cos(angle) * inwards + std::sin(angle) * sideways;
      double const stretch = speed / pieces * full_turn * radius * (1.0 - curvature * radius * std::cos(angle));
      return SurfacePoint{c.position + radius * normal, normal, stretch};
    });
  }
  return patches;
}

Curve circle(Position center, Position x, Position y, double radius)
{
  return [=](double t) {
    double const angle = full_turn * t;
    Position const place = radius * (std::cos(angle) * x + std::sin(angle) * y);
    Position const along = radius * (std::cos(angle) * y - std::sin(angle) * x);
    return CurvePoint{center + place, full_turn * along, -full_turn * full_turn * place};
  };
}

/// Goes twice around the axis and three times around the tube.
CurvePoint torus_knot(double t)
{
  constexpr double ring = 0.56;
  constexpr double wave = 0.26;
  constexpr int turns = 2;
  constexpr int waves = 3;
  double const a = full_turn * turns * t;
  double const b = full_turn * waves * t;
  constexpr double da = full_turn * turns;
  constexpr double db = full_turn * waves;
  double const r = ring + wave * std::cos(b);
  double const dr = -wave * db * std::sin(b);
  double const ddr = -wave * db * db * std::cos(b);
  Position const out{std::cos(a), std::sin(a), 0.0};
  Position const along{-std::sin(a), std::cos(a), 0.0};
  Position const up{0.0, 0.0, 1.0};
  return {r * out + wave * std::sin(b) * up, dr * out + r * da * along + wave * db * std::cos(b) * up,
          (ddr - r * da * da) * out + 2.0 * dr * da * along - wave * db * db * std::sin(b) * up};
}

/// A flat parallelogram.
Patch flat_patch(Position corner, Position along_u, Position along_v, Position normal)
{
  double const area = length(cross(along_u, along_v));
  return [=](double u, double v) { return SurfacePoint{corner + u * along_u + v * along_v, normal, area}; };
}

constexpr double terrain_half_side = 0.65;
constexpr double terrain_floor = -0.36;

struct Height {
  double value;
  double slope_x;
  double slope_y;
};

Height terrain_height(double x, double y)
{
  struct Wave {
    double height;
    double x;
    double y;
    double phase;
  };
  constexpr std::array waves{Wave{0.11, 3.1, 1.7, 0.4},  Wave{0.08, -2.2, 4.3, 1.9},  Wave{0.045, 7.9, 3.6, 0.8},
                             Wave{0.03, -6.1, 9.7, 2.7}, Wave{0.015, 17.0, 5.0, 0.1}, Wave{0.01, -9.0, 19.0, 1.3}};
  Height sum{0.0, 0.0, 0.0};
  for (Wave const& wave : waves) {
    double const angle = wave.x * x + wave.y * y + wave.phase;
    sum.value += wave.height * std::sin(angle);
    sum.slope_x += wave.height * wave.x * std::cos(angle);
    sum.slope_y += wave.height * wave.y * std::cos(angle);
  }
  return sum;
}

SurfacePoint terrain_top(double u, double v)
{
  constexpr double side = 2.0 * terrain_half_side;
  double const x = side * (u - 0.5);
  double const y = side * (v - 0.5);
  Height const height = terrain_height(x, y);
  Position const normal{-height.slope_x, -height.slope_y, 1.0};
  return {{x, y, height.value}, normalized(normal), side * side * length(normal)};
}

/// A wall from the floor up to the hills, between two corners.
Patch terrain_wall(Position from, Position to, Position normal)
{
  return [=](double u, double v) {
    Position const foot = from + u * (to - from);
    double const height = terrain_height(foot.x, foot.y).value - terrain_floor;
    return SurfacePoint{{foot.x, foot.y, terrain_floor + v * height}, normal, height * length(to - from)};
  };
}

}  // namespace

std::vector<Patch> sphere_patches()
{
  // Archimedes: a slice of a sphere has the area of the same slice of the enclosing cylinder.
  return {[](double u, double v) {
    double const z = 2.0 * v - 1.0;
    double const r = std::sqrt(std::max(0.0, 1.0 - z * z));
    Position const place{r * std::cos(full_turn * u), r * std::sin(full_turn * u), z};
    return SurfacePoint{place, place, 2.0 * full_turn};
  }};
}

std::vector<Patch> torus_patches()
{
  return tube_patches(circle({}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, torus_radius), torus_tube_radius, 2);
}

std::vector<Patch> torus_knot_patches()
{
  return tube_patches(torus_knot, 0.16, 10);
}

std::vector<Patch> cube_patches()
{
  constexpr double h = cube_half_side;
  std::vector<Patch> patches;
  for (double const side : {-1.0, 1.0}) {
    patches.push_back(flat_patch({side * h, -h, -h}, {0.0, 2 * h, 0.0}, {0.0, 0.0, 2 * h}, {side, 0.0, 0.0}));
    patches.push_back(flat_patch({-h, side * h, -h}, {2 * h, 0.0, 0.0}, {0.0, 0.0, 2 * h}, {0.0, side, 0.0}));
    patches.push_back(flat_patch({-h, -h, side * h}, {2 * h, 0.0, 0.0}, {0.0, 2 * h, 0.0}, {0.0, 0.0, side}));
  }
  return patches;
}

std::vector<Patch> ring_patches()
{
  constexpr double radius = 0.54;
  constexpr double tube = 0.18;
  Position const offset{0.5 * radius, 0.0, 0.0};
  Position const x{1.0, 0.0, 0.0};
  std::vector<Patch> patches = tube_patches(circle(-1.0 * offset, x, {0.0, 1.0, 0.0}, radius), tube, 3);
  std::vector<Patch> const other = tube_patches(circle(offset, x, {0.0, 0.0, 1.0}, radius), tube, 3);
  patches.insert(patches.end(), other.begin(), other.end());
  return patches;
}

std::vector<Patch> terrain_patches()
{
  constexpr double h = terrain_half_side;
  constexpr Position down{0.0, 0.0, -1.0};
  return {terrain_top,
          flat_patch({-h, -h, terrain_floor}, {2 * h, 0.0, 0.0}, {0.0, 2 * h, 0.0}, down),
          terrain_wall({-h, -h, 0.0}, {h, -h, 0.0}, {0.0, -1.0, 0.0}),
          terrain_wall({-h, h, 0.0}, {h, h, 0.0}, {0.0, 1.0, 0.0}),
          terrain_wall({-h, -h, 0.0}, {-h, h, 0.0}, {-1.0, 0.0, 0.0}),
          terrain_wall({h, -h, 0.0}, {h, h, 0.0}, {1.0, 0.0, 0.0})};
}

}  // namespace slotscape::clouds
