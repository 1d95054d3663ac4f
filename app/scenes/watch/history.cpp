#include "app/scenes/watch/history.hpp"

namespace slotscape {

void WatchHistory::add(double time, Statistics const& statistics)
{
  if (!samples_.empty() && time - samples_.back().time < spacing_) { return; }
  samples_.push_back({time, statistics.load_factor(), statistics.effective_load(), statistics.tombstones,
                      statistics.probe_length.max});
  if (samples_.size() < max_samples) { return; }
  for (std::size_t i = 0; i < samples_.size() / 2; ++i) { samples_[i] = samples_[2 * i]; }
  samples_.resize(samples_.size() / 2);
  spacing_ = 2.0 * (samples_.back().time - samples_.front().time) / static_cast<double>(max_samples);
}

void WatchHistory::mark(double time, std::string text)
{
  if (marks_.size() == max_marks) { marks_.erase(marks_.begin()); }
  marks_.push_back({time, std::move(text)});
}

}  // namespace slotscape
