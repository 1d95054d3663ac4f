// Every family's bulk operations on a CUDA device, as libraries are measured: distinct random keys are inserted into an
// empty table up to a load factor; then all of them are looked up in that order, as many absent keys, all get a new
// value, and all are erased. `half` is the rate at which the second half of the keys joins the first. Outcomes are
// counted, not kept, as by the libraries.
//
//   SLOTSCAPE_BENCHMARK_SLOTS=134217728   the number of slots, 2^27 by default
//   --benchmark_filter=slab               one family; -cpu: all but those whose names have that

#include "gpu/engine/table.hpp"
#include "gpu/execution/cuda.cuh"
#include "gpu/workloads/key_stream.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace slotscape {

#define SLOTSCAPE_FAMILY(name)                           \
  FamilyInfo const& info_##name();                       \
  MakeTable<exec::Cuda, Narrow> narrow_on_cuda_##name(); \
  MakeTable<exec::Cuda, Wide> wide_on_cuda_##name();
#include "families.inc"
#undef SLOTSCAPE_FAMILY

namespace {

using exec::Cuda;

std::uint64_t benchmark_slots()
{
  char const* const text = std::getenv("SLOTSCAPE_BENCHMARK_SLOTS");
  return text == nullptr ? std::uint64_t{1} << 27 : std::strtoull(text, nullptr, 10);
}

template <PairFormat Format>
struct DrawStream {
  KeyStream<Format> stream;
  std::uint64_t first;
  typename Format::Key* keys;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { keys[i] = stream.key(first + i); }
};

/// Batches of one kind on one table, in memory that is made once.
template <PairFormat Format>
class Runner {
public:
  using Key = typename Format::Key;
  using Value = typename Format::Value;

  Runner(TableSettings const& settings, MakeTable<Cuda, Format> make, std::uint64_t most)
      : table_(make(exec_, settings)),
        operations_(exec_, most),
        keys_(exec_, most),
        values_(exec_, most),
        outcomes_(exec_, most)
  {
    stream_.distribution = KeyDistribution::uniform;
    stream_.seed = 42;
  }

  void clear() { table_->clear(); }

  /// Keys [first, first + count) of the stream; returns seconds, and counts what did not end as `good`.
  double run(Operation operation, std::uint64_t first, std::uint64_t count, Outcome good, std::uint64_t& bad)
  {
    exec_.fill(operations_.data(), count, operation);
    exec_.for_each(count, DrawStream<Format>{stream_, first, keys_.data()});
    exec_.fill(values_.data(), count, Value{7});
    double seconds = 0.0;
    Tally const tally = table_->run({count, operations_.data(), keys_.data(), values_.data(), outcomes_.data(), nullptr,
                                     true, mask_of(operation), false},
                                    seconds);
    bad += count - tally[good];
    return seconds;
  }
  std::uint64_t slots() const { return table_->settings().slots; }

private:
  template <class T>
  using Buffer = Cuda::Buffer<T>;

  Cuda exec_;
  std::unique_ptr<BatchTable<Cuda, Format>> table_;
  KeyStream<Format> stream_{};
  Buffer<Operation> operations_;
  Buffer<Key> keys_;
  Buffer<Value> values_;
  Buffer<Outcome> outcomes_;
};

/// Slots of the table in which as many keys are a load of `load`: for slabs, base slabs alone are to stand at it.
std::uint64_t slots_for(TableSettings const& settings, FamilyInfo const& info)
{
  if (info.name != "slab") { return settings.slots; }
  return settings.slots / 15 * 16 * (100 + parameter_of(info, settings, "pool")) / 100;
}

/// One fill to `load`, all finds and erases of it; their rates are counters, in billions of operations a second.
template <PairFormat Format>
void run_family(benchmark::State& state, TableSettings const& settings, std::uint64_t slots,
                MakeTable<Cuda, Format> make, double load)
{
  TableSettings sized = settings;
  sized.slots = slots;
  for (auto _ : state) {
    try {
      auto const count = static_cast<std::uint64_t>(load * static_cast<double>(settings.slots));
      Runner<Format> runner(sized, make, count);
      std::uint64_t bad = 0;
      std::uint64_t none = 0;
      runner.run(Operation::insert, 0, count, Outcome::inserted, none);  // loads the kernels, makes the buffers
      runner.run(Operation::find, 0, count, Outcome::found, none);
      runner.run(Operation::erase, 0, count, Outcome::erased, none);
      runner.clear();
      runner.run(Operation::insert, 0, count / 2, Outcome::inserted, bad);
      double const half = runner.run(Operation::insert, count / 2, count - count / 2, Outcome::inserted, bad);
      runner.clear();
      double const insert = runner.run(Operation::insert, 0, count, Outcome::inserted, bad);
      double const hit = runner.run(Operation::find, 0, count, Outcome::found, bad);
      double const miss = runner.run(Operation::find, std::uint64_t{1} << 30, count, Outcome::missing, bad);
      double const update = runner.run(Operation::insert, 0, count, Outcome::updated, bad);
      double const erase = runner.run(Operation::erase, 0, count, Outcome::erased, bad);
      auto const rate = [&](double seconds) { return static_cast<double>(count) / seconds * 1e-9; };
      state.counters["half"] = rate(2.0 * half);
      state.counters["update"] = rate(update);
      state.counters["insert"] = rate(insert);
      state.counters["hit"] = rate(hit);
      state.counters["miss"] = rate(miss);
      state.counters["erase"] = rate(erase);
      state.counters["bad"] = static_cast<double>(bad);
      state.SetIterationTime(insert + hit + miss + erase);
    } catch (std::exception const& error) {
      state.SkipWithError(error.what());
    }
  }
}

/// A family with each choice of each of its parameters.
std::vector<TableSettings> variants(FamilyInfo const& info)
{
  TableSettings base;
  base.family = std::string(info.name);
  base.slots = benchmark_slots();
  std::vector<TableSettings> all{base};
  for (Parameter const& parameter : info.parameters) {
    std::vector<TableSettings> more;
    for (TableSettings const& settings : all) {
      for (std::uint32_t const choice : parameter.choices) {
        more.push_back(settings);
        more.back().parameters[std::string(parameter.name)] = choice;
      }
    }
    all = std::move(more);
  }
  return all;
}

std::string name_of(TableSettings const& settings, double load)
{
  std::string name = settings.family;
  for (auto const& [parameter, value] : settings.parameters) { name += "/" + parameter + "=" + std::to_string(value); }
  return name + "/" + std::to_string(settings.key_bits) + "-bit/load=" + std::to_string(load).substr(0, 4);
}

template <PairFormat Format>
void add(TableSettings const& settings, FamilyInfo const& info, MakeTable<Cuda, Format> make)
{
  if (make == nullptr) { return; }
  std::uint64_t const slots = slots_for(settings, info);
  for (double const load : {0.5, 0.8, 0.9, 0.95}) {
    std::string const name = "family/" + name_of(settings, load);
    benchmark::RegisterBenchmark(name.c_str(),
                                 [=](benchmark::State& state) { run_family(state, settings, slots, make, load); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
  }
}

bool const added = [] {
#define SLOTSCAPE_FAMILY(name)                             \
  for (TableSettings settings : variants(info_##name())) { \
    add(settings, info_##name(), narrow_on_cuda_##name()); \
    settings.key_bits = 64;                                \
    add(settings, info_##name(), wide_on_cuda_##name());   \
  }
#include "families.inc"
#undef SLOTSCAPE_FAMILY
  return true;
}();

}  // namespace
}  // namespace slotscape
