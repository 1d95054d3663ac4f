#pragma once

#include "gpu/tables/groups.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace slotscape {

/// Chooses who executes the operations of a batch, from the times of parts of large ones that ran at both levels. Each
/// kind of batch is measured by itself; again when batches have become four times as large, as small parts say little
/// of large batches, and again from time to time, so that the choice follows the table as it fills. Until then, and
/// where the difference is small, operations are executed together.
class LevelChoice {
public:
  static constexpr std::uint64_t min_part = 1u << 15;         ///< operations that are measured at once
  static constexpr std::uint64_t parts = 64;                  ///< of a large batch, of which four are measured
  static constexpr std::uint64_t min_learned = 4 * min_part;  ///< operations of a batch that is measured
  static constexpr std::uint32_t period = 64;                 ///< large batches from one measurement to the next
  static constexpr double gain = 1.05;                        ///< by which a thread each must be faster

  explicit LevelChoice(ExecutionLevel wanted) : wanted_(wanted) {}

  /// `thread` or `warp`.
  ExecutionLevel level(OperationMask kinds) const
  {
    if (wanted_ != ExecutionLevel::adaptive) { return wanted_; }
    return kinds_[index_of(kinds)].by_threads ? ExecutionLevel::thread : ExecutionLevel::warp;
  }

  /// How many operations to measure at once, at each level twice, before the rest of the batch; 0: none.
  std::uint64_t to_measure(OperationMask kinds, std::uint64_t count)
  {
    if (wanted_ != ExecutionLevel::adaptive || count < min_learned) { return 0; }
    Kind& kind = kinds_[index_of(kinds)];
    bool const known = kind.measured != 0 && count < 4 * kind.measured && ++kind.since < period;
    return known ? 0 : std::max(min_part, count / parts);
  }

  /// What an operation of such a batch took at each level, in seconds.
  void learn(OperationMask kinds, std::uint64_t count, double by_thread, double together)
  {
    kinds_[index_of(kinds)] = {by_thread * gain < together, count, 0};
  }

private:
  struct Kind {
    bool by_threads = false;
    std::uint64_t measured = 0;  ///< operations of the batch that was
    std::uint32_t since = 0;     ///< large batches since
  };

  static std::size_t index_of(OperationMask kinds) { return static_cast<std::size_t>(kinds); }

  ExecutionLevel wanted_;
  std::array<Kind, 8> kinds_{};  ///< by `OperationMask`
};

}  // namespace slotscape
