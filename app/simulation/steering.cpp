#include "app/simulation/steering.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {

namespace {

constexpr int fruitless_batches_limit = 8;
constexpr std::uint64_t fruitless_operations_limit = 4096;
constexpr std::uint64_t fruitful_share = 1000;  // one new key in so many inserts still counts as progress
constexpr double least_yield = 1e-6;

}  // namespace

std::optional<BatchRequest> Steering::next(std::uint64_t live, std::uint64_t limit) const
{
  if (live == goal_ || stalled_) { return std::nullopt; }
  if (live > goal_) { return BatchRequest::erases(std::min(live - goal_, limit)); }
  double const inserts = std::ceil(static_cast<double>(goal_ - live) / yield_);
  if (inserts >= static_cast<double>(limit)) { return BatchRequest::inserts(limit); }
  return BatchRequest::inserts(static_cast<std::uint64_t>(inserts));
}

void Steering::observe(BatchRequest const& request, BatchReport const& report)
{
  bool const inserting = request.insert > 0.0;
  std::uint64_t const changed = report.outcomes[inserting ? Outcome::inserted : Outcome::erased];
  if (inserting) {
    yield_ = changed == 0 ? yield_ / 2.0 : static_cast<double>(changed) / static_cast<double>(request.count);
    yield_ = std::clamp(yield_, least_yield, 1.0);
  }
  if (changed > 0 && changed * fruitful_share >= request.count) {
    fruitless_batches_ = 0;
    fruitless_operations_ = 0;
    return;
  }
  ++fruitless_batches_;
  fruitless_operations_ += request.count;
  bool const no_room = changed == 0 && report.outcomes[Outcome::full] > 0;
  bool const nothing_ran = report.count == 0;
  stalled_ = no_room || nothing_ran ||
             (fruitless_batches_ >= fruitless_batches_limit && fruitless_operations_ >= fruitless_operations_limit);
}

std::uint64_t live_at(double load, std::uint64_t slots)
{
  return static_cast<std::uint64_t>(std::llround(std::clamp(load, 0.0, 1.0) * static_cast<double>(slots)));
}

std::string why_no_new_keys(Tally const& outcomes, KeySettings const& keys)
{
  if (outcomes[Outcome::full] > 0) {
    return "The table has no free slot left: purge the tombstones, or rehash into a larger table.";
  }
  switch (keys.distribution) {
    case KeyDistribution::file:
      return "The key file has run out of new keys: choose another file or another kind of keys.";
    case KeyDistribution::zipf:
      return "Zipf keys repeat, and hardly a new one comes: choose a smaller exponent or another kind of keys.";
    default: return "The keys have run out, and no new one comes: choose another kind of keys, or clear the table.";
  }
}

}  // namespace slotscape
