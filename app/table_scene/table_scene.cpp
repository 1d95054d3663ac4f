#include "app/table_scene/table_scene.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "app/keys/comparing.hpp"
#include "app/keys/file_keys.hpp"
#include "app/keys/typed_keys.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/small_keys.hpp"
#include "app/table_scene/step/stepping.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace slotscape {

namespace {

constexpr float min_cell_of_lecture = 60.0f;              ///< at scale 1, to be read from the back of the room
constexpr double shortest_max_wait_seconds = 1.0 / 60.0;  ///< while work goes on beside the frames

bool changes_tables(Action const& action)
{
  if (auto const* batch = std::get_if<BatchRequest>(&action)) { return batch->insert > 0.0 || batch->erase > 0.0; }
  if (auto const* one = std::get_if<OnKey>(&action)) { return one->operation != Operation::find; }
  if (auto const* several = std::get_if<OnKeys>(&action)) { return several->operation != Operation::find; }
  return true;
}

/// Whether somebody makes a table of their own, which a load that is held would fill with other keys.
bool is_by_hand(TableRequest const& request)
{
  if (auto const* action = std::get_if<Action>(&request)) { return std::holds_alternative<Clear>(*action); }
  auto const* typed = std::get_if<OnTyped>(&request);
  return typed != nullptr && typed->on_keys.operation != Operation::find;
}

/// An empty table that becomes small begins with keys that people can read, and a larger one without them.
KeySettings keys_for_other_size(KeySettings const& keys, TableSettings const& table)
{
  if (!holds_small_keys(table)) { return without_small_keys(keys); }
  return keys.distribution == KeyDistribution::uniform ? small_keys(keys) : keys;
}

/// "insert Ada", "clear".
std::string described(Action const& action, KeyStyle style)
{
  auto const* one = std::get_if<OnKey>(&action);
  if (one != nullptr) { return fmt::format("{} {}", translated(op_name(one->operation)), key_text(one->key, style)); }
  auto const* several = std::get_if<OnKeys>(&action);
  bool const single = several != nullptr && several->pairs.size() == 1;
  if (single) {
    return fmt::format("{} {}", translated(op_name(several->operation)), key_text(several->pairs->front().key, style));
  }
  return describe(action);
}

}  // namespace

void TableScene::begin(TableSetup const& set_up)
{
  settle();
  for (Action const& step : set_up.steps) { simulation().submit(step, set_up.whole_batches); }
  begins_ = !set_up.steps.empty();
  fills_ = std::ranges::any_of(set_up.steps, [](Action const& step) { return std::holds_alternative<FillTo>(step); });
  if (set_up.step_mode) { enter_steps(set_up.step_mode, true); }
  if (set_up.of_keys) {
    answer_ =
        tr("These are the live keys of the tables before, inserted anew: slots, and how far keys are from home, may "
           "differ.");
  }
  if (answer_.empty()) { answer_ = how_they_differ(table_states()); }
  handed_over_ = set_up.handed_over;
}

Findings TableScene::findings() const
{
  Findings findings = handed_over_.findings();
  add_findings(findings, key_findings(state().settings.keys));
  if (working()) { return findings; }  // frames do not wait for the rest
  KeySettings const* before = nullptr;
  for (KeySettings const& keys : simulation().files()) {
    add_findings(findings, key_findings(keys));
    if (before != nullptr) {
      std::string why = why_not_comparable(*before, keys);
      if (why.empty()) { why = look_alikes_.hint(*before, keys); }
      if (!why.empty()) { add_findings(findings, {why}); }
    }
    before = &keys;
  }
  add_findings(findings, simulation().findings());
  add_findings(findings, refused_);
  return findings;
}

void TableScene::finish_steps(std::function<void()> const& frame)
{
  if (!frame) {
    simulation().finish(watched());
    note_what_was_refused();
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
  note_what_was_refused();
}

bool TableScene::open(Paths const& files)
{
  open_keys(with_opened_key_file(state().settings.keys, files.front()));
  return true;
}

void TableScene::open_keys(KeySettings const& keys)
{
  std::vector<TableSettings> tables = asked();
  widen_for(keys, tables);
  rest();
  opened_ = keys;
  ask_for_tables(std::move(tables));
}

void TableScene::ask_for_tables(std::vector<TableSettings> tables)
{
  TableSettings const first = tables.front();
  ask_for_table(state(), first, tables.size() > 1 ? std::move(tables) : std::vector<TableSettings>());
}

void TableScene::rest()
{
  state().settings.drive.running = false;
}

/// Once there are tables that are wide enough.
void TableScene::use_keys(SetKeys const& set_keys)
{
  std::vector<TableSettings> tables = asked();
  if (!widen_for(set_keys.keys, tables)) { return simulation().submit(set_keys); }
  ask_for_tables(std::move(tables));
  state().act(set_keys);
}

bool TableScene::widen_for(KeySettings const& keys, std::vector<TableSettings>& tables)
{
  int const bits = key_bits_for(keys);
  if (std::ranges::all_of(tables, [&](TableSettings const& table) { return table.key_bits >= bits; })) { return false; }
  for (TableSettings& table : tables) {
    FamilyInfo const& family = family_info(table.family);
    if (!family.wide) {
      throw Error(tr("{}: its keys need 64 bits, and {} stores 32-bit keys only. Choose another family first.",
                     path_text(path_of_text(keys.file_name).filename()), family.title));
    }
    table.key_bits = bits;
  }
  return true;
}

/// Numbers have a sign where those of the file do, and not because an earlier file's did.
void TableScene::show_sign_of(KeySettings const& keys)
{
  KeyStyle& style = state().settings.view.keys_as;
  bool const are_numbers = style == KeyStyle::numbers || style == KeyStyle::with_sign;
  if (are_numbers) { style = notes_of(keys).with_sign ? KeyStyle::with_sign : KeyStyle::numbers; }
}

/// They are inserted up to the load that is held, or would be.
void TableScene::insert_opened(KeySettings const& keys)
{
  state().settings.keys = keys;
  show_sign_of(keys);
  double load = state().settings.drive.target_load;
  for (std::size_t i = 0; i < simulation().tables(); ++i) {
    TableSettings const& table = simulation().engine(i).table();
    load = capped_to_safe_load(family_info(table.family), table, load);
  }
  simulation().submit(FillTo{load});
  keys_come_ = true;
}

/// Of the steps that the tables began with. What a fill to a load draws beyond that says itself.
void TableScene::note_what_was_refused()
{
  if (!begins_ || !simulation().idle()) { return; }
  begins_ = false;
  std::vector<Key> const given = keys_given(simulation().history());
  for (std::size_t i = 0; i < simulation().tables(); ++i) {
    std::uint64_t const refused = simulation().refused(i);
    if (refused == 0) { continue; }
    std::vector<Key> const named = absent_keys(simulation().engine(i), given);
    bool const is_all = named.size() == refused;
    if (!is_all && fills_ && named.empty()) { continue; }
    std::string const text =
        refusal_text(is_all || !fills_ ? refused : named.size(), named, state().settings.view.keys_as);
    refused_.push_back(simulation().tables() == 1 ? text : tr("Table {}: {}", i + 1, text));
  }
}

void TableScene::tell_what_came()
{
  if (!keys_come_ || !simulation().idle()) { return; }
  keys_come_ = false;
  KeySettings const& keys = state().settings.keys;
  if (!keys.file_keys) { return; }
  Engine& engine = simulation().engine(0);
  std::uint64_t const live = engine.counts().live;
  std::uint64_t const drawn = std::min<std::uint64_t>(engine.keys_drawn(), keys.file_keys->size());
  std::string const name = path_text(path_of_text(keys.file_name).filename());
  bool const all = drawn == keys.file_keys->size();
  std::string const which = all ? tr("all {} keys", grouped(drawn))
                                : tr("the first {} of {} keys", grouped(drawn), grouped(keys.file_keys->size()));
  std::uint64_t refused = 0;
  for (std::size_t i = 0; i < simulation().tables(); ++i) { refused = std::max(refused, simulation().refused(i)); }
  if (refused != 0) {
    answer_ = with_loss(
        tr("Of {} of {}, {} found no place: choose more slots, or another family.", which, name, grouped(refused)));
    return;
  }
  std::string const holds = live == drawn
                                ? tr("The table holds {} of {}.", which, name)
                                : tr("The table holds {} of {}, {} different ones.", which, name, grouped(live));
  answer_ = with_loss(all ? holds : holds + " " + tr("For more, choose more slots or a higher load."));
}

void TableScene::ask_for_key_file()
{
  ask_for_file(
      {.title = "Open a key file", .files = {key_file_kind()}, .use = [this](Paths const& chosen) { open(chosen); }});
}

std::string TableScene::notice() const
{
  if (!answer_.empty()) { return answer_; }
  TableState const& shared = state();
  bool const moves = shared.settings.drive.running || shared.edits.load_dragged || shared.progress;
  std::string const advice = shared.notice.empty() || moves ? "" : advice_on_held_load(shared);
  return advice.empty() ? shared.notice : advice;
}

void TableScene::lay_out(Frame const& frame)
{
  StepState const& steps = state().steps;
  state().advice.is_allowed = frame.advises;
  is_bare_ = frame.bare && !frame.slide;
  asks_ = frame.asks;
  state().typed.t_is_typed = asks_;
  for (TableState* const table : table_states()) {
    table->min_cell = is_bare_ ? frame.look(min_cell_of_lecture) : 0.0f;
  }
  Panels const none{false, false, false, false, {}};  // what would answer the question
  layout_ = is_bare_     ? lay_out_lecture(frame.look, frame.window, asks_ ? none : frame.panels, state(), frame.aside)
            : frame.bare ? lay_out_slide(frame.look, frame.window, steps)
                         : slotscape::lay_out(frame.look, frame.window, frame.panels, steps);
  place_canvas(layout_.canvas);
}

std::string TableScene::set_up_caveat() const
{
  if (!simulation().raced()) { return {}; }
  return tr(
      "It brings back the same keys, but some may lie in other slots: threads raced for slots, as they do on a "
      "GPU, in tables of more than {} slots and in a running mix.",
      grouped(Tables::max_in_order));
}

bool TableScene::can_wait() const
{
  return !working() && simulation().idle() && simulation().memory_bytes() <= large_image;
}

bool TableScene::has_empty_field() const
{
  TypedKeys const& typed = state().typed;
  return state().steps.on && typed.text.empty() && (typed.active || typed.focus);
}

void TableScene::use(std::shared_ptr<Simulation> simulation, std::vector<TableSettings> const& asked)
{
  simulation_ = std::move(simulation);
  is_new_ = true;
  keys_move_ = false;
  keys_come_ = false;
  begins_ = false;
  refused_.clear();
  leave_steps();
  tables_replaced();
  note_asked(table_states(), asked);
}

std::vector<TableSettings> TableScene::asked()
{
  std::vector<TableSettings> asked;
  for (TableState const* const table : table_states()) { asked.push_back(asked_of(*table)); }
  return asked;
}

TableSetup TableScene::set_up_of_tables(Recipe recipe) const
{
  TableSetup set_up{state().settings, camera(), std::move(recipe.steps), true, stepped()};
  set_up.of_keys = recipe.of_keys;
  if (state().steps.is_performed) { set_up.step_mode.reset(); }  // it is among the steps
  bool const is_last = looked_up_ && looked_up_->second == simulation().history().size();
  if (is_last) { set_up.looked_up = looked_up_->first; }
  set_up.settings.table = recipe.tables.front();
  set_up.settings.keys = std::move(recipe.keys);
  return set_up;
}

void TableScene::advance(double elapsed_seconds)
{
  state().now += elapsed_seconds;
  if (!working()) {
    handle_requests(elapsed_seconds);
    bool const is_shown_first = std::exchange(is_new_, false) && max_wait();
    if (!is_shown_first) { begin_work(drive_now(elapsed_seconds), elapsed_seconds); }
  }
  if (!end_work()) { return; }
  advance_steps(elapsed_seconds);
  perform_shown_steps();
}

void TableScene::handle_requests(double elapsed_seconds)
{
  remembered_tables_ = false;
  std::vector<TableRequest> const requests = std::exchange(state().requests, {});
  for (TableRequest const& request : requests) { handle(request); }
  note_settings();
  note_camera(elapsed_seconds);
}

void TableScene::handle(TableRequest const& request)
{
  if (ends_steps(request)) { leave_steps(); }
  DriveSettings& drive = state().settings.drive;
  if (!drive.running && is_by_hand(request)) { drive.hold_load = false; }
  if (auto const* action = std::get_if<Action>(&request)) {
    handle_action(*action);
  } else if (auto const* wanted = std::get_if<NewTable>(&request)) {
    replace_tables(*wanted);
  } else if (std::holds_alternative<Restart>(request)) {
    remember_tables(translatable("the restart"), large_image);
    forget_throughput();
    keys_come_ = false;
    handed_over_ = {};
    simulation().restart();
  } else if (std::holds_alternative<Undo>(request)) {
    undo();
  } else if (std::holds_alternative<Redo>(request)) {
    redo();
  } else if (std::holds_alternative<CancelWork>(request)) {
    keys_come_ = false;
    simulation().cancel();
  } else if (auto const* lookup = std::get_if<LookUp>(&request)) {
    look_up_by_hand(lookup->key);
  } else if (auto const* column = std::get_if<ChooseKeyColumn>(&request)) {
    KeySettings const& keys = state().settings.keys;
    open_keys(with_key_file(keys, path_of_text(keys.file_name), {column->name}));
  } else if (std::holds_alternative<ChooseKeyFile>(request)) {
    ask_for_key_file();
  } else if (auto const* take = std::get_if<TakeKey>(&request)) {
    take_key(state(), take->source, simulation().engine(focus()), pinned(), random_);
  } else if (auto const* enter = std::get_if<EnterSteps>(&request)) {
    enter->request ? enter_steps(enter->request, false) : step_through_field();
  } else if (std::holds_alternative<LeaveSteps>(request)) {
    leave_steps();
  } else if (std::holds_alternative<DoSteps>(request)) {
    do_steps();
  } else if (auto const* typed = std::get_if<OnTyped>(&request)) {
    handle_typed(typed->on_keys);
  } else if (auto const* error_message = std::get_if<ErrorMessage>(&request)) {
    throw Error{error_message->text};
  }
}

void TableScene::handle_action(Action const& action)
{
  bool const drops_much = std::holds_alternative<Clear>(action) || std::holds_alternative<Rehash>(action);
  if (auto const* rehash = std::get_if<Rehash>(&action); rehash != nullptr && rehash->slots != 0) {
    follow_size(state().settings.drive, state().settings.table.slots, rehash->slots);
  }
  if (changes_tables(action)) {
    answer_.clear();  // it was about what is changed
    keys_come_ = false;
    remember_tables(described(action, state().settings.view.keys_as), drops_much ? large_image : small_image);
  }
  if (std::holds_alternative<Clear>(action)) { handed_over_ = {}; }
  if (std::holds_alternative<Rehash>(action)) { handed_over_.of_tables.clear(); }
  if (auto const* set_keys = std::get_if<SetKeys>(&action)) {
    show_sign_of(set_keys->keys);
    return use_keys(*set_keys);
  }
  if (auto const* fill = std::get_if<FillTo>(&action)) { return simulation().fill_instead(*fill); }
  simulation().submit(action);
}

void TableScene::replace_tables(NewTable const& wanted)
{
  std::optional<KeySettings> const opened = std::exchange(opened_, {});
  Recipe recipe;
  int key_bits = wanted.table.key_bits;
  for (TableSettings const& table : wanted.compared) { key_bits = std::min(key_bits, table.key_bits); }
  bool const same_keys = wanted.keeps_keys && !opened;
  if (same_keys) {
    recipe = simulation().recipe_for_others(key_bits);
  } else {
    recipe.keys = opened.value_or(state().settings.keys);
  }
  TableSettings const before = state().settings.table;
  bool const is_empty = !same_keys || (simulation().live() == 0 && simulation().idle());
  if (is_empty && holds_small_keys(before) != holds_small_keys(wanted.table)) {
    recipe = {{}, keys_for_other_size(recipe.keys, wanted.table), {}};
  }
  check_keys_fit(recipe.keys, key_bits);
  std::shared_ptr<Simulation> fresh;
  auto const make_tables = [&] { fresh = make(wanted, recipe.keys); };
  try {
    make_tables();
  } catch (Error const&) {
    if (undo_.undoes().empty()) { throw; }
    undo_.clear();  // its memory may be what is missing
    make_tables();
  }
  std::uint64_t const bytes = simulation().memory_bytes();
  is_lost_ = bytes > large_image && simulation().live() != 0;
  if (bytes <= large_image) {
    simulation().cancel();
    undo_.record({settled_, resting_camera_.settled(), simulation_, {}, asked(), handed_over_},
                 translatable("the new table"), bytes);
  } else {
    undo_.clear();
  }
  remembered_tables_ = true;
  bool const as_before =
      wanted.asked.empty() && wanted.compared.empty() && wanted.table == table_states().front()->settings.table;
  follow_size(state().settings.drive, before.slots, wanted.table.slots);
  handed_over_ = {same_keys ? std::move(handed_over_.of_keys) : Findings(), {}};
  use(std::move(fresh), as_before ? asked() : wanted.asked);
  for (Action const& step : recipe.steps) { simulation().submit(step, true); }
  if (opened) { insert_opened(*opened); }
  keys_move_ = same_keys;
  too_wide_ = recipe.dropped;
  answer_ = with_loss(how_they_differ(table_states()));
  settle();
}

void TableScene::begin_work(DriveSettings drive, double elapsed_seconds)
{
  TableState const& shared = state();
  if (shared.steps.on) {
    drive.running = false;
  } else if (shared.edits.load_dragged && !drive.running) {
    drive = steering_alone(drive);
  }
  note_what_was_refused();
  tell_what_was_lost();
  tell_what_came();
  begun_ = simulation().progress_of_all();
  FrameStep step{simulation_, drive, elapsed_seconds};
  bool const may_outlast = max_wait() && (drive.running || !simulation().idle());
  if (may_outlast) {
    work_.start(std::move(step));
  } else {
    take_step(step, {});
  }
}

TableScene::Stepped TableScene::take_step(FrameStep const& step, Progress const&)
{
  if (auto const simulation = step.simulation.lock()) {
    simulation->step(step.drive, step.elapsed_seconds, step.drive.frame_budget_ms * 1e-3);
  }
  return {};
}

bool TableScene::end_work()
{
  double const wait = outlasted_ ? shortest_max_wait_seconds : max_wait().value_or(0.0);
  outlasted_ = working() && !work_.wait(wait);
  if (outlasted_) {
    state().progress = begun_;
    if (begun_ && is_cancelled()) { state().progress->what = tr("cancelling: {}", begun_->what); }
    return false;
  }
  if (auto const outcome = work_.take(); outcome && outcome->error) { std::rethrow_exception(outcome->error); }
  update_from_simulation();
  if (simulation().idle()) { state().settings.keys = settled_.keys = simulation().keys(); }
  return true;
}

bool TableScene::is_cancelled() const
{
  return std::ranges::any_of(state().requests,
                             [](TableRequest const& request) { return std::holds_alternative<CancelWork>(request); });
}

void TableScene::tell_what_was_lost()
{
  if (!keys_move_ || !simulation().idle()) { return; }
  keys_move_ = false;
  std::uint64_t const refused = simulation().refused();
  if (refused + too_wide_ == 0) { return; }
  if (!answer_.empty()) { answer_ += " "; }
  answer_ += refused != 0 ? tr_plural("{} of the keys found no place in this table.",
                                      "{} of the keys found no place in this table.", refused, grouped(refused))
                          : tr_plural("{} of the keys are too wide for this table.",
                                      "{} of the keys are too wide for this table.", too_wide_, grouped(too_wide_));
  if (!is_lost_) { answer_ += std::string(" ") + tr("Undo (Ctrl+Z) brings them back."); }
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
