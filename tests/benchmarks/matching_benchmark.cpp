// Matches of the size of Alcantara et al. 2009, 6: 3 million items in the table, by hashing and by sorting.

#include "app/pictures/generated.hpp"
#include "app/pictures/transformed.hpp"
#include "gpu/matching/engine.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <string>

namespace slotscape {
namespace {

using namespace matching;

/// Two pictures change places, so that nothing is reused.
void match_pairs(benchmark::State& state, Backend backend, Method method)
{
  auto const engine = make_match_engine(backend);
  Picture const a = pictures::make_builtin("map-1");
  Similarity const turn = pictures::about_middle(a, a.width, a.height, 33.0, 1.2);
  Picture const b = pictures::transformed(a, turn, a.width, a.height);
  MatchSettings const settings{.method = method,
                               .features = 1500,
                               .bases = 2000,
                               .query_bases = static_cast<std::uint32_t>(state.range(0)),
                               .attempts = 1};
  std::array<double, match_stage_count> stages{};
  std::uint64_t votes = 0;
  bool turned = false;
  for (auto _ : state) {
    engine->set_picture(Side::reference, turned ? b : a);
    engine->set_picture(Side::query, turned ? a : b);
    turned = !turned;
    engine->match(settings, {});
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      stages[stage] += engine->snapshot().stage_seconds[stage];
    }
    votes += engine->snapshot().votes;
  }
  auto const runs = static_cast<double>(state.iterations());
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    state.counters["ms_" + std::string(match_stage_names[stage])] = 1e3 * stages[stage] / runs;
  }
  state.counters["items"] = static_cast<double>(engine->snapshot().items);
  state.counters["votes"] = static_cast<double>(votes) / runs;
  state.counters["found"] = engine->snapshot().found ? 1 : 0;
}

/// As when a query is turned by hand: the table is reused.
void follow(benchmark::State& state, Backend backend)
{
  auto const engine = make_match_engine(backend);
  Picture const reference = pictures::make_builtin("map-1");
  engine->set_picture(Side::reference, reference);
  std::array<Picture, 8> queries;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    Similarity const turn = pictures::about_middle(reference, reference.width, reference.height,
                                                   10.0 * static_cast<double>(i), 1.0 + 0.05 * static_cast<double>(i));
    queries[i] = pictures::transformed(reference, turn, reference.width, reference.height);
  }
  engine->set_picture(Side::query, queries[0]);
  engine->match({}, {});  // makes the table
  std::size_t next = 0;
  for (auto _ : state) {
    engine->set_picture(Side::query, queries[++next % queries.size()]);
    engine->match({}, {});
  }
  state.counters["found"] = engine->snapshot().found ? 1 : 0;
  state.counters["reused"] = engine->snapshot().reused_table ? 1 : 0;
}

}  // namespace

void register_matching_benchmarks(Backend backend)
{
  std::string const name = backend == Backend::cpu ? "cpu" : "cuda";
  for (Method const method : {Method::hashing, Method::sorting}) {
    std::string const title = "matching/" + name + (method == Method::hashing ? "/hashing" : "/sorting");
    benchmark::RegisterBenchmark(title.c_str(), [=](benchmark::State& state) { match_pairs(state, backend, method); })
        ->ArgName("query_bases")
        ->Arg(64)
        ->Arg(256)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
  std::string const title = "matching/" + name + "/follow";
  benchmark::RegisterBenchmark(title.c_str(), [=](benchmark::State& state) { follow(state, backend); })
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace slotscape
