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

inline constexpr double shortest_budget = 1.0;  ///< seconds that a user may request
inline constexpr double longest_budget = 86400.0;

struct SweepSettings {
  Backend backend = Backend::cpu;
  double budget_seconds = 120.0;  ///< working time, without pauses
  std::uint64_t seed = 1;
  std::vector<int> device_numbers = {};  ///< as given by the user, for the command that checks the answer
};

/// The current phase of a sweep.
enum class Phase : std::uint8_t {
  preparing,  ///< reading and sorting the keys
  coarse,     ///< every family
  refining,   ///< searching around the best
  checking,   ///< churn and failures of the winner
  done,
  cancelled,
  failed  ///< `SweepStatus::error` says why
};

struct SweepStatus {
  Phase phase = Phase::preparing;
  std::string doing;          ///< "Cuckoo hashing, α 0.90"
  double progress = 0.0;      ///< 0 to 1
  double seconds_left = 0.0;  ///< approximate; without pauses
  bool paused = false;
  std::size_t measured = 0;  ///< number of candidates measured so far
  std::size_t skipped = 0;
  std::string error;

  bool over() const { return phase >= Phase::done; }
};

/// Searches for the best table on a thread of its own, with its own tables. One other thread may call all members at
/// any time; they return at once.
class Sweep {
public:
  /// Starts the sweep. `known`: results of an earlier sweep of this workload, which need not be measured again.
  Sweep(Workload const& workload, SweepSettings const& settings, std::vector<Measured> known = {});
  /// Uses other measurements than those of the device, for this many keys.
  Sweep(Workload const& workload, SweepSettings const& settings, WorkloadKeys const& keys, Measures const& measures,
        std::vector<Measured> known = {});
  /// Cancels, and waits for the thread, which takes less than a second.
  ~Sweep();
  Sweep(Sweep const&) = delete;
  Sweep& operator=(Sweep const&) = delete;

  void pause();
  void resume();
  /// Ends the sweep soon; its results are kept.
  void cancel();

  /// Waits for the end, up to this many seconds.
  void wait(double seconds) const { work_.wait(seconds); }

  SweepStatus status() const;
  /// A snapshot of the results, which never changes. The same pointer until there are new results.
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
  /// Runs the sweep and returns its final phase: done or cancelled.
  Phase run(Query const& query, Progress const& progress);
  /// Waits while paused. Returns false if the sweep must end.
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
  double paused_seconds_ = 0.0;  ///< total of all pauses that have ended
  Work<Query, Phase> work_;      // last, because it uses all other members
};

}  // namespace slotscape::tuning
