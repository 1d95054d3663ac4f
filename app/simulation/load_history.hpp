#pragma once

#include <cstdint>
#include <vector>

namespace slotscape {

/// Load factor and effective load over time: all of it, ever more thinly as time goes on.
class LoadHistory {
public:
  static constexpr std::size_t most_samples = 4096;

  struct Sample {
    double time;  ///< seconds
    double load_factor;
    double effective_load;
  };

  /// `sample.time` must not go backwards.
  void add(Sample const& sample);
  void clear() { *this = {}; }
  /// At most `most_samples`, by rising time, evenly spaced where they were added evenly; the latest one always.
  std::vector<Sample> const& samples() const { return samples_; }

private:
  std::vector<Sample> samples_;
  std::uint64_t stride_ = 1;      // every how many additions one stays
  std::uint64_t since_kept_ = 0;  // additions after the last one that stays
  bool latest_is_extra_ = false;  // the last sample only stands in until its successor comes
};

}  // namespace slotscape
