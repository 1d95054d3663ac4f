#pragma once

#include "gpu/engine/engine.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace slotscape {

/// How far apart two numbers of keys are.
constexpr std::uint64_t distance(std::uint64_t a, std::uint64_t b)
{
  return a > b ? a - b : b - a;
}

/// Learns from past slices how many operations fit into a slice of time.
class SlicePace {
public:
  /// Sets the desired duration of slices.
  void aim_at(double slice_seconds) { target_ = slice_seconds; }
  /// The number of operations for a slice that ends within `seconds_left`: 1 to `limit`.
  std::uint64_t slice(double seconds_left, std::uint64_t limit) const;
  void observe(std::uint64_t operations, double seconds);
  /// Limits slices to what a machine with `operations_per_second` can do.
  void cap(double operations_per_second);
  double operations_per_second() const { return operations_per_second_; }

private:
  double target_ = 0.002;
  double operations_per_second_ = 4e3;  // slow enough for any table: the first slices are tiny, but soon grow
};

/// A pace for each kind of request: a miss can take a million times as long as a hit.
class Paces {
public:
  void aim_at(double slice_seconds);
  SlicePace const& of(BatchRequest const& kind) const { return paces_[index(kind)]; }
  /// When inserts become slow, lookups may soon be slow as well, so the other paces become cautious again.
  void observe(BatchRequest const& kind, std::uint64_t operations, double seconds);
  /// Call this when the table or its keys have changed.
  void forget();

private:
  static std::size_t index(BatchRequest const& kind);

  double target_ = 0.002;
  std::array<SlicePace, 16> paces_;
};

/// Decides when a mix inserts into static tables, and how many keys. Each batch with new keys rebuilds a static table
/// as a whole. So inserts are collected, and run together once the share of time spent on rebuilding is low enough.
class Bursts {
public:
  /// `most`: operations per batch.
  explicit Bursts(std::uint64_t most) : most_{most} {}

  /// Begins a frame, this long after the last one.
  void pass(double seconds);
  bool due() const { return seconds_left_ > 0.0; }
  /// Reports the duration of a batch with inserts.
  void observe(double seconds) { seconds_left_ -= seconds; }

  std::uint64_t most() const { return most_; }
  bool collected_enough() const { return collected_ >= most_; }
  void forget_collected() { collected_ = 0; }
  /// The part of a batch to run now. Its inserts are collected; if a burst is due, it contains all collected inserts.
  /// The count is 0 if nothing remains.
  BatchRequest now_of(BatchRequest const& batch);

private:
  std::uint64_t most_;
  std::uint64_t collected_ = 0;
  double seconds_left_ = 0.0;  // seconds that may be spent on rebuilding; negative after a long rebuild
};

/// Brings the number of live keys to a goal, batch by batch, and detects that the goal cannot be reached.
class Steering {
public:
  explicit Steering(std::uint64_t goal) : goal_{goal} {}

  std::uint64_t goal() const { return goal_; }
  /// The next batch, with at most `limit` operations; nullopt once the goal is reached or found to be out of reach.
  std::optional<BatchRequest> next(std::uint64_t live, std::uint64_t limit) const;
  void observe(BatchRequest const& request, BatchReport const& report);
  /// Whether several consecutive batches made almost no progress.
  bool stalled() const { return stalled_; }

private:
  std::uint64_t goal_;
  double yield_ = 1.0;  // new keys per insert; below 1 if keys repeat
  int fruitless_batches_ = 0;
  std::uint64_t fruitless_operations_ = 0;
  bool stalled_ = false;
};

/// The number of live keys in a table at this load factor.
std::uint64_t live_at(double load, std::uint64_t slots);

/// Explains why inserts with these outcomes add no new keys, and what to do.
std::string why_no_new_keys(Tally const& outcomes, KeySettings const& keys);
/// Reports the keys that a batch could not insert; empty if there are none.
std::string how_many_found_no_place(Tally const& outcomes);

}  // namespace slotscape
