#pragma once

#include "gpu/base/error.hpp"

#include <atomic>

namespace slotscape::clouds {

/// Thrown by work that was cancelled.
struct Cancelled : Error {
  Cancelled() : Error("loading was cancelled") {}
};

/// Shared by a worker thread and a thread that shows its progress. All members may be called from any thread.
class Progress {
public:
  /// From 0 to 1; never decreases while a file is loaded.
  float share() const { return share_.load(std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }

  /// Called by the worker to report progress. Throws Cancelled if it should stop.
  void report(double share)
  {
    if (cancelled()) { throw Cancelled(); }
    if (auto const new_share = static_cast<float>(share); new_share > this->share()) {
      share_.store(new_share < 1.0f ? new_share : 1.0f, std::memory_order_relaxed);
    }
  }

private:
  std::atomic<float> share_{0.0f};
  std::atomic<bool> cancelled_{false};
};

}  // namespace slotscape::clouds
