#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/particles/particles.hpp"

/// Passes that sort particles by cell, and list the particles near each other.
namespace slotscape::particles::passes {

inline constexpr std::uint32_t none = 0xffffffffu;
/// Rows of three cells along x around a cell, with that cell in the middle of the middle row. The keys of a row are
/// consecutive, so its particles are contiguous.
inline constexpr std::uint32_t rows = 9;
inline constexpr std::uint32_t cells_in_row = 3;

struct Range {
  std::uint32_t first;
  std::uint32_t end;
};

struct FindKeys {
  Motion motion;
  CellSpace space;
  Body const* at;
  Body const* velocities;
  std::uint32_t* keys;
  std::uint32_t* numbers;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Point const velocity = motion.accelerated(velocities[i].at);
    keys[i] = space.key_of(motion.allowed(at[i].at + motion.seconds * velocity));
    numbers[i] = static_cast<std::uint32_t>(i);
  }
};

/// Writes, in the order of cells, where particles are and where they would move without collisions.
struct Reorder {
  Motion motion;
  Body const* at;
  Body const* velocities;
  std::uint32_t const* numbers;
  Body* before;
  Body* predicted;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint32_t const number = numbers[i];
    before[i] = at[number];
    predicted[i] = {motion.allowed(at[number].at + motion.seconds * motion.accelerated(velocities[number].at))};
  }
};

/// The place of each cell's first particle; `none` for other particles.
struct MarkFirsts {
  std::uint32_t const* keys;
  std::uint32_t* firsts;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    firsts[i] = i == 0 || keys[i] != keys[i - 1] ? static_cast<std::uint32_t>(i) : none;
  }
};

/// Writes the entries of the table: the key of each cell, and its number.
struct DescribeCells {
  std::uint32_t const* keys;    ///< of particles
  std::uint32_t const* starts;  ///< of cells
  std::uint32_t* cell_keys;
  std::uint32_t* cells;    ///< the number of each cell
  std::uint32_t* cell_of;  ///< each particle

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t cell) const
  {
    cell_keys[cell] = keys[starts[cell]];
    cells[cell] = static_cast<std::uint32_t>(cell);
    for (std::uint32_t i = starts[cell]; i < starts[cell + 1]; ++i) { cell_of[i] = static_cast<std::uint32_t>(cell); }
  }
};

/// Writes the keys of the cells in each row; for cells outside the box, a key that is not looked up.
struct KeysOfRows {
  CellSpace space;
  std::uint32_t const* cell_keys;
  std::uint32_t* keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item) const
  {
    constexpr std::uint32_t mask = (1u << CellSpace::bits) - 1;
    auto const row = static_cast<std::uint32_t>(item % rows);
    std::uint32_t const key = cell_keys[item / rows];
    std::uint32_t const y = (key >> CellSpace::bits & mask) + row % 3 - 1;  // values below 0 wrap to above all cells
    std::uint32_t const z = (key >> 2 * CellSpace::bits) + row / 3 - 1;
    for (std::uint32_t i = 0; i < cells_in_row; ++i) {
      std::uint32_t const x = (key & mask) + i - 1;
      bool const exists = x < space.side && y < space.side && z < space.side;
      keys[cells_in_row * item + i] = exists ? CellSpace::pack(x, y, z) : none;
    }
  }
};

/// The ranges of the particles in each row, from the cells that were found.
struct RangesOfRows {
  std::uint32_t const* found;
  std::uint32_t const* starts;
  Range* ranges;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item) const
  {
    Range range{none, 0};
    for (std::uint32_t i = 0; i < cells_in_row; ++i) {
      std::uint32_t const cell = found[cells_in_row * item + i];
      if (cell == none) { continue; }
      if (range.first == none) { range.first = starts[cell]; }
      range.end = starts[cell + 1];
    }
    ranges[item] = range.first == none ? Range{0, 0} : range;
  }
};

/// The particles within the radius of each particle. A list has room for `room` entries, and one more that is written
/// but never read.
struct NearLists {
  std::uint32_t* numbers;
  std::uint32_t* counts;  ///< number of near particles, including those that did not fit
  std::uint32_t room;
  std::uint64_t per_item;   ///< distance between lists
  std::uint64_t per_place;  ///< distance between entries of a list: a GPU reads many lists side by side

  SLOTSCAPE_HOST_DEVICE std::uint32_t& at(std::uint64_t item, std::uint32_t place) const
  {
    return numbers[item * per_item + place * per_place];
  }
};

struct FindNear {
  Body const* bodies;
  Range const* ranges;  ///< of the rows of each cell
  std::uint32_t const* cell_of;
  float squared_radius;
  NearLists near;
  std::uint64_t* most;  ///< largest list size, if it exceeds the room

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Point const here = bodies[i].at;
    Range const* const mine = ranges + std::uint64_t{cell_of[i]} * rows;
    std::uint32_t count = 0;
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t j = mine[row].first; j < mine[row].end; ++j) {
        near.at(i, count < near.room ? count : near.room) = j;
        bool const is_near = squared_length(here - bodies[j].at) <= squared_radius;
        count += is_near && j != i ? 1 : 0;  // avoids a branch, which would be mispredicted
      }
    }
    near.counts[i] = count;
    if (count > near.room) { exec::atomic_max(*most, count); }
  }
};

}  // namespace slotscape::particles::passes
