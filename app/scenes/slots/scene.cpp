#include "app/scenes/slots/scene.hpp"

#include "app/simulation/names.hpp"
#include "app/simulation/rehashed.hpp"
#include "app/table_map/shown_color.hpp"
#include "app/table_scene/gui.hpp"
#include "gpu/base/translation.hpp"

#include <chrono>
#include <utility>

namespace slotscape {
namespace {

constexpr double sample_seconds = 0.1;
constexpr double lookup_seconds = 0.25;  ///< time between updates of the displayed probe path

}  // namespace

SlotsScene::SlotsScene(TableSetup const& set_up, DeviceFacts const& device)
{
  state_.settings = set_up.settings;
  state_.device = device;
  view_.look(set_up.camera);
  if (set_up.opening) { opening_.emplace(state_.settings.drive); }
  begin(make({set_up.settings.table, set_up.settings.seed}, set_up.settings.keys), set_up);
}

std::shared_ptr<Simulation> SlotsScene::make(ReplaceTables const& wanted, KeySettings const& keys)
{
  return std::make_shared<Simulation>(state_.device.backend, wanted.table, keys, wanted.seed);
}

void SlotsScene::tables_replaced()
{
  records_recent_ = false;
  given_keys_.reset();
  counted_.reset();
  state_.run.homes.reset();
  state_.run.rehashed = false;
  state_.settings.table = simulation().engine().table();
  state_.settings.seed = simulation().seed();
  initial_slots_ = simulation().history().empty() ? state_.settings.table.slots : 0;
  state_.device.device = simulation().engine().device_name();
  state_.history.throughput.clear();
  state_.history.loads.clear();
  state_.selection.pinned.reset();
  state_.selection.lookup.reset();
  state_.inspected = {};
}

/// Saves a table that is still filling up as full: while the scene is away, nothing fills it.
TableSetup SlotsScene::set_up_of(Recipe recipe) const
{
  TableSetup set_up = set_up_of_tables(std::move(recipe));
  if (!opening_) { return set_up; }
  opening_->settle(set_up.settings.drive);
  set_up.steps.emplace_back(FillTo{set_up.settings.drive.target_load});
  return set_up;
}

SceneSetup SlotsScene::set_up() const
{
  return set_up_of(simulation().recipe());
}

SceneSetup SlotsScene::set_up_for_others() const
{
  auto recipe = simulation().recipe_elsewhere();
  if (!recipe) { return {}; }
  return set_up_of(std::move(*recipe));
}

SceneSetup SlotsScene::to_remember() const
{
  TableSetup set_up{state_.settings, view_.framing()};
  if (opening_) { opening_->settle(set_up.settings.drive); }
  return set_up;
}

void SlotsScene::look_up(Key key)
{
  Lookup lookup{key, simulation().engine().probe_path(key)};
  bool const anywhere = !lookup.path.slots.empty();
  if (anywhere) { view_.fly_to(lookup.path.slots.back(), 110.0); }
  state_.selection.pinned.reset();
  state_.selection.lookup = std::move(lookup);
}

/// Stops the gradual filling at the start of the program.
void SlotsScene::rest()
{
  DrivenTables::rest();
  if (opening_) { opening_->settle(state_.settings.drive); }
  opening_.reset();
}

DriveSettings SlotsScene::drive_now(double elapsed_seconds)
{
  if (!opening_ || state_.steps.on) { return state_.settings.drive; }
  DriveSettings const drive = opening_->advance(state_.settings.drive, elapsed_seconds);
  if (opening_->over()) { opening_.reset(); }
  return drive;
}

void SlotsScene::update_from_simulation()
{
  state_.settings.table = simulation().engine().table();
  for (ActionReport const& run : simulation().take_runs()) {
    state_.history.throughput.add(run);
    state_.history.rates.add(run, state_.now);
  }
  for (ActionReport& report : simulation().take_reports()) {
    note_report(report);
    append_operation(operations_, std::move(report));
  }
  state_.progress = simulation().progress_of_all();
  state_.notice = simulation().notice();
  state_.run.history_complete = simulation().history_complete();
  state_.run.keys_used_up = simulation().keys_used_up();
  state_.run.given_keys = given_keys_.count(simulation().history());
}

FrameFacts SlotsScene::analyse(Frame const& frame)
{
  view_.place(layout().canvas, frame.look, state_, frame.elapsed_seconds);
  if (working() && !frame.slide) {
    state_.inspected.hovered.reset();
    return {};
  }
  Engine& engine = simulation().engine();
  if (state_.steps.player) { view_.frame_steps(frame.look, state_); }
  bool const recent = state_.settings.view.color_by == ColorBy::recent;
  if (std::exchange(records_recent_, recent) != recent) { engine.record_recent(recent); }
  show_what_the_family_has();
  FrameFacts const times = view_.analyse(engine, frame.presenters[0], state_, frame.elapsed_seconds);
  measure_homes();
  warn(state_, room_warning(state_, tr("the table")));
  if (state_.steps.player) { overlay_steps(*state_.steps.player, state_.inspected); }
  state_.history.costs.advance(state_.settings.table);
  if (state_.now >= next_sample_) {
    next_sample_ = state_.now + sample_seconds;
    state_.history.loads.add({state_.now, state_.statistics.load_factor(), state_.statistics.effective_load()});
  }
  if (state_.selection.lookup && state_.now >= next_lookup_) {
    next_lookup_ = state_.now + lookup_seconds;
    state_.selection.lookup->path = engine.probe_path(state_.selection.lookup->key);
  }
  return times;
}

void SlotsScene::draw_pictures(Presenters& presenters, int framebuffer_height)
{
  view_.draw_map(presenters[0].buffer(), state_, framebuffer_height);
}

bool SlotsScene::quiet() const
{
  bool const flashing = state_.settings.view.color_by == ColorBy::recent;
  StepState const& steps = state_.steps;
  bool const stepping = steps.wanted || (steps.player && steps.player->moving());
  bool const runs = state_.settings.drive.running && !steps.on;
  return !working() && simulation().idle() && !stepping && !runs && !view_.in_flight() && !flashing &&
         state_.requests.empty() && !count_is_due_;
}

void SlotsScene::show_what_the_family_has()
{
  ViewSettings& view = state_.settings.view;
  if (!has_color(view.color_by, family_of(state_), state_.settings.table)) { view.color_by = ColorBy::probe_length; }
}

/// Measures how the live keys' home slots are distributed, and why. Not in every frame, and not for so many keys that
/// the window would freeze.
void SlotsScene::measure_homes()
{
  constexpr std::uint64_t max_counted = std::uint64_t{1} << 22;
  constexpr double rest = 30.0;  // pause, in multiples of the time taken
  Statistics const& now = state_.statistics;
  Counted const present{now.slots, now.live, now.tombstones, simulation().history().size()};
  bool const same = counted_ == present;
  count_is_due_ = !same && counted_ && state_.now < next_count_;
  if (same || count_is_due_) { return; }
  auto const start = std::chrono::steady_clock::now();
  state_.run.rehashed = lies_as_rehashed(simulation().history(), initial_slots_, now.live);
  state_.run.homes.reset();
  if (now.live <= max_counted) {
    std::vector<Key> keys;
    for (Pair const& pair : simulation().engine().pairs()) { keys.push_back(pair.key); }
    state_.run.homes = spread_of_homes(family_of(state_), state_.settings.table, keys);
  }
  counted_ = present;
  next_count_ = state_.now + rest * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void SlotsScene::deselect()
{
  state_.selection.pinned.reset();
  state_.selection.lookup.reset();
}

std::vector<RunReport> SlotsScene::reports(FrameTimes const& frames)
{
  Engine& engine = simulation().engine();
  return {{.backend = std::string(to_text(engine.backend())),
           .device = engine.device_name(),
           .present = std::string(to_text(state_.device.present)),
           .table = engine.table(),
           .memory_bytes = engine.memory_bytes(),
           .rehashed = lies_as_rehashed(simulation().history(), initial_slots_, engine.counts().live),
           .repeatable = !simulation().raced(),
           .statistics = engine.statistics(),
           .shards = shards_of(engine),
           .operations = operations_,
           .throughput = state_.history.throughput,
           .frames = frames}};
}

}  // namespace slotscape
