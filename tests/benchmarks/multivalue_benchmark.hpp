#pragma once

#include "gpu/base/random.hpp"
#include "gpu/multivalue/multi_value_table.hpp"

#include <benchmark/benchmark.h>

#include <string>

// Multi-value tables, as Alcantara et al. 2009 measure them (5, figure 6): a table is built from pairs whose keys are
// drawn from `pairs / multiplicity` random ones; then the key of every pair is looked up, in the order of the pairs.
// Keys and values are in the device's memory from the start, and so are the results in the end. Counters are in
// millions a second.

namespace slotscape::multivalue {

/// How the keys of the pairs are drawn.
struct Workload {
  std::uint64_t pairs;
  std::uint64_t multiplicity;  ///< on average
  bool half;                   ///< every other pair has one and the same key

  std::string name() const
  {
    return std::to_string(pairs) + "_pairs/" + std::to_string(multiplicity) + (half ? "_half_with_one_key" : "");
  }
};

template <PairFormat Format>
struct DrawPairs {
  Workload workload;
  typename Format::Key* keys;
  typename Format::Value* values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    using Key = typename Format::Key;
    std::uint64_t const distinct = workload.pairs / workload.multiplicity;
    std::uint64_t const number = random64(1, i) % (distinct == 0 ? 1 : distinct);
    std::uint64_t const drawn = workload.half && i % 2 == 0 ? 0 : number;
    auto const key = static_cast<Key>(drawn * 0x9e3779b97f4a7c15u + 1);  // odd: a bijection
    keys[i] = static_cast<Key>(key ^ (key >> 15));
    if (Format::is_reserved(keys[i])) { keys[i] = 0; }
    values[i] = static_cast<typename Format::Value>(i);
  }
};

/// Adds what is wrong to the sink: a pair whose key is not found.
struct CountLost {
  static constexpr std::uint64_t per_item = 64;

  Range const* ranges;
  std::uint64_t count;

  template <class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile, Sink& sink) const
  {
    for (std::uint64_t k = tile.rank(); k < per_item; k += Tile::size) {
      std::uint64_t const i = item * per_item + k;
      if (i < count) { sink.add_if(ranges[i].count == 0, 1); }
    }
  }
};

template <exec::Executor Exec, PairFormat Format>
struct PairsOnDevice {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  PairsOnDevice(Exec& device, Workload const& workload)
      : exec(device), keys(device, workload.pairs), values(device, workload.pairs), ranges(device, workload.pairs)
  {
    exec.for_each(workload.pairs, DrawPairs<Format>{workload, keys.data(), values.data()});
  }

  /// How many of the ranges are empty.
  std::uint64_t lost()
  {
    Buffer<std::uint32_t> bins(exec, 2);
    Buffer<exec::HistogramTotals> totals(exec, 1);
    exec.fill(bins.data(), 2, 0u);
    exec.fill(totals.data(), 1, exec::HistogramTotals{});
    exec.accumulate((ranges.size() + CountLost::per_item - 1) / CountLost::per_item,
                    exec::HistogramView{bins.data(), 2, totals.data()}, CountLost{ranges.data(), ranges.size()});
    std::uint32_t lost = 0;
    exec.download(std::span(&lost, 1), static_cast<std::uint32_t const*>(bins.data() + 1));
    return lost;
  }

  Exec& exec;
  Buffer<typename Format::Key> keys;
  Buffer<typename Format::Value> values;
  Buffer<Range> ranges;
};

/// Times build() and retrieve(), after one of each that is not counted.
template <class Exec, class Build, class Retrieve>
void time_both(benchmark::State& state, Exec& exec, std::uint64_t pairs, Build const& build, Retrieve const& retrieve)
{
  build();
  retrieve();
  double building = 0.0;
  double retrieving = 0.0;
  for (auto _ : state) {
    exec.start_timer();
    build();
    double const build_seconds = exec.stop_timer();
    exec.start_timer();
    retrieve();
    double const retrieve_seconds = exec.stop_timer();
    state.SetIterationTime(build_seconds + retrieve_seconds);
    building += build_seconds;
    retrieving += retrieve_seconds;
  }
  double const all = 1e-6 * static_cast<double>(pairs) * static_cast<double>(state.iterations());
  state.counters["build"] = all / building;
  state.counters["retrieve"] = all / retrieving;
}

template <exec::Executor Exec, PairFormat Format>
void run_multivalue(benchmark::State& state, Settings const& settings, Workload const& workload)
{
  try {
    Exec exec;
    PairsOnDevice<Exec, Format> pairs(exec, workload);
    auto const table = make_table<Exec, Format>(exec, settings);
    BuildReport report;
    time_both(
        state, exec, workload.pairs,
        [&] { report = table->build(pairs.keys.data(), pairs.values.data(), workload.pairs); },
        [&] { table->retrieve(pairs.keys.data(), workload.pairs, pairs.ranges.data()); });
    constexpr std::array names{"partition ms", "group ms", "place ms", "index ms"};
    for (std::size_t s = 0; s < names.size(); ++s) { state.counters[names[s]] = 1e3 * report.stage_seconds[s]; }
    state.counters["distinct"] = static_cast<double>(report.distinct);
    state.counters["lost"] = static_cast<double>(pairs.lost() + workload.pairs - report.pairs);
    state.counters["bytes/pair"] = static_cast<double>(table->memory_bytes()) / static_cast<double>(workload.pairs);
  } catch (std::exception const& error) {
    state.SkipWithError(error.what());
  }
}

/// Keys that occur once to 1000 times, on average, and one that is half of all.
template <class Add>
void for_workloads(std::initializer_list<std::uint64_t> sizes, Add const& add)
{
  for (std::uint64_t const pairs : sizes) {
    for (std::uint64_t const multiplicity : {1, 2, 4, 8, 32, 100, 1000}) { add(Workload{pairs, multiplicity, false}); }
    add(Workload{pairs, 1, true});
  }
}

template <exec::Executor Exec, PairFormat Format>
void add_multivalue(std::string const& device, Construction construction, Workload const& workload)
{
  Settings const settings{.construction = construction, .key_bits = Format::bits};
  std::string const name = "multivalue/" + device + "/" +
                           std::string(construction_names[static_cast<std::size_t>(construction)]) + "/" +
                           std::to_string(Format::bits) + "-bit/" + workload.name();
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 run_multivalue<Exec, Format>(state, settings, workload);
                               })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

template <exec::Executor Exec>
void add_constructions(std::string const& device, std::initializer_list<std::uint64_t> sizes)
{
  for_workloads(sizes, [&](Workload const& workload) {
    add_multivalue<Exec, Narrow>(device, Construction::count_scan_scatter, workload);
    add_multivalue<Exec, Narrow>(device, Construction::two_level_cuckoo, workload);
    add_multivalue<Exec, Narrow>(device, Construction::sort, workload);
    add_multivalue<Exec, Wide>(device, Construction::count_scan_scatter, workload);
    add_multivalue<Exec, Wide>(device, Construction::sort, workload);
  });
}

}  // namespace slotscape::multivalue
