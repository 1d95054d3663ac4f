#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/execution/machines.hpp"
#include "gpu/neighbours/cell_grid.hpp"
#include "gpu/neighbours/cell_passes.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/linear_probing.hpp"

namespace slotscape::blocks {

/// Binary logarithm of a block's side in voxels, and the number of words in its mask.
inline constexpr int block_bits = 3;
inline constexpr std::uint32_t mask_words = 16;

}  // namespace slotscape::blocks

/// Passes that fill the tables and query voxels.
namespace slotscape::blocks::passes {

using neighbours::CellGrid;
using neighbours::CellPlace;

SLOTSCAPE_HOST_DEVICE constexpr CellPlace block_of(CellPlace const& voxel)
{
  return {voxel.x >> block_bits, voxel.y >> block_bits, voxel.z >> block_bits};
}
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t bit_of(CellPlace const& voxel)
{
  constexpr std::uint64_t within = (1u << block_bits) - 1;
  return static_cast<std::uint32_t>((((voxel.z & within) << block_bits | (voxel.y & within)) << block_bits) |
                                    (voxel.x & within));
}

/// Inserts key i with the value i, or without a value into a set.
template <class View>
struct InsertKeys {
  View table;
  std::uint64_t const* keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    using Format = typename View::Format;
    auto const key = static_cast<typename Format::Key>(keys[i]);
    if constexpr (Format::has_values) {
      LinearProbing::insert(table, key, static_cast<typename Format::Value>(i));
    } else {
      LinearProbing::insert(table, key, true);
    }
  }
};

/// Counts of the reads for answers.
struct Reads {
  std::uint32_t voxels = 0;
  std::uint32_t found = 0;
  std::uint32_t lookups = 0;
  std::uint32_t slots = 0;
};

template <bool counts, class View>
SLOTSCAPE_HOST_DEVICE auto look_up(View const& table, std::uint64_t key, Reads& reads)
{
  auto const own = static_cast<typename View::Key>(key);
  ++reads.lookups;
  if constexpr (counts) {
    using Machine = CountingMachine<decltype(table.machine)>;
    return LinearProbing::find(slotscape::View<decltype(table.layout), Machine>{{table.machine, &reads.slots},
                                                                                table.layout},
                               own);
  } else {
    return LinearProbing::find(table, own);
  }
}

/// A table of voxels, with the interface for the accesses of one item.
template <class View>
struct VoxelTable {
  View table;
  CellGrid grid;

  struct Last {};
  template <bool counts>
  SLOTSCAPE_HOST_DEVICE bool has(CellPlace const& voxel, Last&, Reads& reads) const
  {
    return look_up<counts>(table, grid.key_of(voxel), reads).outcome == Outcome::found;
  }
};

/// A table of blocks with their masks. Remembers the last block looked up.
template <class View>
struct BlockTable {
  View table;
  CellGrid grid;  ///< of blocks
  std::uint32_t* masks;

  struct Last {
    std::uint64_t key = ~std::uint64_t{0};
    std::uint32_t const* mask = nullptr;  ///< null: the block has no voxels
  };
  template <bool counts>
  SLOTSCAPE_HOST_DEVICE bool has(CellPlace const& voxel, Last& last, Reads& reads) const
  {
    std::uint64_t const key = grid.key_of(block_of(voxel));
    if (key != last.key) {
      auto const found = look_up<counts>(table, key, reads);
      last = {key, found.outcome == Outcome::found ? masks + found.value * mask_words : nullptr};
    }
    std::uint32_t const bit = bit_of(voxel);
    return last.mask != nullptr && (last.mask[bit / 32] >> (bit % 32) & 1u) != 0;
  }
};

/// Sets the bit of voxel i in the mask of its block.
template <class Blocks>
struct SetBits {
  Blocks blocks;
  CellGrid grid;  ///< of voxels
  std::uint64_t const* keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    CellPlace const voxel = grid.place_of(keys[i]);
    Reads reads;
    auto const block = look_up<false>(blocks.table, blocks.grid.key_of(block_of(voxel)), reads).value;
    std::uint32_t const bit = bit_of(voxel);
    exec::set_bits(blocks.masks[block * mask_words + bit / 32], 1u << (bit % 32));
  }
};

/// The data from which voxels are chosen: the ascending keys of the occupied voxels, and the grid.
struct Questions {
  CellGrid grid;
  std::uint64_t const* keys;
  std::uint64_t occupied;
  std::uint64_t seed;

  /// Random number `which` of item i, below a limit.
  SLOTSCAPE_HOST_DEVICE std::uint64_t below(std::uint64_t limit, std::uint64_t i, std::uint64_t which) const
  {
    return static_cast<std::uint64_t>(fraction(i, which) * static_cast<double>(limit));
  }
  /// Random number `which` of item i, in [0, 1).
  SLOTSCAPE_HOST_DEVICE double fraction(std::uint64_t i, std::uint64_t which) const
  {
    return static_cast<double>(seeded_hash(seed + which, i) >> 11) * 0x1p-53;
  }
};

/// Queries one voxel. The answer is whether it is occupied.
struct AtRandom {
  Questions questions;

  template <bool counts, class Table>
  SLOTSCAPE_HOST_DEVICE std::uint64_t answer(Table const& table, std::uint64_t i, Reads& reads) const
  {
    auto const& [grid, keys, occupied, seed] = questions;
    CellPlace const voxel = i % 2 == 0
                                ? grid.place_of(keys[questions.below(occupied, i, 0)])
                                : CellPlace{questions.below(grid.size[0], i, 1), questions.below(grid.size[1], i, 2),
                                            questions.below(grid.size[2], i, 3)};
    typename Table::Last last{};
    ++reads.voxels;
    bool const found = table.template has<counts>(voxel, last, reads);
    reads.found += found ? 1 : 0;
    return found ? 1 : 0;
  }
};

/// Queries all voxels around an occupied one, as far as they are in the box. The answer has a bit for each.
struct OfNeighbours {
  Questions questions;
  std::uint64_t stride;  ///< between the occupied voxels that are used

  template <bool counts, class Table>
  SLOTSCAPE_HOST_DEVICE std::uint64_t answer(Table const& table, std::uint64_t i, Reads& reads) const
  {
    CellGrid const& grid = questions.grid;
    CellPlace const centre = grid.place_of(questions.keys[i * stride]);
    typename Table::Last last{};
    std::uint64_t found = 0;
    for (std::uint64_t at = 0; at != 27; ++at) {
      // Negative coordinates wrap to very large ones.
      CellPlace const voxel{centre.x + at % 3 - 1, centre.y + at / 3 % 3 - 1, centre.z + at / 9 - 1};
      bool const is_other = at != 13;
      if (!is_other || voxel.x >= grid.size[0] || voxel.y >= grid.size[1] || voxel.z >= grid.size[2]) { continue; }
      ++reads.voxels;
      if (table.template has<counts>(voxel, last, reads)) {
        ++reads.found;
        found |= std::uint64_t{1} << at;
      }
    }
    return found;
  }
};

/// Queries the voxels along a ray, up to the first occupied one. The answer is its key, or the largest number.
struct AlongRays {
  Questions questions;

  template <bool counts, class Table>
  SLOTSCAPE_HOST_DEVICE std::uint64_t answer(Table const& table, std::uint64_t i, Reads& reads) const
  {
    CellGrid const& grid = questions.grid;
    Ray ray = ray_of(i);
    typename Table::Last last{};
    while (true) {
      CellPlace const voxel{ray.at[0], ray.at[1], ray.at[2]};
      ++reads.voxels;
      if (table.template has<counts>(voxel, last, reads)) {
        ++reads.found;
        return grid.key_of(voxel);
      }
      int const axis =
          ray.next[0] <= ray.next[1] ? (ray.next[0] <= ray.next[2] ? 0 : 2) : (ray.next[1] <= ray.next[2] ? 1 : 2);
      ray.at[axis] += ray.forwards[axis] ? 1 : ~std::uint64_t{0};
      if (ray.at[axis] >= grid.size[axis]) { return ~std::uint64_t{0}; }
      ray.next[axis] += ray.length[axis];
    }
  }

private:
  /// Lengths are fractions of the distance to the ray's target.
  struct Ray {
    std::uint64_t at[3];  ///< the voxel
    bool forwards[3];
    double next[3];    ///< distance to the next voxel along each axis
    double length[3];  ///< of a voxel along each axis
  };
  SLOTSCAPE_HOST_DEVICE Ray ray_of(std::uint64_t i) const
  {
    constexpr double never = 1e300;
    std::uint64_t const side = questions.below(6, i, 0);
    Ray ray{};
    for (int axis = 0; axis != 3; ++axis) {
      auto const which = static_cast<std::uint64_t>(axis);
      auto const size = static_cast<double>(questions.grid.size[axis]);
      double const share = side / 2 == which ? static_cast<double>(side % 2) : questions.fraction(i, 1 + which);
      double const from = share * size;
      double const way = questions.fraction(i, 4 + which) * size - from;
      auto const voxel = static_cast<std::uint64_t>(from);
      ray.at[axis] = voxel < questions.grid.size[axis] ? voxel : questions.grid.size[axis] - 1;
      ray.forwards[axis] = way > 0.0;
      double const border = static_cast<double>(ray.at[axis] + (way > 0.0 ? 1 : 0));
      double const absolute = way > 0.0 ? way : -way;
      ray.next[axis] = absolute == 0.0 ? never : (way > 0.0 ? border - from : from - border) / absolute;
      ray.length[axis] = absolute == 0.0 ? never : 1.0 / absolute;
    }
    return ray;
  }
};

/// Runs all queries of a pattern.
template <class Pattern, class Table, bool counts>
struct Ask {
  Pattern pattern;
  Table table;
  std::uint64_t* answers;
  Reads* reads;  ///< for each item, if `counts`

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Reads own;
    answers[i] = pattern.template answer<counts>(table, i, own);
    if constexpr (counts) { reads[i] = own; }
  }
};

struct Sums {
  std::uint64_t voxels = 0;
  std::uint64_t found = 0;
  std::uint64_t lookups = 0;
  std::uint64_t slots = 0;
  std::uint64_t checksum = 0;
};
/// Sums over all items, which are processed in stretches.
struct AddUp {
  Reads const* reads;
  std::uint64_t const* answers;
  std::uint64_t count;
  Sums* sums;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    Sums own;
    exec::for_each_in_stretch(item, count, tile, [&](std::uint64_t i) {
      own.voxels += reads[i].voxels;
      own.found += reads[i].found;
      own.lookups += reads[i].lookups;
      own.slots += reads[i].slots;
      own.checksum += seeded_hash(i, answers[i]);
    });
    own = {tile.sum(own.voxels), tile.sum(own.found), tile.sum(own.lookups), tile.sum(own.slots),
           tile.sum(own.checksum)};
    if (tile.rank() != 0) { return; }
    exec::fetch_add(sums->voxels, own.voxels);
    exec::fetch_add(sums->found, own.found);
    exec::fetch_add(sums->lookups, own.lookups);
    exec::fetch_add(sums->slots, own.slots);
    exec::fetch_add(sums->checksum, own.checksum);
  }
};

}  // namespace slotscape::blocks::passes
