#pragma once

#include "gpu/races/judge.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape::races {

/// A turn that was taken.
struct Event {
  Turn turn;
  std::optional<Access> access = {};  ///< nullopt: a store arrived
  std::optional<Slot> slot = {};      ///< the slot concerned; nullopt if it is beside the slots
  bool writes = false;                ///< whether it changes memory
  bool fails = false;                 ///< a compare-and-swap that changes nothing
  std::string text = {};              ///< the access in words
  CodePlace code = {};                ///< place in the pseudocode
};

/// A thread at the end of a history.
struct ThreadNow {
  std::optional<Access> next = {};  ///< nullopt: its operation has ended
  std::optional<Slot> slot = {};    ///< of the next access
  std::string upcoming = {};        ///< the next access in words
  CodePlace code = {};              ///< place of the next access in the pseudocode
  std::uint32_t accesses = 0;       ///< number of accesses so far
  Answer result = {};               ///< set when it has ended
};

/// The events of a schedule's turns, described thread by thread.
struct History {
  std::vector<Event> events;
  std::vector<ThreadNow> threads;
  Moment now;
  std::vector<Turn> turns;              ///< possible next turns
  std::optional<Verdict> verdict = {};  ///< set when everything has ended
  std::string fault = {};               ///< why the history cannot continue
};

/// Throws Error, naming the turn, if the schedule contains an impossible turn.
History history_of(Race const& race, Schedule const& schedule);

/// "legal: the same as erase 5, then insert 21: 10", "illegal: 21 is stored twice: in slots 5 and 6".
std::string text_of(Race const& race, Verdict const& verdict);

/// Takes random turns until everything has ended; the same seed gives the same schedule.
Schedule random_schedule(Race const& race, Schedule from, std::uint64_t seed);
/// One of the possible next turns.
Turn random_turn(History const& history, std::uint64_t seed);

}  // namespace slotscape::races
