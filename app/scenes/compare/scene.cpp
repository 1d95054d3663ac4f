#include "app/scenes/compare/scene.hpp"

#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "app/table_map/shown_color.hpp"
#include "gpu/base/translation.hpp"

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
  begin(make({.table = settings.table, .seed = settings.seed, .compared = fitted(set_up.tables)}, settings.keys),
        set_up.shared, set_up.tables);
}

std::shared_ptr<Simulation> CompareScene::make(ReplaceTables const& wanted, KeySettings const& keys)
{
  std::vector<TableSettings> const tables = wanted.compared.empty() ? settings_of(state_.tables) : wanted.compared;
  return std::make_shared<Simulation>(state_.shared.device.backend, tables, keys, wanted.seed);
}

void CompareScene::tables_replaced()
{
  std::size_t const count = simulation().tables();
  TableSceneSettings& shared = state_.shared.settings;
  shared.table = simulation().engine().table();
  shared.seed = simulation().seed();
  state_.shared.device.device = simulation().engine().device_name();
  state_.tables.clear();
  for (std::size_t i = 0; i < count; ++i) {
    ComparedTable& table = state_.tables.emplace_back();
    table.slots.settings = shared;
    table.slots.settings.table = simulation().engine(i).table();
    table.slots.device = state_.shared.device;
  }
  while (views_.size() < count) {
    views_.push_back(std::make_unique<MapView>(fmt::format("##canvas{}", views_.size())));
  }
  views_.resize(count);
  operations_.resize(std::max(operations_.size(), count));  // keeps the reports of earlier tables
  turns_ = Turns(count, analysis_seconds);
  warn(state_.shared, {});
  records_recent_ = false;
  given_keys_.reset();
  focus_ = 0;
}

std::vector<TableState*> CompareScene::table_states()
{
  std::vector<TableState*> states;
  for (ComparedTable& table : state_.tables) { states.push_back(&table.slots); }
  return states;
}

CompareSetup CompareScene::set_up_of(Recipe recipe) const
{
  std::vector<TableSettings> tables = recipe.tables;
  return {std::move(tables), set_up_of_tables(std::move(recipe))};
}

SceneSetup CompareScene::set_up() const
{
  return set_up_of(simulation().recipe());
}

SceneSetup CompareScene::set_up_for_others() const
{
  auto recipe = simulation().recipe_elsewhere();
  if (!recipe) { return {}; }
  return set_up_of(std::move(*recipe));
}

SceneSetup CompareScene::to_remember() const
{
  return CompareSetup{settings_of(state_.tables), {state_.shared.settings, framing_}};
}

void CompareScene::forget_throughput()
{
  for (ComparedTable& table : state_.tables) { table.slots.history.throughput.clear(); }
}

void CompareScene::look_up(Key key)
{
  deselect();
  for (std::size_t i = 0; i < state_.tables.size(); ++i) {
    state_.tables[i].slots.selection.lookup = Lookup{key, simulation().engine(i).probe_path(key)};
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

void CompareScene::update_from_simulation()
{
  std::uint64_t const given_keys = given_keys_.count(simulation().history());
  for (std::size_t i = 0; i < state_.tables.size(); ++i) {
    state_.tables[i].slots.settings.table = simulation().engine(i).table();
    state_.tables[i].slots.settings.keys = state_.shared.settings.keys;
    state_.tables[i].slots.run.given_keys = given_keys;
    state_.tables[i].live = simulation().live(i);
    state_.tables[i].load_factor = simulation().load_factor(i);
    state_.tables[i].refused = simulation().refused(i);
    state_.tables[i].memory_bytes = simulation().engine(i).memory_bytes();
    state_.tables[i].slots.now = state_.shared.now;
    state_.tables[i].slots.history.costs.advance(state_.tables[i].slots.settings.table);
  }
  TableState& shared = state_.shared;
  shared.settings.table = simulation().engine().table();
  shared.compared.clear();
  for (ComparedTable const& table : state_.tables) {
    shared.compared.push_back({table.slots.settings.table, table.load_factor});
  }
  for (ActionReport const& run : simulation().take_runs()) {
    state_.tables[run.table].slots.history.throughput.add(run);
  }
  for (ActionReport& report : simulation().take_reports()) {
    note_report(report);
    std::vector<ActionReport>& operations = operations_[report.table];
    append_operation(operations, std::move(report));
  }
  shared.progress = simulation().progress_of_all();
  shared.notice = current_notice();
  shared.run.history_complete = simulation().history_complete();
  shared.run.keys_used_up = simulation().keys_used_up();
}

std::string CompareScene::current_notice() const
{
  if (!simulation().notice().empty()) { return simulation().notice(); }
  for (std::size_t i = 0; i < state_.tables.size(); ++i) {
    if (state_.tables[i].refused == 0) { continue; }
    return tr(
        "Table {} had no room for some keys, so it no longer holds the same keys as the others. "
        "Clear the tables (C) to start over.",
        i + 1);
  }
  return {};
}

void CompareScene::place_views(Look const& look, double elapsed_seconds)
{
  ViewSettings& view = state_.shared.settings.view;
  auto const has_chains = [](ComparedTable const& table) {
    return has_color(ColorBy::chain_length, family_of(table.slots), table.slots.settings.table);
  };
  bool const by_chain = view.color_by == ColorBy::chain_length;
  if (by_chain && !std::ranges::all_of(state_.tables, has_chains)) { view.color_by = ColorBy::probe_length; }
  auto const places = map_places(look);
  for (std::size_t i = 0; i < views_.size(); ++i) {
    TableState& table = state_.tables[i].slots;
    table.settings.view = view;
    if (view.scale_max <= 0.0) { table.settings.view.scale_max = scale_end(state_.shared); }
    if (!table.steps.player) { views_[i]->look(framing_); }  // in step mode, each camera follows its own path
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
  bool const captions = state_.tables.front().slots.steps.player.has_value();
  return arrange_maps(look, layout().canvas, views_.size(),
                      size_by_cells(slots_on_map(state_.tables.front().slots), settings.view), captions);
}

/// Analyses all tables in the first frame.
void CompareScene::come_back()
{
  TableScene::come_back();
  turns_.begin_anew();
}

FrameFacts CompareScene::analyse(Frame const& frame)
{
  place_views(frame.look, frame.elapsed_seconds);
  if (working() && !frame.slide) {
    for (ComparedTable& table : state_.tables) { table.slots.inspected.hovered.reset(); }
    return {};
  }
  bool const recent = state_.shared.settings.view.color_by == ColorBy::recent;
  if (std::exchange(records_recent_, recent) != recent) {
    for (std::size_t i = 0; i < views_.size(); ++i) { simulation().engine(i).record_recent(recent); }
  }
  FrameFacts sum;
  for (std::size_t const table : turns_.begin_frame(frame.elapsed_seconds)) {
    FrameFacts const times = analyse_table(table, frame.presenters[table]);
    sum.analyse += times.analyse;
    sum.present += times.present;
  }
  inspect_steps();
  share_widths();
  state_.shared.statistics = extremes_of(state_.tables);
  warn(state_.shared, room_warning_of(state_.tables));
  if (state_.shared.now < next_lookup_) { return sum; }
  next_lookup_ = state_.shared.now + lookup_seconds;
  for (std::size_t i = 0; i < views_.size(); ++i) {
    auto& lookup = state_.tables[i].slots.selection.lookup;
    if (lookup) { lookup->path = simulation().engine(i).probe_path(lookup->key); }
  }
  return sum;
}

FrameFacts CompareScene::analyse_table(std::size_t table, Presenter& presenter)
{
  auto const start = std::chrono::steady_clock::now();
  TableState& slots = state_.tables[table].slots;
  FrameFacts const times = views_[table]->analyse(simulation().engine(table), presenter, slots, turns_.since(table));
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
  return !working() && simulation().idle() && !stepping && !runs && !flying && !flashing &&
         state_.shared.requests.empty();
}

std::vector<RunReport> CompareScene::reports(FrameTimes const& frames)
{
  std::vector<RunReport> reports;
  for (std::size_t i = 0; i < state_.tables.size(); ++i) {
    Engine& engine = simulation().engine(i);
    reports.push_back({.backend = std::string(to_text(engine.backend())),
                       .device = engine.device_name(),
                       .present = std::string(to_text(state_.shared.device.present)),
                       .table = engine.table(),
                       .memory_bytes = engine.memory_bytes(),
                       .repeatable = !simulation().raced(),
                       .statistics = engine.statistics(),
                       .shards = shards_of(engine),
                       .operations = operations_[i],
                       .throughput = state_.tables[i].slots.history.throughput,
                       .frames = frames});
  }
  return reports;
}

}  // namespace slotscape
