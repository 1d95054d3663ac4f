// What the engine can do: operations a second, and the time from a table to its finished picture with all statistics.
// Times are the device's own (CUDA events, or the CPU's wall clock), not the host's around it.

#include "gpu/engine/engine.hpp"
#include "tests/support/texel_memory.hpp"

#include <benchmark/benchmark.h>

#include <map>
#include <tuple>

namespace slotscape {
namespace {

constexpr std::uint32_t picture_side = 1024;

/// A table at one load factor, kept from one benchmark to the next of the same table.
Engine& filled_engine(Backend backend, int bits, int percent)
{
  static std::unique_ptr<Engine> engine;
  static std::tuple<Backend, int, int> now;
  if (engine && now == std::tuple(backend, bits, percent)) { return *engine; }
  engine.reset();
  engine = make_engine(backend, {.family = "linear_probing", .slots = std::uint64_t{1} << bits});
  for (std::uint64_t left = engine->table().slots * percent / 100; left != 0;) {
    left -= engine->run(BatchRequest::inserts(left)).count;
  }
  now = {backend, bits, percent};
  return *engine;
}

PictureRequest whole_table(Engine const& engine, ColorBy color_by, Layout layout)
{
  Grid const grid = Grid::of(engine.table().slots, layout);
  PictureRequest request{.layout = layout, .color_by = color_by};
  while (grid.columns >> request.level > picture_side) { ++request.level; }
  request.width = grid.columns >> request.level;
  request.height = std::max(grid.rows >> request.level, 1u);
  return request;
}

void picture(benchmark::State& state, Backend backend, ColorBy color_by, Layout layout)
{
  Engine& engine = filled_engine(backend, static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  PictureRequest const request = whole_table(engine, color_by, layout);
  TexelMemory texels(backend, request.texels());
  engine.analyse(request, texels.target());
  for (auto _ : state) { state.SetIterationTime(engine.analyse(request, texels.target()).seconds); }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * engine.table().slots * 8));
}

void mix(benchmark::State& state, Backend backend)
{
  Engine& engine = filled_engine(backend, static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  BatchRequest const request{.count = 16384, .insert = 0.25, .find = 0.5, .erase = 0.25, .find_keys = KeyChoice::mixed};
  for (auto _ : state) {
    state.SetIterationTime(engine.run(request).seconds);
    Statistics const now = engine.analyse({}, {}).statistics;
    if (now.empty() < now.slots / 20) { engine.rehash(now.slots); }  // or its tombstones would fill the table
  }
  engine.rehash(engine.table().slots);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * request.count));
}

void find(benchmark::State& state, Backend backend, KeyChoice keys)
{
  Engine& engine = filled_engine(backend, static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  BatchRequest const request = BatchRequest::finds(engine.batch_limit(), keys);
  for (auto _ : state) { state.SetIterationTime(engine.run(request).seconds); }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * request.count));
}

void insert(benchmark::State& state, Backend backend)
{
  std::unique_ptr<Engine> const engine = make_engine(backend, {.slots = std::uint64_t{1} << state.range(0)});
  std::uint64_t const target = engine->table().slots * state.range(1) / 100;
  for (auto _ : state) {
    engine->clear();
    double seconds = 0.0;
    for (std::uint64_t left = target; left != 0;) {
      BatchReport const report = engine->run(BatchRequest::inserts(left));
      left -= report.count;
      seconds += report.seconds;
    }
    state.SetIterationTime(seconds);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * target));
}

void register_backend(Backend backend, std::vector<std::int64_t> const& bits)
{
  std::string const name = backend == Backend::cuda ? "cuda" : "cpu";
  auto add = [&](std::string const& what, std::vector<std::int64_t> const& percents, auto const& body) {
    benchmark::RegisterBenchmark((name + "/" + what).c_str(), body)
        ->ArgsProduct({bits, percents})
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  for (std::int64_t const percent : {50, 90}) {
    add("picture/probe_length/rows", {percent},
        [=](auto& state) { picture(state, backend, ColorBy::probe_length, Layout::rows); });
    add("picture/probe_length/hilbert", {percent},
        [=](auto& state) { picture(state, backend, ColorBy::probe_length, Layout::hilbert); });
    add("picture/state/rows", {percent}, [=](auto& state) { picture(state, backend, ColorBy::state, Layout::rows); });
    add("picture/cluster_length/rows", {percent},
        [=](auto& state) { picture(state, backend, ColorBy::cluster_length, Layout::rows); });
    add("mix", {percent}, [=](auto& state) { mix(state, backend); });
    add("find/hits", {percent}, [=](auto& state) { find(state, backend, KeyChoice::hits); });
    add("find/misses", {percent}, [=](auto& state) { find(state, backend, KeyChoice::misses); });
  }
  add("insert", {50, 80, 95}, [=](auto& state) { insert(state, backend); });
}

}  // namespace

#if SLOTSCAPE_HAS_CUDA
void register_layout_benchmarks();  // layout_benchmark.cu
#endif

}  // namespace slotscape

int main(int argc, char** argv)
{
  using namespace slotscape;
  register_backend(Backend::cpu, {20, 24});
#if SLOTSCAPE_HAS_CUDA
  if (why_no_cuda().empty()) {
    register_backend(Backend::cuda, {20, 24, 27});
    register_layout_benchmarks();
  }
#endif
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
