#include "app/scenes/spatial/stage_times.hpp"

#include <algorithm>
#include <numeric>

namespace slotscape {

void StageTimes::add(Seconds const& seconds)
{
  if (frames_.size() == frames_kept) { frames_.erase(frames_.begin()); }
  frames_.push_back(seconds);
}

StageTimes::Seconds StageTimes::medians() const
{
  Seconds medians{};
  if (frames_.empty()) { return medians; }
  for (std::size_t stage = 0; stage < medians.size(); ++stage) {
    std::vector<double> times;
    for (Seconds const& frame : frames_) { times.push_back(frame[stage]); }
    auto const middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    medians[stage] = *middle;
  }
  return medians;
}

double total_of(StageTimes::Seconds const& seconds)
{
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

}  // namespace slotscape
