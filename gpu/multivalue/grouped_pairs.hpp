#pragma once

#include "gpu/execution/stage_times.hpp"
#include "gpu/multivalue/key_table.hpp"
#include "gpu/multivalue/ranges.hpp"

#include <optional>

namespace slotscape::multivalue {

/// Pairs by key, in device memory: the result of every construction. The arrays only grow.
template <exec::Executor Exec, PairFormat Format>
struct GroupedPairs {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  Buffer<typename Format::Key> keys;
  Buffer<std::uint32_t> offsets;  ///< one more than keys
  Buffer<typename Format::Value> values;
  std::uint64_t distinct = 0;
  std::uint64_t pairs = 0;

  GroupsView<Format> view() const { return {keys.data(), offsets.data(), values.data(), static_cast<Slot>(distinct)}; }
  /// Allocates arrays for `count` groups; their contents are lost.
  GroupArrays<Format> room(Exec& exec, std::uint64_t count)
  {
    exec::grow(exec, keys, count);
    exec::grow(exec, offsets, count + 1);
    return {keys.data(), offsets.data()};
  }
  void take(Sizes sizes)
  {
    distinct = sizes.distinct;
    pairs = sizes.pairs;
  }
  /// Sets the sizes, and writes the end of the last group.
  void close(Exec& exec, Sizes sizes)
  {
    take(sizes);
    exec.fill(offsets.data() + distinct, 1, static_cast<std::uint32_t>(pairs));
  }
  std::uint64_t memory_bytes() const
  {
    return keys.size() * sizeof(typename Format::Key) + offsets.size() * sizeof(std::uint32_t) +
           values.size() * sizeof(typename Format::Value);
  }
};

/// Measures the times of a build's stages.
template <exec::Executor Exec>
using StageTimes = exec::StageTimes<Exec, Stage, stage_count>;

}  // namespace slotscape::multivalue
