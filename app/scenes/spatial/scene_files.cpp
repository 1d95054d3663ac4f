#include "app/scenario/names.hpp"
#include "app/scenes/spatial/report.hpp"
#include "app/scenes/spatial/results.hpp"
#include "app/scenes/spatial/scene.hpp"

#include "gpu/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace slotscape {

using spatial::Model;

bool SpatialScene::open(std::filesystem::path const& file)
{
  open_as(state_.chosen, file);
  return false;
}

void SpatialScene::open_as(Model model, std::filesystem::path const& file)
{
  std::error_code unreadable;
  if (!std::filesystem::is_regular_file(file, unreadable)) {
    throw Error(fmt::format("There is no file {}.", file.string()));
  }
  ModelSettings settings = state_.settings.models[model];
  settings.source = std::filesystem::absolute(file).lexically_normal().string();
  loader_.start({model, settings, state_.settings.seed});
}

bool SpatialScene::use_path(PathPurpose purpose, std::filesystem::path const& path)
{
  switch (purpose) {
    case PathPurpose::model_a: open_as(Model::a, path); return true;
    case PathPurpose::model_b: open_as(Model::b, path); return true;
    case PathPurpose::result_ply: save_result(path); break;
    case PathPurpose::voxels_ply: save_voxels(path); break;
    default: return false;
  }
  state_.notice = fmt::format("Saved {}", path.string());
  return true;
}

std::optional<PathPurpose> SpatialScene::wanted_path()
{
  return std::exchange(wanted_path_, std::nullopt);
}

void SpatialScene::save_result(std::filesystem::path const& file)
{
  clouds::write_ply(file, result_points(*engine_, state_));
}

void SpatialScene::save_voxels(std::filesystem::path const& file)
{
  clouds::write_ply(file, all_voxels(*engine_, state_));
}

SpatialReport SpatialScene::report(FrameTimes const& frames)
{
  SpatialReport report{.backend = std::string(to_text(engine_->backend())),
                       .device = engine_->device_name(),
                       .present = std::string(to_text(state_.device.present)),
                       .sources = {},
                       .hashing = state_.settings.hashing,
                       .boolean = state_.settings.boolean,
                       .snapshot = state_.snapshot,
                       .tables = {},
                       .stages = state_.stages,
                       .frames = frames};
  for (Model const model : both_models) {
    report.sources[model] = state_.settings.models[model].source;
    report.tables[model] = engine_->table(model).statistics();
  }
  return report;
}

void SpatialScene::write_statistics_json(std::filesystem::path const& file, FrameTimes const& frames)
{
  write_spatial_json(file, report(frames));
}

void SpatialScene::write_statistics_csv(std::filesystem::path const& folder, FrameTimes const& frames)
{
  write_spatial_csv(folder, report(frames));
}

}  // namespace slotscape
