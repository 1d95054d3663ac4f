#pragma once

#include "gpu/races/judge.hpp"

#include <future>
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
  void cancel() { progress_.cancel(); }
  /// Ends it now, and forgets it.
  void give_up();
  bool busy() const { return search_.valid(); }
  /// Waits for its end, up to so many seconds.
  void wait(double seconds);

  Progress const& progress() const { return progress_; }
  /// A report that has come since the last call. Throws Error if the search failed.
  std::optional<races::Report> take();

private:
  Progress progress_ = Progress::tracked();  ///< counts schedules
  std::future<races::Report> search_;
};

}  // namespace slotscape
