#pragma once

#include "app/scene/scene.hpp"
#include "app/scene/undo.hpp"
#include "app/scenes/races/state.hpp"
#include "app/widgets/sides.hpp"
#include "gpu/base/work.hpp"
#include "gpu/races/judge.hpp"

#include <optional>
#include <vector>

namespace slotscape {

/// The areas of the window in the races scene.
struct RacesLayout {
  SideLayout sides;
  Rectangle toolbar;
  Rectangle slots;
  Rectangle threads;
  Rectangle verdict;
};

/// Races in slow motion: two to four threads, each with an operation on a small table. The user or a seed schedules
/// them, access by access; or a search explores all schedules and shows the shortest bad one.
class RacesScene final : public Scene {
public:
  /// Throws Error if the race is invalid.
  RacesScene(RacesSettings const& settings, DeviceFacts const& device);

  RacesState& state() { return state_; }
  RacesLayout const& layout() const { return layout_; }

  SceneSetup set_up() const override { return state_.settings; }
  void advance(double elapsed_seconds) override;
  void finish_steps(std::function<void()> const& frame) override;
  bool plays_steps() const override { return true; }
  void lay_out(Frame const& frame) override;
  void draw_gui(Frame const& frame) override;
  void draw_slide(Look const& look, Drawing& drawing, bool paints) override;
  void draw_lecture_panels(Frame const& frame) override;

  std::string undoes() const override { return undo_.undoes(); }
  std::string redoes() const override { return undo_.redoes(); }
  void undo() override;
  void redo() override;

  std::span<Command const> commands() const override { return commands_; }
  void cancel() override;
  bool cancellable() const override { return search_.busy() || state_.playing; }
  bool asked() const override { return !state_.requests.empty(); }
  bool quiet() const override;
  SceneStatistics statistics(FrameTimes const& frames) override;

private:
  void handle_requests();
  void handle(TakeTurn const& request);
  void handle(GoToTurn const& request);
  void handle(GoForward const& request);
  void handle(RunToEnd const& request);
  void handle(RestartRace const& request);
  void handle(PlayRace const& request);
  void handle(ExploreRace const& request);
  void handle(CancelSearch const& request);
  void handle(ReplayShortest const& request);
  void handle(ShowCase const& request);
  [[noreturn]] static void handle(RefuseTyped const& request);

  /// Makes the race that the settings describe. If the settings are invalid, restores the previous race and throws
  /// Error.
  void follow_settings();
  void show_history();
  void note_change();
  void play(double elapsed_seconds);
  void follow_search();
  void go_on_with(RacesSettings settings);
  /// The turn that the thread's key triggers; nothing if the thread cannot move.
  std::optional<races::Turn> turn_of(std::uint8_t thread) const;
  void draw_toolbar(Look const& look);
  void draw_verdict(Look const& look);
  std::vector<Command> make_commands();

  RacesState state_;
  races::RaceSettings made_;  ///< the settings that `state_.race` was made from
  std::size_t shown_ = 0;     ///< number of turns when the history was last shown
  races::Schedule shown_schedule_;
  RacesSettings known_;  ///< settings in the last frame, to record changes for undo
  UndoList<RacesSettings> undo_;
  double since_turn_ = 0.0;  ///< seconds since the last turn
  RacesLayout layout_;
  bool is_lecture_ = false;
  std::vector<Command> commands_;
  Work<races::Race, races::Report> search_;  ///< the search through all schedules
};

}  // namespace slotscape
