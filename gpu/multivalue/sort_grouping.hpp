#pragma once

#include "gpu/multivalue/grouped_pairs.hpp"

namespace slotscape::multivalue {

/// The parallel loops that find groups among sorted pairs.
namespace sort_passes {

/// 1 for the first pair of each key. Reserved keys come last, and have no groups.
template <PairFormat Format>
struct MarkFirst {
  typename Format::Key const* keys;
  std::uint32_t* marks;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    marks[i] = !Format::is_reserved(keys[i]) && (i == 0 || keys[i] != keys[i - 1]) ? 1 : 0;
  }
};

template <PairFormat Format>
struct WriteGroups {
  typename Format::Key const* keys;
  std::uint32_t const* groups_before;
  std::uint64_t count;
  GroupArrays<Format> to;
  std::uint32_t* accepted;  ///< pairs

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (Format::is_reserved(keys[i])) { return; }
    if (i == 0 || keys[i] != keys[i - 1]) {
      to.keys[groups_before[i]] = keys[i];
      to.offsets[groups_before[i]] = static_cast<std::uint32_t>(i);
    }
    if (i + 1 == count || Format::is_reserved(keys[i + 1])) { *accepted = static_cast<std::uint32_t>(i + 1); }
  }
};

}  // namespace sort_passes

/// Groups pairs by sorting them: the values of a key keep their order, and so do the keys.
template <exec::Executor Exec, PairFormat Format>
class SortGrouping {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit SortGrouping(Exec& exec) : exec_(&exec), accepted_(exec, 1) {}

  void group(Key const* keys, Value const* values, std::uint64_t count, GroupedPairs<Exec, Format>& to,
             StageTimes<Exec>& times)
  {
    exec::grow(*exec_, keys_, count);
    exec::grow(*exec_, groups_before_, count);
    exec_->copy(keys_.data(), keys, count);
    exec_->copy(to.values.data(), values, count);
    exec_->sort_pairs(keys_.data(), to.values.data(), count);
    times.end(Stage::partition);
    exec_->fill(accepted_.data(), 1, 0u);
    exec_->for_each(count, sort_passes::MarkFirst<Format>{keys_.data(), groups_before_.data()});
    std::uint64_t const distinct = exec_->exclusive_scan(groups_before_.data(), count);
    exec_->for_each(count, sort_passes::WriteGroups<Format>{keys_.data(), groups_before_.data(), count,
                                                            to.room(*exec_, distinct), accepted_.data()});
    std::uint32_t accepted = 0;
    exec_->download(std::span(&accepted, 1), static_cast<std::uint32_t const*>(accepted_.data()));
    to.close(*exec_, {distinct, accepted});
    times.end(Stage::group);
  }

  std::uint64_t memory_bytes() const { return keys_.size() * sizeof(Key) + groups_before_.size() * 4; }

private:
  Exec* exec_;
  Buffer<Key> keys_;
  Buffer<std::uint32_t> groups_before_;
  Buffer<std::uint32_t> accepted_;
};

}  // namespace slotscape::multivalue
