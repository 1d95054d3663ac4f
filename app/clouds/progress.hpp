#pragma once

#include "gpu/error.hpp"

#include <atomic>

namespace slotscape::clouds {

/// Thrown out of work that was told to stop.
struct Cancelled : Error {
  Cancelled() : Error("loading was cancelled") {}
};

/// Between a thread that works and one that shows how far it is. Any thread may call any of it.
class Progress {
public:
  /// From 0 to 1, never falling while a file is loaded.
  float share() const { return share_.load(std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }

  /// For the thread that works: says how far it is. Throws Cancelled where it is to stop.
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
