#pragma once

#include "gpu/execution/executor.hpp"
#include "gpu/execution/parts.hpp"
#include "gpu/spatial/classify_passes.hpp"
#include "gpu/spatial/flood.hpp"
#include "gpu/spatial/open_surface.hpp"

namespace slotscape::spatial {

/// Tells inside from outside: gives each voxel of both models its status relative to the other model, and the seed from
/// which the status came, if any. After Alcantara et al. 2009 (6), but more robust:
///
/// - Seeds are voxels next to the other surface whose signed distance from it is unambiguous.
/// - Voxels that are seeds or far from the other surface, and connected across faces, form a component. Union-find
///   finds the components without sweeping until nothing changes. The seeds of a component vote.
/// - Only a component whose seeds disagree is flooded from the nearest seeds, as in the paper.
/// - A component without seeds is classified by the winding number of the other surface (closed_surface.hpp). This
///   happens with disjoint or nested models, and with isolated voxels of sparse ones. The winding number also refutes
///   wrong seeds of sparse models if the seeds are few or disagree. Where it is inconclusive, voxels remain `unknown`.
/// - If the other surface is open, each voxel is classified separately (open_surface.hpp), and may remain `unknown`.
///
/// Ties are broken by keys, never by indices, which depend on thread scheduling: both backends give the same result.
/// The host never waits.
template <exec::Executor Exec>
class Classifier {
public:
  /// Reads keys, surfels, faces and status (`intersection` for voxels that both models occupy, `unknown` for the rest);
  /// writes `status`, `seeds` and, in device memory, the counts. At most 2^31 voxels in total. Throws Cancelled.
  template <TableFamily Family, class View>
  void run(Exec& exec, VoxelSets<Family, View> const& sets, SpatialSettings const& settings, ClassifyCounts* counts,
           Progress const& progress = {})
  {
    reserve(exec, sets.items(), sets.grid);
    if (std::exchange(is_unfinished_, true)) { clear_blocks(exec); }
    for (int m = 0; m < model_count; ++m) { clear_dipoles(exec, m, sets); }
    using Frame = ClassifyFrame<Family, View>;
    Frame const frame = this->frame(sets, settings, counts);
    std::uint64_t const items = sets.items();
    std::uint64_t const chunks = (items + classify::chunk_size - 1) / classify::chunk_size;
    exec.for_each(items, classify::MarkBlocks<Frame>{frame});
    exec.template for_each_tile<32>((items + classify::seeds_chunk - 1) / classify::seeds_chunk,
                                    classify::FindSeeds<Frame>{frame});
    using Join = classify::JoinVoxels<Frame>;
    exec.for_each(items * Join::faces_each, Join{frame});
    progress.require(0.1);
    exec.template for_each_tile<32>(chunks, classify::CountSeeds<Frame>{frame});
    exec.for_each(items, classify::FindUnsettled<Frame>{frame});
    build_dipoles(exec, frame);
    exec.for_each(items, classify::CheckSeeds<Frame>{frame});
    exec.template for_each_tile<32>(chunks, classify::ApplyVerdicts<Frame>{frame});
    exec.rounds(items * face_count, Flood<Frame>{frame});
    exec.for_each(items, classify::SettleSeedless<Frame>{frame});
    find_sides(exec, frame, progress.part(0.2, 1.0));
    exec.for_each(items, classify::Finish<Frame>{frame});
    is_unfinished_ = false;
  }

  /// The dipoles of a model in the last run, in device memory.
  DipoleTree const& dipoles(int model) const { return dipoles_[model].tree; }

private:
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  void reserve(Exec& exec, std::uint64_t items, VoxelGrid const& grid)
  {
    reserve_filled(exec, block_words_, BlockMap::word_count(grid) * model_count, 0);
    reserve_filled(exec, representatives_, BlockMap::block_count(grid) * model_count, no_item);
    exec::grow(exec, parents_, items);
    exec::grow(exec, roles_, items);
    exec::grow(exec, components_, items);
    exec::grow(exec, labels_, items);
    exec::grow(exec, disputed_, items);
    exec::grow(exec, queue_, items);
  }

  /// Allocates room for the dipoles of a model, and clears all blocks.
  template <class Sets>
  void clear_dipoles(Exec& exec, int m, Sets const& sets)
  {
    Dipoles& dipoles = dipoles_[m];
    dipoles.tree = DipoleTree::of(sets.grid);
    DipoleTree& tree = dipoles.tree;
    if (sets.open[m]) { exec::grow(exec, sides_, sets.items()); }
    exec::grow(exec, dipoles.sums, tree.blocks());
    exec::grow(exec, dipoles.first, tree.blocks());
    std::uint64_t const voxels = sets.of[m].voxels.capacity;
    exec::grow(exec, dipoles.patches, voxels);
    exec::grow(exec, dipoles.next, voxels);
    exec::grow(exec, dipoles.nodes, tree.first_of(tree.levels()));
    exec.fill(dipoles.sums.data(), tree.blocks(), DipoleTree::Sums{});
    exec.fill(dipoles.first.data(), tree.blocks(), no_voxel);
    exec.fill(dipoles.patches.data(), voxels, DipoleTree::Patch{no_voxel, no_voxel});
    if (tree.has_patches()) {
      exec::grow(exec, dipoles.patch_sums, voxels);
      exec::grow(exec, dipoles.patch_dipoles, voxels);
      exec.fill(dipoles.patch_sums.data(), voxels, DipoleTree::Sums{});
    }
    tree.sums = dipoles.sums.data();
    tree.first = dipoles.first.data();
    tree.patches = dipoles.patches.data();
    tree.patch_sums = dipoles.patch_sums.data();
    tree.patch_dipoles = dipoles.patch_dipoles.data();
    tree.next = dipoles.next.data();
    tree.nodes = dipoles.nodes.data();
  }

  /// Skips models whose winding numbers are not needed, which only the device knows.
  template <class Frame>
  void build_dipoles(Exec& exec, Frame const& frame)
  {
    std::uint64_t const items = frame.sets.items();
    exec.for_each(items, classify::AddSurfels<Frame>{frame});
    exec.for_each(items, classify::MakePatches<Frame>{frame});
    for (int m = 0; m < model_count; ++m) {
      DipoleTree const& tree = frame.dipoles[m];
      for (std::int32_t level = 0; level < tree.levels(); ++level) {
        exec.for_each(tree.nodes_of(level), classify::MakeDipoles<Frame>{frame, m, level});
      }
    }
  }

  template <class Frame>
  void find_sides(Exec& exec, Frame const& frame, Progress const& progress)
  {
    if (!frame.sets.open[0] && !frame.sets.open[1]) { return; }
    std::uint64_t const items = frame.sets.items();
    Frame in_order = frame;
    in_order.order = order_of(exec, frame);
    exec::for_each_reporting(exec, items, classify::FindSides<Frame>{in_order}, progress);
  }

  /// The order in which to process items; null if all items fit in a cache in any order.
  template <class Frame>
  std::uint32_t const* order_of(Exec& exec, Frame const& frame)
  {
    constexpr std::uint64_t few = std::uint64_t{1} << 16;
    std::uint64_t const items = frame.sets.items();
    if (items < few) { return nullptr; }
    exec::grow(exec, places_, items);
    exec::grow(exec, order_, items);
    exec.for_each(items, classify::PlaceItems<Frame>{frame, places_.data(), order_.data()});
    exec.sort_pairs(places_.data(), order_.data(), items);
    return order_.data();
  }

  /// Resets the blocks after a run that did not reach `Finish`.
  void clear_blocks(Exec& exec)
  {
    exec.fill(block_words_.data(), block_words_.size(), 0u);
    exec.fill(representatives_.data(), representatives_.size(), no_item);
  }

  /// Allocates room for `count` numbers. New numbers, and numbers left by earlier runs, all equal `number`.
  void reserve_filled(Exec& exec, Buffer<std::uint32_t>& numbers, std::uint64_t count, std::uint32_t number)
  {
    if (numbers.size() >= count) { return; }
    exec::grow(exec, numbers, count);
    exec.fill(numbers.data(), numbers.size(), number);
  }

  template <TableFamily Family, class View>
  ClassifyFrame<Family, View> frame(VoxelSets<Family, View> const& sets, SpatialSettings const& settings,
                                    ClassifyCounts* counts) const
  {
    std::uint32_t* const words = block_words_.data();
    return {.sets = sets,
            .blocks = {BlockMap::of(sets.grid, words),
                       BlockMap::of(sets.grid, words + BlockMap::word_count(sets.grid))},
            .representatives = {representatives_.data(), representatives_.data() + BlockMap::block_count(sets.grid)},
            .forest = Forest{parents_.data()},
            .roles = roles_.data(),
            .components = components_.data(),
            .labels = labels_.data(),
            .disputed = disputed_.data(),
            .queue = queue_.data(),
            .counts = counts,
            .dipoles = {dipoles_[0].tree, dipoles_[1].tree},
            .sides = sides_.data(),
            .order = nullptr,
            .inside_below = settings.inside_below,
            .outside_above = settings.outside_above,
            .max_restarts = settings.max_restarts};
  }

  /// The dipoles of one model.
  struct Dipoles {
    DipoleTree tree;
    Buffer<DipoleTree::Sums> sums;
    Buffer<std::uint32_t> first;
    Buffer<DipoleTree::Patch> patches;
    Buffer<DipoleTree::Sums> patch_sums;
    Buffer<Dipole> patch_dipoles;
    Buffer<std::uint32_t> next;
    Buffer<Dipole> nodes;
  };

  Dipoles dipoles_[model_count];
  bool is_unfinished_ = false;  ///< the last run was cancelled
  Buffer<VoxelStatus> sides_;
  Buffer<std::uint32_t> places_;
  Buffer<std::uint32_t> order_;
  Buffer<std::uint32_t> block_words_;
  Buffer<std::uint32_t> representatives_;
  Buffer<std::uint32_t> parents_;
  Buffer<VoxelRole> roles_;
  Buffer<Component> components_;
  Buffer<std::uint64_t> labels_;
  Buffer<std::uint32_t> disputed_;
  Buffer<std::uint32_t> queue_;
};

}  // namespace slotscape::spatial
