#pragma once

#include "app/scenes/slots/settings.hpp"
#include "app/simulation/bursts.hpp"
#include "app/simulation/steering.hpp"

#include <array>
#include <optional>
#include <string>

namespace slotscape {

/// Decides, batch by batch, what the continuous mix runs: how many operations the rate allows, and the shares that hold
/// the load factor where that is asked for.
class Mix {
public:
  /// Time passes; the operations that a rate owes never grow past one second's worth.
  void accrue(DriveSettings const& drive, double elapsed_seconds);
  void forget_debt();
  /// The tables are static, and take at most so many operations a batch: from here on inserts are run in bursts.
  void insert_in_bursts(std::uint64_t most) { bursts_.emplace(most); }
  /// The table or its keys were changed from outside: what was out of reach may now be within.
  void table_changed();

  /// What to run next, of at most `limit` operations; nothing where nothing is owed.
  std::optional<BatchRequest> next(DriveSettings const& drive, std::uint64_t live, std::uint64_t slots,
                                   std::uint64_t limit);
  /// The report's seconds are those of all tables.
  void observe(BatchRequest const& request, BatchReport const& report, KeySettings const& keys);

  /// The batch given last was to reach the target load, and no part of the mix.
  bool steering() const { return steering_now_; }
  std::string const& notice() const;

private:
  std::optional<BatchRequest> steer(DriveSettings const& drive, std::uint64_t live, std::uint64_t slots,
                                    std::uint64_t limit);
  std::optional<BatchRequest> mix(DriveSettings const& drive, std::uint64_t live, std::uint64_t slots,
                                  std::uint64_t limit);
  /// The shares of inserts, finds and erases in what is run now; they need not sum to 1.
  std::array<double, 3> shares(DriveSettings const& drive, std::uint64_t live, std::uint64_t slots) const;
  BatchRequest split(std::uint64_t count, std::array<double, 3> const& shares);

  double owed_ = 0.0;
  std::array<double, 3> credits_{};   // inserts, finds and erases that rounding has kept back so far
  std::optional<Bursts> bursts_;      // of static tables
  bool held_back_ = false;            // inserts, for a burst
  std::optional<Steering> steering_;  // under way, or stalled
  std::uint64_t held_goal_ = 0;       // reached; held until it is off by more than a hair
  bool holding_ = false;
  bool steering_now_ = false;
  int fruitless_batches_ = 0;
  std::string notice_;
};

}  // namespace slotscape
