#pragma once

#include "gpu/tables/groups.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace slotscape {

/// Chooses the level at which the operations of a batch run, from the times of parts of large batches that ran at both
/// levels. Each kind of batch is measured separately; again when batches have become four times as large, since small
/// parts say little about large batches; and again from time to time, so that the choice follows the table as it fills.
/// Before the first measurement, and if the difference is small, the lanes of a warp execute operations together.
class LevelChoice {
public:
  static constexpr std::uint64_t min_part = 1u << 15;         ///< minimum operations per measurement
  static constexpr std::uint64_t parts = 64;                  ///< in a large batch; four of them are measured
  static constexpr std::uint64_t min_learned = 4 * min_part;  ///< minimum operations of a batch to measure
  static constexpr std::uint32_t period = 64;                 ///< large batches between two measurements
  static constexpr double gain = 1.05;                        ///< minimum speed-up to choose a thread per operation

  explicit LevelChoice(ExecutionLevel wanted) : wanted_(wanted) {}

  /// Returns `thread` or `warp`.
  ExecutionLevel level(OperationMask kinds) const
  {
    if (wanted_ != ExecutionLevel::adaptive) { return wanted_; }
    return kinds_[index_of(kinds)].by_threads ? ExecutionLevel::thread : ExecutionLevel::warp;
  }

  /// How many operations to measure at once, twice at each level, before the rest of the batch; 0: none.
  std::uint64_t to_measure(OperationMask kinds, std::uint64_t count)
  {
    if (wanted_ != ExecutionLevel::adaptive || count < min_learned) { return 0; }
    Kind& kind = kinds_[index_of(kinds)];
    bool const known = kind.measured != 0 && count < 4 * kind.measured && ++kind.since < period;
    return known ? 0 : std::max(min_part, count / parts);
  }

  /// Notes the seconds per operation, at each level, of a batch with these kinds.
  void learn(OperationMask kinds, std::uint64_t count, double by_thread, double together)
  {
    kinds_[index_of(kinds)] = {by_thread * gain < together, count, 0};
  }

private:
  struct Kind {
    bool by_threads = false;
    std::uint64_t measured = 0;  ///< operations of the batch last measured
    std::uint32_t since = 0;     ///< large batches since then
  };

  static std::size_t index_of(OperationMask kinds) { return static_cast<std::size_t>(kinds); }

  ExecutionLevel wanted_;
  std::array<Kind, 8> kinds_{};  ///< by `OperationMask`
};

}  // namespace slotscape
