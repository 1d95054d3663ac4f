#pragma once

#include "gpu/engine/partition.hpp"
#include "gpu/execution/executor.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace slotscape::partition {

/// Bytes of shared memory that a block needs to deal batches (`Passes::deal`).
template <class Layout, PairFormat Format>
constexpr std::size_t bytes_to_deal()
{
  return std::max({sizeof(typename ScatterBatch<Layout, Format, Operation::insert, true>::Shared),
                   sizeof(typename ScatterBatch<Layout, Format, Operation::find, true>::Shared),
                   sizeof(typename Count<Layout, Format>::Shared)});
}

/// What the passes report if the caller keeps no counters of its own.
struct Flags {
  std::uint64_t rejected;    ///< pairs with reserved keys, which are left out
  std::uint32_t overflowed;  ///< whether a room was too small
};

/// Runs the passes of a partition (partition.hpp) and owns their auxiliary arrays, which only grow. The caller owns the
/// buffers of the items.
template <exec::Executor Exec>
class Passes {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit Passes(Exec& exec) : exec_(&exec) {}

  /// Allocates the auxiliary arrays. Throws Error if there is not enough memory.
  void reserve(Groups const& groups)
  {
    for (Buffer<std::uint32_t>* numbers : {&starts_, &cursors_}) {
      exec::grow(*exec_, *numbers, std::uint64_t{groups.segments} + 1);
    }
    for (Buffer<std::uint32_t>* numbers : {&group_starts_, &group_cursors_, &tiles_}) {
      exec::grow(*exec_, *numbers, max_bins + 1);
    }
    exec::grow(*exec_, flags_, 1);
  }

  /// Call after `reserve`. `overflowed` must be 0 and is raised if a room is too small.
  Plan plan(Groups const& groups, std::uint32_t* overflowed)
  {
    return {groups,
            Bins{group_cursors_.data(), group_starts_.data(), overflowed},
            Bins{cursors_.data(), starts_.data(), overflowed},
            group_starts_.data(),
            starts_.data(),
            tiles_.data()};
  }
  /// The same plan with flags owned by this object, which are cleared.
  Plan plan(Groups const& groups)
  {
    exec_->fill(flags_.data(), 1, Flags{});
    return plan(groups, &flags_.data()->overflowed);
  }
  std::uint64_t* rejected() { return &flags_.data()->rejected; }
  /// Waits for the passes.
  Flags flags() const
  {
    Flags flags{};
    exec_->download(std::span(&flags, 1), static_cast<Flags const*>(flags_.data()));
    return flags;
  }

  /// Counts each segment's share of a batch, in blocks of at least `tile` operations, and completes the plan.
  template <class Layout, PairFormat Format>
  void count(Layout const& layout, Batch<Format> const& batch, Plan const& plan, std::uint32_t tile,
             std::uint64_t operations_per_block = 65536)
  {
    exec_->fill(starts_.data(), std::uint64_t{plan.groups.segments} + 1, std::uint32_t{0});
    count_into(starts_.data(), layout, batch, operations_per_block);
    use_counts(plan, tile);
  }
  /// Adds each segment's share of a batch to `counts`, in blocks of at least `tile` operations.
  template <class Layout, PairFormat Format>
  void count_into(std::uint32_t* counts, Layout const& layout, Batch<Format> const& batch,
                  std::uint64_t operations_per_block = 65536)
  {
    constexpr std::uint64_t max_blocks = 264;  // two for each multiprocessor of an H200
    std::uint64_t const blocks = std::clamp<std::uint64_t>(batch.count / operations_per_block, 1, max_blocks);
    std::uint64_t const per_block = (batch.count + blocks - 1) / blocks;
    exec_->template for_each_block<threads>(blocks, Count<Layout, Format>{layout, batch, per_block, counts});
  }
  /// Completes the plan from the counts in `starts`.
  void use_counts(Plan const& plan, std::uint32_t tile)
  {
    std::uint64_t const segments = plan.groups.segments;
    exec_->prefix_sums(starts_.data(), segments + 1);
    exec_->copy(cursors_.data(), static_cast<std::uint32_t const*>(starts_.data()), segments);
    if (plan.groups.one_pass()) { return; }
    exec_->for_each(plan.groups.count() + 1, PlanGroups{plan, tile});
    exec_->prefix_sums(tiles_.data(), plan.groups.count() + 1);
  }

  /// Upper bound of the number of tiles in the second pass, after `count`.
  static std::uint64_t counted_tiles(std::uint64_t operations, std::uint32_t tile, Groups const& groups)
  {
    return (operations + tile - 1) / tile + groups.count();
  }

  /// Scatters the batch into `first` and, if two passes are needed, on into `second`. `group_tiles`: upper bound of the
  /// number of tiles of all groups. Returns the buffer that holds the items by segment at the end.
  template <Operation operation, bool numbered, class Layout, PairFormat Format, class Fold = NoFolding>
  Items<Item<Format, operation>> scatter(Layout const& layout, Batch<Format> const& batch, Outcome expected,
                                         Plan const& plan, std::uint64_t group_tiles,
                                         Items<Item<Format, operation>> first, Items<Item<Format, operation>> second,
                                         std::uint64_t* rejected, Fold const& fold = {})
  {
    using First = ScatterBatch<Layout, Format, operation, numbered, Fold>;
    using Second = ScatterGroups<Layout, Format, operation, numbered, Fold>;
    constexpr std::uint32_t tile = First::OneTile::size;
    bool const one_pass = plan.groups.one_pass();
    exec_->template for_each_block<threads>((batch.count + tile - 1) / tile,
                                            First{layout, batch, expected, plan.groups,
                                                  one_pass ? plan.of_segments : plan.of_groups, first, rejected, fold});
    if (one_pass) { return first; }
    exec_->template for_each_block<threads>(group_tiles, Second{layout, plan.groups, plan.of_groups, plan.tiles,
                                                                plan.of_segments, first, second, fold});
    return second;
  }

  /// Scatters a batch into at most `max_bins` segments in one pass. `starts`: where each segment's share begins, from
  /// complete counts, and the end of the last share. Operations with reserved keys are left out. To: `Items` or
  /// `PairsApart`.
  template <Operation operation, bool numbered, class Layout, PairFormat Format, class To>
  void deal(Layout const& layout, Batch<Format> batch, std::span<std::uint32_t const> starts, To const& to)
  {
    using Pass = ScatterBatch<Layout, Format, operation, numbered, NoFolding, To>;
    constexpr std::uint32_t tile = Pass::OneTile::size;
    Groups const groups = Groups::of(layout.segments);
    reserve(groups);
    Plan const plan = this->plan(groups);
    exec_->upload(starts_.data(), starts);
    exec_->upload(cursors_.data(), starts.first(layout.segments));
    batch.keeps_outcomes = false;  // outcomes are unknown until the operations run
    exec_->template for_each_block<threads>((batch.count + tile - 1) / tile, Pass{layout, batch, Outcome::full, groups,
                                                                                  plan.of_segments, to, rejected()});
  }

  std::uint32_t* starts() { return starts_.data(); }  ///< start of each segment's share, and the end of the last
  std::uint32_t const* starts() const { return starts_.data(); }
  std::uint32_t* cursors() { return cursors_.data(); }  ///< after the passes, the end of each segment's share

private:
  Exec* exec_;
  Buffer<std::uint32_t> starts_;
  Buffer<std::uint32_t> cursors_;
  Buffer<std::uint32_t> group_starts_;
  Buffer<std::uint32_t> group_cursors_;
  Buffer<std::uint32_t> tiles_;  ///< number of tiles before each group
  Buffer<Flags> flags_;
};

}  // namespace slotscape::partition
