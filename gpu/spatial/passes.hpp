#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/execution/tile.hpp"
#include "gpu/spatial/voxel_sets.hpp"

#include <cstdint>

/// The parallel loops of a frame, except those of the classification.
namespace slotscape::spatial::passes {

/// The points of both models, in device memory. A's items are numbered first.
struct Points {
  struct OfModel {
    Vector const* positions;
    Vector const* normals;
    std::uint64_t count;
    Pose pose;
  };
  OfModel of[model_count];

  struct Item {
    int model;
    std::uint64_t index;
  };
  SLOTSCAPE_HOST_DEVICE std::uint64_t items() const { return of[0].count + of[1].count; }
  SLOTSCAPE_HOST_DEVICE Item locate(std::uint64_t item) const
  {
    bool const in_a = item < of[0].count;
    return {in_a ? 0 : 1, in_a ? item : item - of[0].count};
  }
  SLOTSCAPE_HOST_DEVICE Vector world(Item item) const
  {
    return of[item.model].pose.point(of[item.model].positions[item.index]);
  }
};

/// Counts of a frame, in device memory.
struct Counts {
  std::uint32_t voxels[model_count];
  std::uint32_t outside_grid[model_count];
  std::uint32_t failed[model_count];  ///< not 0 if the table had no room for a key
};

/// Finds the key of each point's voxel; the empty key for points outside the grid.
template <PairFormat Format>
struct FindKeys {
  using Key = typename Format::Key;

  Points points;
  VoxelGrid grid;
  Key* keys;
  Counts* counts;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Points::Item const item = points.locate(i);
    Vector const place = grid.to_grid(points.world(item));
    bool const inside = grid.contains(place);
    keys[i] = inside ? key_of_cell<Key>(VoxelGrid::cell_of(place)) : Format::empty_key;
    if (!inside) { exec::fetch_add(counts->outside_grid[item.model], 1); }
  }
};

/// The words of both tables, A's first.
template <PairFormat Format>
struct BothWords {
  typename Format::Word* of[model_count];
  std::uint64_t slots[model_count];

  SLOTSCAPE_HOST_DEVICE std::uint64_t items() const { return slots[0] + slots[1]; }
  SLOTSCAPE_HOST_DEVICE typename Format::Word& operator[](std::uint64_t i) const
  {
    return i < slots[0] ? of[0][i] : of[1][i - slots[0]];
  }
};

/// Writes 1 for each slot that holds a key. The prefix sums of these flags are the dense indices (Alcantara et al.
/// 2009, 4.3).
template <PairFormat Format>
struct FlagSlots {
  BothWords<Format> words;
  std::uint32_t* flags;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    flags[i] = i < words.items() && words[i] != Format::empty_word;
  }
};

/// Maps each key to its index and each index to its key: the paper's two-way index.
template <PairFormat Format>
struct AssignIndices {
  BothWords<Format> words;
  std::uint32_t const* sums;  ///< has one element more than there are slots
  Voxels<Format> voxels[model_count];
  VoxelSums* voxel_sums[model_count];
  Counts* counts;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    int const model = i < words.slots[0] ? 0 : 1;
    std::uint32_t const before = model == 0 ? 0 : sums[words.slots[0]];
    std::uint64_t const slot = model == 0 ? i : i - words.slots[0];
    if (slot == 0) { counts->voxels[model] = sums[i + words.slots[model]] - before; }
    auto const word = words[i];
    if (word == Format::empty_word) { return; }
    std::uint32_t const index = sums[i] - before;
    words[i] = pack(key_of(word), typename Format::Value{index});
    if (index >= voxels[model].capacity) { return; }
    voxels[model].keys[index] = key_of(word);
    voxels[model].slots[index] = static_cast<Slot>(slot);
    voxel_sums[model][index] = {};
  }
};

/// Finds each point's voxel and adds the point to its sums. Neighbouring lanes whose points share a voxel first combine
/// their sums, so they access memory once.
template <TableFamily Family, class View>
struct GatherPoints {
  using Format = typename View::Format;
  static constexpr std::uint64_t chunk_size = 32;  ///< points that a warp gathers

  Points points;
  VoxelSets<Family, View> sets;
  typename Format::Key const* keys;
  VoxelSums* sums[model_count];
  std::uint32_t* point_voxels;

  std::uint64_t chunks() const { return (points.items() + chunk_size - 1) / chunk_size; }

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t chunk, Tile tile) const
  {
    for (std::uint64_t k = tile.rank(); k < chunk_size; k += Tile::size) {
      std::uint64_t const i = chunk * chunk_size + k;
      VoxelSums mine;
      VoxelSums* const sum = i < points.items() ? gather(i, mine) : nullptr;
      add(tile, sum, mine);
    }
  }

private:
  /// Finds the point's voxel: returns the voxel's sums and sets `mine` to the point's contribution. Returns null if the
  /// point has no voxel.
  SLOTSCAPE_HOST_DEVICE VoxelSums* gather(std::uint64_t i, VoxelSums& mine) const
  {
    auto const key = keys[i];
    if (key == Format::empty_key) {
      point_voxels[i] = no_voxel;
      return nullptr;
    }
    Points::Item const item = points.locate(i);
    std::uint32_t const voxel = sets.of[item.model].index_of(key);
    point_voxels[i] = voxel;
    if (voxel == no_voxel) { return nullptr; }  // no room for the voxel: the frame will be repeated
    Vector const place = sets.grid.to_grid(points.world(item));
    Cell const cell = VoxelGrid::cell_of(place);
    auto const& model = points.of[item.model];
    Vector const normal = model.pose.direction(model.normals[item.index]);
    mine.place_xy = both(part(place.x, cell.x), part(place.y, cell.y));
    mine.place_z_count = both(part(place.z, cell.z), 1);
    mine.normal_xy = both(offset(normal.x), offset(normal.y));
    mine.normal_z = offset(normal.z);
    return sums[item.model] + voxel;
  }
  /// Adds what the lanes have gathered. The first lane of a run with one voxel adds for the whole run.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE static void add(Tile tile, VoxelSums* sum, VoxelSums mine)
  {
    int const rank = tile.rank();
    auto const voxel = reinterpret_cast<std::uintptr_t>(sum);
    bool const differs = tile.from(voxel, rank == 0 ? 0 : rank - 1) != voxel;
    bool const begins = rank == 0 || differs;
    std::uint64_t const begin_later = std::uint64_t{tile.ballot(begins)} >> (rank + 1);
    int const end =
        begin_later == 0 ? Tile::size : rank + 1 + exec::first_lane(static_cast<std::uint32_t>(begin_later));
    for (int step = 1; step < Tile::size; step *= 2) {
      VoxelSums const others{tile.from(mine.place_xy, rank + step), tile.from(mine.place_z_count, rank + step),
                             tile.from(mine.normal_xy, rank + step), tile.from(mine.normal_z, rank + step)};
      if (rank + step < end) { mine += others; }
    }
    if (sum == nullptr || !begins) { return; }
    exec::fetch_add(sum->place_xy, mine.place_xy);
    exec::fetch_add(sum->place_z_count, mine.place_z_count);
    exec::fetch_add(sum->normal_xy, mine.normal_xy);
    exec::fetch_add(sum->normal_z, mine.normal_z);
  }

  SLOTSCAPE_HOST_DEVICE static std::uint64_t both(std::uint32_t low, std::uint32_t high)
  {
    return low | (std::uint64_t{high} << 32);
  }
  SLOTSCAPE_HOST_DEVICE static std::uint32_t part(float place, std::int32_t cell)
  {
    return static_cast<std::uint32_t>((place - static_cast<float>(cell)) * 256.0f);
  }
  SLOTSCAPE_HOST_DEVICE static std::uint32_t offset(float direction)
  {
    return static_cast<std::uint32_t>(direction * 127.0f + 128.5f);
  }
};

/// Turns the sums into means: one surfel for each voxel.
template <TableFamily Family, class View>
struct MakeSurfels {
  VoxelSets<Family, View> sets;
  VoxelSums const* sums[model_count];

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const item = sets.locate(i);
    if (!item.exists) { return; }
    auto const& voxels = sets.of[item.model].voxels;
    VoxelSums const sum = sums[item.model][item.index];
    auto const count = static_cast<std::uint32_t>(sum.place_z_count >> 32);
    // A voxel may have no points if the table had no room for all voxels; the frame is then repeated.
    float const share = count == 0 ? 0.0f : 1.0f / static_cast<float>(count);
    auto const place = [&](std::int32_t cell, std::uint64_t total) {
      return static_cast<float>(cell) + (static_cast<float>(low(total)) * share + 0.5f) / 256.0f;
    };
    auto const direction = [&](std::uint64_t total) {
      return static_cast<float>(static_cast<std::int64_t>(total) - std::int64_t{128} * count) * share;
    };
    Cell const cell = cell_of_key(voxels.keys[item.index]);
    Vector const position{place(cell.x, sum.place_xy), place(cell.y, sum.place_xy >> 32),
                          place(cell.z, sum.place_z_count)};
    Vector const normal{direction(low(sum.normal_xy)), direction(sum.normal_xy >> 32), direction(low(sum.normal_z))};
    voxels.points[item.index] = count;
    bool const cancels = length(normal) < min_normal;
    voxels.surfels[item.index] = {position, cancels ? Vector{} : normalized(normal)};
  }

private:
  /// In 1/127. A shorter mean is the remainder of normals that cancel out, as on both sides of a thin wall.
  static constexpr float min_normal = 63.0f;
  SLOTSCAPE_HOST_DEVICE static std::uint64_t low(std::uint64_t both) { return both & 0xffffffffu; }
};

/// Looks up each voxel's six neighbours, and the voxel itself in the other model's table.
template <TableFamily Family, class View>
struct Intersect {
  VoxelSets<Family, View> sets;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const item = sets.locate(i);
    if (!item.exists) { return; }
    auto const& voxels = sets.of[item.model].voxels;
    auto const key = voxels.keys[item.index];
    Cell const cell = cell_of_key(key);
    for (int face = 0; face < face_count; ++face) {
      voxels.faces[std::uint64_t{item.index} * face_count + face] = sets.voxel_at(item.model, cell + face_step(face));
    }
    bool const meets = sets.of[1 - item.model].index_of(key) != no_voxel;
    voxels.status[item.index] = meets ? VoxelStatus::intersection : VoxelStatus::unknown;
    voxels.seeds[item.index] = no_voxel;
  }
};

/// Counts the voxels in a section by model and status: the bin is model * status_count + status.
template <PairFormat Format>
struct CountStatus {
  static constexpr std::uint64_t per_item = 256;

  Voxels<Format> voxels[model_count];
  VoxelGrid grid;
  Section section;

  SLOTSCAPE_HOST_DEVICE static std::uint64_t count(std::uint64_t capacity)
  {
    return (capacity + per_item - 1) / per_item;
  }

  template <class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile, Sink& sink) const
  {
    std::uint64_t const items_of_a = count(voxels[0].capacity);
    int const model = item < items_of_a ? 0 : 1;
    std::uint64_t const first = (model == 0 ? item : item - items_of_a) * per_item;
    std::uint64_t const end = *voxels[model].count;
    for (std::uint64_t i = first + tile.rank(); i < first + per_item; i += Tile::size) {
      bool const exists = i < end && i < voxels[model].capacity;
      bool const there = exists && section.contains(grid.middle(cell_of_key(voxels[model].keys[i])));
      auto const status = there ? static_cast<std::uint32_t>(voxels[model].status[i]) : 0u;
      sink.add_if(there, static_cast<std::uint32_t>(model * status_count) + status);
    }
  }
};

/// Counts the points in a section that have a voxel, by model.
struct CountPoints {
  static constexpr std::uint64_t per_item = 256;

  Points points;
  Section section;
  std::uint32_t const* point_voxels;

  std::uint64_t count() const { return (points.items() + per_item - 1) / per_item; }

  template <class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t chunk, Tile tile, Sink& sink) const
  {
    for (std::uint64_t i = chunk * per_item + tile.rank(); i < (chunk + 1) * per_item; i += Tile::size) {
      bool const has_voxel = i < points.items() && point_voxels[i] != no_voxel;
      Points::Item const item = points.locate(has_voxel ? i : 0);
      sink.add_if(has_voxel && section.contains(points.world(item)), static_cast<std::uint32_t>(item.model));
    }
  }
};

}  // namespace slotscape::spatial::passes
