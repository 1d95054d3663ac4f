#include "app/scenes/spatial/scene.hpp"

#include "app/clouds/builtin.hpp"
#include "app/scenes/spatial/animation.hpp"
#include "app/scenes/spatial/watching.hpp"
#include "app/settings_file.hpp"
#include "app/widgets/format.hpp"
#include "gpu/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace slotscape {
namespace {

using spatial::Model;

/// Presenters of the maps come first, then those of the instances.
constexpr std::size_t first_map_presenter = 0;
constexpr std::size_t first_instance_presenter = spatial::model_count;

std::size_t number_of(Model model)
{
  return static_cast<std::size_t>(model);
}

double round_up_to_power_of_two(double value)
{
  return static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(std::max(value, 8.0))));
}

}  // namespace

spatial::Pose first_place(SpatialState const& state, Model model)
{
  spatial::Pose place = SpatialSceneSettings{}.models[model].place;
  bool const is_mesh = state.clouds[model].triangles != 0;
  if (is_mesh) { place.rotation = {{spatial::Vector{1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, -1.0f}, {0.0f, 1.0f, 0.0f}}}; }
  return place;
}

std::string title_of(SpatialState const& state, Model model)
{
  return fmt::format("{} · {}", letter_of(model), label_of_source(state.settings.models[model].source));
}

SpatialScene::SpatialScene(SpatialSceneSettings const& settings, DeviceFacts device)
    : engine_(spatial::make_spatial_engine(device.backend)), canvas_(settings), maps_(model_colors)
{
  state_.settings = settings;
  state_.device = std::move(device);
  state_.device.device = engine_->device_name();
  spatial::validate(settings.hashing);
  for (Model const model : both_models) {
    ModelRequest const request{model, settings.models[model], settings.seed};
    use_cloud(request, open_model(request));
  }
  update();
}

void SpatialScene::use_cloud(ModelRequest const& request, clouds::PointCloud cloud)
{
  clouds::complete_normals(cloud, [this](auto positions) { return engine_->estimate_normals(positions); });
  engine_->set_model(request.model, {cloud.positions, cloud.normals});
  state_.clouds[request.model] = std::move(cloud);
  ModelSettings& settings = state_.settings.models[request.model];
  if (settings.place.rotation == spatial::Rotation{}) {
    settings.place.rotation = first_place(state_, request.model).rotation;
  }
  settings.source = request.settings.source;
  settings.points = request.settings.points;
  ++version_;
}

Scenario SpatialScene::set_up() const
{
  Scenario scenario;
  scenario.spatial = settings_to_keep();
  return scenario;
}

SpatialSceneSettings SpatialScene::settings_to_keep() const
{
  SpatialSceneSettings settings = state_.settings;
  OrbitPlace const place = canvas_.camera().place();
  settings.camera = place == canvas_.opening_place() ? std::nullopt : std::optional(place);
  return settings;
}

void SpatialScene::keep_settings(UserSettings& settings) const
{
  settings.spatial = settings_to_keep();
}

void SpatialScene::load(Scenario const& scenario)
{
  SpatialSceneSettings const& settings = scenario.spatial.value();
  spatial::PerModel<clouds::PointCloud> opened;
  for (Model const model : both_models) { opened[model] = open_model({model, settings.models[model], settings.seed}); }
  loader_.cancel();
  for (Model const model : both_models) {
    use_cloud({model, settings.models[model], settings.seed}, std::move(opened[model]));
  }
  state_.settings = settings;
  state_.selected.reset();
  state_.stages.clear();
  canvas_.camera().look(settings.camera.value_or(canvas_.opening_place()));
}

void SpatialScene::take_loaded()
{
  state_.progress = loader_.progress();
  auto result = loader_.take_result();
  if (!result) { return; }
  std::string const label = label_of_source(result->request.settings.source);
  try {
    if (result->error) { std::rethrow_exception(result->error); }
    use_cloud(result->request, std::move(result->cloud));
  } catch (Error const& error) {
    throw Error(fmt::format("{} is not opened: all stays as it was.\n{}", label, error.what()));
  }
  state_.notice = fmt::format("{} is {} now: {} points.", letter_of(result->request.model), label,
                              grouped(state_.clouds[result->request.model].positions.size()));
  for (std::string const& note : state_.clouds[result->request.model].notes) { state_.notice += "\n" + note; }
}

void SpatialScene::obey_asks()
{
  std::vector<SpatialAsk> const asks = std::exchange(state_.asks, {});
  for (SpatialAsk const& ask : asks) { obey(ask); }
}

void SpatialScene::obey(SpatialAsk const& ask)
{
  if (auto const* use = std::get_if<UseModel>(&ask)) {
    loader_.start({use->model, use->settings, state_.settings.seed});
  } else if (auto const* path = std::get_if<AskForPath>(&ask)) {
    wanted_path_ = path->purpose;
  } else if (std::holds_alternative<CancelLoading>(ask)) {
    loader_.cancel();
    state_.notice = "Opening was cancelled: all stays as it was.";
  } else if (std::holds_alternative<FocusOnSelection>(ask)) {
    focus_on_selection();
  } else if (std::holds_alternative<ShowAll>(ask)) {
    canvas_.camera().reset();
  }
}

void SpatialScene::advance(double elapsed_seconds)
{
  AnimationSettings& animation = state_.settings.animation;
  if (animation.running && !canvas_.holds_model()) { animation.time += elapsed_seconds * animation.speed; }
  obey_asks();
  take_loaded();
}

void SpatialScene::update()
{
  SpatialSceneSettings& settings = state_.settings;
  state_.poses = poses_of(settings);
  Inputs inputs{settings.hashing, state_.poses, settings.boolean, version_};
  if (last_inputs_ == inputs) { return; }
  bool const same_grid = last_inputs_ && last_inputs_->hashing.grid == inputs.hashing.grid;
  try {
    state_.snapshot = engine_->update(inputs.hashing, inputs.poses, inputs.boolean);
  } catch (Error const&) {
    if (last_inputs_) { settings.hashing = last_inputs_->hashing; }
    throw;
  }
  if (!same_grid) { state_.selected.reset(); }
  last_inputs_ = std::move(inputs);
  ++updates_;
  state_.stages.add(state_.snapshot.stage_seconds);
  state_.frames.analyse = total_of(state_.snapshot.stage_seconds);
}

void SpatialScene::take_note_of_tables()
{
  for (Model const model : both_models) {
    InspectedTable& table = engine_->table(model);
    VoxelTableFacts& facts = state_.tables[model];
    facts.table = table.table();
    facts.memory_bytes = table.memory_bytes();
    facts.statistics = state_.settings.show_maps ? maps_.statistics(model) : table.analyse({}, {}).statistics;
  }
}

void SpatialScene::select(Model model, Key key)
{
  state_.selected = watch(*engine_, model, key);
}

/// The voxels under the mouse and selected, as they are after the update.
void SpatialScene::watch_voxels()
{
  std::optional<spatial::Hit> hit;
  if (auto const ray = canvas_.mouse_ray()) { hit = engine_->pick(*ray, state_.settings.boolean); }
  canvas_.set_hit(hit);
  state_.hovered.reset();
  if (hit) { state_.hovered = watch_index(*engine_, hit->model, hit->index); }
  if (auto const slot = maps_.hovered_slot(); !hit && slot && state_.settings.show_maps) {
    auto const index = engine_->voxel_in_slot(slot->model, slot->slot);
    if (index) { state_.hovered = watch_index(*engine_, slot->model, *index); }
  }
  if (state_.selected) { state_.selected = watch(*engine_, state_.selected->model, state_.selected->key); }
}

void SpatialScene::follow_maps()
{
  auto const clicked = maps_.take_clicked_slot();
  if (!clicked) { return; }
  auto const index = engine_->voxel_in_slot(clicked->model, clicked->slot);
  state_.selected = index ? std::optional(watch_index(*engine_, clicked->model, *index)) : std::nullopt;
}

void SpatialScene::analyse(Presenters& presenters, Look const& look, double elapsed_seconds)
{
  update();
  canvas_.place(layout_.canvas, state_.settings, elapsed_seconds);
  follow_maps();
  watch_voxels();
  state_.frames.present = 0.0;
  if (state_.settings.show_maps) {
    show_on_maps(maps_, *engine_, state_);
    maps_.analyse({{&engine_->table(Model::a), &engine_->table(Model::b)}}, presenters, first_map_presenter, look,
                  layout_.maps, state_.settings.maps, elapsed_seconds);
  }
  take_note_of_tables();
  write_instances(presenters);
}

void SpatialScene::write_instances(Presenters& presenters)
{
  ModelsViewSettings const& view = state_.settings.view;
  Written const wanted{updates_, view.kind, view.paint_by, &presenters};
  if (written_ == wanted) { return; }
  for (Model const model : both_models) {
    std::uint64_t const count = engine_->instances(model, view.kind);
    if (count == 0) { continue; }
    std::uint64_t const bytes = count * sizeof(spatial::Instance);
    Presenter& presenter = presenters[first_instance_presenter + number_of(model)];
    auto* const instances = static_cast<spatial::Instance*>(presenter.map(bytes).data);
    engine_->write_instances(model, {view.kind, view.paint_by, state_.settings.boolean}, instances);
    presenter.unmap(bytes);
    state_.frames.present += presenter.cpu_seconds();
  }
  written_ = wanted;
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
        end = std::max(end, round_up_to_power_of_two(3.0 * static_cast<double>(snapshot.points) / voxels));
        break;
      }
      case spatial::PaintBy::probe_length:
        end = std::max(end, round_up_to_power_of_two(static_cast<double>(table.statistics.probe_length.max)));
        break;
      case spatial::PaintBy::slot: {
        std::uint64_t const slots = table.table.slots;
        end = std::max(end, static_cast<double>(slots / spatial::Paint::slots_per_value(slots)));
        break;
      }
      default: end = std::max(end, 1.0);
    }
  }
  return end;
}

bool SpatialScene::quiet() const
{
  return !state_.settings.animation.running && !state_.settings.turntable && !canvas_.moving() && !loader_.busy() &&
         !maps_.in_flight() && state_.asks.empty();
}

}  // namespace slotscape
