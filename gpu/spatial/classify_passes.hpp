#pragma once

#include "gpu/spatial/closed_surface.hpp"

/// The parallel loops of a classification, in execution order.
namespace slotscape::spatial::classify {

/// Items that a warp processes together.
inline constexpr std::uint64_t chunk_size = 32;

/// Marks the blocks that contain voxels. Initially, no block is marked or has a representative: `Finish` ensures that.
template <class Frame>
struct MarkBlocks {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (i == 0) {
      *frame.counts = ClassifyCounts{};
      frame.counts->rounds = component_sweeps;
    }
    auto const item = frame.sets.locate(i);
    if (!item.exists) { return; }
    frame.blocks[item.model].add(cell_of_key(frame.sets.of[item.model].voxels.keys[item.index]));
  }
};

/// Voxels that a warp examines together for `FindSeeds`: fewer than its lanes, because few voxels are near the other
/// surface, and those are consecutive.
inline constexpr std::uint64_t seeds_chunk = 16;

/// Gives each voxel its role, by its signed distance from the other surface if that is near. The lanes of a tile look
/// up the cells around a voxel at once; their surfels are added in cell order, as a single lane would do.
template <class Frame>
struct FindSeeds {
  Frame frame;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t chunk, Tile tile) const
  {
    std::uint64_t const first = chunk * seeds_chunk;
    for (std::uint64_t k = 0; k < seeds_chunk; k += Tile::size) {
      std::uint64_t const mine = k + static_cast<std::uint64_t>(tile.rank());
      bool const measures = mine < seeds_chunk && is_near(first + mine);
      for (std::uint32_t left = tile.ballot(measures); left != 0; left &= left - 1) {
        measure(first + k + static_cast<std::uint64_t>(exec::first_lane(left)), tile);
      }
    }
  }

private:
  /// Prepares the item. Returns whether its role depends on the surface around it.
  SLOTSCAPE_HOST_DEVICE bool is_near(std::uint64_t i) const
  {
    auto const item = frame.sets.locate(i);
    if (!item.exists) { return false; }
    frame.forest.parents[i] = static_cast<std::uint32_t>(i);
    frame.components[i] = Component{};
    auto const& voxels = frame.sets.of[item.model].voxels;
    bool const intersects = voxels.status[item.index] == VoxelStatus::intersection;
    Cell const cell = cell_of_key(voxels.keys[item.index]);
    bool const near = !intersects && frame.blocks[1 - item.model].any(cell + Cell{-1, -1, -1}, cell + Cell{1, 1, 1});
    if (!near) { frame.roles[i] = intersects ? VoxelRole::intersection : VoxelRole::far; }
    return near;
  }

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void measure(std::uint64_t i, Tile tile) const
  {
    auto const item = frame.sets.locate(i);
    auto const& voxels = frame.sets.of[item.model].voxels;
    Cell const cell = cell_of_key(voxels.keys[item.index]);
    SignedDistance distance(voxels.surfels[item.index].position);
    for (int number = 0; number < stencil_size; number += Tile::size) {
      Surfel surfel{};
      bool const found = find(1 - item.model, cell, number + tile.rank(), surfel);
      for (std::uint32_t left = tile.ballot(found); left != 0; left &= left - 1) {
        distance.add(from(surfel, tile, exec::first_lane(left)));
      }
    }
    if (tile.rank() == 0) { frame.roles[i] = distance.role(frame.inside_below, frame.outside_above); }
  }
  /// Reads the surfel of the model's voxel in a cell of the stencil. Returns whether there is one.
  SLOTSCAPE_HOST_DEVICE bool find(int model, Cell cell, int number, Surfel& surfel) const
  {
    if (number >= stencil_size || number == stencil_center) { return false; }
    std::uint32_t const found = frame.sets.voxel_at(model, cell + stencil_step(number));
    if (found == no_voxel) { return false; }
    surfel = frame.sets.of[model].voxels.surfels[found];
    return true;
  }
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE static Surfel from(Surfel const& mine, Tile tile, int lane)
  {
    auto const read = [&](Vector const& v) {
      return Vector{tile.from(v.x, lane), tile.from(v.y, lane), tile.from(v.z, lane)};
    };
    return {read(mine.position), read(mine.normal)};
  }
};

/// Joins neighbours across faces into components. Far voxels with few neighbours, which are typical of sparse clouds,
/// also join each other if they share a block that contains no voxel of the other surface. Each pair of neighbours is a
/// separate item, because a join waits for memory several times.
template <class Frame>
struct JoinVoxels {
  Frame frame;

  static constexpr int faces_each = face_count / 2;  ///< only the lower faces, so that each pair is joined once

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const item = static_cast<std::uint32_t>(i / faces_each);
    auto const axis = static_cast<int>(i % faces_each);
    if (!frame.is_passable(item)) { return; }
    std::uint32_t const neighbour = frame.neighbour(item, 2 * axis);
    if (neighbour != no_item && are_joined(frame.roles[item], frame.roles[neighbour])) {
      frame.forest.join(item, neighbour);
    }
    if (axis == 0 && frame.roles[item] == VoxelRole::far && has_few_neighbours(item)) { join_block(item); }
  }

private:
  static constexpr int few_neighbours = 2;

  SLOTSCAPE_HOST_DEVICE bool has_few_neighbours(std::uint32_t item) const
  {
    int neighbours = 0;
    for (int face = 0; face < face_count; ++face) { neighbours += frame.neighbour(item, face) != no_item ? 1 : 0; }
    return neighbours <= few_neighbours;
  }
  SLOTSCAPE_HOST_DEVICE void join_block(std::uint32_t item) const
  {
    auto const found = frame.sets.locate(item);
    BlockMap const& others = frame.blocks[1 - found.model];
    Cell const block = others.block_of(cell_of_key(frame.sets.of[found.model].voxels.keys[found.index]));
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
      AggregatedUpdates<Tile> const updates(tile, is_seed(role) ? root : no_item);
      if (updates.is_empty()) { continue; }
      count(updates, role, is_seed(role) ? frame.key(item) : no_key);
    }
  }

private:
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void count(AggregatedUpdates<Tile> const& updates, VoxelRole role, std::uint64_t key) const
  {
    Component* const components = frame.components;
    bool const inside = role == VoxelRole::inside_seed;
    bool const outside = role == VoxelRole::outside_seed;
    updates.count(inside, [=](std::uint32_t root, std::uint32_t more) {
      exec::fetch_add(components[root].inside_seeds, more);
    });
    updates.count(outside, [=](std::uint32_t root, std::uint32_t more) {
      exec::fetch_add(components[root].outside_seeds, more);
    });
    updates.smallest(inside, key, [=](std::uint32_t root, std::uint64_t smallest) {
      exec::atomic_min(components[root].first_inside_seed, smallest);
    });
    updates.smallest(outside, key, [=](std::uint32_t root, std::uint64_t smallest) {
      exec::atomic_min(components[root].first_outside_seed, smallest);
    });
  }
};

/// Classifies each voxel by its component's seeds, or queues it for the flood fill if they disagree. For a component
/// without seeds, finds the smallest key: that voxel decides, see `SettleSeedless`.
template <class Frame>
struct ApplyVerdicts {
  Frame frame;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t chunk, Tile tile) const
  {
    Component* const components = frame.components;
    for (std::uint64_t k = tile.rank(); k < chunk_size; k += Tile::size) {
      auto const item = static_cast<std::uint32_t>(chunk * chunk_size + k);
      std::uint32_t seedless_root = no_item;
      if (frame.is_passable(item)) {
        std::uint32_t const root = frame.forest.root(item);  // path halving by another thread may have undone `flatten`
        Verdict const vote = verdict_of_checked(components[root]);
        apply(item, root, vote);
        if (vote == Verdict::no_seeds) { seedless_root = root; }
      }
      AggregatedUpdates<Tile> const updates(tile, seedless_root);
      if (updates.is_empty()) { continue; }
      bool const counts = seedless_root != no_item;
      updates.smallest(counts, counts ? frame.key(item) : no_key, [=](std::uint32_t root, std::uint64_t smallest) {
        if (smallest < exec::load_relaxed(components[root].first)) {
          exec::atomic_min(components[root].first, smallest);
        }
      });
    }
  }

private:
  SLOTSCAPE_HOST_DEVICE void apply(std::uint32_t item, std::uint32_t root, Verdict vote) const
  {
    if (vote == Verdict::disputed) {
      frame.labels[item] = Label::none;
      frame.disputed[exec::fetch_add(frame.counts->disputed, 1)] = item;
      return;
    }
    frame.labels[item] = Label{0, item}.pack();  // not flooded
    VoxelRole const role = frame.roles[item];
    if (!is_seed(role)) { return; }
    if ((role == VoxelRole::inside_seed) != (vote == Verdict::inside)) {
      exec::fetch_add(frame.counts->cleared, 1);
      return;
    }
    Component& component = frame.components[root];
    bool const inside = vote == Verdict::inside;
    std::uint64_t const first = inside ? component.first_inside_seed : component.first_outside_seed;
    if (frame.key(item) == first) { component.seed = item; }
  }
};

/// Gives every voxel the status of its component. A wall takes the status of most of its neighbours; without
/// neighbours, it is classified separately. Clears the voxel's block for the next classification.
template <class Frame>
struct Finish {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const found = frame.sets.locate(i);
    if (!found.exists) { return; }
    Answer const answer = answer_for(static_cast<std::uint32_t>(i));
    auto const& voxels = frame.sets.of[found.model].voxels;
    voxels.status[found.index] = answer.status;
    voxels.seeds[found.index] = answer.seed == no_item ? no_voxel : frame.sets.locate(answer.seed).index;
    clear_block(found.model, cell_of_key(voxels.keys[found.index]));
  }

private:
  SLOTSCAPE_HOST_DEVICE void clear_block(int model, Cell cell) const
  {
    BlockMap const& blocks = frame.blocks[model];
    std::uint32_t const block = blocks.number(blocks.block_of(cell));
    exec::store_relaxed(blocks.words[block / 32], 0u);
    exec::store_relaxed(frame.representatives[model][block], no_item);
  }
  SLOTSCAPE_HOST_DEVICE Answer answer_for(std::uint32_t item) const
  {
    VoxelRole const role = frame.roles[item];
    if (role == VoxelRole::intersection) { return {VoxelStatus::intersection, no_item}; }
    if (frame.sets.open[1 - frame.sets.locate(item).model]) {
      VoxelStatus const side = frame.sides[item];
      return {side, is_seed(role) && frame.status_of(role) == side ? item : no_item};
    }
    return is_passable(role) ? frame.answer(item) : by_neighbours(item);
  }
  SLOTSCAPE_HOST_DEVICE Answer by_neighbours(std::uint32_t item) const
  {
    Answer inside{VoxelStatus::inside, no_item};
    Answer outside{VoxelStatus::outside, no_item};
    int votes = 0;
    int neighbours = 0;
    for (int face = 0; face < face_count; ++face) {
      std::uint32_t const neighbour = frame.neighbour(item, face);
      if (neighbour == no_item || !is_passable(frame.roles[neighbour])) { continue; }
      ++neighbours;
      Answer const answer = frame.answer(neighbour);
      if (answer.status == VoxelStatus::unknown) { continue; }
      bool const is_inside = answer.status == VoxelStatus::inside;
      votes += is_inside ? -1 : 1;
      (is_inside ? inside : outside) = answer;
    }
    if (votes != 0) { return votes < 0 ? inside : outside; }
    if (neighbours == 0) {
      auto const found = frame.sets.locate(item);
      return {side_of_closed(frame, found.model, found.index), no_item};
    }
    return frame.roles[item] == VoxelRole::unsure_inside ? inside : outside;
  }
};

}  // namespace slotscape::spatial::classify
