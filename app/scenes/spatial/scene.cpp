#include "app/scenes/spatial/scene.hpp"

#include "app/clouds/builtin.hpp"
#include "app/scenes/spatial/animation.hpp"
#include "app/scenes/spatial/coloring.hpp"
#include "app/scenes/spatial/commands.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/map/voxel_lookups.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace slotscape {
namespace {

using spatial::AnalysisRequest;
using spatial::Model;

/// How long the constructor waits for the first update before frames continue without it.
constexpr double first_wait_seconds = 0.25;

void highlight(VoxelMaps& maps, std::optional<WatchedVoxel> const& voxel, VoxelMaps::Highlight kind)
{
  for (Model const model : both_models) {
    bool const here = voxel && voxel->model == model && voxel->info;
    maps.highlight(model, here ? std::optional(voxel->info->slot) : std::nullopt, kind);
  }
}

std::vector<MapLookup> neighbour_lookups(InspectedTable& table, spatial::VoxelGrid const& grid, spatial::Cell cell)
{
  std::vector<MapLookup> lookups;
  for (int face = 0; face < spatial::face_count; ++face) {
    spatial::Cell const neighbour = cell + spatial::face_step(face);
    if (!grid.contains(neighbour)) { continue; }
    lookups.push_back(neighbour_lookup(face, table.probe_path(key_of(grid, neighbour))));
  }
  return lookups;
}

/// Shows the voxels on the maps. For the selected one, also shows the lookups of its neighbours and its own lookup in
/// the other model's table.
void show_on_maps(VoxelMaps& maps, spatial::SpatialEngine& engine, SpatialState const& state)
{
  highlight(maps, state.hovered, VoxelMaps::Highlight::hovered);
  highlight(maps, state.selected, VoxelMaps::Highlight::selected);
  for (Model const model : both_models) { maps.show_lookups(model, {}); }
  if (!state.selected || !state.selected->info) { return; }
  auto const& [model, key, info, probe_length] = *state.selected;
  maps.show_lookups(model, neighbour_lookups(engine.table(model), state.settings.hashing.grid, info->cell));
  Model const other = spatial::other(model);
  maps.show_lookups(other, {voxel_lookup(model, engine.table(other).probe_path(key))});
}

/// Whether making the models cannot fail, so that nothing must be reported before the scene begins.
bool can_begin_without_models(SpatialSetup const& set_up)
{
  if (set_up.voxel || set_up.insists || set_up.insists_on_table) { return false; }
  return std::ranges::all_of(set_up.settings.models.of, [](ModelSettings const& model) {
    return clouds::is_builtin(model.source) && model.points >= 1 && model.points <= spatial::max_points;
  });
}

SpatialState first_state(SpatialSetup const& set_up, DeviceFacts const& device)
{
  SpatialState state;
  state.settings = set_up.settings;
  state.stands_in = set_up.stands_in ? set_up.stands_in : stand_in_of(set_up.settings);
  state.wants_own_colors = set_up.own_colors;
  state.device = device;
  spatial::validate(state.settings.hashing);
  state.poses = poses_of(state.settings);
  return state;
}

/// Throws Error if a request of the command line cannot be met.
void require_what_was_asked_for(SpatialState& state, SpatialSetup const& set_up)
{
  SpatialSceneSettings const& settings = state.settings;
  if (set_up.voxel) { set_voxel_in_file(state, *set_up.voxel, set_up.voxel_of); }
  if (set_up.insists_on_table && settings.hashing.family != set_up.settings.hashing.family) {
    throw Error(
        tr("--voxel {} needs a grid of {} voxels along a side, but --table {} allows only {}: choose a larger voxel, "
           "or leave out --table",
           *set_up.voxel, settings.hashing.grid.side, set_up.settings.hashing.family, spatial::max_narrow_grid_side));
  }
  if (!set_up.insists) { return; }
  if (lacks_attribute(state)) { throw Error(fmt::format("--attribute: {}", why_no_attribute(state))); }
  if (settings.same_coordinates == true && !are_placed_by_coordinates(state)) {
    throw Error(tr("--same-coordinates is not possible. {}", choose_coordinates(state).why));
  }
  if (compares_apart(state) && !settings.same_coordinates && !are_placed_by_coordinates(state)) {
    throw Error(
        tr("{} compares two files in the same coordinates. {} To compare them at the same scale anyway, add "
           "--same-coordinates; to scale and place each by itself, add --own-coordinates",
           settings.hashing.changes.shown ? "--changes" : "--distances", choose_coordinates(state).why));
  }
}

void fit_section(SpatialState& state)
{
  state.settings.section = section_around(corners_of_models(state));
}

/// Reads facts about the tables other than their maps.
void read_tables(SpatialState& state, spatial::SpatialEngine& engine, VoxelMaps const& maps)
{
  if (!state.settings.show_maps) {
    std::array const both{AnalysisRequest{.model = Model::a}, AnalysisRequest{.model = Model::b}};
    std::vector<Snapshot> const snapshots = engine.analyse_tables(both);
    for (Model const model : both_models) {
      state.tables[model].statistics = snapshots[static_cast<std::size_t>(model)].statistics;
    }
  }
  for (Model const model : both_models) {
    InspectedTable& table = engine.table(model);
    VoxelTableFacts& facts = state.tables[model];
    facts.table = table.table();
    facts.memory_bytes = table.memory_bytes();
    if (state.settings.show_maps) { facts.statistics = maps.statistics(model); }
  }
}

/// Reads the hovered and the selected voxel after an update.
void watch_voxels(SpatialState& state, spatial::SpatialEngine& engine, SpatialCanvas& canvas, VoxelMaps const& maps,
                  spatial::ShownParts const& parts)
{
  std::optional<spatial::Hit> hit;
  if (auto const ray = canvas.mouse_ray()) { hit = engine.pick(*ray, parts); }
  canvas.set_hit(hit);
  state.hovered.reset();
  if (hit) { state.hovered = watch_index(engine, hit->model, hit->index); }
  if (auto const slot = maps.hovered_slot(); !hit && slot && state.settings.show_maps) {
    auto const index = engine.voxel_in_slot(slot->model, slot->slot);
    if (index) { state.hovered = watch_index(engine, slot->model, *index); }
  }
  if (state.selected) { state.selected = watched_voxel(engine, state.selected->model, state.selected->key); }
}

void follow_maps(SpatialState& state, spatial::SpatialEngine& engine, VoxelMaps& maps)
{
  auto const clicked = maps.take_clicked_slot();
  if (!clicked) { return; }
  auto const index = engine.voxel_in_slot(clicked->model, clicked->slot);
  state.selected = index ? std::optional(watch_index(engine, clicked->model, *index)) : std::nullopt;
}

}  // namespace

SpatialScene::SpatialScene(SpatialSetup const& set_up, DeviceFacts const& device, Progress const& opening)
    : state_(first_state(set_up, device)),
      canvas_(set_up),
      maps_(model_colors),
      updates_(state_, device.backend),
      distances_(state_, device.backend),
      models_(state_, canvas_, updates_, set_up.fits),
      presentation_(state_, canvas_, updates_),
      undo_(state_, canvas_, models_)
{
  if (!opening.is_watched() && can_begin_without_models(set_up)) {
    models_.start_first();
    models_.follow_first(first_wait_seconds);
  } else {
    models_.open_first(opening);
    require_what_was_asked_for(state_, set_up);
    models_.open_view();
  }
  if (!models_.lacks_first()) { updates_.follow_settings(first_wait_seconds); }
  for (auto commands :
       {model_commands(state_), boolean_commands(state_), hiding_commands(state_), hashing_commands(state_),
        file_commands(), view_commands(state_, canvas_, maps_), camera_commands(canvas_)}) {
    std::ranges::move(commands, std::back_inserter(commands_));
  }
  undo_.settle();
}

spatial::SpatialEngine& SpatialScene::engine()
{
  if (models_.lacks_first()) {
    if (models_.follow_first(std::nullopt)) { undo_.settle(); }
    updates_.follow_settings(std::nullopt);
  }
  updates_.wait();
  return updates_.engine();
}

SceneSetup SpatialScene::set_up() const
{
  OrbitPlace const place = canvas_.camera().place();
  SpatialSetup set_up{.settings = state_.settings,
                      .camera = place == canvas_.opening_place() ? std::nullopt : std::optional(place),
                      .fits = models_.fits()};
  std::optional<AskedVoxel> const& asked = state_.asked_voxel;
  if (asked && asked->grid == state_.settings.hashing.grid) {
    set_up.voxel = asked->width;
    set_up.voxel_of = asked->model;
  }
  return set_up;
}

void SpatialScene::handle_requests()
{
  std::vector<SpatialRequest> const requests = std::exchange(state_.requests, {});
  for (SpatialRequest const& request : requests) { handle(request); }
}

void SpatialScene::handle(SpatialRequest const& request)
{
  if (auto const* use = std::get_if<UseModel>(&request)) {
    models_.load(*use);
  } else if (auto const* question = std::get_if<AskForModel>(&request)) {
    ask_for_model(question->model);
  } else if (auto const* alone = std::get_if<ShowAlone>(&request)) {
    models_.show_alone(alone->model);
  } else if (std::holds_alternative<PlaceByCoordinates>(request)) {
    state_.settings.same_coordinates = true;
    end_animation(state_.settings);
    place_by_coordinates(state_, state_.chosen);
  } else if (std::holds_alternative<PlaceEachByItself>(request)) {
    state_.settings.same_coordinates = false;
    if (!state_.settings.animation.moves()) { end_animation(state_.settings); }
    place_each_by_itself(state_);
  } else if (auto const* voxel = std::get_if<UseVoxel>(&request)) {
    if (!(voxel->width > 0.0)) { throw Error(tr("The width of a voxel must be more than 0.")); }
    set_voxel_in_file(state_, voxel->width, voxel->model);
  } else if (std::holds_alternative<CancelLoading>(request)) {
    models_.cancel();
    state_.notice = tr("Opening was cancelled; nothing changed.");
  } else if (std::holds_alternative<CancelUpdate>(request)) {
    updates_.cancel();
  } else if (std::holds_alternative<CancelDistances>(request)) {
    distances_.cancel();
  } else if (std::holds_alternative<FocusOnSelection>(request)) {
    focus_on_selection(state_, canvas_, maps_);
  } else if (std::holds_alternative<ShowAll>(request)) {
    canvas_.camera().reset();
  } else if (std::holds_alternative<FitSection>(request)) {
    fit_section(state_);
  } else if (std::holds_alternative<CutSection>(request)) {
    cut_towards_eye(state_.settings.section, canvas_.camera());
  } else if (std::holds_alternative<MeasureShownVoxels>(request)) {
    measure_shown_voxels();
  } else if (std::holds_alternative<SaveMeasurements>(request)) {
    ask_to_save_measurements();
  }
}

void SpatialScene::advance(double elapsed_seconds)
{
  if (models_.lacks_first() && !begin_with_models()) { return; }
  AnimationSettings& animation = state_.settings.animation;
  bool const waits = updates_.is_busy() && updates_.is_long();  // waits for a picture, so that motion does not jump
  if (animation.moves() && !canvas_.holds_model() && !waits) { animation.time += elapsed_seconds * animation.speed; }
  if (state_.settings.section == spatial::Section{.shown = true}) { fit_section(state_); }
  undo_.note_changes(elapsed_seconds);
  handle_requests();
  models_.take_loaded();
  if (!models_.is_going_back()) {
    if (std::string changed = keep_asked_voxel(state_); !changed.empty()) { state_.notice = std::move(changed); }
  }
  models_.share_frame();
  updates_.pass(elapsed_seconds);
  updates_.follow_settings(max_wait());
  state_.update_progress = updates_.progress();
  distances_.pass(elapsed_seconds);
  if (updates_.has_results()) { distances_.follow(updates_.version(), max_wait()); }
  state_.distance_progress = distances_.progress();
}

void SpatialScene::finish_steps(std::function<void()> const& frame)
{
  auto const progress = [this] {
    if (models_.lacks_first()) { return state_.progress.value_or(ProgressSnapshot{}); }
    return (updates_.is_busy() ? state_.update_progress : state_.distance_progress).value_or(ProgressSnapshot{});
  };
  auto const cancel_all = [this] {
    if (models_.lacks_first()) { models_.cancel(); }
    updates_.cancel();
    distances_.cancel();
  };
  finish({[this] { return is_settled(); }, progress, cancel_all}, frame);
}

bool SpatialScene::begin_with_models()
{
  std::optional<double> const wait = max_wait();
  bool const came = models_.follow_first(wait ? std::optional(std::min(*wait, shortest_spatial_wait_seconds)) : wait);
  if (came) { undo_.settle(); }
  return came;
}

void SpatialScene::select(Model model, Key key)
{
  state_.selected = watched_voxel(engine(), model, key);
}

FrameFacts SpatialScene::analyse(Frame const& frame)
{
  canvas_.place(layout_.canvas, state_.settings, frame.elapsed_seconds);
  if (!updates_.has_results()) { return {}; }
  spatial::SpatialEngine& engine = updates_.engine();
  follow_maps(state_, engine, maps_);
  watch_voxels(state_, engine, canvas_, maps_, updates_.inputs().parts);
  // If colours do not depend on the tables, the device draws the models while the host waits for the tables.
  spatial::PaintBy const paint_by = state_.settings.view.paint_by;
  bool const after_tables = paint_by == spatial::PaintBy::probe_length || paint_by == spatial::PaintBy::slot;
  double present = after_tables ? 0.0 : presentation_.present(frame.presenters);
  if (shows_maps()) {
    maps_.show_alone(is_one_alone(state_) ? std::optional(shown_models(state_).front()) : std::nullopt);
    show_on_maps(maps_, engine, state_);
    maps_.analyse(
        {{&engine.table(Model::a), &engine.table(Model::b)}},
        [&engine](auto requests) { return engine.analyse_tables(requests); }, frame.presenters, first_map_presenter,
        frame.look, layout_.maps, state_.settings.maps, frame.elapsed_seconds);
  }
  read_tables(state_, engine, maps_);
  if (after_tables) { present = presentation_.present(frame.presenters); }
  return {.analyse = total_of(state_.snapshot.stage_seconds), .present = present};
}

bool SpatialScene::is_settled() const
{
  return models_.lacks_first() ? !models_.is_busy() : updates_.is_settled() && !distances_.is_busy();
}

/// While a new picture is pending, keeps the previous findings, because new ones would not match what is shown.
Findings SpatialScene::findings() const
{
  bool const moves = state_.settings.animation.moves();  // pictures may lag slightly behind
  bool const shows_what_is_set = is_settled() && (moves || updates_.follows_settings());
  if (shows_what_is_set) { findings_ = findings_of(state_); }
  return findings_;
}

void SpatialScene::cancel()
{
  if (models_.is_busy()) {
    state_.ask(CancelLoading{});
  } else if (updates_.is_busy()) {
    state_.ask(CancelUpdate{});
  } else if (distances_.is_busy()) {
    state_.ask(CancelDistances{});
  } else if (!state_.ruler.pending.empty()) {
    state_.ruler.pending.clear();
  } else {
    state_.selected.reset();
  }
}

bool SpatialScene::quiet() const
{
  return !state_.settings.animation.moves() && !state_.settings.turntable && !canvas_.moving() && !models_.is_busy() &&
         is_settled() && !maps_.in_flight() && state_.requests.empty();
}

bool SpatialScene::can_wait() const
{
  constexpr std::size_t most_points = std::size_t{1} << 22;
  if (models_.lacks_first()) { return false; }
  std::size_t points = 0;
  for (clouds::PointCloud const& cloud : state_.clouds.of) { points += cloud.positions.size(); }
  return quiet() && points <= most_points;
}

void SpatialScene::come_back()
{
  presentation_.come_back();
  maps_.come_back();
}

}  // namespace slotscape
