#include "app/scenes/spatial/scene.hpp"

#include "app/clouds/builtin.hpp"
#include "app/scenes/spatial/animation.hpp"
#include "app/scenes/spatial/coloring.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/map/voxel_lookups.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

namespace slotscape {
namespace {

using spatial::AnalysisRequest;
using spatial::Model;

/// The constructor waits so long for the first update; then frames go on meanwhile.
constexpr double first_wait_seconds = 0.25;

/// A few are few: sub-tables are numbered 0, 1 and 2.
double end_of_scale(double max)
{
  return max < few_values ? std::max(std::ceil(max), 1.0)
                          : static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(max)));
}

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

/// Shows the voxels on the maps and, for the selected one, the lookups of its neighbours and its own lookup in the
/// other model's table.
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

/// Whatever is made for it, it will do: there is nothing to refuse.
bool can_begin_without_models(SpatialSetup const& set_up)
{
  if (set_up.voxel || set_up.insists || set_up.insists_on_table) { return false; }
  return std::ranges::all_of(set_up.settings.models.of, [](ModelSettings const& model) {
    return clouds::is_builtin(model.source) && model.points >= 1 && model.points <= spatial::max_points;
  });
}

}  // namespace

SpatialScene::SpatialScene(SpatialSetup const& set_up, DeviceFacts const& device, Progress const& opening)
    : kernels_draw_(device.backend == Backend::cuda || gl::draws_with_the_cpu()),
      engine_(spatial::make_spatial_engine(device.backend)),
      updating_([this](Inputs const& inputs, Progress const& progress) {
        return engine_->update(inputs.hashing, inputs.engine_poses, inputs.parts, progress);
      }),
      loader_(device.backend),
      canvas_(set_up),
      maps_(model_colors),
      fits_(set_up.fits)
{
  state_.settings = set_up.settings;
  state_.stands_in = set_up.stands_in ? set_up.stands_in : stand_in_of(set_up.settings);
  state_.device = device;
  spatial::validate(state_.settings.hashing);
  state_.poses = poses_of(state_.settings);
  if (!opening.is_watched() && can_begin_without_models(set_up)) {
    start_first_models();
    follow_first_models(first_wait_seconds);
  } else {
    for (Model const model : both_models) {
      ModelRequest const request = first_request(model);
      opening.begin(tr("Opening {} as {}", translated(label_of_source(request.settings.source)), letter_of(model)));
      use_model(request, open_model(request, device.backend, opening));
    }
    require_what_was_asked_for(set_up);
    open_view();
  }
  if (!lacks_models_) { update(first_wait_seconds); }
  for (auto make : {&SpatialScene::model_commands, &SpatialScene::boolean_commands, &SpatialScene::hiding_commands,
                    &SpatialScene::hashing_commands, &SpatialScene::file_commands, &SpatialScene::view_commands,
                    &SpatialScene::camera_commands}) {
    std::ranges::move((this->*make)(), std::back_inserter(commands_));
  }
  settle();
}

/// Models of people's own fill the view at first; what only stands in is left out.
void SpatialScene::open_view()
{
  std::vector<spatial::Vector> corners;
  for (Model const model : both_models) {
    bool const is_file = !clouds::is_builtin(state_.settings.models[model].source);
    bool const stands_in = state_.stands_in == model && !is_file;
    if (stands_in || !fits_.value_or(is_file)) { continue; }
    std::ranges::copy(corners_in_scene(state_, model), std::back_inserter(corners));
  }
  canvas_.open_on(std::move(corners));
}

/// What the command line asks for is had, or refused.
void SpatialScene::require_what_was_asked_for(SpatialSetup const& set_up)
{
  SpatialSceneSettings const& settings = state_.settings;
  if (set_up.voxel) { set_voxel_in_file(state_, *set_up.voxel, set_up.voxel_of); }
  if (set_up.insists_on_table && settings.hashing.family != set_up.settings.hashing.family) {
    throw Error(
        tr("--voxel {} needs a grid of {} voxels along a side, and --table {} has up to {}: choose a larger voxel, or "
           "leave out --table",
           *set_up.voxel, settings.hashing.grid.side, set_up.settings.hashing.family, spatial::max_narrow_grid_side));
  }
  if (!set_up.insists) { return; }
  if (lacks_attribute(state_)) { throw Error(fmt::format("--attribute: {}", why_no_attribute(state_))); }
  if (settings.same_coordinates == true && !are_placed_by_coordinates(state_)) {
    throw Error(tr("--same-coordinates is not possible. {}", choose_coordinates(state_).why));
  }
  if (compares_apart(state_) && !settings.same_coordinates && !are_placed_by_coordinates(state_)) {
    throw Error(
        tr("--changes compares two surveys of one coordinate system. {} To compare them in one scale all the "
           "same, add --same-coordinates; each scaled and placed by itself, --own-coordinates",
           choose_coordinates(state_).why));
  }
}

SceneSetup SpatialScene::set_up() const
{
  OrbitPlace const place = canvas_.camera().place();
  SpatialSetup set_up{.settings = state_.settings,
                      .camera = place == canvas_.opening_place() ? std::nullopt : std::optional(place),
                      .fits = fits_};
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
    loader_.start({use->model, use->settings, state_.settings.seed, use->goes_back});
    if (!use->goes_back) { going_back_[use->model].reset(); }
  } else if (auto const* question = std::get_if<AskForModel>(&request)) {
    ask_for_model(question->model);
  } else if (std::holds_alternative<PlaceByCoordinates>(request)) {
    state_.settings.same_coordinates = true;
    end_animation(state_.settings);
    place_by_coordinates(state_, state_.chosen);
  } else if (std::holds_alternative<PlaceEachByItself>(request)) {
    state_.settings.same_coordinates = false;
    if (!state_.settings.animation.moves()) { end_animation(state_.settings); }
    place_each_by_itself(state_);
  } else if (auto const* voxel = std::get_if<UseVoxel>(&request)) {
    if (!(voxel->width > 0.0)) { throw Error(tr("A voxel is wider than 0.")); }
    set_voxel_in_file(state_, voxel->width, voxel->model);
  } else if (std::holds_alternative<CancelLoading>(request)) {
    loader_.cancel();
    going_back_ = {};
    state_.notice = tr("Opening was cancelled; nothing changed.");
  } else if (std::holds_alternative<CancelUpdate>(request)) {
    updating_.cancel();
  } else if (std::holds_alternative<FocusOnSelection>(request)) {
    focus_on_selection();
  } else if (std::holds_alternative<ShowAll>(request)) {
    canvas_.camera().reset();
  }
}

void SpatialScene::advance(double elapsed_seconds)
{
  if (lacks_models_ && !begin_with_models()) { return; }
  AnimationSettings& animation = state_.settings.animation;
  bool const waits = updating() && updating_seconds_ > long_seconds;  // for a picture, else it would jump
  if (animation.moves() && !canvas_.holds_model() && !waits) { animation.time += elapsed_seconds * animation.speed; }
  note_changes(elapsed_seconds);
  handle_requests();
  take_loaded();
  if (!is_going_back()) {
    if (std::string changed = keep_asked_voxel(state_); !changed.empty()) { state_.notice = std::move(changed); }
  }
  share_frame();
  if (updating()) { updating_seconds_ += elapsed_seconds; }
  update(max_wait());
  state_.update_progress = progress_of_update();
}

void SpatialScene::read_tables()
{
  if (!state_.settings.show_maps) {
    std::array const both{AnalysisRequest{.model = Model::a}, AnalysisRequest{.model = Model::b}};
    std::vector<Snapshot> const snapshots = engine_->analyse_tables(both);
    for (Model const model : both_models) {
      state_.tables[model].statistics = snapshots[static_cast<std::size_t>(model)].statistics;
    }
  }
  for (Model const model : both_models) {
    InspectedTable& table = engine_->table(model);
    VoxelTableFacts& facts = state_.tables[model];
    facts.table = table.table();
    facts.memory_bytes = table.memory_bytes();
    if (state_.settings.show_maps) { facts.statistics = maps_.statistics(model); }
  }
}

void SpatialScene::select(Model model, Key key)
{
  state_.selected = watched_voxel(engine(), model, key);
}

/// Reads the hovered and the selected voxel after the update.
void SpatialScene::watch_voxels()
{
  std::optional<spatial::Hit> hit;
  if (auto const ray = canvas_.mouse_ray()) { hit = engine_->pick(*ray, inputs().parts); }
  canvas_.set_hit(hit);
  state_.hovered.reset();
  if (hit) { state_.hovered = watch_index(*engine_, hit->model, hit->index); }
  if (auto const slot = maps_.hovered_slot(); !hit && slot && state_.settings.show_maps) {
    auto const index = engine_->voxel_in_slot(slot->model, slot->slot);
    if (index) { state_.hovered = watch_index(*engine_, slot->model, *index); }
  }
  if (state_.selected) { state_.selected = watched_voxel(*engine_, state_.selected->model, state_.selected->key); }
}

void SpatialScene::follow_maps()
{
  auto const clicked = maps_.take_clicked_slot();
  if (!clicked) { return; }
  auto const index = engine_->voxel_in_slot(clicked->model, clicked->slot);
  state_.selected = index ? std::optional(watch_index(*engine_, clicked->model, *index)) : std::nullopt;
}

FrameFacts SpatialScene::analyse(Frame const& frame)
{
  canvas_.place(layout_.canvas, state_.settings, frame.elapsed_seconds);
  if (!has_results()) { return {}; }
  follow_maps();
  watch_voxels();
  // The device draws the models while the host waits for the tables, where their colours do not depend on these.
  spatial::PaintBy const paint_by = state_.settings.view.paint_by;
  bool const after_tables = paint_by == spatial::PaintBy::probe_length || paint_by == spatial::PaintBy::slot;
  double present = after_tables ? 0.0 : present_models(frame.presenters);
  if (shows_maps()) {
    std::optional<Model> const alone = is_absent(state_, Model::a)   ? std::optional(Model::b)
                                       : is_absent(state_, Model::b) ? std::optional(Model::a)
                                                                     : std::nullopt;
    maps_.show_alone(alone);
    show_on_maps(maps_, *engine_, state_);
    maps_.analyse(
        {{&engine_->table(Model::a), &engine_->table(Model::b)}},
        [this](auto requests) { return engine_->analyse_tables(requests); }, frame.presenters, first_map_presenter,
        frame.look, layout_.maps, state_.settings.maps, frame.elapsed_seconds);
  }
  read_tables();
  if (after_tables) { present = present_models(frame.presenters); }
  return {.analyse = total_of(state_.snapshot.stage_seconds), .present = present};
}

/// Gives the engine the values of the attribute that is asked for.
void SpatialScene::show_attribute()
{
  if (state_.settings.view.paint_by != spatial::PaintBy::attribute) { return; }
  ShownAttribute wanted{attribute_asked_for(state_), version_};
  if (shown_attribute_ == wanted) { return; }
  state_.coloring = clouds::coloring_of(both_clouds(state_), wanted.name);
  shown_attribute_ = std::move(wanted);
  ++attributes_shown_;
  for (Model const model : both_models) { engine_->set_attribute(model, {}); }  // so that there is room
  if (!state_.coloring) { return; }
  for (Model const model : both_models) {
    std::vector<std::uint32_t> const values = clouds::values_to_show(state_.clouds[model], *state_.coloring);
    engine_->set_attribute(model, {values, clouds::blend_of(state_.coloring->kind)});
  }
}

double SpatialScene::present_models(Presenters& presenters)
{
  show_attribute();
  ModelsViewSettings const& view = state_.settings.view;
  Written const wanted{updates_, view.kind, view.paint_by, attributes_shown_, &presenters};
  double seconds = 0.0;
  if (written_ != wanted) {
    if (kernels_draw_) {
      engine_->show_instances({view.kind, view.paint_by, inputs().parts});
    } else {
      seconds += present_instances(presenters);
    }
    written_ = wanted;
  }
  has_picture_ = true;
  return seconds + (kernels_draw_ ? present_picture(presenters) : 0.0);
}

double SpatialScene::present_picture(Presenters& presenters)
{
  spatial::DrawingRequest const request =
      canvas_.request_drawing(models_picture(), state_.settings.view, state_.device.backend);
  std::uint64_t const bytes = request.texels() * sizeof(spatial::CanvasTexel);
  if (bytes == 0) { return 0.0; }
  Presenter& presenter = presenters[first_model_presenter];
  engine_->draw(request, static_cast<spatial::CanvasTexel*>(presenter.map(bytes).data));
  presenter.unmap(bytes);
  return presenter.cpu_seconds();
}

double SpatialScene::present_instances(Presenters& presenters)
{
  ModelsViewSettings const& view = state_.settings.view;
  double seconds = 0.0;
  for (Model const model : both_models) {
    std::uint64_t const count = is_absent(state_, model) ? 0 : engine_->instances(model, view.kind);
    instances_[model] = count;
    shown_[model] = 0;
    if (count == 0) { continue; }
    std::uint64_t const bytes = count * sizeof(spatial::Instance);
    Presenter& presenter = presenters[first_model_presenter + static_cast<std::size_t>(model)];
    auto* const instances = static_cast<spatial::Instance*>(presenter.map(bytes).data);
    shown_[model] = engine_->write_instances(model, {view.kind, view.paint_by, inputs().parts}, instances);
    presenter.unmap(bytes);
    seconds += presenter.cpu_seconds();
  }
  return seconds;
}

double SpatialScene::scale_end() const
{
  double end = 0.0;
  for (Model const model : both_models) {
    spatial::ModelSnapshot const& snapshot = state_.snapshot.models[model];
    VoxelTableFacts const& table = state_.tables[model];
    switch (state_.settings.view.paint_by) {
      case spatial::PaintBy::points: {
        auto const voxels = static_cast<double>(std::max<std::uint64_t>(snapshot.voxels, 1));
        end = std::max(end, end_of_scale(3.0 * static_cast<double>(snapshot.points) / voxels));
        break;
      }
      case spatial::PaintBy::probe_length:
        end = std::max(end, end_of_scale(static_cast<double>(table.statistics.probe_length.max)));
        break;
      case spatial::PaintBy::slot: {
        std::uint64_t const slots = table.table.slots;
        std::uint64_t const values = slots / spatial::Paint::slots_per_value(slots);
        end = std::max(end, static_cast<double>(values));
        break;
      }
      case spatial::PaintBy::attribute: end = clouds::Coloring::scale_end; break;
      default: end = std::max(end, 1.0);
    }
  }
  return end;
}

bool SpatialScene::quiet() const
{
  return !state_.settings.animation.moves() && !state_.settings.turntable && !canvas_.moving() && !loader_.busy() &&
         is_settled() && !maps_.in_flight() && state_.requests.empty();
}

bool SpatialScene::can_wait() const
{
  constexpr std::size_t most_points = std::size_t{1} << 22;
  if (lacks_models_) { return false; }
  std::size_t points = 0;
  for (clouds::PointCloud const& cloud : state_.clouds.of) { points += cloud.positions.size(); }
  return quiet() && points <= most_points;
}

void SpatialScene::come_back()
{
  written_.reset();
  maps_.come_back();
}

}  // namespace slotscape
