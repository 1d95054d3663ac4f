#pragma once

#include "gpu/tables/groups.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace slotscape {

/// Chooses who executes the operations of a batch by how long earlier batches took. Each kind of batch is measured by
/// itself: at first, large ones run at both levels in turn, twice, and later ones at the faster level. From time to
/// time one runs at the other level, so that the choice follows the table as it fills.
class LevelChoice {
public:
  static constexpr std::uint64_t min_learned = 1u << 14;  ///< operations: of smaller batches, the start decides
  static constexpr std::uint32_t tries = 2;               ///< at each level, of which the faster counts
  static constexpr std::uint32_t period = 64;  ///< large batches from one look at the other level to the next

  explicit LevelChoice(ExecutionLevel wanted) : wanted_(wanted) {}

  /// `thread` or `warp`.
  ExecutionLevel level(OperationMask kinds, std::uint64_t count) const
  {
    if (wanted_ != ExecutionLevel::adaptive) { return wanted_; }
    Kind const& kind = kinds_[index_of(kinds)];
    Times const& thread = kind.times[0];
    Times const& warp = kind.times[1];
    if (count < min_learned) { return faster(kind); }
    if (warp.measured < tries || thread.measured < tries) {
      return thread.measured < warp.measured ? ExecutionLevel::thread : ExecutionLevel::warp;
    }
    return kind.since_both + 1 < period ? faster(kind) : other(faster(kind));
  }

  /// What a batch at that level took.
  void note(OperationMask kinds, std::uint64_t count, ExecutionLevel level, double seconds)
  {
    if (wanted_ != ExecutionLevel::adaptive || count < min_learned) { return; }
    Kind& kind = kinds_[index_of(kinds)];
    bool const settled = kind.times[0].measured >= tries && kind.times[1].measured >= tries;
    bool const looks_again = settled && level != faster(kind);
    double const each = seconds / static_cast<double>(count);
    Times& times = kind.times[level == ExecutionLevel::thread ? 0 : 1];
    // A first batch may have to wait for memory to be mapped. Later ones replace what is known.
    times.each = times.measured == 0 || settled ? each : std::min(times.each, each);
    ++times.measured;
    kind.since_both = looks_again || !settled ? 0 : kind.since_both + 1;
  }

private:
  struct Times {
    double each = 0.0;  ///< seconds of an operation
    std::uint32_t measured = 0;
  };
  struct Kind {
    std::array<Times, 2> times;    ///< by a thread each, together
    std::uint32_t since_both = 0;  ///< large batches since both levels were known
  };

  static std::size_t index_of(OperationMask kinds) { return static_cast<std::size_t>(kinds); }
  static ExecutionLevel faster(Kind const& kind)
  {
    bool const both = kind.times[0].measured != 0 && kind.times[1].measured != 0;
    return both && kind.times[0].each < kind.times[1].each ? ExecutionLevel::thread : ExecutionLevel::warp;
  }
  static ExecutionLevel other(ExecutionLevel level)
  {
    return level == ExecutionLevel::thread ? ExecutionLevel::warp : ExecutionLevel::thread;
  }

  ExecutionLevel wanted_;
  std::array<Kind, 8> kinds_{};  ///< by `OperationMask`
};

}  // namespace slotscape
