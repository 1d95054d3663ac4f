#pragma once

#include "gpu/engine/partition_passes.hpp"
#include "gpu/multivalue/segment_passes.hpp"

namespace slotscape::multivalue {

/// Pairs sorted by segment, in one or two passes with exact counts (partition.hpp). The buffers only grow.
template <exec::Executor Exec, PairFormat Format>
class PartitionedPairs {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Word = typename Format::Word;
  using Segments = segment_passes::Segments<Format>;
  using First = partition::ScatterBatch<Segments, Format, Operation::insert, false>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit PartitionedPairs(Exec& exec) : exec_(&exec), passes_(exec) {}

  /// The most shared memory that a block needs.
  static constexpr std::size_t block_bytes =
      std::max(sizeof(typename First::Shared), sizeof(typename partition::Count<Segments, Format>::Shared));

  /// The best number of segments for this number of pairs: as many as can be counted in shared memory, if that is
  /// enough.
  static std::uint32_t segments_for(std::uint64_t count, std::uint64_t pairs_per_segment)
  {
    std::uint64_t const shared = partition::Count<Segments, Format>::max_shared;
    std::uint64_t const wanted = (count + pairs_per_segment - 1) / pairs_per_segment;
    if (wanted <= shared) { return static_cast<std::uint32_t>(wanted); }
    std::uint64_t const more = pairs_per_segment + pairs_per_segment / 3;
    return static_cast<std::uint32_t>(std::max(shared, (count + more - 1) / more));
  }

  /// Leaves out pairs with reserved keys. At most `partition::max_segments` segments.
  void partition(Segments const& segments, Key const* keys, Value const* values, std::uint64_t count)
  {
    namespace part = slotscape::partition;
    part::Groups const groups = part::Groups::of(segments.segments);
    for (Buffer<Word>* words : {&first_, &second_}) { exec::grow(*exec_, *words, count); }
    passes_.reserve(groups);
    part::Plan const plan = passes_.plan(groups);
    Batch<Format> const batch{count,   nullptr, keys,  const_cast<Value*>(values),
                              nullptr, nullptr, false, OperationMask::inserts,
                              false};
    if (groups.segments <= part::Count<Segments, Format>::max_shared) {
      passes_.count(segments, batch, plan, tile, pairs_per_block);
    } else {
      exec_->fill(passes_.starts(), std::uint64_t{groups.segments} + 1, 0u);
      exec_->for_each(count, segment_passes::CountPairs<Format>{segments, keys, passes_.starts()});
      passes_.use_counts(plan, tile);
    }
    passes_.template scatter<Operation::insert, false>(segments, batch, Outcome::inserted, plan,
                                                       part::Passes<Exec>::counted_tiles(count, tile, groups),
                                                       part::Items<Word>{first_.data(), nullptr},
                                                       part::Items<Word>{second_.data(), nullptr}, passes_.rejected());
    one_pass_ = groups.one_pass();
  }

  /// The pairs of segment s are [starts()[s], starts()[s + 1]).
  std::uint32_t const* starts() const { return passes_.starts(); }
  PackedPairs<Format> pairs() const { return {one_pass_ ? first_.data() : second_.data()}; }
  /// Memory for the same number of words, which is in use only during a partition.
  Word* spare() const { return one_pass_ ? second_.data() : first_.data(); }
  std::uint64_t memory_bytes() const { return (first_.size() + second_.size()) * sizeof(Word); }

private:
  static constexpr std::uint32_t tile = First::OneTile::size;
  static constexpr std::uint64_t pairs_per_block = 8192;  ///< minimum number of pairs that a block counts

  Exec* exec_;
  Buffer<Word> first_;
  Buffer<Word> second_;
  bool one_pass_ = true;
  slotscape::partition::Passes<Exec> passes_;
};

}  // namespace slotscape::multivalue
