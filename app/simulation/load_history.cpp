#include "app/simulation/load_history.hpp"

namespace slotscape {

namespace {

void drop_every_other(std::vector<LoadHistory::Sample>& samples)
{
  std::size_t kept = 0;
  for (std::size_t i = 0; i < samples.size(); i += 2) { samples[kept++] = samples[i]; }
  samples.resize(kept);
}

}  // namespace

void LoadHistory::add(Sample const& sample)
{
  if (latest_is_extra_) { samples_.pop_back(); }
  ++since_kept_;
  if (samples_.size() == most_samples - 1) {
    // An odd number of samples keeps its first and its last: what follows stays in step.
    drop_every_other(samples_);
    stride_ *= 2;
  }
  latest_is_extra_ = !samples_.empty() && since_kept_ < stride_;
  if (!latest_is_extra_) { since_kept_ = 0; }
  samples_.push_back(sample);
}

}  // namespace slotscape
