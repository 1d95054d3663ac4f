#include "app/scenes/slots/scene.hpp"

#include "app/files/key_file.hpp"
#include "app/scenario/names.hpp"
#include "app/scenes/slots/step/stepping.hpp"
#include "app/scenes/slots/step/steps_gui.hpp"
#include "gpu/error.hpp"

#include <utility>

namespace slotscape {
namespace {

constexpr double sample_seconds = 0.1;
constexpr double lookup_seconds = 0.25;  ///< a shown probe path is walked anew this often, as the table changes

}  // namespace

SlotsScene::SlotsScene(SlotsSettings const& settings, DeviceFacts device)
{
  state_.settings = settings;
  state_.device = std::move(device);
  make_table(settings.table, settings.keys, settings.seed);
}

void SlotsScene::make_table(TableSettings const& table, KeySettings const& keys, std::uint64_t seed)
{
  auto fresh = std::make_unique<Simulation>(state_.device.backend, table, keys, seed);
  simulation_ = std::move(fresh);
  records_recent_ = false;
  state_.settings.table = simulation_->engine().table();
  state_.settings.keys = keys;
  state_.settings.seed = seed;
  state_.device.device = simulation_->engine().device_name();
  state_.throughput.clear();
  state_.loads.clear();
  state_.selection.pinned.reset();
  state_.selection.lookup.reset();
  state_.inspected = {};
  leave_steps();
}

void SlotsScene::load(Scenario const& scenario)
{
  SlotsSettings const& settings = scenario.settings;
  make_table(settings.table, settings.keys, settings.seed);
  opening_.reset();
  state_.settings = settings;
  state_.settings.table = simulation_->engine().table();
  operations_.clear();
  begin(scenario);
}

void SlotsScene::begin(Scenario const& scenario)
{
  for (Action const& step : scenario.steps) { simulation_->submit(step); }
  if (scenario.step_mode) { enter_steps(scenario.step_mode, true); }
}

Scenario SlotsScene::set_up() const
{
  Scenario scenario{settings_to_keep(), {}};
  if (state_.statistics.live > 0) { scenario.steps.emplace_back(FillTo{state_.statistics.load_factor()}); }
  return scenario;
}

SlotsSettings SlotsScene::settings_to_keep() const
{
  SlotsSettings settings = state_.settings;
  if (opening_) { opening_->settle(settings.drive); }
  return settings;
}

void SlotsScene::use_key_file(std::filesystem::path const& file)
{
  KeySettings const keys = with_key_file(state_.settings.keys, file);
  simulation_->submit(SetKeys{keys});
  state_.settings.keys = keys;
}

void SlotsScene::obey_asks()
{
  std::vector<Ask> const asks = std::move(state_.asks);
  state_.asks.clear();
  for (Ask const& ask : asks) { obey(ask); }
}

void SlotsScene::obey(Ask const& ask)
{
  if (ends_steps(ask)) { leave_steps(); }
  if (auto const* action = std::get_if<Action>(&ask)) {
    if (auto const* fill = std::get_if<FillTo>(action)) { return simulation_->fill_instead(*fill); }
    simulation_->submit(*action);
  } else if (auto const* table = std::get_if<NewTable>(&ask)) {
    make_table(table->table, state_.settings.keys, table->seed);
  } else if (std::holds_alternative<Restart>(ask)) {
    state_.throughput.clear();
    simulation_->restart();
  } else if (std::holds_alternative<CancelWork>(ask)) {
    simulation_->cancel();
  } else if (auto const* lookup = std::get_if<LookUp>(&ask)) {
    look_up(lookup->key);
  } else if (std::holds_alternative<ChooseKeyFile>(ask)) {
    wants_key_file_ = true;
  } else if (auto const* take = std::get_if<TakeKey>(&ask)) {
    take_key(state_.steps, take->source, simulation_->engine(), state_.selection.pinned, random_);
  } else if (auto const* enter = std::get_if<EnterSteps>(&ask)) {
    enter_steps(enter->request);
  } else if (std::holds_alternative<LeaveSteps>(ask)) {
    leave_steps();
  } else if (std::holds_alternative<DoSteps>(ask)) {
    do_steps();
  } else if (auto const* complaint = std::get_if<Complaint>(&ask)) {
    throw Error{complaint->text};
  }
}

void SlotsScene::look_up(Key key)
{
  Lookup lookup{key, simulation_->engine().probe_path(key)};
  bool const anywhere = !lookup.path.slots.empty();
  if (anywhere) { view_.fly_to(lookup.path.slots.back(), 110.0); }
  state_.selection.pinned.reset();
  state_.selection.lookup = std::move(lookup);
}

void SlotsScene::advance(double elapsed_seconds)
{
  state_.now += elapsed_seconds;
  obey_asks();
  DriveSettings drive = state_.settings.drive;
  if (state_.steps.on) {
    drive.running = false;
  } else if (opening_) {
    drive = opening_->advance(state_.settings.drive, elapsed_seconds);
    if (opening_->over()) { opening_.reset(); }
  } else if (state_.load_dragged && !drive.running) {
    drive = steering_alone(drive);
  }
  simulation_->step(drive, elapsed_seconds, drive.frame_budget_ms * 1e-3);
  take_note_of_work();
  advance_steps(elapsed_seconds);
}

void SlotsScene::finish_steps()
{
  simulation_->finish();
  take_note_of_work();
}

void SlotsScene::take_note_of_work()
{
  state_.settings.table = simulation_->engine().table();
  for (ActionReport const& run : simulation_->take_runs()) {
    state_.throughput.add(run);
    state_.rates.add(run, state_.now);
  }
  for (ActionReport& report : simulation_->take_reports()) { append_operation(operations_, std::move(report)); }
  state_.progress = simulation_->progress();
  state_.notice = notice();
  state_.history_complete = simulation_->history_complete();
}

std::string SlotsScene::notice() const
{
  if (!simulation_->notice().empty()) { return simulation_->notice(); }
  Statistics const& statistics = state_.statistics;
  bool const choked = statistics.empty() == 0 && statistics.tombstones > 0;
  return choked
             ? "No slot is empty any more: a lookup of an absent key now reads the whole table. Purge the tombstones "
               "(P), or rehash into twice the slots (R)."
             : std::string();
}

void SlotsScene::analyse(Presenters& presenters, Look const& look, SlotsLayout const& layout, double elapsed_seconds)
{
  Presenter& presenter = presenters[0];
  Engine& engine = simulation_->engine();
  view_.place(layout.canvas, look, state_, elapsed_seconds);
  if (state_.steps.player) { view_.frame_steps(look, state_); }
  bool const recent = state_.settings.view.color_by == ColorBy::recent;
  if (recent != records_recent_) {
    engine.record_recent(recent);
    records_recent_ = recent;
  }
  show_what_the_family_has();
  PictureRequest const request = view_.request(state_, elapsed_seconds);
  TexelTarget const target = presenter.map(bytes_of(request)).texels();
  Snapshot snapshot = engine.analyse(request, target);
  presenter.unmap(bytes_of(request));
  state_.statistics = std::move(snapshot.statistics);
  state_.frames.analyse = snapshot.seconds;
  state_.frames.present = presenter.cpu_seconds();
  if (state_.now >= next_sample_) {
    next_sample_ = state_.now + sample_seconds;
    state_.loads.add({state_.now, state_.statistics.load_factor(), state_.statistics.effective_load()});
  }
  if (state_.selection.lookup && state_.now >= next_lookup_) {
    next_lookup_ = state_.now + lookup_seconds;
    state_.selection.lookup->path = engine.probe_path(state_.selection.lookup->key);
  }
  view_.inspect(engine, look, state_);
  if (state_.steps.player) { overlay_steps(*state_.steps.player, state_.inspected); }
}

void SlotsScene::draw_map(Presenters& presenters, int framebuffer_height)
{
  view_.draw_map(presenters[0].buffer(), state_, framebuffer_height);
}

bool SlotsScene::quiet() const
{
  bool const flashing = state_.settings.view.color_by == ColorBy::recent;
  StepState const& steps = state_.steps;
  bool const stepping = steps.wanted || (steps.player && steps.player->moving());
  bool const runs = state_.settings.drive.running && !steps.on;
  return simulation_->idle() && !stepping && !runs && !view_.in_flight() && !flashing && state_.asks.empty();
}

void SlotsScene::show_what_the_family_has()
{
  ViewSettings& view = state_.settings.view;
  bool const of_clusters = view.color_by == ColorBy::cluster_length;
  if (of_clusters && !family_of(state_).clusters) { view.color_by = ColorBy::probe_length; }
}

bool SlotsScene::wants_key_file()
{
  return std::exchange(wants_key_file_, false);
}

std::vector<RunReport> SlotsScene::reports(FrameTimes const& frames)
{
  Engine& engine = simulation_->engine();
  return {{.backend = std::string(to_text(engine.backend())),
           .device = engine.device_name(),
           .present = std::string(to_text(state_.device.present)),
           .table = engine.table(),
           .statistics = engine.statistics(),
           .operations = operations_,
           .frames = frames}};
}

}  // namespace slotscape
