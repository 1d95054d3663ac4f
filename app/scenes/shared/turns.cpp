#include "app/scenes/shared/turns.hpp"

namespace slotscape {

std::vector<std::size_t> Turns::begin_frame(double elapsed_seconds)
{
  for (Thing& thing : things_) { thing.since += elapsed_seconds; }
  std::vector<std::size_t> turns;
  double spent = 0.0;
  while (turns.size() < things_.size()) {
    spent += things_[next_].seconds;
    if (!turns.empty() && spent > seconds_) { break; }
    turns.push_back(next_);
    next_ = (next_ + 1) % things_.size();
  }
  return turns;
}

}  // namespace slotscape
