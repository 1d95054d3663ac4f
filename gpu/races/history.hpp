#pragma once

#include "gpu/races/judge.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape::races {

/// A turn that was taken.
struct Event {
  Turn turn;
  std::optional<Access> access = {};  ///< none: a store arrived
  std::optional<Slot> slot = {};      ///< that it is about; none if that is beside the slots
  bool writes = false;                ///< and changes memory
  bool fails = false;                 ///< a compare-and-swap that changes nothing
  std::string text = {};              ///< what was found and done
  CodePlace code = {};                ///< in the pseudocode
};

/// A thread at the end of a history.
struct ThreadNow {
  std::optional<Access> next = {};  ///< none: its operation has ended
  std::optional<Slot> slot = {};    ///< of the next access
  std::string upcoming = {};        ///< the next access in words
  CodePlace code = {};              ///< and in the pseudocode
  std::uint32_t accesses = 0;       ///< made so far
  Answer result = {};               ///< once it has ended
};

/// What has happened in the turns of a schedule, told thread by thread.
struct History {
  std::vector<Event> events;
  std::vector<ThreadNow> threads;
  Moment now;
  std::vector<Turn> turns;              ///< that can come next
  std::optional<Verdict> verdict = {};  ///< once all has ended
  std::string fault = {};               ///< why it cannot go on
};

/// Throws Error, naming the turn, if the schedule has one that cannot be taken.
History history_of(Race const& race, Schedule const& schedule);

/// "legal: the same as erase 5, then insert 21: 10", "illegal: 21 is stored twice: in slots 5 and 6".
std::string text_of(Race const& race, Verdict const& verdict);

/// Turns at random until all has ended; the same for the same seed.
Schedule random_schedule(Race const& race, Schedule from, std::uint64_t seed);
/// One of the turns that can come next.
Turn random_turn(History const& history, std::uint64_t seed);

}  // namespace slotscape::races
