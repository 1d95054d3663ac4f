#pragma once

#include "gpu/execution/executor.hpp"
#include "gpu/spatial/classify_passes.hpp"
#include "gpu/spatial/flood.hpp"

namespace slotscape::spatial {

/// Tells inside from outside: gives each voxel of both models its status relative to the other model, and the seed that
/// the status came from, if any. After Alcantara et al. 2009 (6), but more robust:
///
/// - Seeds are voxels next to the other surface whose signed distance from it is unambiguous.
/// - Voxels that are seeds or far from the other surface, and connected across faces, form a component. Union-find
///   finds the components without sweeping until nothing changes. The seeds of a component vote.
/// - Only a component whose seeds disagree is flooded from the nearest seeds, as in the paper.
/// - A component without seeds casts rays along the axes (`Rays`). This happens with disjoint or nested models, and
/// with
///   isolated voxels of sparse ones.
///
/// Ties are broken by keys, never by indices, which depend on thread scheduling: both backends give the same result.
/// The host never waits.
template <exec::Executor Exec>
class Classifier {
public:
  /// Reads keys, surfels, faces and status (`intersection` for voxels that both models occupy, `unknown` for the rest);
  /// writes `status`, `seeds` and, in device memory, the counts. At most 2^31 voxels in all.
  template <TableFamily Family, class View>
  void run(Exec& exec, VoxelSets<Family, View> const& sets, SpatialSettings const& settings, ClassifyCounts* counts)
  {
    reserve(exec, sets.items(), sets.grid);
    using Frame = ClassifyFrame<Family, View>;
    Frame const frame = this->frame(sets, settings, counts);
    std::uint64_t const items = sets.items();
    std::uint64_t const chunks = (items + classify::chunk_size - 1) / classify::chunk_size;
    exec.for_each(items, classify::MarkBlocks<Frame>{frame});
    exec.template for_each_tile<32>((items + classify::seeds_chunk - 1) / classify::seeds_chunk,
                                    classify::FindSeeds<Frame>{frame});
    using Join = classify::JoinVoxels<Frame>;
    exec.for_each(items * Join::faces_each, Join{frame});
    exec.template for_each_tile<32>(chunks, classify::CountSeeds<Frame>{frame});
    exec.template for_each_tile<32>(chunks, classify::ApplyVerdicts<Frame>{frame});
    exec.rounds(items * face_count, Flood<Frame>{frame});
    exec.template for_each_tile<32>(chunks, classify::CastRays<Frame>{frame});
    exec.for_each(items, classify::Finish<Frame>{frame});
  }

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

  /// Makes room for so many numbers. New ones, and those that earlier runs have left, are all the same.
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
            .inside_below = settings.inside_below,
            .outside_above = settings.outside_above,
            .max_restarts = settings.max_restarts};
  }

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
