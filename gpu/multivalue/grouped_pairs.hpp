#pragma once

#include "gpu/multivalue/key_table.hpp"
#include "gpu/multivalue/ranges.hpp"

#include <optional>
#include <vector>

namespace slotscape::multivalue {

/// Pairs by key, in device memory: what every construction makes. The arrays only grow.
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
  /// Arrays for so many groups; what they held is lost.
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
  /// The same, and ends the last group.
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

/// Times the stages of a build.
template <exec::Executor Exec>
class StageTimes {
public:
  explicit StageTimes(Exec& exec) : laps_(exec) {}

  void start()
  {
    stages_.clear();
    laps_.start();
  }
  /// What was submitted since the last call belongs to this stage.
  void end(Stage stage)
  {
    laps_.lap();
    stages_.push_back(stage);
  }
  std::array<double, stage_count> seconds() const
  {
    std::array<double, stage_count> sums{};
    std::vector<double> const laps = laps_.seconds();
    for (std::size_t i = 0; i < stages_.size(); ++i) { sums[static_cast<std::size_t>(stages_[i])] += laps[i]; }
    return sums;
  }

private:
  typename Exec::Laps laps_;
  std::vector<Stage> stages_;
};

}  // namespace slotscape::multivalue
