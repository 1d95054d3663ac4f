#pragma once

#include "app/step/player.hpp"

#include <vector>

namespace slotscape {

/// One player, or several that go through their traces in step: at every position one whose trace is shorter stands at
/// its end. Does not own them.
class StepGroup {
public:
  explicit StepGroup(std::vector<StepPlayer*> players) : players_(std::move(players)) {}

  bool empty() const { return players_.empty(); }
  std::size_t count() const;     ///< steps of the longest trace
  std::size_t position() const;  ///< of the player that is farthest
  bool at_start() const { return position() == 0; }
  bool at_end() const;
  bool playing() const;
  bool moving() const;

  void forward();
  void back();
  void go_to(std::size_t position);
  void play_or_pause();
  void set_speed(double steps_a_second);
  void advance(double seconds);

private:
  std::vector<StepPlayer*> players_;
};

}  // namespace slotscape
