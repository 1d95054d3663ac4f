#pragma once

#include "gpu/spatial/engine.hpp"

namespace slotscape::spatial {

inline constexpr std::uint32_t no_voxel = 0xffffffffu;  ///< in place of an index

/// The sums over a voxel's points. Integers, so neither the order of additions nor the backend matters.
struct VoxelSums {
  // Each number packs two 32-bit sums, so a point costs four additions, all in one sector of memory. Positions within
  // the voxel are in 1/256 of its side; normals are in 1/127, offset by 128 so that no sum is negative. `max_points`
  // points cannot overflow 32 bits.
  std::uint64_t place_xy = 0;
  std::uint64_t place_z_count = 0;
  std::uint64_t normal_xy = 0;
  std::uint64_t normal_z = 0;

  SLOTSCAPE_HOST_DEVICE VoxelSums& operator+=(VoxelSums const& more)
  {
    place_xy += more.place_xy;
    place_z_count += more.place_z_count;
    normal_xy += more.normal_xy;
    normal_z += more.normal_z;
    return *this;
  }
};

/// The position and orientation of the surface in a voxel.
struct Surfel {
  Vector position;  ///< mean of the points, in units of the grid
  Vector normal;    ///< mean of their normals, of length 1, or 0 where they cancel out
};

/// The voxels of one model, in device memory: arrays by dense index, each of `capacity` elements. If there are more
/// voxels than that, the excess is dropped, and the frame must be repeated.
template <PairFormat Format>
struct Voxels {
  using Key = typename Format::Key;

  std::uint64_t capacity;
  std::uint32_t* count;  ///< the number of voxels
  Key* keys;             ///< index -> key; the table maps key -> index
  Slot* slots;           ///< the key's slot in the table
  Surfel* surfels;
  std::uint32_t* points;  ///< the number of points in the voxel
  std::uint32_t* faces;   ///< capacity x 6: indices of the neighbours across each face, or `no_voxel`
  VoxelStatus* status;
  std::uint32_t* seeds;  ///< index of the seed that determined the status, or `no_voxel`
};

/// A model's voxels and the table that finds them by key.
template <TableFamily Family, class View>
struct VoxelSet {
  Voxels<typename View::Format> voxels;
  View table;

  /// The index of the voxel with this key, or `no_voxel`. The key must belong to a cell of the grid.
  SLOTSCAPE_HOST_DEVICE std::uint32_t index_of(typename View::Key key) const
  {
    auto const found = Family::find(table, key);
    bool const there = found.outcome == Outcome::found && found.value < voxels.capacity;
    return there ? static_cast<std::uint32_t>(found.value) : no_voxel;
  }
};

/// The voxels of both models. Parallel loops run over `items()`, an upper bound, since only the device knows the number
/// of voxels; they skip the items for which `locate` finds no voxel.
template <TableFamily Family, class View>
struct VoxelSets {
  using Format = typename View::Format;
  using Key = typename Format::Key;

  VoxelSet<Family, View> of[model_count];
  VoxelGrid grid;
  bool open[model_count] = {};                          ///< the surface encloses nothing
  std::uint64_t points[model_count] = {};               ///< per model
  std::uint32_t const* outside_grid[model_count] = {};  ///< number of points without a voxel; null: none

  /// The number of points that a model's voxels were made from.
  SLOTSCAPE_HOST_DEVICE std::uint64_t points_in_voxels(int model) const
  {
    return points[model] - (outside_grid[model] == nullptr ? 0 : *outside_grid[model]);
  }

  struct Item {
    int model;
    std::uint32_t index;
    bool exists;
  };
  SLOTSCAPE_HOST_DEVICE std::uint64_t items() const { return of[0].voxels.capacity + of[1].voxels.capacity; }
  SLOTSCAPE_HOST_DEVICE Item locate(std::uint64_t item) const
  {
    int const model = item < of[0].voxels.capacity ? 0 : 1;
    auto const index = static_cast<std::uint32_t>(model == 0 ? item : item - of[0].voxels.capacity);
    auto const& voxels = of[model].voxels;
    return {model, index, index < *voxels.count && index < voxels.capacity};
  }
  /// The voxel of `model` in this cell, or `no_voxel`.
  SLOTSCAPE_HOST_DEVICE std::uint32_t voxel_at(int model, Cell cell) const
  {
    return grid.contains(cell) ? of[model].index_of(key_of_cell<Key>(cell)) : no_voxel;
  }
};

}  // namespace slotscape::spatial
