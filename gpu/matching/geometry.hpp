#pragma once

#include "gpu/base/pair_format.hpp"
#include "gpu/matching/settings.hpp"

#include <cmath>

namespace slotscape::matching {

/// A point on an edge, and the unit vector from dark to bright.
struct EdgePoint {
  float x = 0.0f;
  float y = 0.0f;
  float normal_x = 0.0f;
  float normal_y = 0.0f;
};

/// A similarity from the query to the reference: maps (x, y) to (a x - b y + x0, b x + a y + y0).
struct Transform {
  float a = 1.0f;
  float b = 0.0f;
  float x0 = 0.0f;
  float y0 = 0.0f;

  SLOTSCAPE_HOST_DEVICE float scale() const { return std::sqrt(a * a + b * b); }
  /// Also rotates the normal, which keeps its length.
  SLOTSCAPE_HOST_DEVICE EdgePoint operator()(EdgePoint const& p) const
  {
    float const size = scale();
    return {a * p.x - b * p.y + x0, b * p.x + a * p.y + y0, (a * p.normal_x - b * p.normal_y) / size,
            (b * p.normal_x + a * p.normal_y) / size};
  }
  SLOTSCAPE_HOST_DEVICE Transform inverse() const
  {
    float const square = a * a + b * b;
    float const back_a = a / square;
    float const back_b = -b / square;
    return {back_a, back_b, -(back_a * x0 - back_b * y0), -(back_b * x0 + back_a * y0)};
  }
};

/// A basis as a coordinate frame: the origin is in the middle of its two points, the first axis points from the first
/// to the second, and the unit is a quantum of its length.
struct BasisFrame {
  float x;  ///< of the middle
  float y;
  float axis_x;  ///< first axis, in cells per pixel
  float axis_y;
  float cells;  ///< number of cells of the picture in this frame

  SLOTSCAPE_HOST_DEVICE static BasisFrame of(EdgePoint const& first, EdgePoint const& second, float quantum,
                                             float pixels)
  {
    float const x = second.x - first.x;
    float const y = second.y - first.y;
    float const square = x * x + y * y;
    float const per_cell = square * quantum;
    return {0.5f * (first.x + second.x), 0.5f * (first.y + second.y), x / per_cell, y / per_cell,
            pixels / (per_cell * quantum)};
  }
};

/// Cells reach this far from the origin in each direction; points further away are left out.
inline constexpr float max_cells = 32000.0f;
inline constexpr std::uint32_t cell_offset = 0x8000;

SLOTSCAPE_HOST_DEVICE inline std::uint32_t key_of_cell(std::int32_t u, std::int32_t v)
{
  return ((static_cast<std::uint32_t>(v) + cell_offset) << 16) | (static_cast<std::uint32_t>(u) + cell_offset);
}

/// The key of the cell that contains a point, or a reserved key.
SLOTSCAPE_HOST_DEVICE inline std::uint32_t key_of_point(BasisFrame const& basis, EdgePoint const& p)
{
  float const x = p.x - basis.x;
  float const y = p.y - basis.y;
  float const u = std::floor(basis.axis_x * x + basis.axis_y * y + 0.5f);
  float const v = std::floor(basis.axis_x * y - basis.axis_y * x + 0.5f);
  bool const is_near = u > -max_cells && u < max_cells && v > -max_cells && v < max_cells;
  return is_near ? key_of_cell(static_cast<std::int32_t>(u), static_cast<std::int32_t>(v)) : Narrow::empty_key;
}

/// The transformation that maps the query's basis to that of the reference.
SLOTSCAPE_HOST_DEVICE inline Transform transform_between(BasisFrame const& query, BasisFrame const& reference)
{
  // The shorter a basis, the longer its axis: reference / query, inverted and conjugated.
  float const square = reference.axis_x * reference.axis_x + reference.axis_y * reference.axis_y;
  float const a = (query.axis_x * reference.axis_x + query.axis_y * reference.axis_y) / square;
  float const b = (query.axis_x * reference.axis_y - query.axis_y * reference.axis_x) / square;
  return {a, b, reference.x - (a * query.x - b * query.y), reference.y - (b * query.x + a * query.y)};
}

}  // namespace slotscape::matching
