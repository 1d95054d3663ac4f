// Tables and kernel maps of submanifold convolutions, 3 x 3 x 3, over spherical shells of given numbers of sites.
//
//   --benchmark_filter=sparse   by backend, table, search and sites; counters: milliseconds of each stage, pairs

#include "gpu/sparse/engine.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace slotscape::sparse {
namespace {

constexpr std::int32_t thickness = 3;  ///< of the shell

/// The sites of a shell whose area makes it about so many.
std::vector<Site> shell(std::uint64_t wanted, Extents& extents)
{
  double const radius = std::sqrt(static_cast<double>(wanted) / (4.0 * std::numbers::pi * thickness));
  auto const middle = static_cast<std::int32_t>(std::ceil(radius)) + thickness;
  extents = {1, 2 * middle + 1, 2 * middle + 1, 2 * middle + 1};
  std::vector<Site> sites;
  for (std::int32_t x = 0; x < extents.x; ++x) {
    for (std::int32_t y = 0; y < extents.y; ++y) {
      double const across = std::hypot(x - middle, y - middle);
      for (std::int32_t z = 0; z < extents.z; ++z) {
        double const distance = std::hypot(across, z - middle) - radius;
        if (std::abs(distance) <= 0.5 * thickness) { sites.push_back({0, x, y, z}); }
      }
    }
  }
  return sites;
}

void map_kernel(benchmark::State& state, Backend backend, SparseSettings const& settings)
{
  Extents extents;
  std::vector<Site> const sites = shell(static_cast<std::uint64_t>(state.range(0)), extents);
  std::unique_ptr<SparseEngine> const engine = make_sparse_engine(backend);
  engine->set_sites(sites, extents);
  engine->update(settings);  // makes the buffers
  std::array<double, stage_names.size()> sums{};
  SparseSnapshot last;
  for (auto _ : state) {
    last = *engine->update(settings);
    for (std::size_t i = 0; i < sums.size(); ++i) { sums[i] += last.stage_seconds[i]; }
    state.SetIterationTime(std::accumulate(last.stage_seconds.begin(), last.stage_seconds.end(), 0.0));
  }
  auto const mean_ms = [&](double sum) { return 1e3 * sum / static_cast<double>(state.iterations()); };
  state.counters["table_ms"] = mean_ms(sums[1]);
  state.counters["map_ms"] = mean_ms(sums[2]);
  state.counters["sites"] = static_cast<double>(last.sites);
  state.counters["pairs"] = static_cast<double>(last.pairs);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * last.sites));
}

void add(Backend backend)
{
  for (std::string_view const family : table_families) {
    for (auto const& [search, name] : {std::pair{Search::each, "each"}, std::pair{Search::symmetric, "symmetric"}}) {
      SparseSettings const settings{.family = std::string(family), .search = search};
      auto* const benchmark = benchmark::RegisterBenchmark(
          fmt::format("sparse/{}/{}/{}", backend == Backend::cuda ? "cuda" : "cpu", family, name).c_str(),
          [=](benchmark::State& state) {
            try {
              map_kernel(state, backend, settings);
            } catch (std::exception const& error) {
              state.SkipWithError(error.what());
            }
          });
      benchmark->UseManualTime()->Unit(benchmark::kMillisecond)->Arg(1000000);
      if (backend == Backend::cuda) { benchmark->Arg(100000)->Arg(10000000); }
    }
  }
}

bool const added = [] {
  add(Backend::cpu);
  if (why_no_cuda().empty()) { add(Backend::cuda); }
  return true;
}();

}  // namespace
}  // namespace slotscape::sparse
