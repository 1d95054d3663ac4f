#pragma once

#include "gpu/execution/stretches.hpp"
#include "gpu/particles/grid_passes.hpp"

/// Passes that move particles. Every interaction is mutual, so momentum is conserved.
namespace slotscape::particles::passes {

/// The weight of a particle at distance r: w = (1 - r^2/h^2)^3, which falls to 0 at the radius h and needs no square
/// root. Its slope is -6/h (1 - r^2/h^2)^2 times the vector there in units of h; two particles at the same place do not
/// push each other.
struct Kernel {
  float per_radius = 1.0f;
  float rest = 0.0f;    ///< density of a lattice at rest, as a sum of w
  float behind = 0.0f;  ///< density behind a wall, as weighted by the kernel

  static Kernel of(float radius)
  {
    constexpr int reach = 2;  // more than `spacings_per_radius` - 1
    constexpr int side = 2 * reach + 1;
    Kernel kernel{1.0f / radius};
    float beyond = 0.0f;  // a wall half a spacing away
    for (int i = 0; i < side * side * side; ++i) {
      auto const along = [&](int number) { return static_cast<float>(number % side - reach) / spacings_per_radius; };
      float const left = 1.0f - squared_length({along(i), along(i / side), along(i / side / side)});
      float const weight = left > 0.0f ? left * left * left : 0.0f;
      kernel.rest += weight;
      if (i % side < reach) { beyond += weight; }
    }
    kernel.behind = beyond / share_beyond(0.5f / spacings_per_radius);
    return kernel;
  }

  /// Calls f(number, vector from there to here in units of h, max(1 - r^2/h^2, 0)) for each near particle.
  template <class F>
  SLOTSCAPE_HOST_DEVICE void for_each(NearLists const& near, Body const* bodies, std::uint64_t i, F const& f) const
  {
    Point const here = bodies[i].at;
    std::uint32_t const count = near.counts[i];
    for (std::uint32_t place = 0; place < count; ++place) {
      std::uint32_t const number = near.at(i, place);
      Point const way = per_radius * (here - bodies[number].at);
      float const left = 1.0f - squared_length(way);
      f(number, way, left > 0.0f ? left : 0.0f);
    }
  }

  /// A wall acts as if particles at rest were behind it: calls f(inward normal, w, slope in units of 6/h) with their
  /// sums.
  template <class F>
  SLOTSCAPE_HOST_DEVICE void for_each_wall(Point at, F const& f) const
  {
    for (int side = 0; side < 2; ++side) {
      float const sign = side == 0 ? 1.0f : -1.0f;
      float const begin = side == 0 ? 0.0f : box_side;
      wall(sign * (at.x - begin), {sign, 0.0f, 0.0f}, f);
      wall(sign * (at.y - begin), {0.0f, sign, 0.0f}, f);
      wall(sign * (at.z - begin), {0.0f, 0.0f, sign}, f);
    }
  }

private:
  static constexpr float per_half = 315.0f / 256.0f;  ///< 1 / integral of (1 - t^2)^4 from -1 to 1

  /// The share of the kernel beyond a plane at a distance of t radii: the integral of 315/256 (1 - t^2)^4 from there
  /// on.
  SLOTSCAPE_HOST_DEVICE static float share_beyond(float t)
  {
    float const squared = t * t;
    float const rest = 1.0f / 9.0f * squared - 4.0f / 7.0f;
    return 0.5f - per_half * t * (1.0f + squared * (-4.0f / 3.0f + squared * (1.2f + squared * rest)));
  }
  template <class F>
  SLOTSCAPE_HOST_DEVICE void wall(float distance, Point normal, F const& f) const
  {
    float const t = distance * per_radius;
    float const left = 1.0f - t * t;
    if (t >= 1.0f) { return; }
    f(normal, behind * share_beyond(t), behind * per_half / 6.0f * left * left * left * left);
  }
};

/// The push on each particle from the constraint that the density is at most the rest density (Macklin & Müller 2013,
/// eq. 11).
struct FindPushes {
  Kernel kernel;
  NearLists near;
  Body const* from;
  Body* to;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    constexpr float relaxation = 0.01f;  // added to the sum of squared slopes
    float density = 1.0f;                // its own
    float squares = 0.0f;
    Point slope;
    kernel.for_each(near, from, i, [&](std::uint32_t, Point way, float left) {
      float const steepness = left * left;
      density += steepness * left;
      squares += steepness * steepness * (1.0f - left);
      slope = slope + steepness * way;
    });
    kernel.for_each_wall(from[i].at, [&](Point away, float weight, float steepness) {
      density += weight;
      slope = slope + steepness * away;
    });
    float const excess = density - kernel.rest;
    float const push = excess / (6.0f * kernel.per_radius * (squares + squared_length(slope) + relaxation));
    to[i] = {from[i].at, excess > 0.0f ? push : 0.0f};
  }
};

/// Moves particles apart according to their pushes (eq. 12).
struct Push {
  Kernel kernel;
  Motion motion;
  NearLists near;
  Body const* from;  ///< with pushes
  Body* to;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    constexpr float share = 0.35f;  // all particles of a crowd move at once, so the full correction would be too much
    float const mine = from[i].number;
    Point move;
    kernel.for_each(near, from, i, [&](std::uint32_t number, Point way, float left) {
      move = move + (mine + from[number].number) * left * left * way;
    });
    kernel.for_each_wall(from[i].at,
                         [&](Point away, float, float steepness) { move = move + 2.0f * mine * steepness * away; });
    to[i] = {motion.allowed(from[i].at + share * move)};
  }
};

struct FindVelocities {
  Motion motion;
  Body const* before;
  Body const* after;
  Body* velocities;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    velocities[i] = {motion.limited(1.0f / motion.seconds * (after[i].at - before[i].at))};
  }
};

/// Smooths the velocities of near particles (XSPH; Schechter & Bridson 2012), and records the density in units of the
/// rest density.
struct Smooth {
  Kernel kernel;
  float viscosity;  ///< 0 to 1
  NearLists near;
  Body const* bodies;
  Body const* from;
  Body* to;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Point const mine = from[i].at;
    float density = 1.0f;
    Point more;
    kernel.for_each(near, bodies, i, [&](std::uint32_t number, Point, float left) {
      float const weight = left * left * left;
      density += weight;
      more = more + weight * (from[number].at - mine);
    });
    kernel.for_each_wall(bodies[i].at, [&](Point, float weight, float) { density += weight; });
    to[i] = {mine + viscosity / kernel.rest * more, density / kernel.rest};
  }
};

/// Totals over all particles, each with a mass of 1.
struct Sums {
  double momentum[3] = {};
  double kinetic = 0.0;  ///< energies
  double potential = 0.0;
  double density = 0.0;
  double densest = 0.0;
  double fastest = 0.0;  ///< squared speed
  std::uint64_t near = 0;
};
/// An item is a stretch of particles.
struct AddUp {
  Body const* bodies;
  Body const* velocities;
  std::uint32_t const* near;
  std::uint64_t count;
  float gravity;
  Sums* sums;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    Sums mine;
    exec::for_each_in_stretch(item, count, tile, [&](std::uint64_t i) { add(mine, i); });
    for (double& momentum : mine.momentum) { momentum = tile.sum(momentum); }
    for (double* const sum : {&mine.kinetic, &mine.potential, &mine.density}) { *sum = tile.sum(*sum); }
    for (double* const largest : {&mine.densest, &mine.fastest}) { *largest = tile.max(*largest); }
    mine.near = tile.sum(mine.near);
    if (tile.rank() == 0) { sums[item] = mine; }
  }

private:
  SLOTSCAPE_HOST_DEVICE void add(Sums& sums, std::uint64_t i) const
  {
    Body const velocity = velocities[i];
    double const along[3] = {velocity.at.x, velocity.at.y, velocity.at.z};
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      sums.momentum[axis] += along[axis];
      squared += along[axis] * along[axis];
    }
    sums.kinetic += 0.5 * squared;
    sums.potential += static_cast<double>(gravity) * static_cast<double>(bodies[i].at.z);
    sums.density += static_cast<double>(velocity.number);
    sums.densest = velocity.number > sums.densest ? velocity.number : sums.densest;
    sums.fastest = squared > sums.fastest ? squared : sums.fastest;
    sums.near += near[i];
  }
};

}  // namespace slotscape::particles::passes
