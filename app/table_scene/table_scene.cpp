#include "app/table_scene/table_scene.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "app/keys/file_keys.hpp"
#include "app/keys/typed_keys.hpp"
#include "app/table_scene/step/stepping.hpp"
#include "app/table_scene/table_commands.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <utility>

namespace slotscape {

namespace {

constexpr float min_cell_of_lecture = 60.0f;  ///< at scale 1; legible from the back of the room

/// Whether the user builds a table by hand, which a held load would fill with other keys.
bool is_by_hand(TableRequest const& request)
{
  if (auto const* action = std::get_if<Action>(&request)) { return std::holds_alternative<Clear>(*action); }
  auto const* typed = std::get_if<OnTyped>(&request);
  return typed != nullptr && typed->on_keys.operation != Operation::find;
}

/// In step mode the tables rest; while the user drags the load, the table follows even if paused.
DriveSettings drive_for_frame(TableState const& state, DriveSettings drive)
{
  if (state.steps.on) {
    drive.running = false;
  } else if (state.edits.load_dragged && !drive.running) {
    drive = steering_alone(drive);
  }
  return drive;
}

/// Shows the progress of work that continues beyond this frame.
void show_progress(TableState& state, std::optional<ProgressSnapshot> const& begun)
{
  state.progress = begun;
  bool const is_cancelled = std::ranges::any_of(state.requests, [](TableRequest const& request) {
    return std::holds_alternative<CancelWork>(request);
  });
  if (begun && is_cancelled) { state.progress->what = tr("cancelling: {}", begun->what); }
}

}  // namespace

TableScene::TableScene()
    : answers_(*this, work_),
      undo_(*this, work_, answers_),
      changes_(*this, work_, answers_, undo_),
      typed_(*this, work_, answers_, undo_, changes_)
{
}

void TableScene::begin(std::shared_ptr<Simulation> simulation, TableSetup const& set_up,
                       std::vector<TableSettings> const& asked)
{
  undo_.use(std::move(simulation), asked);
  commands_ = table_scene_commands(*this, typed_);
  undo_.settle();
  for (Action const& step : set_up.steps) { this->simulation().submit(step, set_up.whole_batches); }
  if (set_up.step_mode) { enter_steps(set_up.step_mode, true); }
  answers_.begin(set_up);
}

void TableScene::finish_steps(std::function<void()> const& frame)
{
  if (!frame) {
    simulation().finish(watched());
    answers_.note_what_was_refused();
    return update_from_simulation();
  }
  bool const runs_later = std::exchange(state().settings.drive.running, false);
  if (!simulation().idle()) {
    finish({[&] { return simulation().idle(); },
            [&] { return simulation().progress_of_all().value_or(ProgressSnapshot{}); }, [&] { simulation().cancel(); },
            max_wait()},
           frame);
  }
  state().settings.drive.running = runs_later;
  answers_.note_what_was_refused();
}

bool TableScene::open(Paths const& files)
{
  changes_.open_keys(with_opened_key_file(state().settings.keys, files.front()));
  return true;
}

bool TableScene::type(char32_t character)
{
  return type_key(state().typed, use_of_field(state()), character);
}

bool TableScene::types_letters() const
{
  return has_letters(key_form(state()));
}

void TableScene::lay_out(Frame const& frame)
{
  StepState const& steps = state().steps;
  state().advice.is_allowed = frame.advises;
  bool const is_bare = frame.bare && !frame.slide;
  typed_.set_bare(is_bare);
  asks_ = frame.asks;
  state().typed.t_is_typed = asks_;
  for (TableState* const table : table_states()) { table->min_cell = is_bare ? frame.look(min_cell_of_lecture) : 0.0f; }
  Panels const none{false, false, false, false, {}};  // the panels would answer the question
  layout_ = is_bare      ? lay_out_lecture(frame.look, frame.window, asks_ ? none : frame.panels, state(), frame.aside)
            : frame.bare ? lay_out_slide(frame.look, frame.window, steps)
                         : slotscape::lay_out(frame.look, frame.window, frame.panels, steps);
  place_canvas(layout_.canvas);
}

std::string TableScene::set_up_caveat() const
{
  if (!simulation().raced()) { return {}; }
  return tr(
      "Opening it restores the same keys, but some may be in other slots: threads raced for slots, as they do on a "
      "GPU, in tables of more than {} slots and in a running mix.",
      grouped(Tables::max_in_order));
}

bool TableScene::can_wait() const
{
  return !working() && simulation().idle() && simulation().memory_bytes() <= TableUndo::large_image;
}

bool TableScene::has_empty_field() const
{
  TypedKeys const& typed = state().typed;
  return state().steps.on && typed.text.empty() && (typed.active || typed.focus);
}

TableSetup TableScene::set_up_of_tables(Recipe recipe) const
{
  TableSetup set_up{state().settings, camera(), std::move(recipe.steps), true, stepped()};
  set_up.of_keys = recipe.of_keys;
  if (state().steps.is_performed) { set_up.step_mode.reset(); }  // the operation is among the steps
  if (auto const looked_up = typed_.looked_up()) { set_up.looked_up = *looked_up; }
  set_up.settings.table = recipe.tables.front();
  set_up.settings.keys = std::move(recipe.keys);
  return set_up;
}

void TableScene::advance(double elapsed_seconds)
{
  state().now += elapsed_seconds;
  if (!working()) {
    handle_requests(elapsed_seconds);
    bool const is_shown_first = work_.show_first() && max_wait();
    if (!is_shown_first) {
      DriveSettings const drive = drive_for_frame(state(), drive_now(elapsed_seconds));
      answers_.tell();
      work_.begin(drive, elapsed_seconds, max_wait());
    }
  }
  if (!work_.end(max_wait())) { return show_progress(state(), work_.begun()); }
  update_from_simulation();
  if (simulation().idle()) {
    state().settings.keys = simulation().keys();
    undo_.settle_keys(state().settings.keys);
  }
  advance_steps(elapsed_seconds);
  typed_.follow_shown_step();
}

void TableScene::handle_requests(double elapsed_seconds)
{
  undo_.begin_frame();
  std::vector<TableRequest> const requests = std::exchange(state().requests, {});
  for (TableRequest const& request : requests) { handle(request); }
  undo_.note_changes(elapsed_seconds);
}

void TableScene::handle(TableRequest const& request)
{
  if (ends_steps(request)) { leave_steps(); }
  DriveSettings& drive = state().settings.drive;
  if (!drive.running && is_by_hand(request)) { drive.hold_load = false; }
  if (auto const* action = std::get_if<Action>(&request)) {
    changes_.act(*action);
  } else if (auto const* wanted = std::get_if<ReplaceTables>(&request)) {
    changes_.replace(*wanted);
  } else if (std::holds_alternative<Restart>(request)) {
    changes_.restart();
  } else if (std::holds_alternative<Undo>(request)) {
    undo();
  } else if (std::holds_alternative<Redo>(request)) {
    redo();
  } else if (std::holds_alternative<CancelWork>(request)) {
    changes_.cancel();
  } else if (auto const* lookup = std::get_if<LookUp>(&request)) {
    typed_.look_up_by_hand(lookup->key);
  } else if (auto const* column = std::get_if<ChooseKeyColumn>(&request)) {
    KeySettings const& keys = state().settings.keys;
    changes_.open_keys(with_key_file(keys, path_of_text(keys.file_name), {column->name}));
  } else if (std::holds_alternative<ChooseKeyFile>(request)) {
    ask_for_file(
        {.title = "Open a key file", .files = {key_file_kind()}, .use = [this](Paths const& chosen) { open(chosen); }});
  } else if (auto const* take = std::get_if<TakeKey>(&request)) {
    typed_.take_key(take->source);
  } else if (auto const* enter = std::get_if<EnterSteps>(&request)) {
    enter->request ? enter_steps(enter->request, false) : typed_.step_through_field();
  } else if (std::holds_alternative<LeaveSteps>(request)) {
    leave_steps();
  } else if (std::holds_alternative<DoSteps>(request)) {
    typed_.do_steps();
  } else if (auto const* typed = std::get_if<OnTyped>(&request)) {
    typed_.perform(typed->on_keys);
  } else if (auto const* error_message = std::get_if<ErrorMessage>(&request)) {
    throw Error{error_message->text};
  }
}

void TableScene::undo()
{
  if (working()) { return state().ask(Undo{}); }
  undo_.undo();
}

void TableScene::redo()
{
  if (working()) { return state().ask(Redo{}); }
  undo_.redo();
}

void TableScene::cancel()
{
  if (keyed_map().forget_pointed()) { return; }
  if (state().steps.on) { return leave_steps(); }
  if (shows_warning(state())) { return close_warning(state()); }
  if (!working() && simulation().idle()) { return deselect(); }
  state().ask(CancelWork{});
}

}  // namespace slotscape
