#include "app/scenes/spatial/loader.hpp"

#include "app/clouds/builtin.hpp"
#include "app/scenes/spatial/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

namespace slotscape {
namespace {

clouds::PointCloud open(ModelRequest const& request, Progress const& progress)
{
  return clouds::open_cloud(request.settings.source, {.points = request.settings.points, .seed = request.seed},
                            progress);
}

bool ended(std::future<clouds::PointCloud> const& cloud)
{
  return cloud.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

FileKind model_kind()
{
  return {"model", clouds::cloud_file_extensions()};
}

clouds::PointCloud open_model(ModelRequest const& request)
{
  Progress const progress;
  return open(request, progress);
}

std::string label_of_source(std::string const& source)
{
  for (clouds::Builtin const& builtin : clouds::builtins()) {
    if (builtin.name == source) { return std::string(builtin.label); }
  }
  return std::filesystem::path(source).filename().string();
}

void ModelLoader::start(ModelRequest const& request)
{
  auto const same = std::ranges::find_if(jobs_, [&](Job const& job) { return job.request.model == request.model; });
  if (same != jobs_.end()) {
    same->progress.cancel();
    given_up_.push_back(std::move(*same));
    jobs_.erase(same);
  }
  auto progress = Progress::tracked();
  auto cloud = std::async(std::launch::async, [request, progress] { return open(request, progress); });
  jobs_.push_back({request, progress, std::move(cloud)});
}

void ModelLoader::cancel()
{
  for (Job& job : jobs_) {
    job.progress.cancel();
    given_up_.push_back(std::move(job));
  }
  jobs_.clear();
}

std::optional<ProgressSnapshot> ModelLoader::progress() const
{
  if (jobs_.empty()) { return std::nullopt; }
  Job const& slowest = *std::ranges::min_element(jobs_, {}, [](Job const& job) { return job.progress.share(); });
  return ProgressSnapshot{fmt::format("Opening {} as {}", label_of_source(slowest.request.settings.source),
                                      letter_of(slowest.request.model)),
                          slowest.progress.share()};
}

void ModelLoader::forget_ended()
{
  std::erase_if(given_up_, [](Job const& job) { return ended(job.cloud); });
}

std::optional<ModelLoader::Result> ModelLoader::take_result()
{
  forget_ended();
  auto const done = std::ranges::find_if(jobs_, [](Job const& job) { return ended(job.cloud); });
  if (done == jobs_.end()) { return std::nullopt; }
  Job job = std::move(*done);
  jobs_.erase(done);
  Result result{job.request, {}, nullptr};
  try {
    result.cloud = job.cloud.get();
  } catch (...) {
    result.error = std::current_exception();
  }
  return result;
}

}  // namespace slotscape
