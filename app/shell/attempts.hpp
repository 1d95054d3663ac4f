#pragma once

#include "app/widgets/toasts.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {

/// Runs work for the user and the program, and shows errors to the user. Choices made in a menu or on a page are
/// deferred to the next frame.
class Attempts {
public:
  explicit Attempts(Toasts& toasts) : toasts_(toasts) {}

  /// Runs work and shows its error, if any. `refuses`: the user requested the work, so its error disappears with the
  /// next action.
  void make(std::function<void()> const& work, bool refuses = false);
  /// Makes errors throw from now on.
  void let_errors_out() { errors_go_out_ = true; }

  /// Defers work to the beginning of the next frame.
  void choose(std::function<void()> work) { chosen_.push_back(std::move(work)); }
  void make_chosen();
  void forget_chosen() { chosen_.clear(); }
  bool has_chosen() const { return !chosen_.empty(); }

  /// Whether the user has changed a control since the scene last advanced, and nothing was refused.
  bool edits() const { return edits_; }
  void set_edits(bool edits) { edits_ = edits; }
  /// Why the device has failed since the last call; empty if it has not failed.
  std::string take_lost_device() { return std::exchange(lost_device_, {}); }
  bool has_lost_device() const { return !lost_device_.empty(); }

private:
  Toasts& toasts_;
  std::vector<std::function<void()>> chosen_;
  std::string lost_device_;
  bool errors_go_out_ = false;
  bool edits_ = false;
};

}  // namespace slotscape
