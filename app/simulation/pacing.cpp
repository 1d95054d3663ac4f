#include "app/simulation/pacing.hpp"

#include "app/base/text.hpp"
#include "app/simulation/small_keys.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr double rebuilding_share = 0.25;  ///< share of the time that rebuilding may take

/// The factor by which the next slice may be, or be expected to be, faster than the last one. It also limits the
/// duration of a slice after the table has changed.
constexpr double trusted_growth = 8.0;

constexpr int fruitless_batches_limit = 8;
constexpr std::uint64_t fruitless_operations_limit = 4096;
constexpr std::uint64_t fruitful_share = 1000;  // one new key per this many inserts still counts as progress
constexpr double min_yield = 1e-6;

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
    operations_per_second_ = std::min(measured, trusted_growth * operations_per_second_);
  } else {
    // A short slice mostly measures launch overhead, not the machine. Still, its operations might really be that slow.
    bool const whole = seconds >= target_ / 2.0;
    cap(whole ? measured : trusted_growth * measured);
  }
}

void SlicePace::cap(double operations_per_second)
{
  operations_per_second_ = std::min(operations_per_second_, operations_per_second);
}

void Paces::aim_at(double slice_seconds)
{
  target_ = slice_seconds;
  for (SlicePace& pace : paces_) { pace.aim_at(slice_seconds); }
}

void Paces::observe(BatchRequest const& kind, std::uint64_t operations, double seconds)
{
  SlicePace& own = paces_[index(kind)];
  own.observe(operations, seconds);
  if (kind.insert <= 0.0) { return; }
  for (SlicePace& pace : paces_) {
    if (&pace != &own) { pace.cap(trusted_growth * own.operations_per_second()); }
  }
}

void Paces::forget()
{
  paces_.fill({});
  aim_at(target_);
}

std::size_t Paces::index(BatchRequest const& kind)
{
  bool const only_hits =
      kind.find_keys == KeyChoice::hits || (kind.find_keys == KeyChoice::mixed && kind.hit_share >= 1.0);
  bool const finds_misses = kind.find > 0.0 && !only_hits;
  bool const finds_hits = kind.find > 0.0 && only_hits;
  return (kind.insert > 0.0 ? 1u : 0u) + (finds_misses ? 2u : 0u) + (finds_hits ? 4u : 0u) +
         (kind.erase > 0.0 ? 8u : 0u);
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
    yield_ = std::clamp(yield_, min_yield, 1.0);
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
  return static_cast<std::uint64_t>(std::llround(std::max(load, 0.0) * static_cast<double>(slots)));
}

std::string how_many_found_no_place(Tally const& outcomes)
{
  std::uint64_t const full = outcomes[Outcome::full];
  if (full == 0) { return {}; }
  return tr_plural("{} key did not fit in the table: erase keys, or rehash into more slots.",
                   "{} keys did not fit in the table: erase keys, or rehash into more slots.", full, grouped(full));
}

std::string why_no_new_keys(Tally const& outcomes, KeySettings const& keys)
{
  if (outcomes[Outcome::full] > 0) {
    return tr("New keys do not fit: rehash into a larger table, or purge the tombstones if it has any.");
  }
  if (are_small(keys)) {
    return tr("All numbers from 1 to 99 are in the table: choose another kind of keys to insert more.");
  }
  switch (keys.distribution) {
    case KeyDistribution::file:
      return tr("The key file has no new keys left: choose another file or another kind of keys.");
    case KeyDistribution::zipf:
      return tr("Zipf keys repeat, and hardly any are new: choose a smaller exponent or another kind of keys.");
    default: return tr("There are no new keys left: choose another kind of keys, or clear the table.");
  }
}

}  // namespace slotscape
