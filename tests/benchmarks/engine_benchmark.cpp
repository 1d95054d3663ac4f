// What the engine can do: operations a second, and the time from a table to its finished picture with all statistics.
// Times are the device's own (CUDA events, or the CPU's wall clock), not the host's around it.

#include "gpu/base/error.hpp"
#include "gpu/engine/engine.hpp"
#include "tests/support/texel_memory.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace slotscape {
namespace {

constexpr std::uint32_t picture_side = 1024;

/// Inserts that many keys, or erases as many; returns the seconds it took. Error if not all could be.
double run_all(Engine& engine, Operation operation, std::uint64_t count)
{
  bool const inserts = operation == Operation::insert;
  double seconds = 0.0;
  for (std::uint64_t left = count; left != 0;) {
    BatchReport const report = engine.run(inserts ? BatchRequest::inserts(left) : BatchRequest::erases(left));
    if (report.count == 0 || report.outcomes[inserts ? Outcome::inserted : Outcome::erased] != report.count) {
      throw Error("not every key found a place");
    }
    left -= report.count;
    seconds += report.seconds;
  }
  return seconds;
}

/// A table with that many keys, kept from one benchmark to the next of the same table.
Engine& filled_engine(Backend backend, TableSettings const& settings, std::uint64_t keys)
{
  static std::unique_ptr<Engine> engine;
  static std::tuple<Backend, TableSettings, std::uint64_t> now;
  if (engine && now == std::tuple(backend, settings, keys)) { return *engine; }
  engine.reset();
  std::unique_ptr<Engine> filled = make_engine(backend, settings);
  run_all(*filled, Operation::insert, keys);
  engine = std::move(filled);
  now = {backend, settings, keys};
  return *engine;
}

Engine& filled_engine(Backend backend, int bits, int percent)
{
  std::uint64_t const slots = std::uint64_t{1} << bits;
  return filled_engine(backend, {.family = "linear_probing", .slots = slots}, slots * percent / 100);
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

/// A family's table with some of its settings, and the number of slots that load factors are of: see `variants`.
struct Subject {
  Backend backend;
  TableSettings settings;
  std::uint64_t slots;

  std::uint64_t keys(int percent) const { return slots * static_cast<std::uint64_t>(percent) / 100; }
};

void find(benchmark::State& state, Subject const& subject, int percent, KeyChoice keys)
{
  Engine& engine = filled_engine(subject.backend, subject.settings, subject.keys(percent));
  BatchRequest const request = BatchRequest::finds(std::min(subject.keys(percent), engine.batch_limit()), keys);
  for (auto _ : state) { state.SetIterationTime(engine.run(request).seconds); }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * request.count));
}

/// Times the inserts that fill an empty table, or the erases that empty it again.
void fill_and_empty(benchmark::State& state, Subject const& subject, int percent, Operation timed)
{
  std::unique_ptr<Engine> const engine = make_engine(subject.backend, subject.settings);
  std::uint64_t const keys = subject.keys(percent);
  for (auto _ : state) {
    engine->clear();
    double const inserting = run_all(*engine, Operation::insert, keys);
    state.SetIterationTime(timed == Operation::insert ? inserting : run_all(*engine, timed, keys));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * keys));
}

/// A family with each value of each of its parameters, the others as usual. Where a family has slots that random keys
/// cannot all fill (SlabHash's pool and its links), there are more of them, as its own benchmark has it.
std::vector<Subject> variants(Backend backend, FamilyInfo const& info, std::uint64_t slots)
{
  TableSettings const usual{.family = std::string(info.name), .slots = slots};
  std::vector<TableSettings> all;
  for (Parameter const& parameter : info.parameters) {
    for (std::uint32_t const choice : parameter.choices) {
      if (choice == parameter.fallback && &parameter != info.parameters.data()) { continue; }
      all.push_back(usual);
      all.back().parameters[std::string(parameter.name)] = choice;
    }
  }
  if (all.empty()) { all.push_back(usual); }
  std::vector<Subject> subjects;
  for (TableSettings& settings : all) {
    if (info.name == "slab") { settings.slots = slots / 15 * 16 * (100 + settings.parameters.at("pool")) / 100; }
    subjects.push_back({backend, settings, slots});
  }
  return subjects;
}

std::string name_of(TableSettings const& settings)
{
  std::string name = settings.family;
  for (auto const& [parameter, value] : settings.parameters) { name += fmt::format("/{}={}", parameter, value); }
  return name;
}

/// The number of slots that families are compared in.
std::uint64_t benchmark_slots(Backend backend)
{
  if (char const* const text = std::getenv("SLOTSCAPE_BENCHMARK_SLOTS")) { return std::strtoull(text, nullptr, 10); }
  return std::uint64_t{1} << (backend == Backend::cuda ? 27 : 20);
}

char const* name_of(Backend backend)
{
  return backend == Backend::cuda ? "cuda" : "cpu";
}

/// Of every family: BACKEND/FAMILY/PARAMETERS/OPERATION/PERCENT, in a table of SLOTSCAPE_BENCHMARK_SLOTS slots (2^27 on
/// CUDA and 2^20 on the CPU by default).
void register_families(Backend backend)
{
  auto const add = [](std::string const& name, auto const& body) {
    auto const guarded = [=](benchmark::State& state) {
      try {
        body(state);
      } catch (Error const& error) {
        state.SkipWithError(error.what());
      }
    };
    benchmark::RegisterBenchmark(name.c_str(), guarded)->UseManualTime()->Unit(benchmark::kMillisecond);
  };
  for (std::string const& family : family_names()) {
    for (Subject const& subject : variants(backend, family_info(family), benchmark_slots(backend))) {
      for (int const percent : {50, 80, 90, 95}) {
        auto const named = [&](char const* what) {
          return fmt::format("{}/{}/{}/{}", name_of(backend), name_of(subject.settings), what, percent);
        };
        add(named("insert"), [=](auto& state) { fill_and_empty(state, subject, percent, Operation::insert); });
        add(named("find/hits"), [=](auto& state) { find(state, subject, percent, KeyChoice::hits); });
        add(named("find/misses"), [=](auto& state) { find(state, subject, percent, KeyChoice::misses); });
        add(named("erase"), [=](auto& state) { fill_and_empty(state, subject, percent, Operation::erase); });
      }
    }
  }
}

void register_backend(Backend backend, std::vector<std::int64_t> const& bits)
{
  auto add = [&](std::string const& what, std::vector<std::int64_t> const& percents, auto const& body) {
    benchmark::RegisterBenchmark(fmt::format("{}/{}", name_of(backend), what).c_str(), body)
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
  }
}

}  // namespace

void register_host_tables(std::uint64_t slots);      // host_tables_benchmark.cpp
void register_matching_benchmarks(Backend backend);  // matching_benchmark.cpp
void register_spatial_benchmarks(Backend backend);   // spatial_benchmark.cpp
#if SLOTSCAPE_HAS_CUDA
void register_layout_benchmarks();  // layout_benchmark.cu
#endif

}  // namespace slotscape

int main(int argc, char** argv)
{
  using namespace slotscape;
  char const* const threads = std::getenv("SLOTSCAPE_BENCHMARK_THREADS");
  tbb::global_control const of_cpu(tbb::global_control::max_allowed_parallelism,
                                   threads ? std::strtoull(threads, nullptr, 10)
                                           : tbb::this_task_arena::max_concurrency());
  register_backend(Backend::cpu, {20, 24});
  register_families(Backend::cpu);
  register_host_tables(benchmark_slots(Backend::cpu));
  register_spatial_benchmarks(Backend::cpu);
  register_matching_benchmarks(Backend::cpu);
#if SLOTSCAPE_HAS_CUDA
  if (why_no_cuda().empty()) {
    register_backend(Backend::cuda, {20, 24, 27});
    register_families(Backend::cuda);
    register_spatial_benchmarks(Backend::cuda);
    register_matching_benchmarks(Backend::cuda);
    register_layout_benchmarks();
  }
#endif
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
