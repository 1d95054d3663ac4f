#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/spatial/voxel_grid.hpp"

namespace slotscape::spatial {

/// One bit per block of cells, set if the block contains voxels of a model. Cells far from all such blocks need not
/// query the model's table. At most 128 blocks along an axis; a block's side is at least 4 cells.
struct BlockMap {
  std::uint32_t* words;
  std::int32_t shift;  ///< log2 of a block's side in cells
  std::int32_t side;   ///< blocks along an axis

  static constexpr std::int32_t shift_of(VoxelGrid const& grid)
  {
    std::int32_t shift = 2;
    while ((grid.side - 1) >> shift >= 128) { ++shift; }
    return shift;
  }
  static constexpr std::int32_t side_of(VoxelGrid const& grid)
  {
    return static_cast<std::int32_t>((grid.side - 1) >> shift_of(grid)) + 1;
  }
  static constexpr std::uint64_t block_count(VoxelGrid const& grid)
  {
    auto const side = static_cast<std::uint64_t>(side_of(grid));
    return side * side * side;
  }
  static constexpr std::uint64_t word_count(VoxelGrid const& grid) { return (block_count(grid) + 31) / 32; }
  static BlockMap of(VoxelGrid const& grid, std::uint32_t* words) { return {words, shift_of(grid), side_of(grid)}; }

  SLOTSCAPE_HOST_DEVICE Cell block_of(Cell cell) const { return {cell.x >> shift, cell.y >> shift, cell.z >> shift}; }
  SLOTSCAPE_HOST_DEVICE std::uint32_t number(Cell block) const
  {
    return static_cast<std::uint32_t>((block.z * side + block.y) * side + block.x);
  }
  SLOTSCAPE_HOST_DEVICE void add(Cell cell) const
  {
    std::uint32_t const bit = number(block_of(cell));
    std::uint32_t& word = words[bit / 32];
    std::uint32_t const mask = 1u << (bit % 32);
    if ((exec::load_relaxed(word) & mask) == 0) { exec::set_bits(word, mask); }
  }
  SLOTSCAPE_HOST_DEVICE bool has(Cell block) const
  {
    std::uint32_t const bit = number(block);
    return (words[bit / 32] >> (bit % 32) & 1u) != 0;
  }
  /// Whether any block that overlaps the box of cells from `low` to `high` has voxels.
  SLOTSCAPE_HOST_DEVICE bool any(Cell low, Cell high) const
  {
    Cell const first{clamped(low.x), clamped(low.y), clamped(low.z)};
    Cell const last{clamped(high.x), clamped(high.y), clamped(high.z)};
    for (std::int32_t z = first.z; z <= last.z; ++z) {
      for (std::int32_t y = first.y; y <= last.y; ++y) {
        for (std::int32_t x = first.x; x <= last.x; ++x) {
          if (has({x, y, z})) { return true; }
        }
      }
    }
    return false;
  }

private:
  SLOTSCAPE_HOST_DEVICE std::int32_t clamped(std::int32_t coordinate) const
  {
    std::int32_t const block = coordinate >> shift;
    return block < 0 ? 0 : block >= side ? side - 1 : block;
  }
};

}  // namespace slotscape::spatial
