#include "app/scenes/spatial/loader.hpp"

#include "app/clouds/builtin.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

namespace slotscape {

FileKind model_kind()
{
  return {"model", clouds::cloud_file_extensions()};
}

OpenedModel open_model(ModelRequest const& request, Backend backend, Progress const& progress)
{
  constexpr double opening_share = 0.8;
  constexpr double normals_share = 0.9;
  clouds::PointCloud cloud = clouds::open_cloud(request.settings.source,
                                                {.points = request.settings.points,
                                                 .seed = request.seed,
                                                 .ignore_outliers = request.settings.ignore_outliers,
                                                 .crop = request.settings.crop,
                                                 .unit = request.settings.unit},
                                                progress.part(0.0, opening_share));
  progress.require(opening_share);
  auto const engine = spatial::make_spatial_engine(backend);  // the scene's own engine belongs to the main thread
  clouds::add_missing_normals(cloud, [&](auto positions) { return engine->estimate_normals(positions); });
  progress.require(normals_share);
  clouds::judge_surface(cloud);
  progress.require();
  auto points = engine->order({cloud.positions, cloud.normals, cloud.open}, progress);
  progress.require(1.0);
  return {std::move(cloud), std::move(points)};
}

std::string label_of_source(std::string const& source)
{
  for (clouds::Builtin const& builtin : clouds::builtins()) {
    if (builtin.name == source) { return std::string(builtin.label); }
  }
  return std::filesystem::path(source).filename().string();
}

ModelLoader::ModelLoader(Backend backend)
    : openings_{
          Opening([=](ModelRequest const& asked, Progress const& now) { return open_model(asked, backend, now); }),
          Opening([=](ModelRequest const& asked, Progress const& now) { return open_model(asked, backend, now); })}
{
}

void ModelLoader::start(ModelRequest const& request)
{
  auto const model = static_cast<std::size_t>(request.model);
  wanted_[model] = true;
  openings_[model].start(request);
}

void ModelLoader::wait(std::optional<double> seconds) const
{
  using Clock = std::chrono::steady_clock;
  Clock::time_point const start = Clock::now();
  for (std::size_t model = 0; model < openings_.size(); ++model) {
    if (!wanted_[model]) { continue; }
    std::chrono::duration<double> const waited = Clock::now() - start;
    openings_[model].wait(seconds ? std::optional(std::max(*seconds - waited.count(), 0.0)) : std::nullopt);
  }
}

void ModelLoader::cancel()
{
  for (spatial::Model const model : {spatial::Model::a, spatial::Model::b}) { cancel(model); }
}

void ModelLoader::cancel(spatial::Model model)
{
  auto const index = static_cast<std::size_t>(model);
  openings_[index].cancel();
  wanted_[index] = false;
}

ModelLoader::Opening const* ModelLoader::slowest() const
{
  Opening const* slowest = nullptr;
  for (std::size_t model = 0; model < openings_.size(); ++model) {
    Opening const& opening = openings_[model];
    if (wanted_[model] && (slowest == nullptr || opening.progress().share() < slowest->progress().share())) {
      slowest = &opening;
    }
  }
  return slowest;
}

std::optional<ProgressSnapshot> ModelLoader::progress() const
{
  Opening const* const opening = slowest();
  if (opening == nullptr) { return std::nullopt; }
  ModelRequest const& request = *opening->asked();
  ProgressSnapshot now = opening->progress().snapshot();
  now.what = tr("Opening {} as {}", translated(label_of_source(request.settings.source)), letter_of(request.model));
  return now;
}

std::optional<ModelLoader::Opening::Outcome> ModelLoader::take()
{
  for (std::size_t model = 0; model < openings_.size(); ++model) {
    auto outcome = openings_[model].take();
    openings_[model].resume();
    if (outcome && std::exchange(wanted_[model], false)) { return outcome; }
  }
  return std::nullopt;
}

}  // namespace slotscape
