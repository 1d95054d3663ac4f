#pragma once

#include "gpu/spatial/frame.hpp"
#include "gpu/spatial/rays.hpp"

/// The parallel loops of a classification, in the order in which they run.
namespace slotscape::spatial::classify {

/// Items that the lanes of a warp take together.
inline constexpr std::uint64_t chunk_size = 32;

template <class Frame>
struct Clear {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t block) const
  {
    for (int model = 0; model < model_count; ++model) {
      frame.representatives[model][block] = no_item;
      if (block % 32 == 0) { frame.blocks[model].words[block / 32] = 0; }
    }
    if (block == 0) {
      *frame.counts = ClassifyCounts{};
      frame.counts->rounds = component_sweeps;
    }
  }
};

template <class Frame>
struct MarkBlocks {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const item = frame.sides.find(i);
    if (!item.exists) { return; }
    frame.blocks[item.model].add(cell_of_key(frame.sides.of[item.model].voxels.keys[item.index]));
  }
};

/// Says of each voxel whether it is a seed, by its distance from the other surface where that is near.
template <class Frame>
struct FindSeeds {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const item = frame.sides.find(i);
    if (!item.exists) { return; }
    frame.forest.parents[i] = static_cast<std::uint32_t>(i);
    frame.components[i] = Component{};
    auto const& voxels = frame.sides.of[item.model].voxels;
    bool const intersects = voxels.status[item.index] == VoxelStatus::intersection;
    frame.roles[i] = intersects ? VoxelRole::intersection : role(item.model, item.index);
  }

private:
  SLOTSCAPE_HOST_DEVICE VoxelRole role(int model, std::uint32_t index) const
  {
    auto const& voxels = frame.sides.of[model].voxels;
    int const other = 1 - model;
    Cell const cell = cell_of_key(voxels.keys[index]);
    if (!frame.blocks[other].any(cell + Cell{-1, -1, -1}, cell + Cell{1, 1, 1})) { return VoxelRole::far; }
    SignedDistance distance(voxels.surfels[index].position);
    for (int number = 0; number < around_count; ++number) {
      if (number == around_itself) { continue; }
      std::uint32_t const found = frame.sides.voxel_at(other, cell + around_step(number));
      if (found != no_voxel) { distance.add(frame.sides.of[other].voxels.surfels[found]); }
    }
    return distance.role(frame.inside_below, frame.outside_above);
  }
};

/// Joins neighbours across faces into components. Far voxels with few neighbours, as sparse samplings have, are joined
/// to each other where they share a block without a voxel of the other surface.
template <class Frame>
struct JoinVoxels {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (!frame.is_passable(i)) { return; }
    auto const item = static_cast<std::uint32_t>(i);
    int neighbours = 0;
    for (int face = 0; face < face_count; ++face) {
      std::uint32_t const neighbour = frame.neighbour(item, face);
      if (neighbour == no_item) { continue; }
      ++neighbours;
      bool const once = face % 2 == 0;
      if (once && are_joined(frame.roles[item], frame.roles[neighbour])) { frame.forest.join(item, neighbour); }
    }
    if (neighbours <= few_neighbours && frame.roles[item] == VoxelRole::far) { join_block(item); }
  }

private:
  static constexpr int few_neighbours = 2;

  SLOTSCAPE_HOST_DEVICE void join_block(std::uint32_t item) const
  {
    auto const found = frame.sides.find(item);
    BlockMap const& others = frame.blocks[1 - found.model];
    Cell const block = others.block_of(cell_of_key(frame.sides.of[found.model].voxels.keys[found.index]));
    if (others.has(block)) { return; }
    std::uint32_t& representative = frame.representatives[found.model][others.number(block)];
    std::uint32_t first = exec::load_relaxed(representative);
    if (first == no_item) { first = exec::compare_exchange(representative, no_item, item); }
    if (first != no_item) { frame.forest.join(item, first); }
  }
};

/// The seeds of each component vote.
template <class Frame>
struct CountSeeds {
  Frame frame;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t chunk, Tile tile) const
  {
    for (std::uint64_t k = tile.rank(); k < chunk_size; k += Tile::size) {
      auto const item = static_cast<std::uint32_t>(chunk * chunk_size + k);
      std::uint32_t root = no_item;
      VoxelRole role = VoxelRole::far;
      if (frame.is_passable(item)) {
        root = frame.forest.flatten(item);
        role = frame.roles[item];
      }
      Gathering<Tile> const gathering(tile, is_seed(role) ? root : no_item);
      if (gathering.is_empty()) { continue; }
      count(gathering, role, is_seed(role) ? frame.key(item) : no_key);
    }
  }

private:
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void count(Gathering<Tile> const& gathering, VoxelRole role, std::uint64_t key) const
  {
    Component* const components = frame.components;
    bool const inside = role == VoxelRole::inside_seed;
    bool const outside = role == VoxelRole::outside_seed;
    gathering.count(inside, [=](std::uint32_t root, std::uint32_t more) {
      exec::fetch_add(components[root].inside_seeds, more);
    });
    gathering.count(outside, [=](std::uint32_t root, std::uint32_t more) {
      exec::fetch_add(components[root].outside_seeds, more);
    });
    gathering.smallest(inside, key, [=](std::uint32_t root, std::uint64_t smallest) {
      exec::lower_to(components[root].first_inside_seed, smallest);
    });
    gathering.smallest(outside, key, [=](std::uint32_t root, std::uint64_t smallest) {
      exec::lower_to(components[root].first_outside_seed, smallest);
    });
  }
};

/// By its component's seeds, a voxel takes part in the flood-fill or is settled. The first voxel of a component without
/// seeds will speak for it.
template <class Frame>
struct SortOut {
  Frame frame;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t chunk, Tile tile) const
  {
    Component* const components = frame.components;
    for (std::uint64_t k = tile.rank(); k < chunk_size; k += Tile::size) {
      auto const item = static_cast<std::uint32_t>(chunk * chunk_size + k);
      std::uint32_t seedless_root = no_item;
      if (frame.is_passable(item)) {
        std::uint32_t const root = frame.forest.root(item);  // a thread on its way may have undone the flattening
        Verdict const of_seeds = verdict(components[root]);
        sort_out(item, root, of_seeds);
        if (of_seeds == Verdict::no_seeds) { seedless_root = root; }
      }
      Gathering<Tile> const gathering(tile, seedless_root);
      if (gathering.is_empty()) { continue; }
      bool const counts = seedless_root != no_item;
      gathering.smallest(counts, counts ? frame.key(item) : no_key, [=](std::uint32_t root, std::uint64_t smallest) {
        if (smallest < exec::load_relaxed(components[root].first)) { exec::lower_to(components[root].first, smallest); }
      });
    }
  }

private:
  SLOTSCAPE_HOST_DEVICE void sort_out(std::uint32_t item, std::uint32_t root, Verdict of_seeds) const
  {
    if (of_seeds == Verdict::disputed) {
      frame.labels[item] = Label::none;
      frame.disputed[exec::fetch_add(frame.counts->disputed, 1)] = item;
      return;
    }
    frame.labels[item] = Label{0, item}.pack();  // no flood gets here
    VoxelRole const role = frame.roles[item];
    if (!is_seed(role)) { return; }
    if ((role == VoxelRole::inside_seed) != (of_seeds == Verdict::inside)) {
      exec::fetch_add(frame.counts->cleared, 1);
      return;
    }
    Component& component = frame.components[root];
    bool const inside = of_seeds == Verdict::inside;
    std::uint64_t const first = inside ? component.first_inside_seed : component.first_outside_seed;
    if (frame.key(item) == first) { component.seed = item; }
  }
};

/// A component without seeds is on the side on which its first voxel is, by a look along the axes.
template <class Frame>
struct CastRays {
  Frame frame;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t chunk, Tile tile) const
  {
    for (std::uint64_t k = tile.rank(); k < chunk_size; k += Tile::size) {
      auto const item = static_cast<std::uint32_t>(chunk * chunk_size + k);
      std::uint32_t const first = item - static_cast<std::uint32_t>(tile.rank());
      for (std::uint32_t left = tile.ballot(is_root_without_seeds(item)); left != 0; left &= left - 1) {
        cast(first + static_cast<std::uint32_t>(exec::first_lane(left)), tile);
      }
    }
  }

private:
  SLOTSCAPE_HOST_DEVICE bool is_root_without_seeds(std::uint32_t item) const
  {
    return frame.is_passable(item) && frame.forest.parents[item] == item &&
           verdict(frame.components[item]) == Verdict::no_seeds;
  }
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void cast(std::uint32_t root, Tile tile) const
  {
    using Key = typename decltype(frame.sides)::Key;
    Component& component = frame.components[root];
    Cell const origin = cell_of_key(static_cast<Key>(component.first));
    Rays<Frame, Tile> const rays(frame, tile, frame.sides.find(root).model, origin);
    bool const inside = rays.are_inside();
    if (tile.rank() == 0) { component.by_rays = inside ? VoxelStatus::inside : VoxelStatus::outside; }
  }
};

/// Every voxel takes what is known of its component; a wall, what most of its neighbours are.
template <class Frame>
struct Finish {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const found = frame.sides.find(i);
    if (!found.exists) { return; }
    Answer const answer = answer_for(static_cast<std::uint32_t>(i));
    auto const& voxels = frame.sides.of[found.model].voxels;
    voxels.status[found.index] = answer.status;
    voxels.seeds[found.index] = answer.seed == no_item ? no_voxel : frame.sides.find(answer.seed).index;
  }

private:
  SLOTSCAPE_HOST_DEVICE Answer answer_for(std::uint32_t item) const
  {
    VoxelRole const role = frame.roles[item];
    if (role == VoxelRole::intersection) { return {VoxelStatus::intersection, no_item}; }
    return is_passable(role) ? frame.answer(item) : by_neighbours(item);
  }
  SLOTSCAPE_HOST_DEVICE Answer by_neighbours(std::uint32_t item) const
  {
    Answer inside{VoxelStatus::inside, no_item};
    Answer outside{VoxelStatus::outside, no_item};
    int votes = 0;
    for (int face = 0; face < face_count; ++face) {
      std::uint32_t const neighbour = frame.neighbour(item, face);
      if (neighbour == no_item || !is_passable(frame.roles[neighbour])) { continue; }
      Answer const answer = frame.answer(neighbour);
      bool const is_inside = answer.status == VoxelStatus::inside;
      votes += is_inside ? -1 : 1;
      (is_inside ? inside : outside) = answer;
    }
    if (votes != 0) { return votes < 0 ? inside : outside; }
    return frame.roles[item] == VoxelRole::unsure_inside ? inside : outside;
  }
};

}  // namespace slotscape::spatial::classify
