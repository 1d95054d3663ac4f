#pragma once

#include "gpu/spatial/vector.hpp"

namespace slotscape::spatial {

/// The coordinates of a voxel, each from 0 to one less than the grid's side. Signed, so that they can also denote
/// neighbours outside the grid.
struct Cell {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t z = 0;

  friend bool operator==(Cell const&, Cell const&) = default;
};

SLOTSCAPE_HOST_DEVICE constexpr Cell operator+(Cell a, Cell b)
{
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

/// The six neighbours of a voxel. The numbers of opposite faces differ in the lowest bit.
inline constexpr int face_count = 6;
SLOTSCAPE_HOST_DEVICE constexpr Cell face_step(int face)
{
  int const sign = face % 2 == 0 ? -1 : 1;
  return {face / 2 == 0 ? sign : 0, face / 2 == 1 ? sign : 0, face / 2 == 2 ? sign : 0};
}

/// The 3 x 3 x 3 cells around a cell, numbered from 0 to 26; `stencil_center` is the cell itself.
inline constexpr int stencil_size = 27;
inline constexpr int stencil_center = 13;
SLOTSCAPE_HOST_DEVICE constexpr Cell stencil_step(int number)
{
  return {number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1};
}

/// A virtual grid of `side`^3 voxels: a cube of side `extent` (in world units) around the origin. A voxel's
/// key has 10 bits for each axis in 32 bits, x lowest (Alcantara et al. 2009, 5), or 21 bits for each in 64.
struct VoxelGrid {
  std::uint32_t side = 128;
  float extent = 3.0f;

  SLOTSCAPE_HOST_DEVICE constexpr float voxel() const { return extent / static_cast<float>(side); }
  /// Converts world coordinates to grid coordinates: voxels from the grid's lowest corner.
  SLOTSCAPE_HOST_DEVICE Vector to_grid(Vector world) const
  {
    float const scale = static_cast<float>(side) / extent;
    float const half = 0.5f * extent;
    return {(world.x + half) * scale, (world.y + half) * scale, (world.z + half) * scale};
  }
  SLOTSCAPE_HOST_DEVICE Vector to_world(Vector grid) const
  {
    float const half = 0.5f * extent;
    return voxel() * grid - Vector{half, half, half};
  }
  /// The centre of a cell, in world coordinates.
  SLOTSCAPE_HOST_DEVICE Vector middle(Cell cell) const
  {
    return to_world(
        {static_cast<float>(cell.x) + 0.5f, static_cast<float>(cell.y) + 0.5f, static_cast<float>(cell.z) + 0.5f});
  }
  SLOTSCAPE_HOST_DEVICE bool contains(Vector grid) const
  {
    auto const end = static_cast<float>(side);
    return grid.x >= 0.0f && grid.x < end && grid.y >= 0.0f && grid.y < end && grid.z >= 0.0f && grid.z < end;
  }
  SLOTSCAPE_HOST_DEVICE constexpr bool contains(Cell cell) const
  {
    auto const end = static_cast<std::int32_t>(side);
    return cell.x >= 0 && cell.x < end && cell.y >= 0 && cell.y < end && cell.z >= 0 && cell.z < end;
  }
  /// The cell that contains a point (in grid coordinates) of the grid.
  SLOTSCAPE_HOST_DEVICE static Cell cell_of(Vector grid)
  {
    return {static_cast<std::int32_t>(grid.x), static_cast<std::int32_t>(grid.y), static_cast<std::int32_t>(grid.z)};
  }
  friend bool operator==(VoxelGrid const&, VoxelGrid const&) = default;
};

/// Bits per axis in a key of this type.
template <class Key>
inline constexpr int axis_bits = sizeof(Key) == 8 ? 21 : 10;

template <class Key>
SLOTSCAPE_HOST_DEVICE constexpr Key key_of_cell(Cell cell)
{
  constexpr int bits = axis_bits<Key>;
  return static_cast<Key>(cell.x) | (static_cast<Key>(cell.y) << bits) | (static_cast<Key>(cell.z) << (2 * bits));
}
template <class Key>
SLOTSCAPE_HOST_DEVICE constexpr Cell cell_of_key(Key key)
{
  constexpr int bits = axis_bits<Key>;
  constexpr Key mask = (Key{1} << bits) - 1;
  return {static_cast<std::int32_t>(key & mask), static_cast<std::int32_t>((key >> bits) & mask),
          static_cast<std::int32_t>(key >> (2 * bits))};
}

inline constexpr std::uint32_t min_grid_side = 32;
inline constexpr std::uint32_t max_narrow_grid_side = 1024;  ///< for 32-bit keys
inline constexpr std::uint32_t max_grid_side = 4096;

/// The position of a cell along a Morton curve with 1024 cells per axis: the bits of x, y and z are interleaved.
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t morton(std::uint32_t x, std::uint32_t y, std::uint32_t z)
{
  auto const spread = [](std::uint32_t bits) {  // puts two zeros before each bit
    bits = (bits | bits << 16) & 0x030000ffu;
    bits = (bits | bits << 8) & 0x0300f00fu;
    bits = (bits | bits << 4) & 0x030c30c3u;
    return (bits | bits << 2) & 0x09249249u;
  };
  return spread(x) | spread(y) << 1 | spread(z) << 2;
}

}  // namespace slotscape::spatial
