#pragma once

#include "gpu/spatial/block_map.hpp"
#include "gpu/spatial/components.hpp"
#include "gpu/spatial/dipole_tree.hpp"
#include "gpu/spatial/signed_distance.hpp"

namespace slotscape::spatial {

/// Counts of one classification, in device memory.
struct ClassifyCounts {
  std::uint32_t rounds = 0;                ///< sweeps: two to find the components, plus those of the flood-fill
  std::uint32_t restarts = 0;              ///< of the flood-fill
  std::uint32_t cleared = 0;               ///< seeds cleared because they contradicted others
  std::uint32_t disputed = 0;              ///< voxels in components whose seeds disagree
  std::uint32_t queued = 0;                ///< voxels that the flood-fill reached, over all restarts
  std::uint32_t unsettled[model_count]{};  ///< not 0 if seeds do not determine all sides of this model
};
inline constexpr std::uint32_t component_sweeps = 2;

/// How the flood-fill reached a voxel of a disputed component: steps from the seed, and the seed's item.
struct Label {
  std::uint32_t distance;
  std::uint32_t seed;

  static constexpr std::uint64_t none = ~std::uint64_t{0};
  static constexpr std::uint64_t cleared = none - 1;  ///< a seed that contradicted another
  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t pack() const { return (std::uint64_t{distance} << 32) | seed; }
  SLOTSCAPE_HOST_DEVICE static constexpr Label unpack(std::uint64_t label)
  {
    return {static_cast<std::uint32_t>(label >> 32), static_cast<std::uint32_t>(label)};
  }
};

struct Answer {
  VoxelStatus status;
  std::uint32_t seed;  ///< an item, or `no_item`
};

/// Data shared by the passes of a classification. An item is a voxel of either model, numbered as in `VoxelSets`.
template <TableFamily Family, class View>
struct ClassifyFrame {
  VoxelSets<Family, View> sets;
  BlockMap blocks[model_count];
  std::uint32_t* representatives[model_count];  ///< per block: one of its far voxels that has few neighbours
  Forest forest;
  VoxelRole* roles;
  Component* components;
  std::uint64_t* labels;    ///< of the flood-fill
  std::uint32_t* disputed;  ///< the voxels of disputed components
  std::uint32_t* queue;     ///< of the flood-fill
  ClassifyCounts* counts;
  DipoleTree dipoles[model_count];  ///< for models for which `is_seen` holds
  VoxelStatus* sides;               ///< for voxels whose other model is open
  std::uint32_t const* order;       ///< all items, spatial neighbours together; null: natural order
  float inside_below;
  float outside_above;
  std::uint32_t max_restarts;

  SLOTSCAPE_HOST_DEVICE std::uint32_t item_of(int model, std::uint32_t index) const
  {
    return model == 0 ? index : static_cast<std::uint32_t>(sets.of[0].voxels.capacity) + index;
  }
  SLOTSCAPE_HOST_DEVICE std::uint64_t key(std::uint32_t item) const
  {
    auto const found = sets.locate(item);
    return sets.of[found.model].voxels.keys[found.index];
  }
  /// The item across a face, or `no_item`.
  SLOTSCAPE_HOST_DEVICE std::uint32_t neighbour(std::uint32_t item, int face) const
  {
    auto const found = sets.locate(item);
    std::uint32_t const index = sets.of[found.model].voxels.faces[std::uint64_t{found.index} * face_count + face];
    return index == no_voxel ? no_item : item_of(found.model, index);
  }
  /// Whether components and seeds determine the item's status.
  SLOTSCAPE_HOST_DEVICE bool is_passable(std::uint64_t item) const
  {
    auto const found = sets.locate(item);
    return found.exists && !sets.open[1 - found.model] && spatial::is_passable(roles[item]);
  }
  SLOTSCAPE_HOST_DEVICE bool has_passable_neighbour(std::uint32_t item) const
  {
    for (int face = 0; face < face_count; ++face) {
      std::uint32_t const beside = neighbour(item, face);
      if (beside != no_item && spatial::is_passable(roles[beside])) { return true; }
    }
    return false;
  }
  /// Whether winding numbers around a model are needed.
  SLOTSCAPE_HOST_DEVICE bool is_seen(int model) const { return sets.open[model] || counts->unsettled[model] != 0; }
  /// Status and seed of a passable item.
  SLOTSCAPE_HOST_DEVICE Answer answer(std::uint32_t item) const
  {
    Component const& component = components[forest.root(item)];
    VoxelRole const role = roles[item];
    switch (verdict_of_checked(component)) {
      case Verdict::no_seeds: return {component.by_winding, no_item};
      case Verdict::inside: return {VoxelStatus::inside, role == VoxelRole::inside_seed ? item : component.seed};
      case Verdict::outside: return {VoxelStatus::outside, role == VoxelRole::outside_seed ? item : component.seed};
      case Verdict::disputed: break;
    }
    if (is_seed(role)) { return {status_of(role), item}; }
    std::uint64_t const label = labels[item];
    if (label < Label::cleared) {
      std::uint32_t const seed = Label::unpack(label).seed;
      return {status_of(roles[seed]), seed};
    }
    bool const inside =
        component.inside_seeds - component.wrong_inside >
        component.outside_seeds - component.wrong_outside;  // all seeds that could reach it were cleared
    return {inside ? VoxelStatus::inside : VoxelStatus::outside, no_item};
  }
  SLOTSCAPE_HOST_DEVICE static VoxelStatus status_of(VoxelRole seed)
  {
    return seed == VoxelRole::inside_seed ? VoxelStatus::inside : VoxelStatus::outside;
  }
};

}  // namespace slotscape::spatial
