#pragma once

#include "gpu/base/error.hpp"
#include "gpu/neighbours/points.hpp"

#include <array>
#include <cmath>
#include <string>

namespace slotscape::neighbours {

/// Limits of the radius, so that squared distances are exact enough.
inline constexpr float min_radius = 1e-15f;
inline constexpr float max_radius = 1e15f;
/// Maximum number of cells per radius.
inline constexpr int max_divisor = 4;
/// Limits of the number of cells: along an axis, so that double precision can tell them apart, and in total, so that
/// their keys fit in 64 bits.
inline constexpr double max_cells_along = 1u << 27;
inline constexpr double max_cells = static_cast<double>(std::uint64_t{1} << 62);

/// The bounding box of points.
struct Bounds {
  Point low;
  Point high;
};

/// The position of a cell, counted from the lowest corner of the grid.
struct CellPlace {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  std::uint64_t z = 0;
  friend bool operator==(CellPlace const&, CellPlace const&) = default;
};

/// A grid of cubes around points; a radius spans 1 to `max_divisor` cubes (Teschner et al. 2003; Green 2010). Keys of
/// cells are flattened coordinates, x fastest, so the cells of a row have consecutive keys.
///
/// Everything here is computed in double precision, with the same result on every device. Cells are wider than the
/// radius requires by two parts in a million, and the reach of a search by one. That is more than the rounding errors
/// of distances in single precision, so no neighbour is in a cell that is not read; and it is less than the extra width
/// of the cells, so a search reads at most 2 * divisor + 1 cells along each axis.
struct CellGrid {
  double low[3] = {0.0, 0.0, 0.0};
  double width = 1.0;
  double per_width = 1.0;  ///< 1 / width
  std::uint64_t size[3] = {1, 1, 1};
  double reach = 1.0;           ///< of a search, in cells
  float squared_radius = 1.0f;  ///< limit for neighbours
  int divisor = 1;

  /// A coordinate in cells from the lowest corner. Monotone: of two points, the one further along an axis is never in
  /// an earlier cell.
  SLOTSCAPE_HOST_DEVICE double along(float coordinate, int axis) const
  {
    return (static_cast<double>(coordinate) - low[axis]) * per_width;
  }
  /// The cell of a point, or the cell nearest to it if it is outside the grid.
  SLOTSCAPE_HOST_DEVICE std::uint64_t key_of(Point point) const
  {
    return key_of(CellPlace{cell_along(point.x, 0), cell_along(point.y, 1), cell_along(point.z, 2)});
  }
  SLOTSCAPE_HOST_DEVICE std::uint64_t key_of(CellPlace cell) const
  {
    return (cell.z * size[1] + cell.y) * size[0] + cell.x;
  }
  SLOTSCAPE_HOST_DEVICE CellPlace place_of(std::uint64_t key) const
  {
    return {key % size[0], key / size[0] % size[1], key / size[0] / size[1]};
  }
  SLOTSCAPE_HOST_DEVICE std::uint64_t cells() const { return size[0] * size[1] * size[2]; }
  /// The maximum number of cells that a search reads.
  SLOTSCAPE_HOST_DEVICE std::uint32_t stencil() const
  {
    auto const side = static_cast<std::uint32_t>(2 * divisor + 1);
    return side * side * side;
  }

  /// Calls f(first_key, count) for each row of cells that may contain neighbours of a point. The point may be anywhere,
  /// but its coordinates must be finite.
  template <class F>
  SLOTSCAPE_HOST_DEVICE void for_each_row(Point point, F const& f) const
  {
    double const x = along(point.x, 0);
    double const y = along(point.y, 1);
    double const z = along(point.z, 2);
    double const squared_reach = rounded_product(reach, reach);
    Stretch const layers = stretch(z, reach, 2);
    for (std::uint64_t k = layers.first; k < layers.end; ++k) {
      double const in_layer = squared_reach - squared_gap(z, k);
      if (in_layer < 0.0) { continue; }
      Stretch const rows = stretch(y, reach, 1);
      for (std::uint64_t j = rows.first; j < rows.end; ++j) {
        double const in_row = in_layer - squared_gap(y, j);
        if (in_row < 0.0) { continue; }
        Stretch const cells = stretch(x, sqrt(in_row), 0);
        if (cells.first < cells.end) { f(key_of(CellPlace{cells.first, j, k}), cells.end - cells.first); }
      }
    }
  }

private:
  SLOTSCAPE_HOST_DEVICE std::uint64_t cell_along(float coordinate, int axis) const
  {
    double const at = along(coordinate, axis);
    if (at < 0.0) { return 0; }
    return at < static_cast<double>(size[axis]) ? static_cast<std::uint64_t>(at) : size[axis] - 1;
  }
  struct Stretch {
    std::uint64_t first;
    std::uint64_t end;
  };
  /// The existing cells within a distance of a coordinate along an axis.
  SLOTSCAPE_HOST_DEVICE Stretch stretch(double at, double distance, int axis) const
  {
    double const lowest = floor(at - distance);
    double const highest = floor(at + distance);
    auto const all = static_cast<double>(size[axis]);
    if (highest < 0.0 || lowest >= all) { return {0, 0}; }
    return {lowest > 0.0 ? static_cast<std::uint64_t>(lowest) : 0,
            highest < all ? static_cast<std::uint64_t>(highest) + 1 : size[axis]};
  }
  /// The squared distance between a coordinate and a cell along the same axis.
  SLOTSCAPE_HOST_DEVICE static double squared_gap(double at, std::uint64_t cell)
  {
    auto const begin = static_cast<double>(cell);
    double const gap = at < begin ? begin - at : at > begin + 1.0 ? at - (begin + 1.0) : 0.0;
    return rounded_product(gap, gap);
  }
};

/// Throws Error, with advice, for an invalid radius.
inline void require_radius(float radius)
{
  if (!(radius >= min_radius && radius <= max_radius)) {
    throw Error("The radius must be a number from 1e-15 to 1e15: scale points that are closer or farther apart.");
  }
}
inline void require_divisor(int divisor)
{
  if (divisor < 1 || divisor > max_divisor) {
    throw Error("A radius spans 1 to 4 cells, not " + std::to_string(divisor) + ".");
  }
}

/// A grid around points for searches within a radius that spans `divisor` cells. Throws Error, with advice, if there
/// would be more cells than `max_cells_along` or `max_cells`.
inline CellGrid grid_around(Bounds const& bounds, float radius, int divisor)
{
  constexpr double margin_of_reach = 1e-6;
  constexpr double margin_of_width = 2e-6;
  require_radius(radius);
  require_divisor(divisor);
  CellGrid grid;
  grid.width = static_cast<double>(radius) * (1.0 + margin_of_width) / divisor;
  grid.per_width = 1.0 / grid.width;
  grid.reach = divisor * (1.0 + margin_of_reach) / (1.0 + margin_of_width);
  grid.squared_radius = rounded_product(radius, radius);
  grid.divisor = divisor;
  std::array<float, 3> const lowest{bounds.low.x, bounds.low.y, bounds.low.z};
  std::array<float, 3> const highest{bounds.high.x, bounds.high.y, bounds.high.z};
  double all = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    auto const at = static_cast<std::size_t>(axis);
    grid.low[axis] = static_cast<double>(lowest[at]);
    double const cells = std::floor(grid.along(highest[at], axis)) + 1.0;
    all *= cells;
    if (!(cells <= max_cells_along && all <= max_cells)) {
      throw Error(
          "The cells of this radius would be too many for the box around the points (at most 2^27 along an "
          "axis, and 2^62 in all): choose a larger radius, or leave out points far from all others.");
    }
    grid.size[axis] = static_cast<std::uint64_t>(cells);
  }
  return grid;
}

}  // namespace slotscape::neighbours
