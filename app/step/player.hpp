#pragma once

#include "gpu/engine/trace.hpp"

#include <cstddef>
#include <map>
#include <optional>

namespace slotscape {

/// Goes through a trace forwards and back. Its position counts the steps taken: 0 before the first one, `count()` after
/// the last. Pure logic: no window, no engine.
class StepPlayer {
public:
  /// Throws Error for a position beyond the last step.
  explicit StepPlayer(Trace trace, std::size_t position = 0);

  Trace const& trace() const { return trace_; }
  std::size_t count() const { return trace_.steps.size(); }
  std::size_t position() const { return position_; }
  bool at_start() const { return position_ == 0; }
  bool at_end() const { return position_ == count(); }
  /// The step taken last; null at the start.
  Step const* present() const { return at_start() ? nullptr : &trace_.steps[position_ - 1]; }
  /// The latest step before that with slots on the map; null where there is none.
  Step const* previous_on_map() const;

  void forward();  ///< as are all moves by the user: playing ends
  void back();
  void go_to(std::size_t position);  ///< beyond the last step: to the end

  bool playing() const { return playing_; }
  void play_or_pause();  ///< at the end: from the start again
  double speed() const { return speed_; }
  void set_speed(double steps_a_second);
  static constexpr double slowest = 0.2;
  static constexpr double fastest = 50.0;

  /// Lets time pass: the present step's motion goes on, and where it plays, steps follow.
  void advance(double seconds);
  /// How far the present step's motion has come, from 0 to 1. A jump or a step back shows no motion.
  double motion() const { return motion_; }
  bool moving() const { return playing_ || motion_ < 1.0; }

  /// The slots that the steps so far wrote, as they are now; a key still on its way has not arrived.
  std::map<Slot, SlotInfo> const& changes() const { return changes_; }
  /// The slot as the operation has left it so far, given as the table has it.
  SlotInfo const& overlaid(SlotInfo const& slot) const;

private:
  void take_step();
  void stand_at(std::size_t position);
  void note_change(Step const& step);
  double motion_seconds() const;

  Trace trace_;
  std::size_t position_ = 0;
  bool playing_ = false;
  double speed_ = 1.0;
  double since_step_ = 0.0;  ///< seconds, while it plays
  double motion_ = 1.0;
  std::map<Slot, SlotInfo> changes_;
};

}  // namespace slotscape
