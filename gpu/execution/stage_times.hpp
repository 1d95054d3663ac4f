#pragma once

#include "gpu/execution/executor.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace slotscape::exec {

/// Measures the time of each of `count` stages of some work; a stage may occur several times.
template <Executor Exec, class Stage, int count>
class StageTimes {
public:
  explicit StageTimes(Exec& exec) : laps_(exec) {}

  void start()
  {
    stages_.clear();
    laps_.start();
  }
  /// Assigns the work submitted since the last call to this stage.
  void end(Stage stage)
  {
    laps_.lap();
    stages_.push_back(stage);
  }
  /// Indexed by `Stage`. Waits for the work to finish.
  std::array<double, count> seconds() const
  {
    std::array<double, count> sums{};
    std::vector<double> const laps = laps_.seconds();
    for (std::size_t i = 0; i < stages_.size(); ++i) { sums[static_cast<std::size_t>(stages_[i])] += laps[i]; }
    return sums;
  }

private:
  typename Exec::Laps laps_;
  std::vector<Stage> stages_;
};

}  // namespace slotscape::exec
