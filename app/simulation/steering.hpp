#pragma once

#include "gpu/engine/engine.hpp"

#include <optional>
#include <string>

namespace slotscape {

/// Brings the number of live keys to a goal, batch by batch, and notices when it cannot.
class Steering {
public:
  explicit Steering(std::uint64_t goal) : goal_{goal} {}

  std::uint64_t goal() const { return goal_; }
  /// What to run next, of at most `limit` operations; nothing once the goal is reached or out of reach.
  std::optional<BatchRequest> next(std::uint64_t live, std::uint64_t limit) const;
  void observe(BatchRequest const& request, BatchReport const& report);
  /// Several batches in a row brought next to nothing.
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

/// Why inserts with these outcomes bring no new keys, and what to do, in words for people.
std::string why_no_new_keys(Tally const& outcomes, KeySettings const& keys);

}  // namespace slotscape
