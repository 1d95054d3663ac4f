#pragma once

#include "gpu/engine/engine.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace slotscape {

/// Between two numbers of keys.
constexpr std::uint64_t distance(std::uint64_t a, std::uint64_t b)
{
  return a > b ? a - b : b - a;
}

/// How many operations fit a slice of time, learned from the slices run so far.
class SlicePace {
public:
  /// Slices should take about this long.
  void aim_at(double slice_seconds) { target_ = slice_seconds; }
  /// Operations for a slice that ends within `seconds_left`: 1 to `limit`.
  std::uint64_t slice(double seconds_left, std::uint64_t limit) const;
  void observe(std::uint64_t operations, double seconds);
  /// Slices take no more operations than a machine does that is `operations_per_second` fast.
  void cap(double operations_per_second);
  double operations_per_second() const { return operations_per_second_; }

private:
  double target_ = 0.002;
  double operations_per_second_ = 4e3;  // slow enough for any table: the first slices are tiny and soon grow
};

/// A pace for each kind of request: looking up an absent key can take a million times as long as a stored one.
class Paces {
public:
  void aim_at(double slice_seconds);
  SlicePace const& of(BatchRequest const& kind) const { return paces_[index(kind)]; }
  /// What inserts take, lookups may soon take, too: where these are slow, the others start over with care.
  void observe(BatchRequest const& kind, std::uint64_t operations, double seconds);
  /// The table or its keys are others now.
  void forget();

private:
  static std::size_t index(BatchRequest const& kind);

  double target_ = 0.002;
  std::array<SlicePace, 16> paces_;
};

/// Decides when a mix inserts into static tables, and how many keys. As each batch with new keys rebuilds such a table
/// as a whole, inserts are collected, and run together once rebuilding is back within its share of the time.
class Bursts {
public:
  /// `most`: operations per batch.
  explicit Bursts(std::uint64_t most) : most_{most} {}

  /// A frame begins, this long after the last one.
  void pass(double seconds);
  bool due() const { return seconds_left_ > 0.0; }
  /// A batch with inserts took this long.
  void observe(double seconds) { seconds_left_ -= seconds; }

  std::uint64_t most() const { return most_; }
  bool collected_enough() const { return collected_ >= most_; }
  void forget_collected() { collected_ = 0; }
  /// The part of a batch to run now. Its inserts are collected; if a burst is due, all collected inserts are part of
  /// it. The count is 0 if nothing is left.
  BatchRequest now_of(BatchRequest const& batch);

private:
  std::uint64_t most_;
  std::uint64_t collected_ = 0;
  double seconds_left_ = 0.0;  // for rebuilding; below 0 after a long one
};

/// Brings the number of live keys to a goal, batch by batch, and notices when it cannot.
class Steering {
public:
  explicit Steering(std::uint64_t goal) : goal_{goal} {}

  std::uint64_t goal() const { return goal_; }
  /// What to run next, at most `limit` operations; nullopt once the goal is reached or out of reach.
  std::optional<BatchRequest> next(std::uint64_t live, std::uint64_t limit) const;
  void observe(BatchRequest const& request, BatchReport const& report);
  /// Whether several batches in a row made next to no progress.
  bool stalled() const { return stalled_; }

private:
  std::uint64_t goal_;
  double yield_ = 1.0;  // new keys for each insert: below 1 where keys repeat
  int fruitless_batches_ = 0;
  std::uint64_t fruitless_operations_ = 0;
  bool stalled_ = false;
};

/// Live keys of a table at this load factor.
std::uint64_t live_at(double load, std::uint64_t slots);

/// Why inserts with these outcomes bring no new keys, and what to do about it.
std::string why_no_new_keys(Tally const& outcomes, KeySettings const& keys);
/// What to say of keys that a batch could not insert; empty if there are none.
std::string how_many_found_no_place(Tally const& outcomes);

}  // namespace slotscape
