#pragma once

#include "gpu/analysis/statistics.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// A watched table's development over time, sampled more sparsely as time goes on, with the marks set by its program.
class WatchHistory {
public:
  static constexpr std::size_t max_samples = 4096;
  static constexpr std::size_t max_marks = 256;

  struct Sample {
    double time;  ///< seconds since the start
    double load_factor;
    double effective_load;
    std::uint64_t tombstones;
    std::uint64_t longest_probe;
  };
  struct Mark {
    double time;
    std::string text;
  };

  /// Times must not decrease.
  void add(double time, Statistics const& statistics);
  void mark(double time, std::string text);

  std::vector<Sample> const& samples() const { return samples_; }
  std::vector<Mark> const& marks() const { return marks_; }

private:
  std::vector<Sample> samples_;
  std::vector<Mark> marks_;
  double spacing_ = 0.0;  ///< minimum spacing of samples
};

}  // namespace slotscape
