// A frame of two moving models, stage by stage: by points at one grid, and at grids that grow with the points.

#include "app/clouds/builtin.hpp"
#include "gpu/spatial/engine.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>

namespace slotscape {
namespace {

using namespace spatial;

std::unique_ptr<SpatialEngine> two_models(Backend backend, std::uint64_t points)
{
  auto engine = make_spatial_engine(backend);
  clouds::Progress progress;
  clouds::PointCloud const a = clouds::make_builtin("torus", points, 1, progress);
  clouds::PointCloud const b = clouds::make_builtin("sphere", points, 2, progress);
  engine->set_model(Model::a, {a.positions, a.normals});
  engine->set_model(Model::b, {b.positions, b.normals});
  return engine;
}

/// The ball passes through the ring.
PerModel<Pose> poses_at(int frame)
{
  float const angle = 0.02f * static_cast<float>(frame);
  PerModel<Pose> poses;
  poses[Model::b] = {{}, {0.8f * std::cos(angle), 0.8f * std::sin(angle), 0.1f}, 0.6f};
  return poses;
}

void frames(benchmark::State& state, Backend backend, std::string const& family, bool grid_grows)
{
  auto const points = static_cast<std::uint64_t>(state.range(0));
  SpatialSettings settings;
  settings.family = family;
  double const side = grid_grows ? 128.0 * std::sqrt(static_cast<double>(points) / 160000.0) : 128.0;
  settings.grid = {.side = static_cast<std::uint32_t>(std::clamp(side, 32.0, 1024.0)), .extent = 2.4f};
  auto const engine = two_models(backend, points);
  std::array<double, stage_count> stages{};
  SpatialSnapshot last;
  int frame = 0;
  engine->update(settings, poses_at(frame), Boolean::both);  // makes the tables
  for (auto _ : state) {
    last = engine->update(settings, poses_at(++frame), Boolean::both);
    double total = 0.0;
    for (int stage = 0; stage < stage_count; ++stage) {
      stages[stage] += last.stage_seconds[stage];
      total += last.stage_seconds[stage];
    }
    state.SetIterationTime(total);
  }
  constexpr std::array<char const*, stage_count> names{"voxelise", "build", "intersect", "classify", "select"};
  for (int stage = 0; stage < stage_count; ++stage) {
    state.counters[names[stage]] = 1e3 * stages[stage] / static_cast<double>(state.iterations());
  }
  state.counters["side"] = settings.grid.side;
  state.counters["voxels"] = static_cast<double>(last.models[Model::a].voxels + last.models[Model::b].voxels);
}

}  // namespace

void register_spatial_benchmarks(Backend backend)
{
  std::string const name = backend == Backend::cpu ? "cpu" : "cuda";
  for (std::string const family : {"two_level_cuckoo", "linear_probing"}) {
    for (bool const grid_grows : {false, true}) {
      std::string const title = "spatial/" + name + "/" + family + (grid_grows ? "/growing_grid" : "/128");
      auto* const benchmark = benchmark::RegisterBenchmark(title.c_str(), [=](benchmark::State& state) {
        frames(state, backend, family, grid_grows);
      });
      benchmark->UseManualTime()->Unit(benchmark::kMillisecond);
      benchmark->Arg(40000)->Arg(160000)->Arg(1000000);
      if (backend == Backend::cuda) { benchmark->Arg(100000)->Arg(300000)->Arg(3000000)->Arg(10000000); }
    }
  }
}

}  // namespace slotscape
