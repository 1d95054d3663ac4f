#pragma once

#include "gpu/spatial/engine.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace slotscape {

/// How long the stages of the latest updates took.
class StageTimes {
public:
  using Seconds = std::array<double, spatial::stage_count>;  ///< by Stage

  static constexpr std::size_t frames_kept = 240;

  void add(Seconds const& seconds);
  void clear() { frames_.clear(); }
  /// The oldest first.
  std::vector<Seconds> const& frames() const { return frames_; }
  /// Of each stage, the median of the frames kept; zeros where there are none.
  Seconds medians() const;

private:
  std::vector<Seconds> frames_;
};

double total_of(StageTimes::Seconds const& seconds);

}  // namespace slotscape
