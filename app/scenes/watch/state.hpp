#pragma once

#include "app/scenes/watch/advice.hpp"
#include "app/scenes/watch/history.hpp"
#include "app/scenes/watch/running.hpp"
#include "app/scenes/watch/settings.hpp"
#include "app/table_scene/table_state.hpp"
#include "gpu/watch/watched_table.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace slotscape {

/// Requests of the panels.
struct WatchRunning {
  Announcement table;
};
struct OpenDump {};
struct OpenLayout {};
struct PauseWatch {};
struct UsePreset {
  std::string name;
};
struct UseDescription {
  watch::Description description;
};
/// The description as it was before those of the program took its place.
struct UseOwnDescription {};
struct CheckAgain {};
/// The same keys in another scene: "compare" or "tune".
struct SameKeysIn {
  std::string_view scene;
};
struct ShowSlot {
  Slot slot = 0;
};
using WatchRequest = std::variant<WatchRunning, OpenDump, OpenLayout, PauseWatch, UsePreset, UseDescription,
                                  UseOwnDescription, CheckAgain, SameKeysIn, ShowSlot>;

/// What the panels read, and the settings and requests that they change.
struct WatchState {
  WatchSettings settings;
  TableState table;  ///< what of it the parts of the slot map read and edit
  bool has_table = false;
  std::string name;
  std::string manner;  ///< how the memory is reached
  bool is_live = false;
  int pid = 0;  ///< of the program that shows it
  bool alive = true;
  bool paused = false;
  std::optional<double> copied;    ///< the share of a copy that is being made, to look at while paused
  std::string problem;             ///< why there is nothing to see; empty if there is
  watch::Description description;  ///< as the program or the file gives it
  std::optional<Json> own_layout;  ///< the user's, which a preset or another description replaces
  bool homes_hidden = false;       ///< because they turned out to be wrong
  watch::Check check;
  LostFacts lost;
  std::vector<std::string> warnings;  ///< of lost keys
  std::vector<std::string> advice;    ///< these, and what else is to be said
  WatchHistory history;
  std::vector<Announcement> running;
  std::vector<WatchRequest> requests;

  template <class Request>
  void ask(Request request)
  {
    requests.emplace_back(std::move(request));
  }
};

}  // namespace slotscape
