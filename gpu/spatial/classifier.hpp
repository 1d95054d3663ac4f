#pragma once

#include "gpu/execution/executor.hpp"
#include "gpu/spatial/classify_passes.hpp"
#include "gpu/spatial/flood.hpp"

namespace slotscape::spatial {

/// Separates inside from outside: gives each voxel of both models its status with regard to the other one, and the seed
/// that it came from, where it came from one. After Alcantara et al. 2009 (6), and more robust:
///
/// - seeds are voxels next to the other surface whose signed distance from it is unambiguous;
/// - what is connected across faces by voxels that are seeds or far from the other surface is one component, found
///   without sweeping until nothing changes; its seeds vote;
/// - only a component whose seeds disagree is flooded from the nearest seeds, as in the paper;
/// - one without seeds asks along the axes (`Rays`), as disjoint and nested models do, and single voxels of sparse
/// ones.
///
/// The same on both backends, by keys, and not by indices, which depend on how threads run. The host never waits.
template <exec::Executor Exec>
class Classifier {
public:
  explicit Classifier(Exec& exec) : counts_(exec, 1) {}

  /// Needs keys, surfels, faces, and the status: `intersection` where the voxel is the other model's, too, otherwise
  /// `unknown`. Leaves `status` and `seeds`. At most 2^31 voxels in all.
  template <TableFamily Family, class View>
  void run(Exec& exec, Sides<Family, View> const& sides, SpatialSettings const& settings)
  {
    reserve(exec, sides.items(), sides.grid);
    using Frame = ClassifyFrame<Family, View>;
    Frame const frame = this->frame(sides, settings);
    std::uint64_t const items = sides.items();
    std::uint64_t const chunks = (items + classify::chunk_size - 1) / classify::chunk_size;
    exec.for_each(BlockMap::block_count(sides.grid), classify::Clear<Frame>{frame});
    exec.for_each(items, classify::MarkBlocks<Frame>{frame});
    exec.for_each(items, classify::FindSeeds<Frame>{frame});
    exec.for_each(items, classify::JoinVoxels<Frame>{frame});
    exec.template for_each_tile<32>(chunks, classify::CountSeeds<Frame>{frame});
    exec.template for_each_tile<32>(chunks, classify::SortOut<Frame>{frame});
    exec.rounds(items, Flood<Frame>{frame});
    exec.template for_each_tile<32>(chunks, classify::CastRays<Frame>{frame});
    exec.for_each(items, classify::Finish<Frame>{frame});
  }

  /// The result of the last run, in memory of the device.
  ClassifyCounts const* counts() const { return counts_.data(); }

private:
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  void reserve(Exec& exec, std::uint64_t items, VoxelGrid const& grid)
  {
    exec::grow(exec, block_words_, BlockMap::word_count(grid) * model_count);
    exec::grow(exec, representatives_, BlockMap::block_count(grid) * model_count);
    exec::grow(exec, parents_, items);
    exec::grow(exec, roles_, items);
    exec::grow(exec, components_, items);
    exec::grow(exec, labels_, items);
    exec::grow(exec, disputed_, items);
    exec::grow(exec, queue_, items);
  }

  template <TableFamily Family, class View>
  ClassifyFrame<Family, View> frame(Sides<Family, View> const& sides, SpatialSettings const& settings) const
  {
    std::uint32_t* const words = block_words_.data();
    return {.sides = sides,
            .blocks = {BlockMap::of(sides.grid, words),
                       BlockMap::of(sides.grid, words + BlockMap::word_count(sides.grid))},
            .representatives = {representatives_.data(), representatives_.data() + BlockMap::block_count(sides.grid)},
            .forest = Forest{parents_.data()},
            .roles = roles_.data(),
            .components = components_.data(),
            .labels = labels_.data(),
            .disputed = disputed_.data(),
            .queue = queue_.data(),
            .counts = counts_.data(),
            .inside_below = settings.inside_below,
            .outside_above = settings.outside_above,
            .max_restarts = settings.max_restarts};
  }

  Buffer<ClassifyCounts> counts_;
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
