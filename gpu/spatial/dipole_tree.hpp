#pragma once

#include "gpu/spatial/voxel_sets.hpp"

namespace slotscape::spatial {

/// A patch of surface as seen from afar: its area vector (along the normal, in squared voxels), concentrated in one
/// point.
struct Dipole {
  Vector area;
  Vector center;
  float surfels = 0.0f;  ///< 0: no surface
};

/// Dipoles of a model's surfels, patches and blocks of cells, and of each 2 x 2 x 2 nodes, level by level up to the
/// whole grid. With them, a few hundred steps evaluate the whole surface from any place. In device memory.
///
/// The number of blocks is bounded, so blocks are large in fine grids. Large blocks are divided into patches: smaller
/// cubes, stored only where there is surface. A patch is identified by one of its voxels and found in its block's list.
struct DipoleTree {
  /// Sums over the surfels of a block or a patch. Integers, so the order of additions does not matter.
  struct Sums {
    std::uint32_t surfels = 0;
    std::uint32_t area[3] = {};   ///< in `area_unit`; two's complement
    std::uint32_t place[3] = {};  ///< from the corner of the block or patch, in 1/256 of its side
  };
  /// Stored at the voxel that identifies the patch; unused at other voxels.
  struct Patch {
    std::uint32_t next;   ///< next patch of the same block, or `no_voxel`
    std::uint32_t first;  ///< one of its voxels
  };
  static constexpr float area_unit = 1.0f / 256.0f;
  static constexpr float places = 256.0f;
  static constexpr std::int32_t max_side = 64;  ///< blocks along an axis

  Sums* sums = nullptr;             ///< per block
  std::uint32_t* first = nullptr;   ///< per block: first patch in its list, or `no_voxel`
  Patch* patches = nullptr;         ///< by voxel
  Sums* patch_sums = nullptr;       ///< by voxel, if blocks are larger than patches
  Dipole* patch_dipoles = nullptr;  ///< the same
  std::uint32_t* next = nullptr;    ///< per voxel: next voxel of the same patch, or `no_voxel`
  Dipole* nodes = nullptr;          ///< blocks first, then level by level
  std::int32_t shift = 0;           ///< log2 of a block's side in cells
  std::int32_t patch_shift = 0;     ///< log2 of a patch's side in cells
  std::int32_t side = 0;            ///< blocks along an axis

  /// A tree for the grid, still without memory.
  static constexpr DipoleTree of(VoxelGrid const& grid)
  {
    DipoleTree tree;
    tree.shift = 2;
    while (static_cast<std::int32_t>((grid.side - 1) >> tree.shift) >= max_side) { ++tree.shift; }
    tree.side = static_cast<std::int32_t>((grid.side - 1) >> tree.shift) + 1;
    tree.patch_shift = tree.shift < 6 ? 2 : tree.shift - 3;  // a block has up to 8 patches along an axis
    return tree;
  }
  /// Whether blocks are divided into patches; if not, each block is one patch.
  SLOTSCAPE_HOST_DEVICE constexpr bool has_patches() const { return patch_shift < shift; }
  SLOTSCAPE_HOST_DEVICE constexpr std::int32_t side_of(std::int32_t level) const { return ((side - 1) >> level) + 1; }
  SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t nodes_of(std::int32_t level) const
  {
    auto const along = static_cast<std::uint32_t>(side_of(level));
    return along * along * along;
  }
  SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t blocks() const { return nodes_of(0); }
  /// The number of a level's first node; for `levels()`, the total number of nodes.
  SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t first_of(std::int32_t level) const
  {
    std::uint32_t before = 0;
    for (std::int32_t l = 0; l < level; ++l) { before += nodes_of(l); }
    return before;
  }
  /// On the highest level, all nodes are neighbours.
  SLOTSCAPE_HOST_DEVICE constexpr std::int32_t levels() const
  {
    std::int32_t level = 0;
    while (side_of(level) > 2) { ++level; }
    return level + 1;
  }

  SLOTSCAPE_HOST_DEVICE Cell block_of(Cell cell) const { return {cell.x >> shift, cell.y >> shift, cell.z >> shift}; }
  SLOTSCAPE_HOST_DEVICE Cell patch_of(Cell cell) const
  {
    return {cell.x >> patch_shift, cell.y >> patch_shift, cell.z >> patch_shift};
  }
  SLOTSCAPE_HOST_DEVICE bool contains(std::int32_t level, Cell node) const
  {
    std::int32_t const end = side_of(level);
    return node.x >= 0 && node.x < end && node.y >= 0 && node.y < end && node.z >= 0 && node.z < end;
  }
  /// The node's number within its level.
  SLOTSCAPE_HOST_DEVICE std::uint32_t number(std::int32_t level, Cell node) const
  {
    std::int32_t const along = side_of(level);
    return static_cast<std::uint32_t>((node.z * along + node.y) * along + node.x);
  }
  SLOTSCAPE_HOST_DEVICE Cell node_at(std::int32_t level, std::uint32_t number) const
  {
    auto const along = static_cast<std::uint32_t>(side_of(level));
    return {static_cast<std::int32_t>(number % along), static_cast<std::int32_t>(number / along % along),
            static_cast<std::int32_t>(number / along / along)};
  }

  /// The dipole of a cube of 2^`size` cells. corner: in units of that size.
  SLOTSCAPE_HOST_DEVICE static Dipole dipole_of(Sums const& sums, Cell corner, std::int32_t size)
  {
    if (sums.surfels == 0) { return {}; }
    auto const side = static_cast<float>(1 << size);
    auto const surfels = static_cast<float>(sums.surfels);
    auto const area = [&](int axis) {
      return area_unit * static_cast<float>(static_cast<std::int32_t>(sums.area[axis]));
    };
    auto const place = [&](int axis, std::int32_t from) {
      return side * (static_cast<float>(from) + static_cast<float>(sums.place[axis]) / (places * surfels));
    };
    return {{area(0), area(1), area(2)}, {place(0, corner.x), place(1, corner.y), place(2, corner.z)}, surfels};
  }

  /// Per unit of area, a plane meets cells in proportion to |x| + |y| + |z| of its normal.
  SLOTSCAPE_HOST_DEVICE static Vector area_of(Surfel const& surfel)
  {
    Vector const& n = surfel.normal;
    float const cells = fabsf(n.x) + fabsf(n.y) + fabsf(n.z);
    return cells > 0.0f ? (1.0f / cells) * n : Vector{};
  }
};

}  // namespace slotscape::spatial
