// How long the static tables take to build on the device, from keys and values there to a table that answers: with
// buffers that are kept, as for a table that is rebuilt every frame.

#include "gpu/base/random.hpp"
#include "gpu/execution/cuda.cuh"
#include "gpu/tables/perfect_hash.hpp"
#include "gpu/tables/two_level_cuckoo.hpp"

#include <benchmark/benchmark.h>

namespace slotscape {
namespace {

using Device = exec::Cuda;
template <class T>
using Buffer = Device::Buffer<T>;

/// Distinct keys, and values.
struct MakePairs {
  Shuffle shuffle;
  std::uint32_t* keys;
  std::uint32_t* values;

  __device__ void operator()(std::uint64_t i) const
  {
    keys[i] = shuffle(static_cast<std::uint32_t>(i));
    values[i] = static_cast<std::uint32_t>(i);
  }
};

/// Memory of a table and the pairs for it.
struct Setup {
  Setup(Device& device, std::uint64_t count, std::uint64_t slots, std::uint64_t metadata_size)
      : keys(device, count), values(device, count), words(device, slots), metadata(device, metadata_size), pairs(count)
  {
    device.for_each(count, MakePairs{make_shuffle(3, Narrow::locked_key), keys.data(), values.data()});
  }
  Contents<Narrow> contents() const { return {keys.data(), values.data(), 0, pairs}; }

  Buffer<std::uint32_t> keys;
  Buffer<std::uint32_t> values;
  Buffer<Narrow::Word> words;
  Buffer<std::uint64_t> metadata;
  std::uint64_t pairs;
};

/// Times build(), which says whether it succeeded, between CUDA events; clear() before each is not timed.
template <class Clear, class Build>
void measure(benchmark::State& state, Device& device, Clear const& clear, Build const& build)
{
  for (auto _ : state) {
    clear();
    device.start_timer();
    if (build() != Built::done) { state.SkipWithError("the table could not be built"); }
    state.SetIterationTime(device.stop_timer());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

/// At the paper's load of 409 pairs a bucket.
void two_level_cuckoo(benchmark::State& state)
{
  Device device;
  auto const count = static_cast<std::uint64_t>(state.range(0));
  two_level::BucketHash hash{static_cast<std::uint32_t>((count + 408) / 409)};
  Setup const setup(device, count, std::uint64_t{hash.buckets} * two_level::bucket_slots, hash.buckets);
  two_level::Builder<Device, Narrow> builder(device);
  std::uint64_t seed = 0;
  measure(
      state, device, [] {},
      [&] { return builder.build(hash, ++seed, setup.contents(), setup.words.data(), setup.metadata.data()); });
  state.counters["steps per bucket"] = static_cast<double>(builder.report().steps) / hash.buckets;
  state.counters["reseeds"] = static_cast<double>(builder.report().reseeds);
  state.counters["restarts"] = builder.report().restarts;
}

template <class Hashes, class Builder>
void perfect_hash(benchmark::State& state, double load)
{
  Device device;
  auto const count = static_cast<std::uint64_t>(state.range(0));
  Hashes hashes = Hashes::of(static_cast<std::uint64_t>(static_cast<double>(count) / load));
  Setup const setup(device, count, hashes.slots, hashes.buckets);
  Builder builder(device);
  std::uint64_t seed = 0;
  auto const clear = [&] {
    device.fill(setup.words.data(), setup.words.size(), Narrow::empty_word);
    device.fill(setup.metadata.data(), setup.metadata.size(), std::uint64_t{0});
  };
  measure(state, device, clear, [&] {
    return builder.build(hashes, ++seed, setup.contents(), {setup.words.data(), setup.metadata.data()});
  });
  state.counters["seeds"] = builder.seeds_tried();
}
void fks_hash(benchmark::State& state)
{
  perfect_hash<fks::Hashes, fks::Builder<Device, Narrow>>(state, 0.45);
}
void psh_hash(benchmark::State& state)
{
  perfect_hash<psh::Hashes, psh::Builder<Device, Narrow>>(state, 0.99);
}

BENCHMARK(two_level_cuckoo)->Arg(160'000)->Arg(1'000'000)->Arg(5'000'000)->Arg(90'000'000)->UseManualTime();
BENCHMARK(fks_hash)->Arg(160'000)->Arg(1'000'000)->Arg(60'000'000)->UseManualTime();
BENCHMARK(psh_hash)->Arg(160'000)->Arg(1'000'000)->Arg(60'000'000)->UseManualTime();

}  // namespace
}  // namespace slotscape
