#pragma once

#include "app/simulation/action.hpp"
#include "app/table_map/step/player.hpp"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// An operation to step through, starting at `position`.
struct StepRequest {
  OnKey operation;
  std::size_t position = 0;
  bool at_end = false;          ///< instead of `position`
  bool plays = false;           ///< from there on, by itself
  bool performs = false;        ///< the table has it done while its end is shown, and not while an earlier step is
  std::string conclusion = {};  ///< said at its end, instead of what became of it
  friend bool operator==(StepRequest const&, StepRequest const&) = default;
};

/// Step mode. While it is on, the table is paused.
struct StepState {
  bool on = false;
  bool captions_on_maps = false;      ///< with several tables: each map has its own caption and player
  std::optional<StepPlayer> player;   ///< empty: the user is choosing an operation
  std::optional<StepRequest> wanted;  ///< opens as soon as the table is idle
  std::optional<OnKey> shown;         ///< what is stepped through, or is about to be
  std::string done;                   ///< the outcome of the operation just performed, or empty
  bool performs = false;              ///< as requested
  bool is_performed = false;          ///< by now, because it is

  std::deque<OnKey> next;        ///< typed together with the one shown, to follow it
  std::vector<OnKey> performed;  ///< since step mode was entered
  bool shows_upcoming = false;   ///< captions tell what happens next, and the list includes the steps still to come
  double speed = 1.0;            ///< steps per second

  std::optional<std::size_t> framed;  ///< the last position the camera moved to
  std::optional<std::size_t> listed;  ///< the last position the list scrolled to
  bool jumps = false;                 ///< the camera jumps instead of flying
};

}  // namespace slotscape
