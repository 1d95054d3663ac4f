#include "app/scenes/compare/scene.hpp"

#include "app/simulation/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace slotscape {
namespace {

constexpr double analysis_seconds = 0.016;  ///< per frame, for the analysis of all tables
constexpr double lookup_seconds = 0.25;     ///< between updates of the probe paths shown

}  // namespace

CompareScene::CompareScene(CompareSetup const& set_up, DeviceFacts const& device)
    : turns_(set_up.tables.size(), analysis_seconds), framing_(set_up.shared.camera)
{
  TableSceneSettings const& settings = set_up.shared.settings;
  state_.shared.settings = settings;
  state_.shared.device = device;
  make_tables(set_up.tables, settings.keys, settings.seed);
  make_commands();
  begin(set_up.shared);
}

void CompareScene::make_tables(std::vector<TableSettings> tables, KeySettings const& keys, std::uint64_t seed)
{
  // Tables can hold the same keys only if their keys have the same width.
  int const key_bits = std::ranges::min_element(tables, {}, &TableSettings::key_bits)->key_bits;
  for (TableSettings& table : tables) { table.key_bits = key_bits; }
  simulation_ = std::make_unique<Simulation>(state_.shared.device.backend, tables, keys, seed);
  TableSceneSettings& shared = state_.shared.settings;
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
    views_.push_back(std::make_unique<MapView>(fmt::format("##canvas{}", views_.size())));
  }
  views_.resize(tables.size());
  operations_.assign(tables.size(), {});
  turns_ = Turns(tables.size(), analysis_seconds);
  records_recent_ = false;
  focus_ = 0;
  leave_steps();
}

SceneSetup CompareScene::set_up() const
{
  auto set_up = std::any_cast<CompareSetup>(to_remember());
  Statistics const& statistics = state_.shared.statistics;
  if (statistics.live > 0) { set_up.shared.steps.emplace_back(FillTo{statistics.load_factor()}); }
  return set_up;
}

SceneSetup CompareScene::to_remember() const
{
  return CompareSetup{settings_of(state_.tables), {state_.shared.settings, framing_}};
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
  deselect();
  for (std::size_t i = 0; i < state_.tables.size(); ++i) {
    state_.tables[i].slots.selection.lookup = Lookup{key, simulation_->engine(i).probe_path(key)};
  }
  std::vector<Slot> const& path = state_.tables.front().slots.selection.lookup->path.slots;
  if (!path.empty()) { views_.front()->fly_to(path.back(), 110.0); }
}

void CompareScene::deselect()
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
  handle_requests();
  work(state_.shared.settings.drive, elapsed_seconds);
  advance_steps(elapsed_seconds);
}

void CompareScene::update_from_simulation()
{
  for (std::size_t i = 0; i < state_.tables.size(); ++i) {
    state_.tables[i].slots.settings.table = simulation_->engine(i).table();
    state_.tables[i].live = simulation_->live(i);
    state_.tables[i].load_factor = simulation_->load_factor(i);
    state_.tables[i].refused = simulation_->refused(i);
    state_.tables[i].memory_bytes = simulation_->engine(i).memory_bytes();
    state_.tables[i].slots.now = state_.shared.now;
  }
  TableState& shared = state_.shared;
  shared.settings.table = simulation_->engine().table();
  for (ActionReport const& run : simulation_->take_runs()) { state_.tables[run.table].slots.throughput.add(run); }
  for (ActionReport& report : simulation_->take_reports()) {
    std::vector<ActionReport>& operations = operations_[report.table];
    append_operation(operations, std::move(report));
  }
  shared.progress = simulation_->progress();
  shared.notice = current_notice();
  shared.history_complete = simulation_->history_complete();
}

std::string CompareScene::current_notice() const
{
  if (!simulation_->notice().empty()) { return simulation_->notice(); }
  for (std::size_t i = 0; i < state_.tables.size(); ++i) {
    if (state_.tables[i].refused == 0) { continue; }
    return fmt::format(
        "Table {} had no room for some keys, so it no longer holds the same keys as the others. "
        "Clear the tables (C) to start over.",
        i + 1);
  }
  return {};
}

void CompareScene::place_views(Look const& look, double elapsed_seconds)
{
  ViewSettings const& view = state_.shared.settings.view;
  auto const places = map_places(look);
  for (std::size_t i = 0; i < views_.size(); ++i) {
    TableState& table = state_.tables[i].slots;
    table.settings.view = view;
    if (view.scale_max <= 0.0) { table.settings.view.scale_max = scale_end(state_.shared); }
    if (!table.steps.player) { views_[i]->look(framing_); }  // each path may be elsewhere
    bool const flew = views_[i]->in_flight();
    views_[i]->place(places[i].canvas, look, table, elapsed_seconds);
    if (table.steps.player) {
      views_[i]->frame_steps(look, table);
    } else if (flew) {
      framing_ = views_[i]->framing();
    }
  }
}

std::vector<MapPlace> CompareScene::map_places(Look const& look) const
{
  TableSceneSettings const& settings = state_.shared.settings;
  Grid const grid = Grid::of(settings.table.slots, settings.view.layout);
  bool const captions = state_.tables.front().slots.steps.player.has_value();
  return arrange_maps(look, layout().canvas, views_.size(), static_cast<double>(grid.columns) / grid.rows, captions);
}

FrameFacts CompareScene::analyse(Frame const& frame)
{
  place_views(frame.look, frame.elapsed_seconds);
  bool const recent = state_.shared.settings.view.color_by == ColorBy::recent;
  if (std::exchange(records_recent_, recent) != recent) {
    for (std::size_t i = 0; i < views_.size(); ++i) { simulation_->engine(i).record_recent(recent); }
  }
  FrameFacts sum;
  for (std::size_t const table : turns_.begin_frame(frame.elapsed_seconds)) {
    FrameFacts const times = analyse_table(table, frame.presenters[table], frame.look);
    sum.analyse += times.analyse;
    sum.present += times.present;
  }
  inspect_steps(frame.look);
  state_.shared.statistics = extremes_of(state_.tables);
  if (state_.shared.now < next_lookup_) { return sum; }
  next_lookup_ = state_.shared.now + lookup_seconds;
  for (std::size_t i = 0; i < views_.size(); ++i) {
    auto& lookup = state_.tables[i].slots.selection.lookup;
    if (lookup) { lookup->path = simulation_->engine(i).probe_path(lookup->key); }
  }
  return sum;
}

FrameFacts CompareScene::analyse_table(std::size_t table, Presenter& presenter, Look const& look)
{
  auto const start = std::chrono::steady_clock::now();
  TableState& slots = state_.tables[table].slots;
  FrameFacts const times =
      views_[table]->analyse(simulation_->engine(table), presenter, look, slots, turns_.since(table));
  turns_.done(table, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return times;
}

void CompareScene::draw_pictures(Presenters& presenters, int framebuffer_height)
{
  for (std::size_t i = 0; i < views_.size(); ++i) {
    views_[i]->draw_map(presenters[i].buffer(), state_.tables[i].slots, framebuffer_height);
  }
}

void CompareScene::move_camera(std::function<void(MapView&)> const& move)
{
  move(*views_.front());
  framing_ = views_.front()->framing();
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
  return simulation_->idle() && !stepping && !runs && !flying && !flashing && state_.shared.requests.empty();
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
