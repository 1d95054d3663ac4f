#pragma once

#include "app/scenes/races/settings.hpp"
#include "app/simulation/action.hpp"
#include "app/widgets/theme.hpp"
#include "gpu/races/history.hpp"

#include <imgui.h>

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace slotscape {

/// Requests from the user to the scene.
struct TakeTurn {
  races::Turn turn;
};
struct GoToTurn {
  std::size_t position;
};
struct GoForward {};  ///< to the next turn of the schedule, or one at random
struct RunToEnd {};   ///< of the schedule; then at random, until all has ended
struct RestartRace {};
struct PlayRace {};  ///< or pause
struct ExploreRace {};
struct CancelSearch {};
struct ReplayShortest {};  ///< bad history, from its start
struct ShowCase {
  std::string name;
};
struct RefuseTyped {
  std::string why;
};
using RacesRequest = std::variant<TakeTurn, GoToTurn, GoForward, RunToEnd, RestartRace, PlayRace, ExploreRace,
                                  CancelSearch, ReplayShortest, ShowCase, RefuseTyped>;

/// What is typed into the fields for keys, while they are edited.
struct RacesFields {
  std::string before;
  std::string erased;
  std::array<std::string, races::max_threads> calls;
  std::string seed;
};

/// Everything that the panels and the views read and edit. They change settings and add to `requests`.
struct RacesState {
  RacesSettings settings;
  races::Race race;
  races::History history;  ///< of the turns taken
  std::string promise;     ///< why the table promises nothing here; empty if it promises that all histories are legal
  std::string_view flaw;   ///< of a published table
  bool asks = false;       ///< a lesson's question is open, as of the latest frame: the flaw is not told

  std::optional<races::Report> report;  ///< of a search of this race
  bool searching = false;
  std::optional<ProgressSnapshot> progress;

  bool playing = false;
  double speed = 1.5;  ///< turns per second
  RacesFields fields;
  std::size_t listed = 0;  ///< turns, when the list was last scrolled
  std::vector<RacesRequest> requests;

  template <class What>
  void ask(What what)
  {
    requests.emplace_back(std::move(what));
  }
  bool has_bad_history() const { return report && !report->findings.shortest.empty(); }
  /// Whether the turns of the shortest bad history are shown.
  bool shows_bad_history() const { return has_bad_history() && settings.schedule == report->findings.shortest; }
  /// Turns that are known, but not taken yet.
  std::size_t to_come() const { return settings.schedule.size() - settings.position; }
};

/// A colour for each thread.
inline constexpr auto thread_colors = theme::series;
static_assert(races::max_threads <= thread_colors.size());

/// "T1".
std::string thread_name(std::size_t thread);
/// What the search has found, in a sentence.
std::string text_of(races::Report const& report);
/// "20", "1,370", "1.36·10^14": a number of schedules.
std::string schedules_text(double count);

}  // namespace slotscape
