#pragma once

#include "app/keys/key_text.hpp"
#include "gpu/engine/trace.hpp"
#include "gpu/tables/family.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {

/// Plays a trace forwards and backwards. Its position is the number of steps taken: 0 before the first, `count()` after
/// the last. Pure logic: no window, no engine.
class StepPlayer {
public:
  /// Throws Error for a position beyond the last step.
  explicit StepPlayer(Trace trace, std::size_t position = 0);

  Trace const& trace() const { return trace_; }
  /// How sentences name keys; initially as numbers.
  KeyStyle keys_as() const { return keys_as_; }
  /// Whether sentences omit the details of single accesses (`in_plain_words`).
  bool plain() const { return plain_; }
  /// Retells the trace of a table of this family in this style. `values`: whether to mention values.
  void tell(FamilyInfo const& family, KeyStyle style, bool plain = false, bool values = true);
  std::size_t count() const { return trace_.steps.size(); }
  std::size_t position() const { return position_; }
  /// The position in accesses of the original trace: larger if plain words omit some.
  std::size_t accesses() const { return plain_ && !at_start() ? told_[position_ - 1] + 1 : position_; }
  /// The labels of steps on the map: their numbers or, in plain words, the numbers of the probes that first saw their
  /// slots.
  std::vector<std::size_t> const& numbers() const { return numbers_; }
  bool at_start() const { return position_ == 0; }
  bool at_end() const { return position_ == count(); }
  /// The last step taken; null at the start.
  Step const* present() const { return at_start() ? nullptr : &trace_.steps[position_ - 1]; }
  /// The last step before the current one that has slots on the map; null if there is none.
  Step const* previous_on_map() const;

  void forward();  ///< like every move by the user, stops playback
  void back();
  void go_to(std::size_t position);  ///< clamped to the end

  bool playing() const { return playing_; }
  void play_or_pause();  ///< at the end, starts over
  double speed() const { return speed_; }
  void set_speed(double steps_a_second);
  static constexpr double slowest = 0.2;
  static constexpr double fastest = 50.0;

  /// Advances time: the current step's motion continues and, during playback, more steps follow.
  void advance(double seconds);
  /// The progress of the current step's motion, from 0 to 1. Jumps and steps back have no motion.
  double motion() const { return motion_; }
  bool moving() const { return playing_ || motion_ < 1.0; }

  /// Replaces the trace's summary at the end, which would say what happened but not why it is shown.
  void conclude(std::string conclusion) { conclusion_ = std::move(conclusion); }
  std::string const& summary() const { return conclusion_.empty() ? trace_.summary : conclusion_; }

  /// Whether the table itself already has the changes of the steps.
  void set_performed(bool performed) { performed_ = performed; }
  /// The slots written by the steps so far, in their current state. A moving key has not arrived yet. Empty if the
  /// table itself already has the changes.
  std::map<Slot, SlotInfo> const& changes() const { return performed_ ? none_ : changes_; }
  /// The nodes of each head after the steps so far; null if unchanged.
  std::vector<std::vector<Slot>> const* chains() const;
  /// A slot's current state, given its state in the table.
  SlotInfo const& overlaid(SlotInfo const& slot) const;

private:
  void take_step();
  void stand_at(std::size_t position);
  void note_changes();
  void note_change(Step const& step);
  void note_departure(Step const& step);
  double motion_seconds() const;

  Trace trace_;
  std::optional<Trace> given_;     ///< the original trace, set while the trace is told in another style
  std::vector<std::size_t> told_;  ///< in plain words: indices of these steps in `given_`
  std::vector<std::size_t> numbers_;
  KeyStyle keys_as_ = KeyStyle::numbers;
  bool plain_ = false;
  bool values_ = true;
  std::size_t position_ = 0;
  bool playing_ = false;
  double speed_ = 1.0;
  double since_step_ = 0.0;  ///< seconds since the last step, while playing
  double motion_ = 1.0;
  std::map<Slot, SlotInfo> changes_;
  std::map<Slot, SlotInfo> none_;
  bool performed_ = false;
  std::string conclusion_;
};

/// One or more players in lockstep. A player with a shorter trace waits at its end. Does not own them.
class StepGroup {
public:
  explicit StepGroup(std::vector<StepPlayer*> players) : players_(std::move(players)) {}

  bool empty() const { return players_.empty(); }
  std::size_t count() const;     ///< length of the longest trace
  std::size_t position() const;  ///< position of the player farthest ahead
  bool at_start() const { return position() == 0; }
  bool at_end() const;
  bool playing() const;
  bool moving() const;

  void forward();
  void back();
  void go_to(std::size_t position);
  void play_or_pause();
  void set_speed(double steps_a_second);
  void set_performed(bool performed);
  void advance(double seconds);

private:
  std::vector<StepPlayer*> players_;
};

}  // namespace slotscape
