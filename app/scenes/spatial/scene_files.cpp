#include "app/base/files.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/export.hpp"
#include "app/scenes/spatial/loader.hpp"
#include "app/scenes/spatial/outputs.hpp"
#include "app/scenes/spatial/placement.hpp"
#include "app/scenes/spatial/scene.hpp"
#include "app/simulation/names.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <utility>

namespace slotscape {

namespace {

using spatial::Model;

void open_as(SpatialState& state, Model model, std::filesystem::path const& file)
{
  std::error_code unreadable;
  if (!std::filesystem::is_regular_file(file, unreadable)) { throw Error(tr("There is no file {}.", file.string())); }
  ModelSettings settings = state.settings.models[model];
  settings.source = std::filesystem::absolute(file).lexically_normal().string();
  settings.unit = clouds::FileUnit::as_is;
  state.ask(UseModel{model, std::move(settings)});
}

SpatialReport report_of(SpatialState const& state, VoxelUpdates& updates, FrameTimes const& frames)
{
  spatial::SpatialEngine& engine = updates.engine();
  SpatialReport report{.backend = std::string(to_text(engine.backend())),
                       .device = engine.device_name(),
                       .present = std::string(to_text(state.device.present)),
                       .sources = {},
                       .scales = {},
                       .shown = {},
                       .placement = placement_of(state),
                       .hashing = state.settings.hashing,
                       .parts = shown_parts(state.settings),
                       .snapshot = state.snapshot,
                       .distances = state.distances,
                       .threshold = state.settings.distances.threshold,
                       .tables = {},
                       .stages = state.stages,
                       .frames = frames};
  for (Model const model : both_models) {
    report.sources[model] = state.settings.models[model].source;
    clouds::PointCloud const& cloud = state.clouds[model];
    report.scales[model] = {scene_units_per_unit(state, model),
                            voxel_in_file(state, model),
                            cloud.system,
                            cloud.open,
                            clouds::origin_of_normals(cloud),
                            cloud.outliers,
                            cloud.without_outliers,
                            state.settings.models[model].ignore_outliers,
                            cells_in_file(state, model),
                            state.settings.models[model].unit};
    if (updates.has_results()) { report.shown[model] = shown_voxels(engine, state, model); }
    report.tables[model] = updates.has_results() ? engine.table(model).statistics() : state.tables[model].statistics;
  }
  return report;
}

void require_measurements(SpatialState const& state)
{
  if (state.ruler.has_measured()) { return; }
  throw Error(
      tr("Nothing has been measured yet: choose Distance or Angle under Ruler (L), and click points of the models."));
}

/// Throws Error if there are no results.
spatial::SpatialEngine& engine_with_results(VoxelUpdates& updates)
{
  if (updates.has_results()) { return updates.engine(); }
  throw Error(tr(
      "The voxels are being updated. Save them when the update is done, or press Esc to return to the previous ones."));
}

}  // namespace

bool SpatialScene::open(Paths const& files)
{
  open_as(state_, state_.chosen, files.front());
  if (files.size() > 1) { open_as(state_, spatial::other(state_.chosen), files[1]); }
  return false;
}

void SpatialScene::ask_for_model(Model model)
{
  Model const second = spatial::other(model);
  ask_for_file(
      {.title = tr("Open a model as {}, or two as {} and {}", letter_of(model), letter_of(model), letter_of(second)),
       .files = {model_kind()},
       .most = 2,
       .use = [=, this](Paths const& files) {
         open_as(state_, model, files.front());
         if (files.size() > 1) { open_as(state_, second, files.back()); }
       }});
}

std::vector<Command> SpatialScene::file_commands()
{
  constexpr std::string_view menu = "File";
  auto const ask_to_save = [this](char const* title, char const* proposed,
                                  void (SpatialScene::*save)(std::filesystem::path const&)) {
    return [=, this] {
      ask_for_file({.kind = FileQuestion::Kind::save,
                    .title = title,
                    .proposed = proposed,
                    .files = {{translatable("PLY file"), {".ply"}}},
                    .use = [=, this](Paths const& files) {
                      (this->*save)(files.front());
                      state_.notice = tr("Saved {}", files.front().string());
                    }});
    };
  };
  return {
      {.menu = menu, .label = "Open model as A…", .run = [this] { ask_for_model(Model::a); }},
      {.menu = menu, .label = "Open model as B…", .run = [this] { ask_for_model(Model::b); }},
      {.keys = "Ctrl+Shift+E",
       .group = "MODELS",
       .what = "Save the result as PLY",
       .menu = menu,
       .label = "Save result as PLY…",
       .divides = true,
       .run = ask_to_save(translatable("Save the result's points as PLY"), "result.ply", &SpatialScene::save_result)},
      {.menu = menu,
       .label = "Save voxels as PLY…",
       .run = ask_to_save(translatable("Save the voxels as PLY"), "voxels.ply", &SpatialScene::save_voxels)},
      {.menu = menu, .label = "Save measurements as CSV…", .run = [this] { ask_to_save_measurements(); }},
  };
}

void SpatialScene::ask_to_save_measurements()
{
  require_measurements(state_);
  ask_for_file({.kind = FileQuestion::Kind::save,
                .title = translatable("Save the measurements as CSV"),
                .proposed = "measurements.csv",
                .files = {{translatable("CSV file"), {".csv"}}},
                .use = [this](Paths const& files) {
                  save_measurements(files.front());
                  state_.notice = tr("Saved {}", files.front().string());
                }});
}

void SpatialScene::measure_shown_voxels()
{
  spatial::SpatialEngine& engine = engine_with_results(updates_);
  std::size_t const before = state_.ruler.bodies.size();
  for (Model const model : both_models) {
    if (state_.snapshot.models[model].shown == 0) { continue; }
    state_.ruler.bodies.push_back(shown_voxels(engine, state_, model));
  }
  if (state_.ruler.bodies.size() == before) { throw Error(tr("No voxels are shown, so there is nothing to measure.")); }
}

void SpatialScene::save_measurements(std::filesystem::path const& file)
{
  require_measurements(state_);
  write_text_file(file, ruler_csv(state_));
}

void SpatialScene::save_result(std::filesystem::path const& file)
{
  clouds::write_ply(file, result_points(engine_with_results(updates_), state_));
}

void SpatialScene::save_voxels(std::filesystem::path const& file)
{
  clouds::write_ply(file, all_voxels(engine_with_results(updates_), state_));
}

SceneStatistics SpatialScene::statistics(FrameTimes const& frames)
{
  return statistics_of(report_of(state_, updates_, frames));
}

}  // namespace slotscape
