#pragma once

#include "gpu/spatial/coverage.hpp"
#include "gpu/spatial/dipole_tree.hpp"
#include "gpu/spatial/frame.hpp"

/// Determines which side of an open surface a voxel is on. An open surface encloses nothing, and other surfaces may
/// pass round its rim from one side to the other, so components and their seeds do not help.
///
/// A point is on the side of the surface that it sees most of: the sign of the generalized winding number (Jacobson et
/// al. 2013, 'Robust inside-outside segmentation using generalized winding numbers'), for a point cloud and with one
/// dipole for distant parts (Barill et al. 2018, 'Fast winding numbers for soups and clouds'). For a height field over
/// a convex piece of a plane, the sign is exact above and below that piece: a ray from above passes the surface
/// downwards once more than upwards, or equally often.
namespace slotscape::spatial {

/// The surface of a model as seen from one point. A point behind the surface sees its back. Without `looks_for_holes`,
/// which takes more than half of the time, no point counts as being in a hole.
template <bool looks_for_holes>
class WindingNumber {
public:
  SLOTSCAPE_HOST_DEVICE explicit WindingNumber(Vector place) : place_(place) {}

  /// Adds a nearby surfel. The order does not matter.
  SLOTSCAPE_HOST_DEVICE void add(Surfel const& surfel)
  {
    add_near(see(DipoleTree::area_of(surfel), surfel.position - place_, softening));
  }
  SLOTSCAPE_HOST_DEVICE void add_in_any_order(Dipole const& dipole)
  {
    add_near(see(dipole.area, dipole.center - place_, 0.0f));
  }
  /// Adds a distant dipole. The order must always be the same.
  SLOTSCAPE_HOST_DEVICE void add(Dipole const& dipole)
  {
    float const angle = see(dipole.area, dipole.center - place_, 0.0f);
    far_ += angle;
    far_absolute_ += fabsf(angle);
  }
  /// `unknown` if the point sees about as much of the back as of the front: beside a rim or between walls.
  SLOTSCAPE_HOST_DEVICE VoxelStatus side() const
  {
    float const back = far_ + static_cast<float>(near_) / units_of_near;
    float const all = far_absolute_ + static_cast<float>(near_absolute_) / units_of_near;
    if (fabsf(back) <= min_agreement * all) { return VoxelStatus::unknown; }
    return back > 0.0f ? VoxelStatus::inside : VoxelStatus::outside;
  }
  /// How often a closed surface winds around the point.
  SLOTSCAPE_HOST_DEVICE float turns() const
  {
    constexpr float whole_turn = 12.566371f;  // solid angle of a full sphere
    return (far_ + static_cast<float>(near_) / units_of_near) / whole_turn;
  }
  SLOTSCAPE_HOST_DEVICE bool is_in_hole() const { return looks_for_holes && !coverage_.is_covered(); }

private:
  static constexpr float softening = 0.1f;  ///< added to squared distances from surfels, in squared voxels
  static constexpr float units_of_near = 16777216.0f;
  static constexpr float min_agreement = 0.4f;

  SLOTSCAPE_HOST_DEVICE void add_near(float angle)
  {
    auto const units = static_cast<std::int64_t>(units_of_near * angle);
    near_ += units;
    near_absolute_ += units < 0 ? -units : units;
  }
  /// The solid angle of a patch in this direction, positive if its back is seen.
  SLOTSCAPE_HOST_DEVICE float see(Vector area, Vector to, float soft)
  {
    float const squared = dot(to, to) + soft;
    if (squared == 0.0f) { return 0.0f; }
    float const inverse_square = 1.0f / squared;
    float const inverse_distance = sqrtf(inverse_square);
    if constexpr (looks_for_holes) { coverage_.add(area, to, inverse_square, inverse_distance); }
    return dot(area, to) * inverse_square * inverse_distance;
  }

  Vector place_;
  Coverage coverage_;
  float far_ = 0.0f;
  float far_absolute_ = 0.0f;
  std::int64_t near_ = 0;
  std::int64_t near_absolute_ = 0;
};

namespace classify {

/// Adds the surfels of models for which `is_seen` holds to their patches and blocks.
template <class Frame>
struct AddSurfels {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const item = frame.sets.locate(i);
    if (!item.exists || !frame.is_seen(item.model)) { return; }
    DipoleTree const& tree = frame.dipoles[item.model];
    auto const& voxels = frame.sets.of[item.model].voxels;
    Surfel const& surfel = voxels.surfels[item.index];
    Cell const cell = cell_of_key(voxels.keys[item.index]);
    Cell const block = tree.block_of(cell);
    std::uint32_t const number = tree.number(0, block);
    add(surfel, block, tree.shift, tree.sums[number]);
    std::uint32_t const patch = patch_of(tree, voxels.keys, item.index, tree.first[number]);
    if (tree.has_patches()) { add(surfel, tree.patch_of(cell), tree.patch_shift, tree.patch_sums[patch]); }
    std::uint32_t& first = tree.patches[patch].first;
    std::uint32_t seen = exec::load_relaxed(first);
    std::uint32_t before = 0;
    do {
      before = seen;
      tree.next[item.index] = before;
      seen = exec::compare_exchange(first, before, item.index);
    } while (seen != before);
  }

private:
  /// Finds the voxel's patch in a block's list. If it is not in the list, appends a new patch named by the voxel.
  template <class Key>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t patch_of(DipoleTree const& tree, Key const* keys, std::uint32_t voxel,
                                                      std::uint32_t& first)
  {
    Cell const own = tree.patch_of(cell_of_key(keys[voxel]));
    std::uint32_t* link = &first;
    while (true) {
      std::uint32_t patch = exec::load_relaxed(*link);
      if (patch == no_voxel) { patch = exec::compare_exchange(*link, no_voxel, voxel); }
      if (patch == no_voxel) { return voxel; }
      if (tree.patch_of(cell_of_key(keys[patch])) == own) { return patch; }
      link = &tree.patches[patch].next;
    }
  }
  SLOTSCAPE_HOST_DEVICE static void add(Surfel const& surfel, Cell cube, std::int32_t size, DipoleTree::Sums& sums)
  {
    auto const side = static_cast<float>(1 << size);
    Vector const corner{side * static_cast<float>(cube.x), side * static_cast<float>(cube.y),
                        side * static_cast<float>(cube.z)};
    Vector const place = (DipoleTree::places / side) * (surfel.position - corner);
    Vector const area = (1.0f / DipoleTree::area_unit) * DipoleTree::area_of(surfel);
    exec::fetch_add(sums.surfels, 1);
    exec::fetch_add(sums.area[0], twos_complement(area.x));
    exec::fetch_add(sums.area[1], twos_complement(area.y));
    exec::fetch_add(sums.area[2], twos_complement(area.z));
    exec::fetch_add(sums.place[0], static_cast<std::uint32_t>(place.x));
    exec::fetch_add(sums.place[1], static_cast<std::uint32_t>(place.y));
    exec::fetch_add(sums.place[2], static_cast<std::uint32_t>(place.z));
  }
  SLOTSCAPE_HOST_DEVICE static std::uint32_t twos_complement(float number)
  {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(number));
  }
};

/// Computes the dipoles of the patches, if blocks are larger than patches.
template <class Frame>
struct MakePatches {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const item = frame.sets.locate(i);
    if (!item.exists || !frame.is_seen(item.model)) { return; }
    DipoleTree const& tree = frame.dipoles[item.model];
    if (!tree.has_patches() || tree.patches[item.index].first == no_voxel) { return; }
    Cell const patch = tree.patch_of(cell_of_key(frame.sets.of[item.model].voxels.keys[item.index]));
    tree.patch_dipoles[item.index] = DipoleTree::dipole_of(tree.patch_sums[item.index], patch, tree.patch_shift);
  }
};

/// Computes the dipoles of one level, from the sums or from the level below.
template <class Frame>
struct MakeDipoles {
  Frame frame;
  int model;
  std::int32_t level;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (!frame.is_seen(model)) { return; }
    DipoleTree const& tree = frame.dipoles[model];
    auto const number = static_cast<std::uint32_t>(i);
    Cell const node = tree.node_at(level, number);
    tree.nodes[tree.first_of(level) + number] =
        level == 0 ? DipoleTree::dipole_of(tree.sums[number], node, tree.shift) : of_lower(tree, node);
  }

private:
  SLOTSCAPE_HOST_DEVICE Dipole of_lower(DipoleTree const& tree, Cell node) const
  {
    Dipole sum;
    for (int number = 0; number < 8; ++number) {
      Cell const lower{2 * node.x + (number & 1), 2 * node.y + (number >> 1 & 1), 2 * node.z + (number >> 2)};
      if (!tree.contains(level - 1, lower)) { continue; }
      Dipole const& part = tree.nodes[tree.first_of(level - 1) + tree.number(level - 1, lower)];
      sum.area = sum.area + part.area;
      sum.center = sum.center + part.surfels * part.center;
      sum.surfels += part.surfels;
    }
    if (sum.surfels > 0.0f) { sum.center = (1.0f / sum.surfels) * sum.center; }
    return sum;
  }
};

/// Adds the surface, as seen from a cell, to `winding`: nearby parts surfel by surfel, distant parts as dipoles that
/// grow with the distance. Takes a few hundred steps in a grid of any size.
template <class Winding, class Key>
class Sight {
public:
  SLOTSCAPE_HOST_DEVICE Sight(Winding& winding, DipoleTree const& tree, Surfel const* surfels, Key const* keys)
      : winding_(winding), tree_(tree), surfels_(surfels), keys_(keys)
  {
  }

  SLOTSCAPE_HOST_DEVICE void from(Cell cell) const
  {
    Cell const block = tree_.block_of(cell);
    for (std::int32_t level = tree_.levels() - 2; level >= 0; --level) {
      see_level(level, {block.x >> level, block.y >> level, block.z >> level});
    }
    for (int number = 0; number < stencil_size; ++number) {
      Cell const near = block + stencil_step(number);
      if (tree_.contains(0, near)) { see_block(near, tree_.patch_of(cell)); }
    }
  }

private:
  /// Adds the nodes of this level that are far enough away, among those that were too near on the levels above.
  SLOTSCAPE_HOST_DEVICE void see_level(std::int32_t level, Cell own) const
  {
    Dipole const* const nodes = tree_.nodes + tree_.first_of(level);
    Cell const low{2 * (own.x / 2 - 1), 2 * (own.y / 2 - 1), 2 * (own.z / 2 - 1)};
    for (std::int32_t z = low.z; z < low.z + 6; ++z) {
      for (std::int32_t y = low.y; y < low.y + 6; ++y) {
        for (std::int32_t x = low.x; x < low.x + 6; ++x) {
          if (are_beside({x, y, z}, own) || !tree_.contains(level, {x, y, z})) { continue; }
          Dipole const& node = nodes[tree_.number(level, {x, y, z})];
          if (node.surfels > 0.0f) { winding_.add(node); }
        }
      }
    }
  }
  SLOTSCAPE_HOST_DEVICE void see_block(Cell block, Cell own) const
  {
    std::uint32_t patch = tree_.first[tree_.number(0, block)];
    for (; patch != no_voxel; patch = tree_.patches[patch].next) {
      if (tree_.has_patches() && !are_beside(tree_.patch_of(cell_of_key(keys_[patch])), own)) {
        winding_.add_in_any_order(tree_.patch_dipoles[patch]);
        continue;
      }
      std::uint32_t voxel = tree_.patches[patch].first;
      for (; voxel != no_voxel; voxel = tree_.next[voxel]) { winding_.add(surfels_[voxel]); }
    }
  }
  SLOTSCAPE_HOST_DEVICE static bool are_beside(Cell a, Cell b)
  {
    auto const near = [](std::int32_t from, std::int32_t to) { return from - to <= 1 && to - from <= 1; };
    return near(a.x, b.x) && near(a.y, b.y) && near(a.z, b.z);
  }

  Winding& winding_;
  DipoleTree const& tree_;
  Surfel const* surfels_;
  Key const* keys_;
};

/// Computes a sort key for each voxel whose other model is open. Sorting brings neighbours together, which read the
/// same nodes and find them in the cache. Other voxels come last.
template <class Frame>
struct PlaceItems {
  Frame frame;
  std::uint32_t* places;
  std::uint32_t* items;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const item = frame.sets.locate(i);
    items[i] = static_cast<std::uint32_t>(i);
    places[i] = ~0u;
    if (!item.exists || !frame.sets.open[1 - item.model]) { return; }
    Cell const cell = cell_of_key(frame.sets.of[item.model].voxels.keys[item.index]);
    auto const part = [](std::int32_t along) { return static_cast<std::uint32_t>(along >> 2) & 0x3ffu; };
    places[i] = morton(part(cell.x), part(cell.y), part(cell.z));
  }
};

/// Determines the side of each voxel whose other model is open, and writes it to `sides`.
template <class Frame>
struct FindSides {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t number) const
  {
    std::uint64_t const i = frame.order != nullptr ? frame.order[number] : number;
    auto const item = frame.sets.locate(i);
    if (!item.exists || !frame.sets.open[1 - item.model]) { return; }
    if (frame.roles[i] == VoxelRole::intersection) { return; }
    // There is no hole where the tangent planes of the surface next to the voxel are reliable.
    frame.sides[i] = is_seed(frame.roles[i]) ? side<false>(item) : side<true>(item);
  }

private:
  template <bool looks_for_holes, class Item>
  SLOTSCAPE_HOST_DEVICE VoxelStatus side(Item const& item) const
  {
    auto const& voxels = frame.sets.of[item.model].voxels;
    auto const& others = frame.sets.of[1 - item.model].voxels;
    WindingNumber<looks_for_holes> winding(voxels.surfels[item.index].position);
    Sight const sight(winding, frame.dipoles[1 - item.model], others.surfels, others.keys);
    sight.from(cell_of_key(voxels.keys[item.index]));
    return settled(frame.roles[frame.item_of(item.model, item.index)], winding);
  }

  /// Right next to the surface, the tangent planes must agree. Where noise has thickened the surface, they are less
  /// reliable than the surface as a whole.
  template <class Winding>
  SLOTSCAPE_HOST_DEVICE static VoxelStatus settled(VoxelRole role, Winding const& winding)
  {
    VoxelStatus const seen = winding.side();
    bool const agrees = !(role == VoxelRole::unsure_inside && seen == VoxelStatus::outside) &&
                        !(role == VoxelRole::unsure_outside && seen == VoxelStatus::inside);
    return agrees && !winding.is_in_hole() ? seen : VoxelStatus::unknown;
  }
};

}  // namespace classify
}  // namespace slotscape::spatial
