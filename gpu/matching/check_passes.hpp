#pragma once

#include "gpu/execution/block.hpp"
#include "gpu/matching/edge_passes.hpp"
#include "gpu/matching/vote_passes.hpp"

/// The parallel loops that compare the edges of a query, moved by a transformation, with those of the reference.
namespace slotscape::matching::check_passes {

using edge_passes::EdgesView;
using edge_passes::no_edge;

inline constexpr float min_scale = 0.3f;
inline constexpr float largest_scale = 3.3f;

/// Points of a picture.
struct Points {
  EdgePoint const* points;
  std::uint32_t count;
};

/// Writes the transformation of each choice, and the share of some of the query's points that it brings near an edge of
/// the reference with the same direction, or 0 if the transformation cannot be right.
struct CompareRoughly {
  Points query;
  EdgesView reference;
  Choice const* choices;
  BasisFrame const* query_frames;
  BasisFrame const* frames;
  Transform* transforms;
  float* shares;

  static constexpr std::uint32_t max_points = 384;
  static constexpr float near = 5.0f;
  static constexpr float same_direction = 0.7f;  ///< cosine
  static constexpr float min_overlap = 0.2f;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i, Tile tile) const
  {
    Choice const choice = choices[i];
    if (choice.basis == basis_passes::no_basis) {
      if (tile.rank() == 0) { shares[i] = 0.0f; }
      return;
    }
    Transform const to_reference = transform_between(query_frames[i / choices_per_basis], frames[choice.basis]);
    std::uint32_t const count = query.count < max_points ? query.count : max_points;
    std::uint32_t inside = 0;
    std::uint32_t hits = 0;
    for (auto k = static_cast<std::uint32_t>(tile.rank()); k < count; k += Tile::size) {
      EdgePoint const p = to_reference(query.points[k]);
      if (!reference.contains(p.x, p.y, 0.0f)) { continue; }
      ++inside;
      std::uint32_t const edge = reference.nearest_to(p.x, p.y);
      if (edge == no_edge) { continue; }
      EdgePoint const e = reference.points[edge];
      float const square = (e.x - p.x) * (e.x - p.x) + (e.y - p.y) * (e.y - p.y);
      if (square < near * near && e.normal_x * p.normal_x + e.normal_y * p.normal_y > same_direction) { ++hits; }
    }
    inside = tile.sum(inside);
    hits = tile.sum(hits);
    if (tile.rank() != 0) { return; }
    float const scale = to_reference.scale();
    auto const least = min_overlap * static_cast<float>(count);
    bool const is_possible =
        inside != 0 && scale > min_scale && scale < largest_scale && static_cast<float>(inside) >= least;
    transforms[i] = to_reference;
    shares[i] = is_possible ? static_cast<float>(hits) / static_cast<float>(inside) : 0.0f;
  }
};

/// Sums of a least-squares fit with four unknowns: the upper half of a symmetric matrix, and the right-hand side.
struct FitSums {
  static constexpr int size = 14;
  float numbers[size];

  /// Adds the equation: unknowns times `row` = `right`.
  SLOTSCAPE_HOST_DEVICE void add(float weight, float const (&row)[4], float right)
  {
    int at = 0;
    for (int r = 0; r < 4; ++r) {
      for (int c = r; c < 4; ++c) { numbers[at++] += weight * row[r] * row[c]; }
    }
    for (int r = 0; r < 4; ++r) { numbers[at++] += weight * row[r] * right; }
  }
};

/// Solves by Cholesky's method; returns false if there is no unique solution.
SLOTSCAPE_HOST_DEVICE inline bool solve(double const (&sums)[FitSums::size], double (&unknowns)[4])
{
  double lower[4][4] = {};
  int at = 0;
  for (int r = 0; r < 4; ++r) {
    for (int c = r; c < 4; ++c) { lower[c][r] = sums[at++]; }
  }
  double const* const right = sums + at;
  for (int c = 0; c < 4; ++c) {
    for (int k = 0; k < c; ++k) { lower[c][c] -= lower[c][k] * lower[c][k]; }
    if (!(lower[c][c] > 1e-6)) { return false; }
    lower[c][c] = std::sqrt(lower[c][c]);
    for (int r = c + 1; r < 4; ++r) {
      for (int k = 0; k < c; ++k) { lower[r][c] -= lower[r][k] * lower[c][k]; }
      lower[r][c] /= lower[c][c];
    }
  }
  for (int r = 0; r < 4; ++r) {
    unknowns[r] = right[r];
    for (int k = 0; k < r; ++k) { unknowns[r] -= lower[r][k] * unknowns[k]; }
    unknowns[r] /= lower[r][r];
  }
  for (int r = 3; r >= 0; --r) {
    for (int k = r + 1; k < 4; ++k) { unknowns[r] -= lower[k][r] * unknowns[k]; }
    unknowns[r] /= lower[r][r];
  }
  return true;
}

/// Refines a transformation by iterated least squares: each edge of the query moves to the nearest one of the
/// reference, at first over large distances, and mostly along its normal, so that edges may slide along each other. One
/// block per candidate. Coordinates of the query are relative to its middle, in `unit` pixels.
struct Refine {
  static constexpr int threads = 128;
  static constexpr int iterations = 16;
  static constexpr int rough_iterations = 10;     ///< the first iterations, which use fewer points:
  static constexpr std::uint32_t rough_step = 3;  ///< every third point
  static constexpr float same_direction = 0.8f;
  static constexpr float min_radius = 2.5f;

  Points query;
  EdgesView reference;
  float middle_x;
  float middle_y;
  float unit;
  Transform* transforms;

  struct Shared {
    FitSums sums[threads];
    double totals[FitSums::size];
    Transform now;
  };

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i, Block block, Shared& shared) const
  {
    block.for_each_thread([&](int t) {
      if (t == 0) { shared.now = transforms[i]; }
    });
    auto radius = static_cast<float>(EdgesView::reach);
    float along = 0.25f;
    for (int iteration = 0; iteration < iterations; ++iteration) {
      std::uint32_t const step = iteration < rough_iterations ? rough_step : 1;
      block.for_each_thread([&](int t) { shared.sums[t] = sums_of(t, step, shared.now, radius, along); });
      block.for_each_thread([&](int t) {
        if (t >= FitSums::size) { return; }
        double total = 0.0;
        for (int thread = 0; thread < threads; ++thread) { total += shared.sums[thread].numbers[t]; }
        shared.totals[t] = total;
      });
      block.for_each_thread([&](int t) {
        if (t == 0) { move(shared); }
      });
      radius = radius * 0.8f > min_radius ? radius * 0.8f : min_radius;
      along = along * 0.7f > 0.005f ? along * 0.7f : 0.005f;
    }
    block.for_each_thread([&](int t) {
      if (t == 0) { transforms[i] = shared.now; }
    });
  }

private:
  SLOTSCAPE_HOST_DEVICE FitSums sums_of(int thread, std::uint32_t step, Transform const& now, float radius,
                                        float along) const
  {
    FitSums sums{};
    for (std::uint32_t k = static_cast<std::uint32_t>(thread) * step; k < query.count; k += threads * step) {
      EdgePoint const p = query.points[k];
      EdgePoint const moved = now(p);
      if (!reference.contains(moved.x, moved.y, 0.0f)) { continue; }
      std::uint32_t const edge = reference.nearest_to(moved.x, moved.y);
      if (edge == no_edge) { continue; }
      EdgePoint const e = reference.points[edge];
      float const square = (e.x - moved.x) * (e.x - moved.x) + (e.y - moved.y) * (e.y - moved.y);
      bool const agrees = e.normal_x * moved.normal_x + e.normal_y * moved.normal_y > same_direction;
      if (square > radius * radius || !agrees) { continue; }
      float const x = (p.x - middle_x) / unit;
      float const y = (p.y - middle_y) / unit;
      float const nx = e.normal_x;
      float const ny = e.normal_y;
      sums.add(1.0f, {nx * x + ny * y, ny * x - nx * y, nx, ny}, nx * (e.x - moved.x) + ny * (e.y - moved.y));
      sums.add(along, {nx * y - ny * x, nx * x + ny * y, -ny, nx}, nx * (e.y - moved.y) - ny * (e.x - moved.x));
    }
    return sums;
  }

  /// The unknowns are the changes of a and b, times `unit`, and of the image of the middle.
  SLOTSCAPE_HOST_DEVICE void move(Shared& shared) const
  {
    double change[4];
    if (!solve(shared.totals, change)) { return; }
    Transform& now = shared.now;
    double const a = now.a + change[0] / unit;
    double const b = now.b + change[1] / unit;
    double const to_x = static_cast<double>(now.a) * middle_x - static_cast<double>(now.b) * middle_y + now.x0;
    double const to_y = static_cast<double>(now.b) * middle_x + static_cast<double>(now.a) * middle_y + now.y0;
    now = {static_cast<float>(a), static_cast<float>(b),
           static_cast<float>(to_x + change[2] - (a * middle_x - b * middle_y)),
           static_cast<float>(to_y + change[3] - (b * middle_x + a * middle_y))};
  }
};

/// How many points of one picture are mapped into the other, and how many of these lie on an edge there; likewise for
/// corners.
struct Overlap {
  std::uint32_t inside;
  std::uint32_t hits;
  std::uint32_t corners_inside;
  std::uint32_t corner_hits;
};

/// A picture with the data needed to compare it.
struct Compared {
  Points points;        ///< corners first
  float const* shares;  ///< of the corners, as in `EdgesView`
  std::uint32_t corners;
  EdgesView edges;
};

/// Compares both ways for each transformation: the query's points in the reference, and the reference's points in the
/// query.
struct CompareEdges {
  Compared pictures[2];  ///< indexed by `Side`
  Transform const* transforms;
  Overlap* overlaps;  ///< two for each transformation

  static constexpr float near = 0.8f;    ///< pixels of the coarser picture
  static constexpr float margin = 4.0f;  ///< distance from the frame, where pictures are cut off
  static constexpr float same_direction = 0.94f;
  static constexpr float near_corner = 2.5f;
  static constexpr float min_corner = 0.25f;  ///< share relative to the other corner's

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i, Tile tile) const
  {
    bool const is_back = i % 2 != 0;
    Transform const transform = is_back ? transforms[i / 2].inverse() : transforms[i / 2];
    Compared const& from = pictures[is_back ? 0 : 1];
    EdgesView const& to = pictures[is_back ? 1 : 0].edges;
    float const scale = transform.scale();
    float const coarser = scale > 1.0f ? scale : 1.0f;
    Overlap mine{0, 0, 0, 0};
    for (auto k = static_cast<std::uint32_t>(tile.rank()); k < from.points.count; k += Tile::size) {
      EdgePoint const p = transform(from.points.points[k]);
      if (!to.contains(p.x, p.y, margin)) { continue; }
      bool const is_corner = k < from.corners;
      ++(is_corner ? mine.corners_inside : mine.inside);
      std::uint32_t const edge = to.nearest_to(p.x, p.y);
      if (edge == no_edge) { continue; }
      EdgePoint const e = to.points[edge];
      float const away = std::sqrt((e.x - p.x) * (e.x - p.x) + (e.y - p.y) * (e.y - p.y)) / coarser;
      if (is_corner) {
        if (away < near_corner && to.corners[edge] > min_corner * from.shares[k]) { ++mine.corner_hits; }
      } else if (away < near && e.normal_x * p.normal_x + e.normal_y * p.normal_y > same_direction) {
        ++mine.hits;
      }
    }
    mine = {tile.sum(mine.inside), tile.sum(mine.hits), tile.sum(mine.corners_inside), tile.sum(mine.corner_hits)};
    if (tile.rank() == 0) { overlaps[i] = mine; }
  }
};

}  // namespace slotscape::matching::check_passes
