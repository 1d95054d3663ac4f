#include "app/table_scene/table_scene.hpp"

#include "app/table_scene/key_settings.hpp"
#include "app/table_scene/step/stepping.hpp"
#include "gpu/base/error.hpp"

#include <utility>

namespace slotscape {

FileKind key_file_kind()
{
  return {"key file", {".txt", ".bin", ".u32", ".u64"}};
}

void TableScene::begin(TableSetup const& set_up)
{
  for (Action const& step : set_up.steps) { simulation().submit(step); }
  if (set_up.step_mode) { enter_steps(set_up.step_mode, true); }
}

void TableScene::finish_steps(std::function<void()> const& frame)
{
  if (!frame) {
    simulation().finish();
    return update_from_simulation();
  }
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

void TableScene::ask_for_key_file()
{
  ask_for_file({.title = "Open a key file", .files = {key_file_kind()}, .use = [this](Paths const& files) {
                  open(files.front());
                }});
}

void TableScene::lay_out(Frame const& frame)
{
  layout_ = slotscape::lay_out(frame.look, frame.window, frame.panels, state().steps);
  place_canvas(layout_.canvas);
}

void TableScene::handle_requests()
{
  std::vector<TableRequest> const requests = std::exchange(state().requests, {});
  for (TableRequest const& request : requests) { handle(request); }
}

void TableScene::handle(TableRequest const& request)
{
  if (ends_steps(request)) { leave_steps(); }
  if (auto const* action = std::get_if<Action>(&request)) {
    if (auto const* fill = std::get_if<FillTo>(action)) { return simulation().fill_instead(*fill); }
    simulation().submit(*action);
  } else if (auto const* wanted = std::get_if<NewTable>(&request)) {
    remake(*wanted);
  } else if (std::holds_alternative<Restart>(request)) {
    forget_throughput();
    simulation().restart();
  } else if (std::holds_alternative<CancelWork>(request)) {
    simulation().cancel();
  } else if (auto const* lookup = std::get_if<LookUp>(&request)) {
    look_up(lookup->key);
  } else if (std::holds_alternative<ChooseKeyFile>(request)) {
    ask_for_key_file();
  } else if (auto const* take = std::get_if<TakeKey>(&request)) {
    take_key(state().steps, take->source, simulation().engine(focus()), pinned(), random_);
  } else if (auto const* enter = std::get_if<EnterSteps>(&request)) {
    enter_steps(enter->request, false);
  } else if (std::holds_alternative<LeaveSteps>(request)) {
    leave_steps();
  } else if (std::holds_alternative<DoSteps>(request)) {
    do_steps();
  } else if (auto const* error_message = std::get_if<ErrorMessage>(&request)) {
    throw Error{error_message->text};
  }
}

void TableScene::work(DriveSettings drive, double elapsed_seconds)
{
  TableState const& shared = state();
  if (shared.steps.on) {
    drive.running = false;
  } else if (shared.load_dragged && !drive.running) {
    drive = steering_alone(drive);
  }
  simulation().step(drive, elapsed_seconds, drive.frame_budget_ms * 1e-3);
  update_from_simulation();
}

void TableScene::cancel()
{
  if (state().steps.on) { return leave_steps(); }
  if (simulation().idle()) { return deselect(); }
  state().ask(CancelWork{});
}

}  // namespace slotscape
