#include "app/scenes/shared/table_scene.hpp"

#include "app/files/key_file.hpp"
#include "app/scenes/shared/commands.hpp"
#include "app/scenes/slots/step/stepping.hpp"
#include "gpu/error.hpp"

#include <utility>

namespace slotscape {

void TableScene::begin(Scenario const& scenario)
{
  for (Action const& step : scenario.steps) { simulation().submit(step); }
  if (scenario.step_mode) { enter_steps(scenario.step_mode, true); }
}

void TableScene::finish_steps()
{
  simulation().finish();
  take_note_of_work();
}

void TableScene::play_steps(std::function<void()> const& frame)
{
  bool const runs_later = std::exchange(state().settings.drive.running, false);
  while (!simulation().idle()) { frame(); }
  state().settings.drive.running = runs_later;
}

bool TableScene::open(std::filesystem::path const& file)
{
  KeySettings const keys = with_key_file(state().settings.keys, file);
  simulation().submit(SetKeys{keys});
  state().settings.keys = keys;
  return true;
}

std::optional<PathPurpose> TableScene::wanted_path()
{
  return std::exchange(wants_key_file_, false) ? std::optional(PathPurpose::key_file) : std::nullopt;
}

bool TableScene::use_path(PathPurpose purpose, std::filesystem::path const& path)
{
  if (purpose != PathPurpose::key_file) { return false; }
  open(path);
  return true;
}

void TableScene::lay_out(Look const& look, Rectangle const& window, Panels const& panels)
{
  layout_ = slotscape::lay_out(look, window, panels, state().steps);
}

void TableScene::obey_asks()
{
  std::vector<Ask> const asks = std::exchange(state().asks, {});
  for (Ask const& ask : asks) { obey(ask); }
}

void TableScene::obey(Ask const& ask)
{
  if (ends_steps(ask)) { leave_steps(); }
  if (auto const* action = std::get_if<Action>(&ask)) {
    if (auto const* fill = std::get_if<FillTo>(action)) { return simulation().fill_instead(*fill); }
    simulation().submit(*action);
  } else if (auto const* wanted = std::get_if<NewTable>(&ask)) {
    remake(*wanted);
  } else if (std::holds_alternative<Restart>(ask)) {
    forget_throughput();
    simulation().restart();
  } else if (std::holds_alternative<CancelWork>(ask)) {
    simulation().cancel();
  } else if (auto const* lookup = std::get_if<LookUp>(&ask)) {
    look_up(lookup->key);
  } else if (std::holds_alternative<ChooseKeyFile>(ask)) {
    wants_key_file_ = true;
  } else if (auto const* take = std::get_if<TakeKey>(&ask)) {
    take_key(state().steps, take->source, simulation().engine(focus()), pinned(), random_);
  } else if (auto const* enter = std::get_if<EnterSteps>(&ask)) {
    enter_steps(enter->request, false);
  } else if (std::holds_alternative<LeaveSteps>(ask)) {
    leave_steps();
  } else if (std::holds_alternative<DoSteps>(ask)) {
    do_steps();
  } else if (auto const* complaint = std::get_if<Complaint>(&ask)) {
    throw Error{complaint->text};
  }
}

void TableScene::work(DriveSettings drive, double elapsed_seconds)
{
  SlotsState const& shared = state();
  if (shared.steps.on) {
    drive.running = false;
  } else if (shared.load_dragged && !drive.running) {
    drive = steering_alone(drive);
  }
  simulation().step(drive, elapsed_seconds, drive.frame_budget_ms * 1e-3);
  take_note_of_work();
}

bool TableScene::perform(UserCommand command)
{
  if (perform_on_steps(command)) { return true; }
  if (command == UserCommand::cancel) {
    if (simulation().idle()) {
      let_go();
    } else {
      state().ask(CancelWork{});
    }
    return true;
  }
  return perform_on_table(command, state()) || perform_on_view(command, state()) || move_camera(command);
}

void TableScene::write_statistics_json(std::filesystem::path const& file, FrameTimes const& frames)
{
  write_stats_json(file, reports(frames));
}

void TableScene::write_statistics_csv(std::filesystem::path const& folder, FrameTimes const& frames)
{
  write_stats_csv(folder, reports(frames));
}

}  // namespace slotscape
