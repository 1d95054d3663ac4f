#include "app/simulation/pacing.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr double rebuilding_share = 0.25;  ///< of the time

constexpr int fruitless_batches_limit = 8;
constexpr std::uint64_t fruitless_operations_limit = 4096;
constexpr std::uint64_t fruitful_share = 1000;  // one new key per this many inserts still counts as progress
constexpr double least_yield = 1e-6;

}  // namespace

std::uint64_t SlicePace::slice(double seconds_left, std::uint64_t limit) const
{
  double const operations = operations_per_second_ * std::min(target_, std::max(seconds_left, 0.0));
  if (operations >= static_cast<double>(limit)) { return limit; }
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(operations));
}

void SlicePace::observe(std::uint64_t operations, double seconds)
{
  if (operations == 0) { return; }
  double const measured = static_cast<double>(operations) / std::max(seconds, 1e-9);
  if (measured >= operations_per_second_) {
    operations_per_second_ = std::min(measured, 8.0 * operations_per_second_);
  } else if (seconds >= target_ / 2.0) {
    // Only a slice of about full length measures the machine; a short one measures the cost of launching it.
    operations_per_second_ = measured;
  }
}

void Bursts::pass(double seconds)
{
  seconds_left_ = std::min(seconds_left_, 0.0) + rebuilding_share * std::max(seconds, 0.0);
}

BatchRequest Bursts::now_of(BatchRequest const& batch)
{
  auto const part = [&](double share) { return std::llround(share * static_cast<double>(batch.count)); };
  auto const inserts = static_cast<std::uint64_t>(part(batch.insert));
  auto const finds = static_cast<std::uint64_t>(part(batch.find));
  std::uint64_t const others = batch.count - inserts;
  collected_ = std::min(collected_ + inserts, most_);
  std::uint64_t const now = due() ? std::min(collected_, most_ - others) : 0;
  collected_ -= now;

  BatchRequest rest = batch;
  rest.count = others + now;
  auto const share = [&](std::uint64_t of_it) { return static_cast<double>(of_it) / static_cast<double>(rest.count); };
  if (rest.count == 0) { return rest; }
  rest.insert = share(now);
  rest.find = share(finds);
  rest.erase = share(others - finds);
  return rest;
}

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
      return "The key file has no new keys left: choose another file or another kind of keys.";
    case KeyDistribution::zipf:
      return "Zipf keys repeat, and hardly any are new: choose a smaller exponent or another kind of keys.";
    default: return "There are no new keys left: choose another kind of keys, or clear the table.";
  }
}

}  // namespace slotscape
