#pragma once

#include "app/base/setting.hpp"
#include "app/simulation/pacing.hpp"
#include "gpu/workloads/settings.hpp"

#include <array>
#include <functional>
#include <optional>
#include <string>

namespace slotscape {

/// Settings for running operations.
struct DriveSettings {
  bool running = false;     ///< the mix runs continuously
  bool full_speed = false;  ///< as many operations as the frame's budget allows, instead of `rate`
  double rate = 20000.0;    ///< operations a second while running
  double insert = 0.4;      ///< shares of the mix; they need not sum to 1
  double find = 0.3;
  double erase = 0.3;
  KeyChoice find_keys = KeyChoice::mixed;
  double hit_share = 0.5;  ///< share of hits if `find_keys` is mixed
  bool hold_load = false;  ///< fill or empty to `target_load` and hold it there
  double target_load = 0.5;
  std::uint64_t batch = 4096;    ///< operations per press of insert, find or erase
  double frame_budget_ms = 8.0;  ///< for operations, per frame
  bool purge = false;            ///< while holding a load: drop tombstones before they fill the table

  friend bool operator==(DriveSettings const&, DriveSettings const&) = default;
};
template <>
std::span<Setting<DriveSettings> const> settings_of();
/// The batch for one press of insert, find or erase.
BatchRequest press_of(Operation operation, DriveSettings const& drive);
/// Settings that steer the table to the held load without running the mix.
DriveSettings steering_alone(DriveSettings drive);
/// A single batch of the mix.
BatchRequest single_batch(DriveSettings const& drive);
/// Throws Error if no operation has a share.
void check_shares(JsonNode const& node, double insert, double find, double erase);

inline constexpr std::uint64_t max_operations = std::uint64_t{1} << 32;  ///< per batch or step
inline constexpr double max_load = 8.0;    ///< for any table; without chains, 1 (`Guarantees::max_load`)
inline constexpr double max_share = 1e9;   ///< of one kind of operation, relative to the others
inline constexpr double usual_rate = 1e9;  ///< largest rate that controls offer; above it, operations run at full speed
inline constexpr std::uint64_t usual_batch = std::uint64_t{1} << 28;  ///< largest batch that controls offer

/// Decides batch by batch what the continuous mix runs: how many operations the rate allows, and which shares hold the
/// load factor if requested.
class Mix {
public:
  /// Advances time. The backlog of operations never exceeds one second's worth.
  void accrue(DriveSettings const& drive, double elapsed_seconds);
  void forget_debt();
  /// For static tables, which take at most this many operations per batch: from now on, inserts run in bursts.
  void insert_in_bursts(std::uint64_t most) { bursts_.emplace(most); }
  /// To be called when the table or its keys were changed from outside: a load that was out of reach may now be
  /// reachable.
  void table_changed();

  /// The maximum number of operations to run at once for requests with these shares and keys.
  using Limit = std::function<std::uint64_t(BatchRequest const& kind)>;
  /// The next batch to run, within its limit; nullopt if nothing is due.
  std::optional<BatchRequest> next(DriveSettings const& drive, std::uint64_t live, std::uint64_t slots,
                                   Limit const& limit);
  std::optional<BatchRequest> next(DriveSettings const& drive, std::uint64_t live, std::uint64_t slots,
                                   std::uint64_t limit)
  {
    return next(drive, live, slots, [=](BatchRequest const&) { return limit; });
  }
  /// Learns from a batch that ran. The report's seconds are the sum over all tables.
  void observe(BatchRequest const& request, BatchReport const& report, KeySettings const& keys);

  /// Whether the latest batch was steering towards the target load, rather than part of the mix.
  bool steering() const { return steering_now_; }
  std::string notice() const;

private:
  std::optional<BatchRequest> steer(DriveSettings const& drive, std::uint64_t live, std::uint64_t slots,
                                    Limit const& limit);
  std::optional<BatchRequest> mix(DriveSettings const& drive, std::uint64_t live, std::uint64_t slots,
                                  Limit const& limit);
  /// The current shares of inserts, finds and erases; they need not sum to 1.
  std::array<double, 3> shares(DriveSettings const& drive, std::uint64_t live, std::uint64_t slots) const;
  BatchRequest split(std::uint64_t count, std::array<double, 3> const& shares);

  double owed_ = 0.0;
  std::array<double, 3> credits_{};   // fractions of inserts, finds and erases carried over from rounding
  std::optional<Bursts> bursts_;      // for static tables
  bool held_back_ = false;            // inserts are held back until they run in a burst
  std::optional<Steering> steering_;  // steering towards the load to hold; running or stalled
  std::uint64_t held_goal_ = 0;       // reached goal, held until the load drifts noticeably
  bool holding_ = false;
  bool steering_now_ = false;
  int fruitless_batches_ = 0;
  std::string notice_;
};

}  // namespace slotscape
