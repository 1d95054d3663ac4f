#include "app/clouds/builtin.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace slotscape::clouds {

namespace {

constexpr double waves = 5.5;  ///< radians per unit of length

struct Level {
  double value;
  Position slope;
};

/// Schoen's gyroid, approximated by the usual level set; negative inside.
Level gyroid(Position p)
{
  Position const s{std::sin(waves * p.x), std::sin(waves * p.y), std::sin(waves * p.z)};
  Position const c{std::cos(waves * p.x), std::cos(waves * p.y), std::cos(waves * p.z)};
  return {s.x * c.y + s.y * c.z + s.z * c.x,
          waves * Position{c.x * c.y - s.z * s.x, c.y * c.z - s.x * s.y, c.z * c.x - s.y * s.z}};
}

Position projected(Position p)
{
  for (int step = 0; step < 3; ++step) {
    Level const level = gyroid(p);
    p = p - (level.value / dot(level.slope, level.slope)) * level.slope;
  }
  return p;
}

using Corners = std::array<Position, 3>;

/// Adds the triangles in which the surface intersects a tetrahedron.
void cut(std::array<Position, 4> const& places, std::array<double, 4> const& levels, std::vector<Corners>& triangles)
{
  std::array<int, 4> inside{};
  std::array<int, 4> outside{};
  int inside_count = 0;
  int outside_count = 0;
  for (int i = 0; i < 4; ++i) { (levels[i] < 0.0 ? inside[inside_count++] : outside[outside_count++]) = i; }
  auto const crossing = [&](int a, int b) {
    return places[a] + (levels[a] / (levels[a] - levels[b])) * (places[b] - places[a]);
  };
  if (inside_count == 1 || outside_count == 1) {
    int const single = inside_count == 1 ? inside[0] : outside[0];
    std::array<int, 4> const& others = inside_count == 1 ? outside : inside;
    triangles.push_back({crossing(single, others[0]), crossing(single, others[1]), crossing(single, others[2])});
  } else if (inside_count == 2) {
    Position const a = crossing(inside[0], outside[0]);
    Position const b = crossing(inside[1], outside[1]);
    triangles.push_back({a, crossing(inside[0], outside[1]), b});
    triangles.push_back({a, b, crossing(inside[1], outside[0])});
  }
}

/// The level set sampled on a grid of cells that covers the ball with a small margin.
class LevelGrid {
public:
  static constexpr int cells = 64;

  LevelGrid()
  {
    for (int step = 0; step <= cells; ++step) {
      sines_[step] = std::sin(waves * coordinate(step));
      cosines_[step] = std::cos(waves * coordinate(step));
    }
  }

  Position place(int x, int y, int z) const { return {coordinate(x), coordinate(y), coordinate(z)}; }
  double level(int x, int y, int z) const
  {
    return sines_[x] * cosines_[y] + sines_[y] * cosines_[z] + sines_[z] * cosines_[x];
  }

private:
  static double coordinate(int step) { return 2.1 / cells * step - 1.05; }

  std::array<double, cells + 1> sines_{};
  std::array<double, cells + 1> cosines_{};
};

/// Marching tetrahedra (Doi and Koide 1991).
std::vector<Corners> triangulated_gyroid()
{
  constexpr std::array<std::array<int, 4>, 6> tetrahedra{
      {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}};
  constexpr int cells = LevelGrid::cells;
  LevelGrid const grid;
  std::vector<Corners> triangles;
  for (int cell = 0; cell < cells * cells * cells; ++cell) {
    int const x = cell % cells;
    int const y = cell / cells % cells;
    int const z = cell / cells / cells;
    if (length(grid.place(x, y, z)) > 1.1) { continue; }
    std::array<Position, 8> places;
    std::array<double, 8> levels{};
    for (int corner = 0; corner < 8; ++corner) {
      places[corner] = grid.place(x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2));
      levels[corner] = grid.level(x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2));
    }
    for (std::array<int, 4> const& t : tetrahedra) {
      cut({places[t[0]], places[t[1]], places[t[2]], places[t[3]]},
          {levels[t[0]], levels[t[1]], levels[t[2]], levels[t[3]]}, triangles);
    }
  }
  return triangles;
}

struct Sample {
  Vector position;
  Vector normal;
};
/// Given a number of evenly spread points, returns those that are on the body's surface.
using Candidates = std::function<std::vector<Sample>(std::uint64_t)>;

void add_exactly(PointCloud& cloud, std::uint64_t points, double accepted_share, std::uint64_t seed,
                 Candidates const& candidates)
{
  if (points == 0) { return; }
  auto wanted = static_cast<std::uint64_t>(1.01 * static_cast<double>(points) / accepted_share) + 16;
  std::vector<Sample> samples = candidates(wanted);
  while (samples.size() < points) { samples = candidates(wanted += wanted / 10); }
  for (std::uint64_t const index : thinned(samples.size(), points, seed)) {
    cloud.positions.push_back(samples[index].position);
    cloud.normals.push_back(samples[index].normal);
  }
}

}  // namespace

void sample_gyroid(PointCloud& cloud, std::uint64_t points, std::uint64_t seed, Progress const& progress)
{
  std::vector<Corners> const triangles = triangulated_gyroid();
  std::vector<double> areas;
  double walls = 0.0;
  for (Corners const& t : triangles) { walls += areas.emplace_back(0.5 * length(cross(t[1] - t[0], t[2] - t[0]))); }
  Candidates const on_walls = [&](std::uint64_t count) {
    std::vector<Sample> samples;
    for (TrianglePoint const& at : sample_triangles(areas, count, seed, progress)) {
      Corners const& t = triangles[at.triangle];
      Position const place = projected(t[0] + at.u * (t[1] - t[0]) + at.v * (t[2] - t[0]));
      if (length(place) > 1.0) { continue; }
      samples.push_back({to_vector(place), to_vector(normalized(gyroid(place).slope))});
    }
    return samples;
  };
  Patch const ball = sphere_patches().front();
  Candidates const on_ball = [&](std::uint64_t count) {
    EvenSequence const sequence(seed);
    std::vector<Sample> samples;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (i % 65536 == 0) { progress.require(); }
      SurfacePoint const point = ball(sequence(i).u, sequence(i).v);
      if (gyroid(point.position).value > 0.0) { continue; }
      samples.push_back({to_vector(point.position), to_vector(point.normal)});
    }
    return samples;
  };
  constexpr std::uint64_t trials = 20'000;
  double const wall_share = static_cast<double>(on_walls(trials).size()) / trials;
  double const ball_share = static_cast<double>(on_ball(trials).size()) / trials;
  std::array const parts{wall_share * walls, ball_share * ball(0.5, 0.5).stretch};
  std::vector<std::uint64_t> const shares = shares_of(points, parts);
  add_exactly(cloud, shares[0], wall_share, seed, on_walls);
  progress.require(0.6);
  add_exactly(cloud, shares[1], ball_share, seed, on_ball);
}

}  // namespace slotscape::clouds
