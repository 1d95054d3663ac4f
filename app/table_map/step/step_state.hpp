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
  bool at_end = false;          ///< starts at the end instead of at `position`
  bool plays = false;           ///< plays the steps from `position` on
  bool performs = false;        ///< the table performs it when the end is shown, but not at earlier steps
  std::string conclusion = {};  ///< replaces the outcome in its last caption
  friend bool operator==(StepRequest const&, StepRequest const&) = default;
};

/// Step mode. While it is on, the table is paused.
struct StepState {
  bool on = false;
  bool captions_on_maps = false;      ///< with several tables: each map has its own caption and player
  std::optional<StepPlayer> player;   ///< empty: the user is choosing an operation
  std::optional<StepRequest> wanted;  ///< opens as soon as the table is idle
  std::optional<OnKey> shown;         ///< operation shown, or about to be
  std::string done;                   ///< the outcome of the operation just performed, or empty
  bool performs = false;              ///< whether the table is to perform the operation
  bool is_performed = false;          ///< whether the table has performed it

  std::deque<OnKey> next;        ///< further operations that were typed together with this one
  std::vector<OnKey> performed;  ///< operations performed since step mode was entered
  bool shows_upcoming = false;   ///< captions announce the next event, and the list includes upcoming steps
  double speed = 1.0;            ///< steps per second

  std::optional<std::size_t> framed;  ///< position that the camera last moved to
  std::optional<std::size_t> listed;  ///< position that the list last scrolled to
  bool jumps = false;                 ///< the camera jumps instead of flying
};

}  // namespace slotscape
