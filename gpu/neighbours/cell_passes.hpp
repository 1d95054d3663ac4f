#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/neighbours/cell_grid.hpp"

/// Passes that bring points into the order of their cells.
namespace slotscape::neighbours::passes {

/// What `FindBounds` finds, so that threads can bring it together by maxima of whole numbers. Begins as 0.
struct FoundBounds {
  std::uint64_t highest[3] = {};
  std::uint64_t lowest[3] = {};      ///< the complement
  std::uint64_t first_unusable = 0;  ///< of a point with a coordinate that is not finite: 2^32 - its number; or 0
};

/// A number whose order is that of the coordinates.
SLOTSCAPE_HOST_DEVICE inline std::uint32_t ordered(float coordinate)
{
  std::uint32_t const bits = bits_of(coordinate);
  return bits ^ ((bits >> 31) != 0 ? 0xffffffffu : 0x80000000u);
}
SLOTSCAPE_HOST_DEVICE inline float coordinate_of(std::uint32_t order)
{
  return number_of_bits(order ^ ((order >> 31) != 0 ? 0x80000000u : 0xffffffffu));
}

/// Items are stretches of so many points, or other numbers.
inline constexpr std::uint64_t stretch = 4096;
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t stretches_of(std::uint64_t count)
{
  return (count + stretch - 1) / stretch;
}
template <class Tile, class F>
SLOTSCAPE_HOST_DEVICE void for_each_in_stretch(std::uint64_t item, std::uint64_t count, Tile tile, F const& f)
{
  std::uint64_t const end = (item + 1) * stretch < count ? (item + 1) * stretch : count;
  for (std::uint64_t i = item * stretch + static_cast<std::uint64_t>(tile.rank()); i < end; i += Tile::size) { f(i); }
}

/// The box around all points, and the first one that has no place.
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
    for_each_in_stretch(item, count, tile, [&](std::uint64_t i) {
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

/// The cell of each point, and its number.
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

/// Counting sort: how many points each cell has, and then where each of them goes.
struct CountInCells {
  CellGrid grid;
  Point const* points;
  std::uint32_t* counts;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { exec::fetch_add(counts[grid.key_of(points[i])], 1u); }
};
struct PlaceInCells {
  CellGrid grid;
  Point const* points;
  std::uint32_t* next;  ///< place in each cell
  Placed* placed;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Point const point = points[i];
    placed[exec::fetch_add(next[grid.key_of(point)], 1u)] = {point, static_cast<std::uint32_t>(i)};
  }
};

/// The place of the first point of each cell, in sorted keys; `no_cell` elsewhere.
inline constexpr std::uint32_t no_cell = 0xffffffffu;
struct FirstOfCell {
  std::uint64_t const* keys;

  SLOTSCAPE_HOST_DEVICE std::uint32_t operator()(std::uint64_t i) const
  {
    return i == 0 || keys[i] != keys[i - 1] ? static_cast<std::uint32_t>(i) : no_cell;
  }
};
/// The keys at these places.
struct KeysOfCells {
  std::uint64_t const* keys_of_points;
  std::uint32_t const* starts;
  std::uint64_t* keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t cell) const { keys[cell] = keys_of_points[starts[cell]]; }
};

}  // namespace slotscape::neighbours::passes
