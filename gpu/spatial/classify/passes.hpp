#pragma once

#include "gpu/spatial/classify/frame.hpp"
#include "gpu/spatial/classify/rays.hpp"

/// The parallel loops of a classification, in the order in which they run.
namespace slotscape::spatial::classify {

/// Items that the lanes of a warp take together.
inline constexpr std::uint64_t chunk_size = 32;

template <class Frame>
struct Clear {
  Frame frame;
  std::uint64_t block_words;  ///< of one model

  SLOTSCAPE_HOST_DEVICE std::uint64_t items() const { return block_words * model_count; }
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    frame.blocks[i < block_words ? 0 : 1].words[i % block_words] = 0;
    if (i == 0) {
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
    frame.standings[i] = intersects ? Standing::intersection : standing(item.model, item.index);
  }

private:
  SLOTSCAPE_HOST_DEVICE Standing standing(int model, std::uint32_t index) const
  {
    auto const& voxels = frame.sides.of[model].voxels;
    int const other = 1 - model;
    Cell const cell = cell_of_key(voxels.keys[index]);
    if (!frame.blocks[other].any(cell + Cell{-1, -1, -1}, cell + Cell{1, 1, 1})) { return Standing::far; }
    SignedDistance distance(voxels.surfels[index].position);
    for (int number = 0; number < around_count; ++number) {
      if (number == around_itself) { continue; }
      std::uint32_t const found = frame.sides.voxel_at(other, cell + around_step(number));
      if (found != no_voxel) { distance.add(frame.sides.of[other].voxels.surfels[found]); }
    }
    return distance.standing(frame.inside_below, frame.outside_above);
  }
};

/// Joins neighbours across faces into components.
template <class Frame>
struct JoinFaces {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (!frame.is_passable(i)) { return; }
    auto const item = static_cast<std::uint32_t>(i);
    for (int face = 0; face < face_count; face += 2) {
      std::uint32_t const neighbour = frame.neighbour(item, face);
      if (neighbour != no_item && are_joined(frame.standings[item], frame.standings[neighbour])) {
        frame.forest.join(item, neighbour);
      }
    }
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
      Standing standing = Standing::far;
      if (frame.is_passable(item)) {
        root = frame.forest.flatten(item);
        standing = frame.standings[item];
      }
      Gathering<Tile> const gathering(tile, is_seed(standing) ? root : no_item);
      if (gathering.is_empty()) { continue; }
      count(gathering, standing, is_seed(standing) ? frame.key(item) : no_key);
    }
  }

private:
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void count(Gathering<Tile> const& gathering, Standing standing, std::uint64_t key) const
  {
    Component* const components = frame.components;
    bool const inside = standing == Standing::inside_seed;
    bool const outside = standing == Standing::outside_seed;
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

/// By its component's seeds: a voxel takes part in the flood-fill, or is settled, or is without seeds and counts for
/// the size of its component.
template <class Frame>
struct SortOut {
  Frame frame;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t chunk, Tile tile) const
  {
    for (std::uint64_t k = tile.rank(); k < chunk_size; k += Tile::size) {
      auto const item = static_cast<std::uint32_t>(chunk * chunk_size + k);
      std::uint32_t root = no_item;
      Verdict seeds = Verdict::disputed;
      if (frame.is_passable(item)) {
        root = frame.forest.parents[item];
        seeds = verdict_of_seeds(frame.components[root]);
        sort_out(item, root, seeds);
      }
      bool const counts = seeds == Verdict::none && exec::load_shared(frame.components[root].size) < speck_limit;
      Gathering<Tile> const gathering(tile, counts ? root : no_item);
      Component* const components = frame.components;
      gathering.count(counts,
                      [=](std::uint32_t of, std::uint32_t more) { exec::fetch_add(components[of].size, more); });
    }
  }

private:
  SLOTSCAPE_HOST_DEVICE void sort_out(std::uint32_t item, std::uint32_t root, Verdict seeds) const
  {
    bool const disputed = seeds == Verdict::disputed;
    frame.notes[item] = disputed ? Label::none : Label{0, root}.pack();
    if (disputed) {
      frame.disputed[exec::fetch_add(frame.counts->disputed, 1)] = item;
      return;
    }
    Standing const standing = frame.standings[item];
    if (!is_seed(standing)) { return; }
    if ((standing == Standing::inside_seed) != (seeds == Verdict::inside)) {
      exec::fetch_add(frame.counts->cleared, 1);
      return;
    }
    Component& component = frame.components[root];
    std::uint64_t const first = seeds == Verdict::inside ? component.first_inside_seed : component.first_outside_seed;
    if (frame.key(item) == first) { component.seed = item; }
  }
};

/// Specks without seeds join those across their edges and corners, or hear what is known of them. A note is a voxel's
/// component before, and then what was heard: neighbours outside, less those inside.
template <class Frame>
struct JoinSpecks {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (!frame.is_passable(i)) { return; }
    auto const item = static_cast<std::uint32_t>(i);
    if (frame.has_seeds(frame.forest.root(item))) { return; }
    bool const is_speck = frame.components[Label::unpack(frame.notes[item]).seed].size < speck_limit;
    frame.notes[item] = static_cast<std::uint64_t>(std::int64_t{is_speck ? look_around(item) : 0});
  }

private:
  SLOTSCAPE_HOST_DEVICE std::int32_t look_around(std::uint32_t item) const
  {
    auto const found = frame.sides.find(item);
    Cell const cell = cell_of_key(frame.sides.of[found.model].voxels.keys[found.index]);
    std::int32_t votes = 0;
    for (int number = 0; number < around_count; ++number) {
      Cell const step = around_step(number);
      if (step.x * step.x + step.y * step.y + step.z * step.z < 2) { continue; }  // across faces all are joined
      std::uint32_t const index = frame.sides.voxel_at(found.model, cell + step);
      if (index != no_voxel) { votes += hear(item, frame.item_of(found.model, index)); }
    }
    return votes;
  }
  SLOTSCAPE_HOST_DEVICE std::int32_t hear(std::uint32_t item, std::uint32_t neighbour) const
  {
    if (!frame.is_passable(neighbour)) { return 0; }
    if (!frame.has_seeds(frame.forest.root(neighbour))) {
      frame.forest.join(item, neighbour);
      return 0;
    }
    return frame.answer(neighbour).status == VoxelStatus::inside ? -1 : 1;
  }
};

/// Components without seeds, as they are now: what was heard, and their smallest key.
template <class Frame>
struct Gather {
  Frame frame;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t chunk, Tile tile) const
  {
    for (std::uint64_t k = tile.rank(); k < chunk_size; k += Tile::size) {
      auto const item = static_cast<std::uint32_t>(chunk * chunk_size + k);
      std::uint32_t root = frame.is_passable(item) ? frame.forest.root(item) : no_item;
      if (root != no_item && frame.has_seeds(root)) { root = no_item; }
      Gathering<Tile> const gathering(tile, root);
      if (gathering.is_empty()) { continue; }
      std::uint64_t key = no_key;
      if (root != no_item) {
        frame.forest.flatten(item);
        auto const heard = static_cast<std::uint32_t>(frame.notes[item]);
        if (heard != 0) { exec::fetch_add(reinterpret_cast<std::uint32_t&>(frame.components[root].votes), heard); }
        key = frame.key(item);
      }
      Component* const components = frame.components;
      gathering.smallest(root != no_item, key, [=](std::uint32_t of, std::uint64_t smallest) {
        if (smallest < exec::load_shared(components[of].first)) { exec::lower_to(components[of].first, smallest); }
      });
    }
  }
};

/// Where nothing is known of a component, its voxel of the smallest key looks around along the axes.
template <class Frame>
struct CastRays {
  Frame frame;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t chunk, Tile tile) const
  {
    for (std::uint64_t k = tile.rank(); k < chunk_size; k += Tile::size) {
      auto const item = static_cast<std::uint32_t>(chunk * chunk_size + k);
      std::uint32_t const first = item - static_cast<std::uint32_t>(tile.rank());
      for (std::uint32_t left = tile.ballot(is_unknown(item)); left != 0; left &= left - 1) {
        cast(first + static_cast<std::uint32_t>(exec::first_lane(left)), tile);
      }
    }
  }

private:
  SLOTSCAPE_HOST_DEVICE bool is_unknown(std::uint32_t item) const
  {
    return frame.is_passable(item) && frame.forest.is_root(item) && verdict(frame.components[item]) == Verdict::none;
  }
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void cast(std::uint32_t root, Tile tile) const
  {
    using Key = typename decltype(frame.sides)::Key;
    Component& component = frame.components[root];
    Cell const origin = cell_of_key(static_cast<Key>(component.first));
    Rays<Frame, Tile> const rays(frame, tile, frame.sides.find(root).model, origin);
    bool const inside = rays.are_inside();
    if (tile.rank() == 0) { component.votes = inside ? -1 : 1; }
  }
};

/// Every voxel takes what is known; one of which too little is, what most of its neighbours are.
template <class Frame>
struct Finish {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const found = frame.sides.find(i);
    if (!found.exists || frame.standings[i] == Standing::intersection) { return; }
    auto const item = static_cast<std::uint32_t>(i);
    Answer const answer = is_passable(frame.standings[i]) ? frame.answer(item) : by_neighbours(item);
    auto const& voxels = frame.sides.of[found.model].voxels;
    voxels.status[found.index] = answer.status;
    voxels.seeds[found.index] = answer.seed == no_item ? no_voxel : frame.sides.find(answer.seed).index;
  }

private:
  SLOTSCAPE_HOST_DEVICE Answer by_neighbours(std::uint32_t item) const
  {
    Answer inside{VoxelStatus::inside, no_item};
    Answer outside{VoxelStatus::outside, no_item};
    int votes = 0;
    for (int face = 0; face < face_count; ++face) {
      std::uint32_t const neighbour = frame.neighbour(item, face);
      if (neighbour == no_item || !is_passable(frame.standings[neighbour])) { continue; }
      Answer const answer = frame.answer(neighbour);
      bool const is_inside = answer.status == VoxelStatus::inside;
      votes += is_inside ? -1 : 1;
      (is_inside ? inside : outside) = answer;
    }
    if (votes != 0) { return votes < 0 ? inside : outside; }
    return frame.standings[item] == Standing::unsure_inside ? inside : outside;
  }
};

}  // namespace slotscape::spatial::classify
