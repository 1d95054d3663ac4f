#pragma once

#include "app/scenes/races/settings.hpp"
#include "app/simulation/action.hpp"
#include "app/simulation/hash_choice.hpp"
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
struct GoForward {};  ///< to the next turn of the schedule, or a random one
struct RunToEnd {};   ///< through the schedule, then at random until all threads have ended
struct RestartRace {};
struct PlayRace {};  ///< plays or pauses the race
struct ExploreRace {};
struct CancelSearch {};
struct ReplayShortest {};  ///< plays the bad history from its start
struct ShowCase {
  std::string name;
};
struct RefuseTyped {
  std::string why;
};
using RacesRequest = std::variant<TakeTurn, GoToTurn, GoForward, RunToEnd, RestartRace, PlayRace, ExploreRace,
                                  CancelSearch, ReplayShortest, ShowCase, RefuseTyped>;

/// The text in the fields for keys while they are edited.
struct RacesFields {
  std::string before;
  std::string erased;
  std::array<std::string, races::max_threads> calls;
  std::string seed;
};

/// Everything that the panels and views read and edit. These change settings and add to `requests`.
struct RacesState {
  RacesSettings settings;
  races::Race race;
  races::History history;  ///< the turns taken so far
  std::string promise;     ///< why the table promises nothing here; empty if it promises legal histories
  std::string_view flaw;   ///< flaw of a published table; empty for other tables
  bool asks = false;       ///< a lesson's question is open in the latest frame, so the flaw stays hidden

  std::optional<races::Report> report;  ///< result of searching this race
  bool searching = false;
  std::optional<ProgressSnapshot> progress;

  bool playing = false;
  double speed = 1.5;  ///< turns per second while the race plays
  RacesFields fields;
  HashField hash_field;
  std::size_t listed = 0;  ///< number of turns when the list was last scrolled
  std::vector<RacesRequest> requests;

  template <class What>
  void ask(What what)
  {
    requests.emplace_back(std::move(what));
  }
  bool has_bad_history() const { return report && !report->findings.shortest.empty(); }
  /// Whether the shown schedule is the shortest bad history.
  bool shows_bad_history() const { return has_bad_history() && settings.schedule == report->findings.shortest; }
  /// The number of known turns not taken yet.
  std::size_t to_come() const { return settings.schedule.size() - settings.position; }
};

/// A colour for each thread.
inline constexpr auto thread_colors = theme::series;
static_assert(races::max_threads <= thread_colors.size());

/// "T1".
std::string thread_name(std::size_t thread);
/// The findings of the search in one sentence.
std::string text_of(races::Report const& report);
/// Formats a number of schedules: "20", "1,370", "1.36·10^14".
std::string schedules_text(double count);

}  // namespace slotscape
