#pragma once

#include "gpu/multivalue/chunk_grouping.hpp"
#include "gpu/multivalue/partitioned_pairs.hpp"

namespace slotscape::multivalue {

/// Groups many pairs: partitions them by the hash of their keys, so that a block can count, number and move the pairs
/// of a segment in shared memory. Each segment's keys then form one part of a linear probing table. Segments that
/// contain a key with very many values, or too many keys, are left to `ChunkGrouping`, in which many blocks share them.
///
/// The counts, their prefix sums and the scatter are those of HashGraph (Green 2019), in segments instead of buckets;
/// values of different keys that share a bucket are not mixed.
template <exec::Executor Exec, PairFormat Format>
class SegmentGrouping {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Group = segment_passes::Group<Format>;
  using Counts = segment_passes::Counts;
  using Share = segment_passes::Share;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  using Chunks = ChunkGrouping<LinearProbing, Exec, Format>;
  using Keys = typename Chunks::Keys;

  explicit SegmentGrouping(Exec& exec) : exec_(&exec), partitioned_(exec), counts_(exec, 1) {}

  /// Whether this device's blocks have enough shared memory.
  static bool suits(Exec& exec)
  {
    return std::max({sizeof(typename Group::Shared), sizeof(typename Fill::Shared),
                     PartitionedPairs<Exec, Format>::block_bytes}) <= exec.block_memory();
  }

  /// Writes the groups to `to`, which must have room for the values, and their keys to `table`.
  void group(Key const* keys, Value const* values, std::uint64_t count, double load_factor, std::optional<Keys>& table,
             GroupedPairs<Exec, Format>& to, Chunks& chunks, StageTimes<Exec>& times)
  {
    segments_ = {PartitionedPairs<Exec, Format>::segments_for(count, Group::pairs_per_segment)};
    partitioned_.partition(segments_, keys, values, count);
    capacity_ = count;
    times.end(Stage::partition);
    Counts const counts = group_segments(to.values.data());
    Sizes sizes{counts.sizes & 0xffffffffu, counts.sizes >> 32};
    grouped_in_segments_ = sizes.distinct;
    if (counts.left != 0) {
      sizes = chunks.group(
          partitioned_.pairs(), left_ranges(counts.left), load_factor, sizes, [&](std::uint64_t) { return arrays(); },
          to.values.data());
    }
    GroupArrays<Format> const room = to.room(*exec_, sizes.distinct);
    exec_->for_each(sizes.distinct + 1, segment_passes::CopyGroups<Format>{arrays(), room, sizes});
    to.take(sizes);
    times.end(Stage::group);
    fill(table, to, load_factor);
    times.end(Stage::index);
  }

  std::uint64_t memory_bytes() const
  {
    return partitioned_.memory_bytes() + 4 * (left_.size() + listed_.size()) + shares_.size() * sizeof(Share);
  }

private:
  using Fill = segment_passes::Fill<Format, typename Keys::View>;

  /// Temporary room for the groups: a pair is at least as large as a key and an offset.
  GroupArrays<Format> arrays() const
  {
    auto* const keys = reinterpret_cast<Key*>(partitioned_.spare());
    return {keys, reinterpret_cast<std::uint32_t*>(keys + capacity_)};
  }

  Counts group_segments(Value* values)
  {
    std::uint64_t const segments = segments_.segments;
    exec::grow(*exec_, shares_, segments);
    exec::grow(*exec_, left_, segments);
    exec_->fill(counts_.data(), 1, Counts{});
    exec_->template for_each_block<Group::threads>(segments,
                                                   Group{partitioned_.pairs(), partitioned_.starts(), shares_.data(),
                                                         left_.data(), counts_.data(), arrays(), values});
    Counts counts{};
    exec_->download(std::span(&counts, 1), static_cast<Counts const*>(counts_.data()));
    return counts;
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> left_ranges(std::uint32_t count)
  {
    std::vector<std::uint32_t> left(count);
    std::vector<std::uint32_t> starts(std::size_t{segments_.segments} + 1);
    exec_->download(std::span(left), static_cast<std::uint32_t const*>(left_.data()));
    exec_->download(std::span(starts), partitioned_.starts());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
    ranges.reserve(left.size());
    for (std::uint32_t const segment : left) { ranges.emplace_back(starts[segment], starts[segment + 1]); }
    return ranges;
  }

  /// Small numbers of keys are better inserted one by one.
  void fill(std::optional<Keys>& table, GroupedPairs<Exec, Format> const& groups, double load_factor)
  {
    fit(*exec_, table, groups.distinct, load_factor);
    std::uint64_t const segments = segments_.segments;
    exec::grow(*exec_, listed_, groups.distinct);
    segment_passes::Listed const listed{listed_.data(), &counts_.data()->listed};
    std::uint32_t first = 0;
    if (groups.distinct >= segments * min_keys) {
      std::uint32_t const parts = Fill::parts_of(table->slots(), segments_.segments);
      exec_->template for_each_block<Fill::threads>(segments * parts, Fill{segments_, parts, shares_.data(),
                                                                           groups.keys.data(), table->view(), listed});
      first = static_cast<std::uint32_t>(grouped_in_segments_);
    } else {
      exec_->fill(table->slot_words(), table->slots(), Format::empty_word);
    }
    using Insert = segment_passes::InsertGroups<LinearProbing, typename Keys::View>;
    exec_->for_each(Insert::threads, Insert{table->view(), groups.keys.data(), listed, first,
                                            static_cast<std::uint32_t>(groups.distinct)});
  }

  static constexpr std::uint64_t min_keys = 512;  ///< average per segment from which a block fills its part

  Exec* exec_;
  segment_passes::Segments<Format> segments_{1};
  PartitionedPairs<Exec, Format> partitioned_;
  std::uint64_t capacity_ = 0;
  std::uint64_t grouped_in_segments_ = 0;
  Buffer<Share> shares_;
  Buffer<std::uint32_t> left_;
  Buffer<Counts> counts_;
  Buffer<std::uint32_t> listed_;
};

}  // namespace slotscape::multivalue
