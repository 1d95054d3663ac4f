#pragma once

#include "gpu/engine/partition.hpp"
#include "gpu/multivalue/segment_passes.hpp"

namespace slotscape::multivalue {

/// What the passes report; nobody asks, as the rooms are counted, and any value is welcome.
struct PartitionFlags {
  std::uint64_t rejected;
  std::uint32_t overflowed;
};

/// Pairs by segment, in one or two passes with exact counts (partition.hpp). The buffers only grow.
template <exec::Executor Exec, PairFormat Format>
class PartitionedPairs {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Word = typename Format::Word;
  using Segments = segment_passes::Segments<Format>;
  using First = partition::ScatterBatch<Segments, Format, Operation::insert, false>;
  using Second = partition::ScatterGroups<Segments, Format, Operation::insert, false>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit PartitionedPairs(Exec& exec) : exec_(&exec), flags_(exec, 1)
  {
    exec_->fill(flags_.data(), 1, PartitionFlags{});
  }

  /// What a block needs at most.
  static constexpr std::size_t block_bytes =
      std::max(sizeof(typename First::Shared), sizeof(typename partition::Count<Segments, Format>::Shared));

  /// How many segments so many pairs are best dealt to: as many as are counted in shared memory, if that will do.
  static std::uint32_t segments_for(std::uint64_t count, std::uint64_t pairs_per_segment)
  {
    std::uint64_t const shared = partition::Count<Segments, Format>::most_shared;
    std::uint64_t const wanted = (count + pairs_per_segment - 1) / pairs_per_segment;
    if (wanted <= shared) { return static_cast<std::uint32_t>(wanted); }
    std::uint64_t const more = pairs_per_segment + pairs_per_segment / 3;
    return static_cast<std::uint32_t>(std::max(shared, (count + more - 1) / more));
  }

  /// Leaves out pairs with reserved keys. At most `partition::most_segments` segments.
  void partition(Segments const& segments, Key const* keys, Value const* values, std::uint64_t count)
  {
    using namespace slotscape::partition;
    Groups const groups = Groups::of(segments.segments);
    reserve(groups, count);
    Bins const of_segments{cursors_.data(), starts_.data(), &flags_.data()->overflowed};
    Bins const of_groups{group_cursors_.data(), group_starts_.data(), &flags_.data()->overflowed};
    Plan const plan{groups, of_groups, of_segments, group_starts_.data(), starts_.data(), tiles_.data()};
    Batch<Format> batch{count,   nullptr, keys,  const_cast<Value*>(values),
                        nullptr, nullptr, false, OperationMask::inserts,
                        false};
    count_pairs(segments, batch, plan);
    std::uint64_t const tiles = (count + tile - 1) / tile;
    one_pass_ = groups.one_pass();
    exec_->template for_each_block<threads>(tiles,
                                            First{segments, batch, Outcome::inserted, groups,
                                                  one_pass_ ? of_segments : of_groups,
                                                  Items<Word>{first_.data(), nullptr}, &flags_.data()->rejected});
    if (one_pass_) { return; }
    exec_->template for_each_block<threads>(tiles + groups.count(),
                                            Second{segments, groups, of_groups, tiles_.data(), of_segments,
                                                   Items<Word>{first_.data(), nullptr},
                                                   Items<Word>{second_.data(), nullptr}});
  }

  /// The pairs of segment s are [starts()[s], starts()[s + 1]).
  std::uint32_t const* starts() const { return starts_.data(); }
  PackedPairs<Format> pairs() const { return {one_pass_ ? first_.data() : second_.data()}; }
  /// Memory for as many words, in use only during a partition.
  Word* spare() const { return one_pass_ ? second_.data() : first_.data(); }
  std::uint64_t memory_bytes() const { return (first_.size() + second_.size()) * sizeof(Word); }

private:
  static constexpr std::uint32_t tile = First::OneTile::size;
  static constexpr std::uint64_t pairs_per_block = 8192;  ///< that counts, and at most so many blocks: two for each of
  static constexpr std::uint64_t most_blocks = 264;       ///< an H200's multiprocessors

  void reserve(partition::Groups const& groups, std::uint64_t count)
  {
    for (Buffer<Word>* words : {&first_, &second_}) { exec::grow(*exec_, *words, count); }
    for (Buffer<std::uint32_t>* numbers : {&starts_, &cursors_}) {
      exec::grow(*exec_, *numbers, std::uint64_t{groups.segments} + 1);
    }
    for (Buffer<std::uint32_t>* numbers : {&group_starts_, &group_cursors_, &tiles_}) {
      exec::grow(*exec_, *numbers, partition::most_bins + 1);
    }
  }

  void count_pairs(Segments const& segments, Batch<Format> const& batch, partition::Plan const& plan)
  {
    using Count = slotscape::partition::Count<Segments, Format>;
    std::uint64_t const count = plan.groups.segments;
    exec_->fill(starts_.data(), count + 1, 0u);
    if (count <= Count::most_shared) {
      std::uint64_t const blocks = std::clamp<std::uint64_t>(batch.count / pairs_per_block, 1, most_blocks);
      std::uint64_t const per_block = (batch.count + blocks - 1) / blocks;
      exec_->template for_each_block<slotscape::partition::threads>(blocks,
                                                                    Count{segments, batch, per_block, starts_.data()});
    } else {
      exec_->for_each(batch.count, segment_passes::CountPairs<Format>{segments, batch.keys, starts_.data()});
    }
    exec_->prefix_sums(starts_.data(), count + 1);
    exec_->copy(cursors_.data(), static_cast<std::uint32_t const*>(starts_.data()), count);
    if (plan.groups.one_pass()) { return; }
    exec_->for_each(plan.groups.count() + 1, slotscape::partition::PlanGroups{plan, tile});
    exec_->prefix_sums(tiles_.data(), plan.groups.count() + 1);
  }

  Exec* exec_;
  Buffer<PartitionFlags> flags_;
  Buffer<Word> first_;
  Buffer<Word> second_;
  bool one_pass_ = true;
  Buffer<std::uint32_t> starts_;
  Buffer<std::uint32_t> cursors_;
  Buffer<std::uint32_t> group_starts_;
  Buffer<std::uint32_t> group_cursors_;
  Buffer<std::uint32_t> tiles_;
};

}  // namespace slotscape::multivalue
