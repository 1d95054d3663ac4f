#include "app/scenes/compare/scene.hpp"

#include "app/scenario/names.hpp"
#include "app/scenes/shared/commands.hpp"
#include "app/settings_file.hpp"
#include "app/step/framing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace slotscape {
namespace {

constexpr double analysis_seconds = 0.016;  ///< of a frame, for the analysis of all tables
constexpr double lookup_seconds = 0.25;     ///< shown probe paths are walked anew this often, as the tables change

}  // namespace

CompareScene::CompareScene(CompareSettings const& settings, DeviceFacts device)
{
  state_.shared.settings = settings.shared;
  state_.shared.device = std::move(device);
  make_tables(settings.tables, settings.shared.keys, settings.shared.seed);
}

void CompareScene::make_tables(std::vector<TableSettings> tables, KeySettings const& keys, std::uint64_t seed)
{
  // Only of one width can they hold the same keys.
  int const key_bits = std::ranges::min_element(tables, {}, &TableSettings::key_bits)->key_bits;
  for (TableSettings& table : tables) { table.key_bits = key_bits; }
  simulation_ = std::make_unique<Simulation>(state_.shared.device.backend, tables, keys, seed);
  SlotsSettings& shared = state_.shared.settings;
  shared.table = tables.front();
  shared.keys = keys;
  shared.seed = seed;
  state_.shared.device.device = simulation_->engine().device_name();
  state_.tables.clear();
  for (TableSettings const& settings : tables) {
    ComparedTable& table = state_.tables.emplace_back();
    table.slots.settings = shared;
    table.slots.settings.table = settings;
    table.slots.device = state_.shared.device;
  }
  while (views_.size() < tables.size()) {
    views_.push_back(std::make_unique<SlotsView>(fmt::format("##canvas{}", views_.size())));
  }
  views_.resize(tables.size());
  operations_.assign(tables.size(), {});
  analyses_.assign(tables.size(), {});
  records_recent_ = false;
  turn_ = focus_ = 0;
  leave_steps();
}

void CompareScene::begin_opening()
{
  DriveSettings& drive = state_.shared.settings.drive;
  drive.running = false;
  simulation_->submit(FillTo{drive.target_load});
}

Scenario CompareScene::set_up() const
{
  CompareSettings const settings = settings_to_keep();
  Scenario scenario{settings.shared, {}, {}, settings.tables};
  Statistics const& statistics = state_.shared.statistics;
  if (statistics.live > 0) { scenario.steps.emplace_back(FillTo{statistics.load_factor()}); }
  return scenario;
}

CompareSettings CompareScene::settings_to_keep() const
{
  return {settings_of(state_.tables), state_.shared.settings};
}

void CompareScene::load(Scenario const& scenario)
{
  SlotsSettings const& settings = scenario.settings;
  make_tables(scenario.tables, settings.keys, settings.seed);
  state_.shared.settings = settings;
  begin(scenario);
}

void CompareScene::keep_settings(UserSettings& settings) const
{
  settings.compare = settings_to_keep();
}

void CompareScene::remake(NewTable const& wanted)
{
  auto const tables = std::exchange(state_.wanted_tables, std::nullopt);
  make_tables(tables.value_or(settings_of(state_.tables)), state_.shared.settings.keys, wanted.seed);
}

void CompareScene::forget_throughput()
{
  for (ComparedTable& table : state_.tables) { table.slots.throughput.clear(); }
}

void CompareScene::look_up(Key key)
{
  let_go();
  for (std::size_t i = 0; i < state_.tables.size(); ++i) {
    state_.tables[i].slots.selection.lookup = Lookup{key, simulation_->engine(i).probe_path(key)};
  }
  std::vector<Slot> const& path = state_.tables.front().slots.selection.lookup->path.slots;
  if (!path.empty()) { views_.front()->fly_to(path.back(), 110.0); }
}

void CompareScene::let_go()
{
  for (ComparedTable& table : state_.tables) {
    table.slots.selection.pinned.reset();
    table.slots.selection.lookup.reset();
  }
  focus_ = 0;
}

void CompareScene::advance(double elapsed_seconds)
{
  state_.shared.now += elapsed_seconds;
  obey_asks();
  work(state_.shared.settings.drive, elapsed_seconds);
  advance_steps(elapsed_seconds);
}

void CompareScene::take_note_of_work()
{
  for (std::size_t i = 0; i < state_.tables.size(); ++i) {
    state_.tables[i].slots.settings.table = simulation_->engine(i).table();
    state_.tables[i].live = simulation_->live(i);
    state_.tables[i].load_factor = simulation_->load_factor(i);
    state_.tables[i].refused = simulation_->refused(i);
    state_.tables[i].memory_bytes = simulation_->engine(i).memory_bytes();
    state_.tables[i].slots.now = state_.shared.now;
  }
  SlotsState& shared = state_.shared;
  shared.settings.table = simulation_->engine().table();
  for (ActionReport const& run : simulation_->take_runs()) { state_.tables[run.table].slots.throughput.add(run); }
  for (ActionReport& report : simulation_->take_reports()) {
    std::vector<ActionReport>& operations = operations_[report.table];
    append_operation(operations, std::move(report));
  }
  shared.progress = simulation_->progress();
  shared.notice = find_notice();
  shared.history_complete = simulation_->history_complete();
}

std::string CompareScene::find_notice() const
{
  if (!simulation_->notice().empty()) { return simulation_->notice(); }
  for (std::size_t i = 0; i < state_.tables.size(); ++i) {
    if (state_.tables[i].refused == 0) { continue; }
    return fmt::format(
        "Table {} has found no place for some keys, so from here on it holds others than the rest. "
        "Clear the tables (C) to begin anew.",
        i + 1);
  }
  return {};
}

void CompareScene::place_views(Look const& look, double elapsed_seconds)
{
  ViewSettings const view = state_.shared.settings.view;
  auto const places = map_places(look);
  for (std::size_t i = 0; i < views_.size(); ++i) {
    SlotsState& table = state_.tables[i].slots;
    Framing const own{table.settings.view.zoom, {table.settings.view.center_x, table.settings.view.center_y}};
    table.settings.view = view;
    if (table.steps.player) {  // each path may lie elsewhere
      table.settings.view.zoom = own.zoom;
      table.settings.view.center_x = own.center.x;
      table.settings.view.center_y = own.center.y;
    }
    if (view.scale_max <= 0.0) { table.settings.view.scale_max = scale_end(state_.shared); }
    bool const flew = views_[i]->in_flight();
    views_[i]->place(places[i].canvas, look, table, elapsed_seconds);
    if (table.steps.player) {
      views_[i]->frame_steps(look, table);
    } else if (flew) {
      follow(i);
    }
  }
}

std::vector<MapPlace> CompareScene::map_places(Look const& look) const
{
  SlotsSettings const& settings = state_.shared.settings;
  Grid const grid = Grid::of(settings.table.slots, settings.view.layout);
  bool const captions = state_.tables.front().slots.steps.player.has_value();
  return arrange_maps(look, layout().canvas, views_.size(), static_cast<double>(grid.columns) / grid.rows, captions);
}

void CompareScene::follow(std::size_t table)
{
  ViewSettings const& from = state_.tables[table].slots.settings.view;
  ViewSettings& to = state_.shared.settings.view;
  to.zoom = from.zoom;
  to.center_x = from.center_x;
  to.center_y = from.center_y;
}

void CompareScene::analyse(Presenters& presenters, Look const& look, double elapsed_seconds)
{
  place_views(look, elapsed_seconds);
  bool const recent = state_.shared.settings.view.color_by == ColorBy::recent;
  if (std::exchange(records_recent_, recent) != recent) {
    for (std::size_t i = 0; i < views_.size(); ++i) { simulation_->engine(i).record_recent(recent); }
  }
  FrameFacts& frames = state_.shared.frames;
  frames.analyse = frames.present = 0.0;
  for (Analysis& analysis : analyses_) { analysis.since += elapsed_seconds; }
  double spent = 0.0;
  for (std::size_t analysed = 0; analysed < views_.size(); ++analysed) {
    if (analysed > 0 && spent + analyses_[turn_].seconds > analysis_seconds) { break; }
    analyse_table(turn_, presenters[turn_], look);
    spent += analyses_[turn_].seconds;
    turn_ = (turn_ + 1) % views_.size();
  }
  inspect_steps(look);
  state_.shared.statistics = extremes_of(state_.tables);
  if (state_.shared.now < next_lookup_) { return; }
  next_lookup_ = state_.shared.now + lookup_seconds;
  for (std::size_t i = 0; i < views_.size(); ++i) {
    auto& lookup = state_.tables[i].slots.selection.lookup;
    if (lookup) { lookup->path = simulation_->engine(i).probe_path(lookup->key); }
  }
}

void CompareScene::analyse_table(std::size_t table, Presenter& presenter, Look const& look)
{
  auto const start = std::chrono::steady_clock::now();
  Engine& engine = simulation_->engine(table);
  SlotsState& slots = state_.tables[table].slots;
  PictureRequest const request = views_[table]->request(slots, analyses_[table].since);
  TexelTarget const target = presenter.map(bytes_of(request)).texels();
  Snapshot snapshot = engine.analyse(request, target);
  presenter.unmap(bytes_of(request));
  slots.statistics = std::move(snapshot.statistics);
  state_.shared.frames.analyse += snapshot.seconds;
  state_.shared.frames.present += presenter.cpu_seconds();
  views_[table]->inspect(engine, look, slots);
  analyses_[table] = {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 0.0};
}

void CompareScene::draw_pictures(Presenters& presenters, int framebuffer_height)
{
  for (std::size_t i = 0; i < views_.size(); ++i) {
    views_[i]->draw_map(presenters[i].buffer(), state_.tables[i].slots, framebuffer_height);
  }
}

bool CompareScene::move_camera(UserCommand command)
{
  SlotsView& view = *views_.front();
  SlotsState& table = state_.tables.front().slots;
  switch (command) {
    case UserCommand::zoom_in: view.zoom_by(table, key_zoom); break;
    case UserCommand::zoom_out: view.zoom_by(table, 1.0 / key_zoom); break;
    case UserCommand::pan_left: view.pan_by(table, -key_pan, 0.0); break;
    case UserCommand::pan_right: view.pan_by(table, key_pan, 0.0); break;
    case UserCommand::pan_up: view.pan_by(table, 0.0, -key_pan); break;
    case UserCommand::pan_down: view.pan_by(table, 0.0, key_pan); break;
    case UserCommand::fit: view.fit(); return true;
    default: return false;
  }
  follow(0);
  return true;
}

bool CompareScene::quiet() const
{
  bool const flashing = state_.shared.settings.view.color_by == ColorBy::recent;
  bool const flying = std::ranges::any_of(views_, [](auto const& view) { return view->in_flight(); });
  StepState const& steps = state_.shared.steps;
  bool const stepping = steps.wanted || std::ranges::any_of(state_.tables, [](ComparedTable const& table) {
                          return table.slots.steps.player && table.slots.steps.player->moving();
                        });
  bool const runs = state_.shared.settings.drive.running && !steps.on;
  return simulation_->idle() && !stepping && !runs && !flying && !flashing && state_.shared.asks.empty();
}

std::vector<RunReport> CompareScene::reports(FrameTimes const& frames)
{
  std::vector<RunReport> reports;
  for (std::size_t i = 0; i < state_.tables.size(); ++i) {
    Engine& engine = simulation_->engine(i);
    reports.push_back({.backend = std::string(to_text(engine.backend())),
                       .device = engine.device_name(),
                       .present = std::string(to_text(state_.shared.device.present)),
                       .table = engine.table(),
                       .statistics = engine.statistics(),
                       .operations = operations_[i],
                       .frames = frames});
  }
  return reports;
}

}  // namespace slotscape
