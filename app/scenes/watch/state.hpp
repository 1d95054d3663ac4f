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

/// Requests from the panels.
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
/// Returns to the description that presets or suggestions replaced.
struct UseOwnDescription {};
struct CheckAgain {};
/// Shows the same keys in another scene: "compare" or "tune".
struct SameKeysIn {
  std::string_view scene;
};
struct ShowSlot {
  Slot slot = 0;
};
using WatchRequest = std::variant<WatchRunning, OpenDump, OpenLayout, PauseWatch, UsePreset, UseDescription,
                                  UseOwnDescription, CheckAgain, SameKeysIn, ShowSlot>;

/// The state that the panels read, with the settings and requests that they change.
struct WatchState {
  WatchSettings settings;
  TableState table;  ///< the part for the slot map's panels
  bool has_table = false;
  std::string name;
  std::string manner;  ///< how the memory is accessed
  bool is_live = false;
  int pid = 0;  ///< process ID of the program that shows the table
  bool alive = true;
  bool paused = false;
  std::optional<double> copied;    ///< progress of an ongoing copy, which is shown while paused
  std::string problem;             ///< why there is no table to show; empty if there is one
  watch::Description description;  ///< as given by the program or the file
  std::optional<Json> own_layout;  ///< the user's own, while a preset or another description replaces it
  bool homes_hidden = false;       ///< because they proved wrong
  watch::Check check;
  LostFacts lost;
  std::vector<std::string> warnings;  ///< about lost keys
  std::vector<std::string> advice;    ///< the warnings and further findings
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
