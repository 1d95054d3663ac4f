#pragma once

#include "app/widgets/toasts.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {

/// Does what the user and the program want, and shows the user what fails. What was chosen in a menu or on a page waits
/// for the next frame.
class Attempts {
public:
  explicit Attempts(Toasts& toasts) : toasts_(toasts) {}

  /// Has errors shown. `refuses`: the work is what the user has asked for, and its error goes with what they do next.
  void make(std::function<void()> const& work, bool refuses = false);
  /// From now on, errors are thrown instead.
  void let_errors_out() { errors_go_out_ = true; }

  /// To be done when the next frame begins.
  void choose(std::function<void()> work) { chosen_.push_back(std::move(work)); }
  void make_chosen();
  void forget_chosen() { chosen_.clear(); }
  bool has_chosen() const { return !chosen_.empty(); }

  /// The user has changed something in a control since the scene last advanced, and nothing of it was refused.
  bool edits() const { return edits_; }
  void set_edits(bool edits) { edits_ = edits; }
  /// Why the device has failed, since the last call; empty: it has not.
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
