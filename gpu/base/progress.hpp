#pragma once

#include "gpu/base/error.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace slotscape {

/// Thrown by cancelled work that has no result to return.
struct Cancelled : Error {
  Cancelled() : Error("The work was cancelled.") {}
};

/// The progress of work as shown to the user.
struct ProgressSnapshot {
  std::string what = {};
  double share = 0.0;                                 ///< part done, from 0 to 1
  std::uint64_t count = 0;                            ///< of the items of the work: operations, schedules
  std::optional<double> seconds_left = std::nullopt;  ///< an estimate, for work that takes a while
};

/// The progress of work, and whether it should end: the worker reports and checks, the owner watches and cancels.
/// Copies share their state, and all members may be called from any thread. A default-constructed `Progress` neither
/// reports nor cancels.
class Progress {
public:
  /// Called on the worker's thread whenever it reports or checks; returns false to cancel the work. It may wait, which
  /// pauses the work, or throw.
  using Watch = std::function<bool(Progress const&)>;

  Progress() = default;
  explicit Progress(Watch watch) : state_(std::make_shared<State>(std::move(watch))) {}
  /// A progress that the owner can watch and cancel.
  static Progress tracked() { return Progress(Watch()); }
  /// The progress of a part of the work, which covers the shares `from` to `to` of the whole.
  Progress part(double from, double to) const
  {
    Progress part = *this;
    part.from_ = from_ + from * length_;
    part.length_ = (to - from) * length_;
    return part;
  }

  // --- for the worker
  /// Whether the work should end. Check every few milliseconds.
  bool cancelled() const
  {
    if (!state_) { return false; }
    if (!state_->cancelled && state_->watch && !state_->watch(*this)) { state_->cancelled = true; }
    return state_->cancelled;
  }
  /// Begins another task, whose share starts at 0.
  void begin(std::string what) const
  {
    if (!state_) { return; }
    std::scoped_lock const lock(state_->mutex);
    state_->what = std::move(what);
    state_->share = 0.0;
    state_->begun = std::chrono::steady_clock::now();
  }
  /// Reports a share, which never decreases. Returns false if the work should end.
  bool report(double share) const
  {
    if (state_) { state_->share = std::clamp(from_ + share * length_, state_->share.load(), 1.0); }
    return !cancelled();
  }
  bool report(double share, std::uint64_t count) const
  {
    if (state_) { state_->count = count; }
    return report(share);
  }
  /// Adds to the count. Returns false if the work should end.
  bool add(std::uint64_t count) const
  {
    if (state_) { state_->count += count; }
    return !cancelled();
  }
  /// A message for the user, shown at once.
  void warn(std::string text) const
  {
    if (!state_) { return; }
    std::scoped_lock const lock(state_->mutex);
    state_->warning = std::move(text);
  }
  /// Throws Cancelled if the work should end.
  void require(double share) const
  {
    if (!report(share)) { throw Cancelled(); }
  }
  void require() const
  {
    if (cancelled()) { throw Cancelled(); }
  }

  // --- for the owner
  bool is_watched() const { return state_ != nullptr; }
  void cancel() const
  {
    if (state_) { state_->cancelled = true; }
  }
  double share() const { return state_ ? state_->share.load() : 0.0; }  ///< of the whole work
  std::uint64_t count() const { return state_ ? state_->count.load() : 0; }
  std::string what() const { return text(&State::what); }
  std::string warning() const { return text(&State::warning); }
  ProgressSnapshot snapshot() const { return {what(), share(), count(), seconds_left()}; }

private:
  struct State {
    explicit State(Watch asked) : watch(std::move(asked)) {}
    Watch const watch;
    std::atomic<bool> cancelled = false;
    std::atomic<double> share = 0.0;
    std::atomic<std::uint64_t> count = 0;
    std::mutex mutex;  ///< for the members below
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
    std::string what;
    std::string warning;
  };

  std::optional<double> seconds_left() const
  {
    constexpr double min_seconds = 3.0;  // earlier, estimates are unreliable
    constexpr double min_share = 0.02;
    if (!state_ || share() < min_share) { return std::nullopt; }
    std::scoped_lock const lock(state_->mutex);
    double const passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - state_->begun).count();
    return passed < min_seconds ? std::nullopt : std::optional(passed * (1.0 - share()) / share());
  }
  std::string text(std::string State::*text) const
  {
    if (!state_) { return {}; }
    std::scoped_lock const lock(state_->mutex);
    return (*state_).*text;
  }

  std::shared_ptr<State> state_;
  double from_ = 0.0;
  double length_ = 1.0;
};

}  // namespace slotscape
