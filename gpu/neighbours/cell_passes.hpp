#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/execution/stretches.hpp"
#include "gpu/neighbours/cell_grid.hpp"

/// Passes that sort points by cell.
namespace slotscape::neighbours::passes {

/// The result of `FindBounds`, in a form that threads can combine by maxima of integers. Starts as 0.
struct FoundBounds {
  std::uint64_t highest[3] = {};
  std::uint64_t lowest[3] = {};      ///< the complement
  std::uint64_t first_unusable = 0;  ///< 2^32 - the number of the first point with a non-finite coordinate; or 0
};

/// Maps a coordinate to an integer with the same order.
SLOTSCAPE_HOST_DEVICE inline std::uint32_t ordered(float coordinate)
{
  std::uint32_t const bits = bits_of(coordinate);
  return bits ^ ((bits >> 31) != 0 ? 0xffffffffu : 0x80000000u);
}
SLOTSCAPE_HOST_DEVICE inline float coordinate_of(std::uint32_t order)
{
  return number_of_bits(order ^ ((order >> 31) != 0 ? 0x80000000u : 0xffffffffu));
}

/// Finds the bounding box of all points, and the first point that is not finite. An item is a stretch of points.
struct FindBounds {
  Point const* points;
  std::uint64_t count;
  FoundBounds* found;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    std::uint32_t highest[3] = {};
    std::uint32_t lowest[3] = {};
    std::uint64_t unusable = 0;
    exec::for_each_in_stretch(item, count, tile, [&](std::uint64_t i) {
      Point const point = points[i];
      float const coordinates[3] = {point.x, point.y, point.z};
      for (int axis = 0; axis < 3; ++axis) {
        std::uint32_t const order = ordered(coordinates[axis]);
        highest[axis] = order > highest[axis] ? order : highest[axis];
        lowest[axis] = ~order > lowest[axis] ? ~order : lowest[axis];
      }
      std::uint64_t const here = (std::uint64_t{1} << 32) - i;
      if (!is_finite(point) && here > unusable) { unusable = here; }
    });
    unusable = tile.max(unusable);
    for (int axis = 0; axis < 3; ++axis) {
      highest[axis] = tile.max(highest[axis]);
      lowest[axis] = tile.max(lowest[axis]);
    }
    if (tile.rank() != 0) { return; }
    for (int axis = 0; axis < 3; ++axis) {
      exec::atomic_max(found->highest[axis], highest[axis]);
      exec::atomic_max(found->lowest[axis], lowest[axis]);
    }
    if (unusable != 0) { exec::atomic_max(found->first_unusable, unusable); }
  }
};

/// Writes the cell of each point, and the point's number.
struct FindCells {
  CellGrid grid;
  Point const* points;
  std::uint64_t* keys;
  std::uint32_t* numbers;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    keys[i] = grid.key_of(points[i]);
    numbers[i] = static_cast<std::uint32_t>(i);
  }
};

struct PlaceByNumber {
  Point const* points;
  std::uint32_t const* numbers;
  Placed* placed;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { placed[i] = {points[numbers[i]], numbers[i]}; }
};

/// Counting sort: counts the points of each cell, and then moves each point to its place.
struct CountInCells {
  CellGrid grid;
  Point const* points;
  std::uint32_t* counts;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { exec::fetch_add(counts[grid.key_of(points[i])], 1u); }
};
struct PlaceInCells {
  CellGrid grid;
  Point const* points;
  std::uint32_t* next;  ///< next place in each cell
  Placed* placed;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Point const point = points[i];
    placed[exec::fetch_add(next[grid.key_of(point)], 1u)] = {point, static_cast<std::uint32_t>(i)};
  }
};

/// The place of each cell's first point, in sorted keys; `no_cell` for other points.
inline constexpr std::uint32_t no_cell = 0xffffffffu;
struct FirstOfCell {
  std::uint64_t const* keys;

  SLOTSCAPE_HOST_DEVICE std::uint32_t operator()(std::uint64_t i) const
  {
    return i == 0 || keys[i] != keys[i - 1] ? static_cast<std::uint32_t>(i) : no_cell;
  }
};
/// Collects the keys at the first places of cells.
struct KeysOfCells {
  std::uint64_t const* keys_of_points;
  std::uint32_t const* starts;
  std::uint64_t* keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t cell) const { keys[cell] = keys_of_points[starts[cell]]; }
};

}  // namespace slotscape::neighbours::passes
