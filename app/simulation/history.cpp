#include "app/simulation/history.hpp"

namespace slotscape {

void History::record(Done done)
{
  if (!complete_) { return; }
  if (entries_.size() < limit) {
    entries_.push_back(std::move(done));
    return;
  }
  complete_ = false;
  entries_ = {};
}

void History::truncate(std::size_t entries)
{
  if (entries < entries_.size()) { entries_.resize(entries); }
}

void History::reset()
{
  entries_.clear();
  complete_ = true;
}

}  // namespace slotscape
