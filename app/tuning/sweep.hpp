#pragma once

#include "app/tuning/measure.hpp"
#include "app/tuning/results.hpp"
#include "gpu/base/work.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace slotscape::tuning {

inline constexpr double shortest_budget = 1.0;  ///< seconds that a person may ask for
inline constexpr double longest_budget = 86400.0;

struct SweepSettings {
  Backend backend = Backend::cpu;
  double budget_seconds = 120.0;  ///< of work, without pauses
  std::uint64_t seed = 1;
  std::vector<int> device_numbers = {};  ///< as they were named, for the command that checks the answer
};

/// What a sweep does at the moment.
enum class Phase : std::uint8_t {
  preparing,  ///< reads and sorts the keys
  coarse,     ///< every family
  refining,   ///< around the best
  checking,   ///< churn and failures of the winner
  done,
  cancelled,
  failed  ///< `SweepStatus::error` says why
};

struct SweepStatus {
  Phase phase = Phase::preparing;
  std::string doing;          ///< "Cuckoo hashing, α 0.90"
  double progress = 0.0;      ///< 0 to 1
  double seconds_left = 0.0;  ///< about; without pauses
  bool paused = false;
  std::size_t measured = 0;  ///< candidates
  std::size_t skipped = 0;
  std::string error;

  bool over() const { return phase >= Phase::done; }
};

/// Looks for the best table on a thread of its own, with tables of its own. All members may be called from one other
/// thread at any time, and return at once.
class Sweep {
public:
  /// Starts. `known`: what an earlier sweep of this workload has found, which need not be measured again.
  Sweep(Workload const& workload, SweepSettings const& settings, std::vector<Measured> known = {});
  /// With other measurements than those of the device, of this many keys.
  Sweep(Workload const& workload, SweepSettings const& settings, WorkloadKeys const& keys, Measures const& measures,
        std::vector<Measured> known = {});
  /// Cancels, and waits for the thread: less than a second.
  ~Sweep();
  Sweep(Sweep const&) = delete;
  Sweep& operator=(Sweep const&) = delete;

  void pause();
  void resume();
  /// Ends it soon; what was found stays.
  void cancel();

  /// Waits for the end, up to so many seconds.
  void wait(double seconds) const { work_.wait(seconds); }

  SweepStatus status() const;
  /// As of now: a snapshot that never changes. The same pointer until there is something new.
  std::shared_ptr<Results const> results() const;

private:
  using Prepare = std::function<std::optional<WorkloadKeys>(Progress const&)>;
  using Open = std::function<Measures(WorkloadKeys const&)>;

  struct Query {
    Workload workload;
    SweepSettings settings;
    Prepare prepare;
    Open open;
    std::vector<Measured> known;
  };

  explicit Sweep(Query query);
  /// What the sweep came to: done or cancelled.
  Phase run(Query const& query, Progress const& progress);
  /// Waits while it is paused. False if it shall end.
  bool goes_on(Progress const& progress);
  double seconds() const;
  void begin(Phase phase, std::string const& doing);
  void publish(Results const& results);

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  SweepStatus status_;
  std::shared_ptr<Results const> results_;
  bool paused_ = false;
  double budget_seconds_ = 0.0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point paused_at_;
  double paused_seconds_ = 0.0;  ///< of pauses that are over
  Work<Query, Phase> work_;      // last: it uses all others
};

}  // namespace slotscape::tuning
