#pragma once

#include "gpu/races/judge.hpp"

#include <atomic>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <optional>

namespace slotscape {

/// Searches all schedules of a race on a thread of its own.
class RaceExplorer {
public:
  RaceExplorer() = default;
  RaceExplorer(RaceExplorer const&) = delete;
  RaceExplorer& operator=(RaceExplorer const&) = delete;
  ~RaceExplorer() { give_up(); }

  /// Only while not `busy`.
  void start(races::Race const& race);
  /// Ends the search soon; it then has a report that is not complete.
  void cancel() { watched_->cancelled = true; }
  /// Ends it now, and forgets it.
  void give_up();
  bool busy() const { return search_.valid(); }
  /// Waits for its end, up to so many seconds.
  void wait(double seconds);

  struct Progress {
    races::Counts counts;
    double share = 0.0;
  };
  Progress progress() const;
  /// A report that has come since the last call. Throws Error if the search failed.
  std::optional<races::Report> take();

private:
  /// Shared with the thread.
  struct Watched {
    std::atomic<bool> cancelled{false};
    std::mutex mutex;
    Progress progress;
  };
  std::shared_ptr<Watched> watched_ = std::make_shared<Watched>();
  std::future<races::Report> search_;
};

}  // namespace slotscape
